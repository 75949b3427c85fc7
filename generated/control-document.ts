/** Generated from control.yaml by `npm run generate`. Do not edit. */

/** The contract as written, with unresolved references. */
export const CONTROL = {
  openapi: '3.0.3',
  info: {
    title: 'Rollcall control',
    version: '1.0.0',
    license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    description:
      'Controls the test server `rollcall demo --control` from any language: accounts and their records, faults, cues, received requests, snapshots and resets. Each operation does the same as the method of `rollcall/testing` in its `x-kit`. Collection and property names are in camel case, such as `contactImports` and `retryAfter`. Records match their schemas in `openapi.yaml`.',
  },
  servers: [
    {
      url: 'http://127.0.0.1:3001',
      'x-internal': true,
      description: 'The local address that `rollcall demo --control` prints.',
    },
  ],
  security: [{ controlKey: [] }],
  tags: [
    { name: 'accounts', description: "An account's records and API key." },
    { name: 'cues', description: 'Actions that run when the server receives a certain request.' },
    { name: 'faults', description: 'Injected failures.' },
    { name: 'requests', description: 'The requests that the server received.' },
    { name: 'server', description: 'Operations on all accounts.' },
  ],
  paths: {
    '/accounts': {
      get: {
        operationId: 'listAccounts',
        'x-kit': 'server.accounts',
        tags: ['accounts'],
        summary: 'List accounts',
        description: 'Returns all accounts with their keys, in order of creation.',
        responses: {
          '200': {
            description: 'The accounts.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/AccountList' } } },
          },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
      post: {
        operationId: 'createAccount',
        'x-kit': 'server.account',
        tags: ['accounts'],
        summary: 'Create an account',
        description:
          'Creates an account with records and a key. Give each test its own account to isolate it from other tests.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewAccount' } } },
        },
        responses: {
          '201': {
            description: 'The account.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Account' } } },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '409': { $ref: '#/components/responses/Conflict' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      delete: {
        operationId: 'deleteAccount',
        'x-kit': 'account.delete',
        tags: ['accounts'],
        summary: 'Delete an account',
        description: 'Deletes the account and its records. Its key stops working.',
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/put': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      post: {
        operationId: 'putRecords',
        'x-kit': 'account.put',
        tags: ['accounts'],
        summary: 'Add or replace records',
        description: 'Adds records to a collection. Replaces records that have the same id.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Put' } } },
        },
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/remove': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      post: {
        operationId: 'removeRecords',
        'x-kit': 'account.remove',
        tags: ['accounts'],
        summary: 'Remove records',
        description:
          'Removes the records with these ids. If one of the ids does not exist in the collection, no record is removed.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Remove' } } },
        },
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/move-import': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      post: {
        operationId: 'moveImport',
        'x-kit': 'account.moveImport',
        tags: ['accounts'],
        summary: 'Advance a contact import',
        description: 'Advances a contact import by one step, or to its end. Its counts increase.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/MoveImport' } } },
        },
        responses: {
          '200': {
            description: 'The updated contact import.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Record' } } },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '409': { $ref: '#/components/responses/Conflict' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/revoke-key': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      post: {
        operationId: 'revokeKey',
        'x-kit': 'account.revokeKey',
        tags: ['accounts'],
        summary: 'Revoke the key',
        description: "Revokes the account's key. Requests with the key return 401 until the account is reset.",
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/reset': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      post: {
        operationId: 'resetAccount',
        'x-kit': 'account.reset',
        tags: ['accounts'],
        summary: 'Reset an account',
        description:
          "Restores the account's initial records and its key. Removes its faults, cues and recorded requests.",
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/faults': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      post: {
        operationId: 'addAccountFault',
        'x-kit': 'account.fail',
        tags: ['faults'],
        summary: 'Add a fault to an account',
        description: "Makes the next requests with the account's key fail.",
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewFault' } } },
        },
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
      delete: {
        operationId: 'clearAccountFaults',
        'x-kit': 'account.clearFaults',
        tags: ['faults'],
        summary: "Remove an account's faults",
        description: "Removes the account's pending faults.",
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/cues': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      get: {
        operationId: 'listCues',
        'x-kit': 'account.cues',
        tags: ['cues'],
        summary: "List an account's cues",
        description:
          "Returns the account's cues and how often each one fired. `fired` is 0 for a cue that has not fired.",
        responses: {
          '200': {
            description: 'The cues, in the order in which they were added.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/CueList' } } },
          },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
      post: {
        operationId: 'addCue',
        'x-kit': 'account.cue',
        tags: ['cues'],
        summary: 'Add a cue',
        description: "Adds a cue. It runs actions when a certain request with the account's key arrives.",
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewCue' } } },
        },
        responses: {
          '201': {
            description: 'The cue.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Cue' } } },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
      delete: {
        operationId: 'clearCues',
        'x-kit': 'account.clearCues',
        tags: ['cues'],
        summary: "Remove an account's cues",
        description: 'Removes all cues of the account.',
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/scenarios': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      post: {
        operationId: 'addScenario',
        'x-kit': 'account.scenario',
        tags: ['cues'],
        summary: 'Add a scenario',
        description:
          "Adds the cue for a scenario. It uses the account's records of the collection, or its first queued contact import.",
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewScenario' } } },
        },
        responses: {
          '201': {
            description: 'The cue.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Cue' } } },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '409': { $ref: '#/components/responses/Conflict' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/accounts/{account}/requests': {
      parameters: [{ $ref: '#/components/parameters/Account' }],
      get: {
        operationId: 'listAccountRequests',
        'x-kit': 'account.requests',
        tags: ['requests'],
        summary: "List an account's requests",
        description: "Returns the last 1000 requests with the account's key, in order of arrival.",
        parameters: [{ $ref: '#/components/parameters/Operation' }, { $ref: '#/components/parameters/Status' }],
        responses: {
          '200': {
            description: 'The requests.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/RequestList' } } },
          },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
      delete: {
        operationId: 'clearAccountRequests',
        'x-kit': 'account.clearRequests',
        tags: ['requests'],
        summary: "Remove an account's requests",
        description: "Removes the account's recorded requests.",
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/NotFound' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/faults': {
      post: {
        operationId: 'addFault',
        'x-kit': 'server.fail',
        tags: ['faults'],
        summary: 'Add a server fault',
        description: "Makes the next requests fail, with any key or without one. An account's fault takes precedence.",
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewFault' } } },
        },
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
      delete: {
        operationId: 'clearFaults',
        'x-kit': 'server.clearFaults',
        tags: ['faults'],
        summary: 'Remove server faults',
        description: "Removes the server's pending faults. Faults of accounts remain.",
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/requests': {
      get: {
        operationId: 'listRequests',
        'x-kit': 'server.requests',
        tags: ['requests'],
        summary: 'List all requests',
        description: 'Returns the last 1000 requests, with any key or without one, in order of arrival.',
        parameters: [{ $ref: '#/components/parameters/Operation' }, { $ref: '#/components/parameters/Status' }],
        responses: {
          '200': {
            description: 'The requests.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/RequestList' } } },
          },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
      delete: {
        operationId: 'clearRequests',
        'x-kit': 'server.clearRequests',
        tags: ['requests'],
        summary: "Remove the server's requests",
        description: "Removes the server's recorded requests. The accounts' own lists remain.",
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/reset': {
      post: {
        operationId: 'reset',
        'x-kit': 'server.reset',
        tags: ['server'],
        summary: 'Reset everything',
        description: 'Resets all accounts. Removes all faults and all recorded requests.',
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
    '/snapshot': {
      get: {
        operationId: 'takeSnapshot',
        'x-kit': 'server.snapshot',
        tags: ['server'],
        summary: 'Take a snapshot',
        description:
          'Returns all accounts and their records, without keys, faults, cues and requests. `rollcall demo --seed` reads the same format.',
        responses: {
          '200': {
            description: 'The snapshot.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Snapshot' } } },
          },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
      put: {
        operationId: 'restoreSnapshot',
        'x-kit': 'server.restore',
        tags: ['server'],
        summary: 'Restore a snapshot',
        description:
          'Restores the accounts and records of a snapshot. Deletes accounts that are not in the snapshot, and creates keys for new ones. The next reset restores the same state.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Snapshot' } } },
        },
        responses: {
          '204': { description: 'Success. The response has no body.' },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '413': { $ref: '#/components/responses/TooLarge' },
          '422': { $ref: '#/components/responses/Invalid' },
          '500': { $ref: '#/components/responses/ServerError' },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      controlKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'The control key. `rollcall demo --control` prints it. To choose it, use `--control-key`.',
      },
    },
    parameters: {
      Account: {
        name: 'account',
        in: 'path',
        required: true,
        description: 'The name of an account.',
        schema: { $ref: '#/components/schemas/AccountName' },
      },
      Operation: {
        name: 'operation',
        in: 'query',
        description: 'Returns only requests for this operation in `openapi.yaml`.',
        schema: { $ref: '#/components/schemas/OperationName' },
      },
      Status: {
        name: 'status',
        in: 'query',
        description: 'Returns only requests whose response has this status.',
        schema: { type: 'integer', format: 'int32', minimum: 100, maximum: 599, example: 429 },
      },
    },
    schemas: {
      OperationName: {
        description: 'The name of an operation in `openapi.yaml`.',
        type: 'string',
        maxLength: 100,
        pattern: '^[A-Za-z_-]+$',
        example: 'listAutomations',
      },
      AccountName: {
        description: 'An account name of 1 to 100 letters, digits or characters of `_.@-`, without a dot at the start.',
        type: 'string',
        minLength: 1,
        maxLength: 100,
        pattern: '^[A-Za-z0-9_@-][A-Za-z0-9_.@-]*$',
        example: 'account-1',
      },
      Account: {
        type: 'object',
        required: ['name', 'apiKey'],
        properties: {
          name: { $ref: '#/components/schemas/AccountName' },
          apiKey: {
            description: "The account's API key.",
            type: 'string',
            maxLength: 202,
            pattern: '^[A-Za-z0-9_.~+/-]+=*$',
            example: 'test-key',
          },
        },
      },
      AccountList: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', maxItems: 10000, items: { $ref: '#/components/schemas/Account' } } },
      },
      NewAccount: {
        type: 'object',
        additionalProperties: false,
        properties: {
          name: {
            description: 'The name of the account. The default is `account-1`, `account-2` and so on.',
            allOf: [{ $ref: '#/components/schemas/AccountName' }],
          },
          apiKey: {
            description:
              'An API key of 1 to 200 letters, digits or characters of `-._~+/`, optionally followed by `=` characters. By default, a new key is created.',
            type: 'string',
            maxLength: 202,
            pattern: '^[A-Za-z0-9_.~+/-]{1,200}=*$',
            example: 'test-key',
          },
          records: { $ref: '#/components/schemas/Records' },
        },
      },
      Record: {
        description: 'A record of a collection. It matches the schema of the collection in `openapi.yaml`.',
        type: 'object',
        additionalProperties: true,
        required: ['id'],
        properties: { id: { $ref: '#/components/schemas/RecordId' } },
      },
      RecordId: {
        description: 'A UUID in any letter case. The id of a record.',
        type: 'string',
        format: 'uuid',
        maxLength: 36,
        pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
        example: 'b2c3d4e5-f6a7-8901-bcde-f12345678901',
      },
      RecordList: { type: 'array', maxItems: 100000, items: { $ref: '#/components/schemas/Record' } },
      Records: {
        description: 'Records by collection name. A collection that is not listed is empty.',
        type: 'object',
        maxProperties: 100,
        additionalProperties: { $ref: '#/components/schemas/RecordList' },
      },
      CollectionName: {
        description: 'The name of a collection.',
        type: 'string',
        maxLength: 100,
        pattern: '^[A-Za-z_-]+$',
        example: 'contactImports',
      },
      Put: {
        type: 'object',
        additionalProperties: false,
        required: ['collection', 'records'],
        properties: {
          collection: { $ref: '#/components/schemas/CollectionName' },
          records: { $ref: '#/components/schemas/RecordList' },
        },
      },
      Remove: {
        type: 'object',
        additionalProperties: false,
        required: ['collection', 'ids'],
        properties: {
          collection: { $ref: '#/components/schemas/CollectionName' },
          ids: { type: 'array', maxItems: 100000, items: { $ref: '#/components/schemas/RecordId' } },
        },
      },
      MoveImport: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: {
          id: { $ref: '#/components/schemas/RecordId' },
          end: {
            description: 'The final status of the import. The default is `completed`.',
            type: 'string',
            enum: ['completed', 'failed'],
          },
          total: {
            description: 'The number of records in the import. The default is 1000.',
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
          },
          toEnd: { description: 'Whether to advance the import to its end instead of by one step.', type: 'boolean' },
        },
      },
      Fault: {
        description:
          'A failure. It must have exactly one of `error`, `status`, `body` and `disconnect`, optionally with `delayMs`, or only `delayMs`.',
        type: 'object',
        additionalProperties: false,
        properties: {
          error: {
            description: 'The name of an error in `openapi.yaml`.',
            type: 'string',
            maxLength: 100,
            pattern: '^[a-z_]+$',
            example: 'rate_limit_exceeded',
          },
          status: {
            description: 'The status of an error. If several errors have this status, use `error` instead.',
            type: 'integer',
            format: 'int32',
            minimum: 400,
            maximum: 599,
            example: 503,
          },
          retryAfter: {
            description: 'The number of seconds in `Retry-After`, for errors that have this header.',
            type: 'integer',
            format: 'int32',
            minimum: 1,
            maximum: 86400,
          },
          body: {
            description:
              'How to damage the body of the usual response. `cut`: send half of it. `malformed`: send a body that is not JSON. `stalled`: pause in the middle. `slow`: send it in pieces.',
            type: 'string',
            enum: ['cut', 'malformed', 'stalled', 'slow'],
          },
          ms: {
            description: 'The duration of a `stalled` or `slow` body, in milliseconds.',
            type: 'number',
            format: 'double',
            minimum: 0,
            maximum: 2147483647,
          },
          disconnect: { description: 'Closes the connection without a response.', type: 'boolean', enum: [true] },
          delayMs: {
            description: 'The delay before the response, in milliseconds.',
            type: 'number',
            format: 'double',
            minimum: 0,
            maximum: 2147483647,
          },
          operation: {
            description: 'Applies only to requests for this operation.',
            allOf: [{ $ref: '#/components/schemas/OperationName' }],
          },
        },
      },
      NewFault: {
        type: 'object',
        additionalProperties: false,
        required: ['fault'],
        properties: {
          fault: { $ref: '#/components/schemas/Fault' },
          times: { $ref: '#/components/schemas/Times' },
          always: { $ref: '#/components/schemas/Always' },
        },
      },
      Times: {
        description: 'The number of requests that it applies to. The default is 1.',
        type: 'integer',
        format: 'int64',
        minimum: 1,
        maximum: 9007199254740991,
      },
      Always: { description: 'Applies to all requests. Use it instead of `times`.', type: 'boolean', enum: [true] },
      When: {
        description: "The account's requests that a cue waits for.",
        type: 'object',
        additionalProperties: false,
        properties: {
          operation: {
            description:
              'Waits only for requests for this operation. By default, for all GET and HEAD requests for an operation.',
            allOf: [{ $ref: '#/components/schemas/OperationName' }],
          },
          cursor: {
            description: 'Waits only for requests whose `after` or `before` is this id.',
            allOf: [{ $ref: '#/components/schemas/RecordId' }],
          },
          nth: {
            description:
              'The cue fires at the nth of these requests, counted from when the cue was added. The default is 1.',
            type: 'integer',
            format: 'int64',
            minimum: 1,
            maximum: 9007199254740991,
          },
        },
      },
      Action: {
        description:
          'An action. It must have exactly one of these properties. With `at: before`, a fault applies to the request that fires the cue; with `at: after`, to the next request.',
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 1,
        properties: {
          put: { $ref: '#/components/schemas/Put' },
          remove: { $ref: '#/components/schemas/Remove' },
          moveImport: { $ref: '#/components/schemas/MoveImport' },
          revokeKey: { type: 'boolean', enum: [true] },
          fail: { $ref: '#/components/schemas/Fault' },
        },
      },
      NewCue: {
        type: 'object',
        additionalProperties: false,
        required: ['when', 'then'],
        properties: {
          when: { $ref: '#/components/schemas/When' },
          then: { $ref: '#/components/schemas/Actions' },
          at: { $ref: '#/components/schemas/At' },
          times: { $ref: '#/components/schemas/Times' },
          always: { $ref: '#/components/schemas/Always' },
        },
      },
      Actions: {
        description: 'The actions, in the order in which they run.',
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: { $ref: '#/components/schemas/Action' },
      },
      At: {
        description:
          "When the actions run. `before` (the default): before the response is computed. `after`: after the response is sent and before the account's next request.",
        type: 'string',
        enum: ['before', 'after'],
      },
      Cue: {
        type: 'object',
        required: ['number', 'when', 'then', 'at', 'fired', 'errors'],
        properties: {
          number: {
            description: 'The number of the cue. Cues are numbered from 1, starting again when the account is reset.',
            type: 'integer',
            format: 'int32',
            minimum: 1,
            maximum: 2147483647,
          },
          when: { $ref: '#/components/schemas/When' },
          then: { $ref: '#/components/schemas/Actions' },
          at: { $ref: '#/components/schemas/At' },
          times: { $ref: '#/components/schemas/Times' },
          always: { $ref: '#/components/schemas/Always' },
          fired: {
            description: 'How often the cue fired.',
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
          },
          errors: {
            description:
              'The errors of the first actions that failed, for example because a contact import does not exist.',
            type: 'array',
            maxItems: 10,
            items: { type: 'string', maxLength: 10000 },
          },
        },
      },
      CueList: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', maxItems: 1000, items: { $ref: '#/components/schemas/Cue' } } },
      },
      ScenarioName: {
        description:
          'The name of a scenario. `docs/test-kit.md` describes each scenario and what a correct client does.',
        type: 'string',
        enum: [
          'insert-at-head-while-paginating',
          'cursor-removed',
          'status-changes-out-of-filter',
          'import-progresses-per-poll',
          'rate-limited-midway',
          'outage-and-recovery',
          'last-page-full',
          'ties-across-pages',
          'key-revoked-midway',
        ],
      },
      NewScenario: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: { $ref: '#/components/schemas/ScenarioName' },
          collection: {
            description: 'The collection that the client lists. The default is `automations`.',
            allOf: [{ $ref: '#/components/schemas/CollectionName' }],
          },
          limit: {
            description: 'The `limit` that the client sends. The default is 2.',
            type: 'integer',
            format: 'int32',
            minimum: 1,
            maximum: 100,
          },
        },
      },
      SeenRequest: {
        type: 'object',
        required: ['method', 'path', 'query', 'headers', 'cues'],
        properties: {
          method: { type: 'string', pattern: '^[A-Z-]+$', maxLength: 100, example: 'GET' },
          path: { type: 'string', maxLength: 20000, example: '/automations' },
          query: { $ref: '#/components/schemas/Values' },
          headers: { $ref: '#/components/schemas/Values' },
          operation: {
            description: 'The operation. Missing if the request matches no operation.',
            allOf: [{ $ref: '#/components/schemas/OperationName' }],
          },
          status: {
            description: 'The status of the response. Missing until the server responds.',
            type: 'integer',
            format: 'int32',
            minimum: 100,
            maximum: 599,
          },
          fault: { $ref: '#/components/schemas/Fault' },
          cues: {
            description: 'The numbers of the cues that fired at this request.',
            type: 'array',
            maxItems: 1000,
            items: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
          },
        },
      },
      Values: {
        description: 'Values by name. A repeated name has several values.',
        type: 'object',
        maxProperties: 20000,
        additionalProperties: { type: 'array', maxItems: 10000, items: { type: 'string', maxLength: 20000 } },
      },
      RequestList: {
        type: 'object',
        required: ['count', 'data'],
        properties: {
          count: {
            description: 'The number of requests in `data`.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
            maximum: 1000,
          },
          data: { type: 'array', maxItems: 1000, items: { $ref: '#/components/schemas/SeenRequest' } },
        },
      },
      Snapshot: {
        type: 'object',
        additionalProperties: false,
        required: ['version', 'accounts'],
        properties: {
          version: { type: 'integer', format: 'int32', minimum: 1, maximum: 1, enum: [1] },
          accounts: {
            description: 'The records of each account, by account name.',
            type: 'object',
            maxProperties: 10000,
            additionalProperties: { $ref: '#/components/schemas/Records' },
          },
        },
      },
      Problem: {
        description: 'The body of all error responses.',
        type: 'object',
        required: ['statusCode', 'name', 'message'],
        properties: {
          statusCode: { type: 'integer', format: 'int32', minimum: 400, maximum: 599, example: 422 },
          name: {
            type: 'string',
            enum: [
              'invalid_json',
              'invalid_control_key',
              'cross_site_request',
              'not_found',
              'method_not_allowed',
              'conflict',
              'body_too_large',
              'validation_error',
              'application_error',
            ],
          },
          message: { type: 'string', maxLength: 10000, example: '`times` must be a whole number of 1 or more.' },
        },
      },
    },
    responses: {
      BadRequest: {
        description:
          'The body is not JSON, or it has a duplicate property, or a number that a double cannot represent exactly.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      Unauthorized: {
        description: 'The request does not have the control key.',
        headers: {
          'WWW-Authenticate': {
            description: 'The authentication scheme.',
            required: true,
            schema: { type: 'string', enum: ['Bearer'] },
          },
        },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      Forbidden: {
        description: 'A web page in a browser sent the request.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      NotFound: {
        description: 'The account, record or contact import does not exist.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      Conflict: {
        description:
          'The name or the key is already in use, there are too many accounts, the contact import has ended, or the account does not have the records that the scenario requires.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      TooLarge: {
        description: 'The body is larger than 16 MiB.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      Invalid: {
        description: 'A parameter or the body is invalid. The message describes the error and lists what is allowed.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      ServerError: {
        description: 'Internal server error.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  },
} as const;
