/** Made from openapi.yaml by `npm run generate`; not to be edited. */

/** The contract as it is written, references and all. */
export const DOCUMENT: object = {
  openapi: '3.0.3',
  info: {
    title: 'Rollcall',
    version: '1.0.0',
    license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    description:
      'Lists the automations, contact properties and contact imports of a messaging account. Read-only: every operation is a GET that answers JSON. Lists are newest first and come in pages; every error is a `Problem` with a `name` to switch on. Ignore properties you do not know. All other rules are in the chapters of `x-guide` in this document.',
  },
  'x-guide': [
    {
      title: 'Order',
      text: 'Every list is newest first: by the instant of `created_at`, to the microsecond and with its offset applied;\nitems of the same instant by `id`, descending. The order is total and stable: two equal requests over the\nsame items answer the same page.\n',
    },
    {
      title: 'Paging',
      text: 'A list without a cursor starts at its newest item. To go on to older items, ask again with `after` set to the\n`id` of the last item you were given; to go back to newer ones, with `before` set to the `id` of the first.\nGo on while `has_more` is `true`.\n\n    GET /automations?limit=50\n    GET /automations?limit=50&after=<id of the last item>\n\n- `has_more` speaks of the direction of travel: older items exist without a cursor or with `after`, newer\n  items exist with `before`.\n- A cursor is a position in the whole list of the account, filters aside: a walk goes on even if the item at\n  the cursor has meanwhile stopped matching the filter.\n- An item that stays where it is in the list during a walk is answered exactly once, whatever else is added,\n  moved or removed meanwhile. An item that is added or moved during a walk is seen if its place lies ahead of it.\n- One thing breaks that promise: if the item at the cursor itself has been given another `created_at`, the walk goes\n  on from its new place, and what lies between the two places comes again or is passed over.\n- If the item at the cursor itself has been removed, the answer is 404 `not_found`: go on from its neighbour in\n  the page you already hold.\n',
    },
    {
      title: 'Limits',
      text: '- A page has at most as many items as `limit` says: 1 to 100. Without it, 20; contact imports, 10.\n- A server may limit how often a key asks. It then says so with every answer, in `RateLimit-Limit`,\n  `RateLimit-Remaining`, `RateLimit-Reset` and `RateLimit-Policy`. One request too many is a 429\n  `rate_limit_exceeded`: ask again after the seconds in `Retry-After`. A 503 `service_unavailable` carries it too.\n',
    },
    {
      title: 'Keys',
      text: 'Send `Authorization: Bearer <key>`. A key opens exactly one account; records of other accounts do not exist\nfor it. There are no scopes. A revoked key stops working at once.\n',
    },
    {
      title: 'Requests',
      text: '- Parameters are checked strictly and never corrected: one that is unknown, repeated, empty or out of range is\n  a 422 `validation_error` whose message names it and says what is allowed.\n- A request is checked in this order: path, method, key, rate limit, parameters, existence.\n- Paths are exact: another case or a trailing slash is a 404. Several leading slashes count as one.\n- A fragment in the request target, that is `#` and what follows it, is cut off.\n- HEAD answers like GET without the body. OPTIONS answers 204 with `Allow`. Other methods are a 405.\n- A request body, `Content-Type` and `Accept` are ignored.\n',
    },
    {
      title: 'Answers',
      text: "- Bodies are JSON, sent as `application/json` without parameters.\n- Every documented property is always present. What has no value is `null`.\n- Texts hold any Unicode characters but U+0000, and no lone surrogates. Those of the account may be empty or blank.\n- Timestamps look like `2026-04-16 13:49:40.678912+00`. They are not RFC 3339, and have 0 to 6 fractional\n  digits.\n- `X-Request-Id` names the request in the server's log: quote it when you report a fault. Send your own to choose it.\n",
    },
    {
      title: 'Errors',
      text: 'Every error has the same JSON body, a `Problem`: the HTTP status as `statusCode`, a `name` to switch on, and a\n`message` for people. A name belongs to one status.\n\n| Name | Status | Meaning |\n|---|---|---|\n| `validation_error` | 422 | A parameter is not as documented. |\n| `missing_api_key` | 401 | No bearer key was sent. |\n| `invalid_api_key` | 401 | The key is unknown, revoked or expired. |\n| `not_found` | 404 | No such path, import or cursor. |\n| `method_not_allowed` | 405 | The path exists, but not for this method. |\n| `rate_limit_exceeded` | 429 | Too many requests for this key. |\n| `application_error` | 500 | A fault of the server. |\n| `service_unavailable` | 503 | The server cannot answer for now. |\n\n429 and 503 pass: ask again. So may 500. The others answer the same request the same way until something changes.\n',
    },
    {
      title: 'Conditional requests',
      text: 'Every 200 carries an `ETag`. Send it back in `If-None-Match`, weak (`W/`) or not, and an unchanged answer is a 304\nwithout a body: a cheap way to ask again and again.\n',
    },
    {
      title: 'Stability',
      text: 'The version of this contract is semantic.\n\n- Without notice, a minor version may add optional parameters and response properties. Ignore properties you do\n  not know.\n- The wording of messages may change at any time, and so may what follows the scheme in `WWW-Authenticate`.\n- Nothing else changes within a major version. Whatever could break a client comes with the next one. So does a\n  new error name: the names are a closed set.\n- A removal is announced with the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).\n',
    },
  ],
  'x-changelog': [
    {
      version: '1.0.0',
      date: 'unreleased',
      changes: [
        'The first version: `listAutomations`, `listContactProperties`, `listContactImports` and `getContactImport`.',
      ],
    },
  ],
  servers: [{ url: '/', description: 'The server this came from, local or in production.', 'x-internal': false }],
  tags: [
    { name: 'Automations', description: 'What runs by itself, and whether it is switched on.' },
    { name: 'Contact imports', description: 'Bulk imports of contacts, and how far they have come.' },
    { name: 'Contact properties', description: 'The fields a contact can have.' },
  ],
  security: [{ bearerKey: [] }],
  paths: {
    '/automations': {
      get: {
        operationId: 'listAutomations',
        tags: ['Automations'],
        summary: 'List automations',
        description:
          "A page of the account's automations, newest first; all of them, or those of one status. Without a cursor it is the first page, with `after` or `before` the one that follows or precedes an item.",
        parameters: [
          { $ref: '#/components/parameters/Limit' },
          { $ref: '#/components/parameters/AutomationsAfter' },
          { $ref: '#/components/parameters/AutomationsBefore' },
          { $ref: '#/components/parameters/AutomationStatusFilter' },
          { $ref: '#/components/parameters/IfNoneMatch' },
          { $ref: '#/components/parameters/RequestId' },
        ],
        'x-speakeasy-pagination': {
          type: 'cursor',
          inputs: [
            { name: 'after', in: 'parameters', type: 'cursor' },
            { name: 'limit', in: 'parameters', type: 'limit' },
          ],
          outputs: { nextCursor: '$.data[-1].id', results: '$.data' },
        },
        responses: {
          '200': { $ref: '#/components/responses/AutomationsPage' },
          '304': { $ref: '#/components/responses/NotModified' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '422': { $ref: '#/components/responses/UnprocessableContent' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalServerError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/contact-properties': {
      get: {
        operationId: 'listContactProperties',
        tags: ['Contact properties'],
        summary: 'List contact properties',
        description:
          "A page of the account's contact properties, newest first. Without a cursor it is the first page, with `after` or `before` the one that follows or precedes an item.",
        parameters: [
          { $ref: '#/components/parameters/Limit' },
          { $ref: '#/components/parameters/ContactPropertiesAfter' },
          { $ref: '#/components/parameters/ContactPropertiesBefore' },
          { $ref: '#/components/parameters/IfNoneMatch' },
          { $ref: '#/components/parameters/RequestId' },
        ],
        'x-speakeasy-pagination': {
          type: 'cursor',
          inputs: [
            { name: 'after', in: 'parameters', type: 'cursor' },
            { name: 'limit', in: 'parameters', type: 'limit' },
          ],
          outputs: { nextCursor: '$.data[-1].id', results: '$.data' },
        },
        responses: {
          '200': { $ref: '#/components/responses/ContactPropertiesPage' },
          '304': { $ref: '#/components/responses/NotModified' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '422': { $ref: '#/components/responses/UnprocessableContent' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalServerError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/contacts/imports': {
      get: {
        operationId: 'listContactImports',
        tags: ['Contact imports'],
        summary: 'List contact imports',
        description:
          "A page of the account's contact imports, newest first; all of them, or those of one status. Without a cursor it is the first page, with `after` or `before` the one that follows or precedes an item.",
        parameters: [
          { $ref: '#/components/parameters/ContactImportsLimit' },
          { $ref: '#/components/parameters/ContactImportsAfter' },
          { $ref: '#/components/parameters/ContactImportsBefore' },
          { $ref: '#/components/parameters/ContactImportStatusFilter' },
          { $ref: '#/components/parameters/IfNoneMatch' },
          { $ref: '#/components/parameters/RequestId' },
        ],
        'x-speakeasy-pagination': {
          type: 'cursor',
          inputs: [
            { name: 'after', in: 'parameters', type: 'cursor' },
            { name: 'limit', in: 'parameters', type: 'limit' },
          ],
          outputs: { nextCursor: '$.data[-1].id', results: '$.data' },
        },
        responses: {
          '200': { $ref: '#/components/responses/ContactImportsPage' },
          '304': { $ref: '#/components/responses/NotModified' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '422': { $ref: '#/components/responses/UnprocessableContent' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalServerError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/contacts/imports/{id}': {
      get: {
        operationId: 'getContactImport',
        tags: ['Contact imports'],
        summary: 'Retrieve a contact import',
        description:
          'One contact import by its id. It takes no query parameters. To follow an import, ask with `If-None-Match` until its `status` is `completed` or `failed`.',
        parameters: [
          { $ref: '#/components/parameters/ContactImportId' },
          { $ref: '#/components/parameters/IfNoneMatch' },
          { $ref: '#/components/parameters/RequestId' },
        ],
        responses: {
          '200': { $ref: '#/components/responses/ContactImportFound' },
          '304': { $ref: '#/components/responses/NotModified' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '404': { $ref: '#/components/responses/NotFound' },
          '405': { $ref: '#/components/responses/MethodNotAllowed' },
          '422': { $ref: '#/components/responses/UnprocessableContent' },
          '429': { $ref: '#/components/responses/TooManyRequests' },
          '500': { $ref: '#/components/responses/InternalServerError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      bearerKey: {
        type: 'http',
        scheme: 'bearer',
        'x-key-pattern': 'rollcall_[0-9a-f]{40}',
        description:
          'An API key of the account. It reads everything of its account and nothing of any other. Keys match the pattern in `x-key-pattern`, so that secret scanners can recognise one that leaked.',
      },
    },
    parameters: {
      Limit: {
        name: 'limit',
        in: 'query',
        description:
          'How many items to answer at most: 1 to 100, in plain decimal digits; 20 if it is not sent. A value out of range is refused with 422, never clamped.',
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 },
        example: 50,
      },
      ContactImportsLimit: {
        name: 'limit',
        in: 'query',
        description:
          'How many items to answer at most: 1 to 100, in plain decimal digits; 10 if it is not sent, fewer than for the other lists. A value out of range is refused with 422, never clamped.',
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 10 },
        example: 50,
      },
      AutomationsAfter: {
        name: 'after',
        in: 'query',
        description:
          'The id of an automation. Answers the automations that follow it in list order (older ones), nearest first, without itself. An id the account does not have is a 404. Cannot be combined with `before`: both at once are a 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/AnyCaseId' },
        example: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
      },
      AutomationsBefore: {
        name: 'before',
        in: 'query',
        description:
          'The id of an automation. Answers the page that ends right before it, that is the `limit` automations nearest to it on its newer side, still newest first and without itself. It is not the head of the list. An id the account does not have is a 404. Cannot be combined with `after`: both at once are a 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/AnyCaseId' },
        example: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
      },
      ContactPropertiesAfter: {
        name: 'after',
        in: 'query',
        description:
          'The id of a contact property. Answers the contact properties that follow it in list order (older ones), nearest first, without itself. An id the account does not have is a 404. Cannot be combined with `before`: both at once are a 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/AnyCaseId' },
        example: '5d0a7c92-3e1b-4f68-8b24-91c7e6d5a034',
      },
      ContactPropertiesBefore: {
        name: 'before',
        in: 'query',
        description:
          'The id of a contact property. Answers the page that ends right before it, that is the `limit` contact properties nearest to it on its newer side, still newest first and without itself. It is not the head of the list. An id the account does not have is a 404. Cannot be combined with `after`: both at once are a 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/AnyCaseId' },
        example: '0f4b9e17-86ad-4c35-9d02-b7e5c3f1a248',
      },
      ContactImportsAfter: {
        name: 'after',
        in: 'query',
        description:
          'The id of a contact import. Answers the contact imports that follow it in list order (older ones), nearest first, without itself. An id the account does not have is a 404. Cannot be combined with `before`: both at once are a 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/AnyCaseId' },
        example: 'a94c20d7-1f6e-4583-bb70-6e8d5c0f3a12',
      },
      ContactImportsBefore: {
        name: 'before',
        in: 'query',
        description:
          'The id of a contact import. Answers the page that ends right before it, that is the `limit` contact imports nearest to it on its newer side, still newest first and without itself. It is not the head of the list. An id the account does not have is a 404. Cannot be combined with `after`: both at once are a 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/AnyCaseId' },
        example: '7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95',
      },
      AutomationStatusFilter: {
        name: 'status',
        in: 'query',
        description: 'Answers only automations of this status. Without it, those of every status.',
        schema: { $ref: '#/components/schemas/AutomationStatus' },
        example: 'enabled',
      },
      ContactImportStatusFilter: {
        name: 'status',
        in: 'query',
        description: 'Answers only contact imports of this status. Without it, those of every status.',
        schema: { $ref: '#/components/schemas/ContactImportStatus' },
        example: 'completed',
      },
      ContactImportId: {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id of the contact import, upper or lower case. An id the account does not have is a 404.',
        schema: { $ref: '#/components/schemas/AnyCaseId' },
        example: '7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95',
      },
      IfNoneMatch: {
        name: 'If-None-Match',
        in: 'header',
        description:
          'The `ETag` of an answer that you hold, or several with commas between them. If one is still the tag of the answer, that is a 304 without a body. No value is refused.',
        schema: { type: 'string' },
        example: '"Vf2sQd0y1mJbYx6dJ0kE3yq4e0M"',
      },
      RequestId: {
        name: 'X-Request-Id',
        in: 'header',
        description:
          'Your name for the request, to find it by in the log of the server. It is kept if it fits the header of this name in the answers, else replaced. No value is refused.',
        schema: { type: 'string' },
        example: '0b5a6c1e-6f0e-4b58-9d43-5c1f7a7f7d0e',
      },
    },
    headers: {
      RequestId: {
        description:
          'Identifies the request in the log of the server. The `X-Request-Id` of the request is kept if it is 1 to 128 letters, digits or characters of `._~+/=:@-`; any other is replaced.',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._~+/=:@-]+$' },
        example: '0b5a6c1e-6f0e-4b58-9d43-5c1f7a7f7d0e',
      },
      ETag: {
        description:
          'Names this very answer. Send it back in `If-None-Match` to be told 304 while it has not changed. What compresses answers on their way may make it weak (`W/`).',
        required: true,
        schema: { type: 'string', minLength: 3, maxLength: 128, pattern: '^(W/)?"[!#-~]+"$' },
        example: '"Vf2sQd0y1mJbYx6dJ0kE3yq4e0M"',
      },
      CacheControl: {
        description:
          'Answers belong to the holder of the key, and are to be asked for again before they are reused. On its way it may only become stricter, such as `no-store`.',
        required: true,
        schema: {
          type: 'string',
          minLength: 8,
          maxLength: 256,
          pattern:
            '^((private|no-cache|no-store|no-transform|must-revalidate|proxy-revalidate|max-age=[0-9]+) *, *)*no-(cache|store)( *, *(private|no-cache|no-store|no-transform|must-revalidate|proxy-revalidate|max-age=[0-9]+))*$',
        },
        example: 'private, no-cache',
      },
      Vary: {
        description: 'The answer depends on the key. What lies on its way may make it depend on more.',
        required: true,
        schema: {
          type: 'string',
          minLength: 13,
          maxLength: 256,
          pattern: '^([A-Za-z0-9-]+ *, *)*[Aa]uthorization( *, *[A-Za-z0-9-]+)*$',
        },
        example: 'Authorization',
      },
      WwwAuthenticate: {
        description:
          'The scheme to authenticate with, which is `Bearer`. What follows it is as RFC 6750 has it, and may change at any time.',
        required: true,
        schema: { type: 'string', minLength: 6, maxLength: 256, pattern: '^Bearer( [ -~]+)?$' },
        examples: {
          missing_api_key: { summary: 'No key was sent', value: 'Bearer realm="rollcall"' },
          invalid_api_key: {
            summary: 'A key that is unknown, revoked or expired',
            value: 'Bearer realm="rollcall", error="invalid_token"',
          },
        },
      },
      Allow: {
        description: 'The methods the path answers to.',
        required: true,
        schema: { type: 'string', enum: ['GET, HEAD, OPTIONS'] },
      },
      RetryAfter: {
        description: 'After how many seconds to ask again.',
        required: true,
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86400 },
        example: 1,
      },
      RateLimitLimit: {
        description: 'How many requests the key has in a window. Sent only by a server that limits requests.',
        required: false,
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
        example: 10,
      },
      RateLimitRemaining: {
        description: 'How many of them are left in this window. Sent only by a server that limits requests.',
        required: false,
        schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2147483647 },
        example: 9,
      },
      RateLimitReset: {
        description: 'After how many seconds the window ends. Sent only by a server that limits requests.',
        required: false,
        schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86400 },
        example: 1,
      },
      RateLimitPolicy: {
        description:
          'How many requests a window has, and how many seconds it lasts. Sent only by a server that limits requests.',
        required: false,
        schema: { type: 'string', minLength: 5, maxLength: 32, pattern: '^[1-9][0-9]*;w=[1-9][0-9]*$' },
        example: '10;w=1',
      },
      AllowOrigin: {
        description:
          'The origin whose scripts may read the answer. Sent only by a server that allows cross-origin use.',
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 1024, pattern: '^([*]|[a-z][a-z0-9+.-]*://[!-~]+)$' },
        example: 'https://app.example',
      },
      ExposeHeaders: {
        description: 'The headers that these scripts may read. Sent only by a server that allows cross-origin use.',
        required: false,
        schema: {
          type: 'string',
          minLength: 1,
          maxLength: 1024,
          pattern: '^([*]|[A-Za-z0-9-]+( *, *[A-Za-z0-9-]+)*)$',
        },
        example: 'ETag, X-Request-Id',
      },
      ContentTypeOptions: {
        description: 'Tells browsers to take the body for what its `Content-Type` says, and for nothing else.',
        required: false,
        schema: { type: 'string', enum: ['nosniff'] },
      },
    },
    schemas: {
      Id: {
        description:
          'A UUID in lower case. Identifies an item among those of its kind and account. The pattern is the whole rule.',
        type: 'string',
        minLength: 36,
        maxLength: 36,
        pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
        example: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
      },
      AnyCaseId: {
        description:
          'A UUID in upper or lower case. The id of an item, as a request may write it. The pattern is the whole rule.',
        type: 'string',
        minLength: 36,
        maxLength: 36,
        pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
        example: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
      },
      Timestamp: {
        description:
          'A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes. Not RFC 3339: a space stands between date and time, and the offset may lack its minutes. Different items may have different numbers of digits.',
        type: 'string',
        minLength: 22,
        maxLength: 32,
        pattern:
          '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?[+-](0[0-9]|1[0-9])(:[0-5][0-9])?$',
        example: '2026-04-16 13:49:40.678912+00',
      },
      CompletionTimestamp: {
        description:
          'A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes, or null. When the import ended: `null` while its status is `queued` or `in_progress`, and never `null` once it is `completed` or `failed`.',
        type: 'string',
        nullable: true,
        minLength: 22,
        maxLength: 32,
        pattern:
          '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?[+-](0[0-9]|1[0-9])(:[0-5][0-9])?$',
        example: '2026-04-16 13:52:08.004+00',
      },
      HasMore: {
        description:
          'Whether more items exist in the direction of travel: older ones without a cursor or with `after`, newer ones with `before`.',
        type: 'boolean',
        example: true,
      },
      ListObject: { description: 'Says that this is a list.', type: 'string', enum: ['list'] },
      ContactImportObject: {
        description: 'Says that this is a contact import.',
        type: 'string',
        enum: ['contact_import'],
      },
      AutomationStatus: {
        description: 'Whether the automation is switched on.',
        type: 'string',
        enum: ['enabled', 'disabled'],
      },
      Automation: {
        description: 'Something the account has set up to run by itself.',
        type: 'object',
        additionalProperties: true,
        required: ['id', 'name', 'status', 'created_at', 'updated_at'],
        properties: {
          id: { $ref: '#/components/schemas/Id' },
          name: {
            description: 'The name its owner gave it. Any text, even an empty one.',
            type: 'string',
            maxLength: 1000,
            example: 'Welcome series',
          },
          status: { $ref: '#/components/schemas/AutomationStatus' },
          created_at: { $ref: '#/components/schemas/Timestamp' },
          updated_at: { $ref: '#/components/schemas/Timestamp' },
        },
        example: {
          id: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
          name: 'Welcome series',
          status: 'enabled',
          created_at: '2026-04-16 13:49:40.678912+00',
          updated_at: '2026-05-02 08:11:05.004+00',
        },
      },
      AutomationList: {
        description: 'A page of automations, newest first.',
        type: 'object',
        additionalProperties: true,
        required: ['object', 'has_more', 'data'],
        properties: {
          object: { $ref: '#/components/schemas/ListObject' },
          has_more: { $ref: '#/components/schemas/HasMore' },
          data: {
            description: 'The automations of this page. Empty if there are none.',
            type: 'array',
            maxItems: 100,
            items: { $ref: '#/components/schemas/Automation' },
          },
        },
      },
      FallbackValue: {
        description:
          'What stands in for the property where a contact has none, or `null` when there is no fallback. If the type of the property is `number`, a number or `null`; if it is `string`, a string or `null`; of any other type, any of the three. A string is any text, even an empty one. A number is answered as it was given: one that a double would change is refused when it is loaded.',
        oneOf: [
          { type: 'string', maxLength: 10000 },
          { type: 'number', format: 'double', minimum: -9007199254740991, maximum: 9007199254740991 },
          { type: 'object', nullable: true, enum: [null] },
        ],
        example: 'friend',
      },
      ContactProperty: {
        description: 'A field that contacts of the account can have.',
        type: 'object',
        additionalProperties: true,
        required: ['id', 'key', 'type', 'fallback_value', 'created_at'],
        properties: {
          id: { $ref: '#/components/schemas/Id' },
          key: {
            description: 'The name of the property. Any text, even an empty one.',
            type: 'string',
            maxLength: 1000,
            example: 'first_name',
          },
          type: {
            description:
              'The data type of the property. `string` and `number` are known today; be prepared for any other text, even an empty one.',
            type: 'string',
            maxLength: 100,
            example: 'string',
          },
          fallback_value: { $ref: '#/components/schemas/FallbackValue' },
          created_at: { $ref: '#/components/schemas/Timestamp' },
        },
        example: {
          id: '5d0a7c92-3e1b-4f68-8b24-91c7e6d5a034',
          key: 'first_name',
          type: 'string',
          fallback_value: 'friend',
          created_at: '2026-02-03 09:30:00+00',
        },
      },
      ContactPropertyList: {
        description: 'A page of contact properties, newest first.',
        type: 'object',
        additionalProperties: true,
        required: ['object', 'has_more', 'data'],
        properties: {
          object: { $ref: '#/components/schemas/ListObject' },
          has_more: { $ref: '#/components/schemas/HasMore' },
          data: {
            description: 'The contact properties of this page. Empty if there are none.',
            type: 'array',
            maxItems: 100,
            items: { $ref: '#/components/schemas/ContactProperty' },
          },
        },
      },
      ContactImportStatus: {
        description:
          'How far the import has come: waiting, being worked on, ended, or ended by a failure of the import as a whole.',
        type: 'string',
        enum: ['queued', 'in_progress', 'completed', 'failed'],
      },
      ContactImportCounts: {
        description: "What became of the import's records. All zero before anything has been processed.",
        type: 'object',
        additionalProperties: true,
        required: ['total', 'created', 'updated', 'skipped', 'failed'],
        properties: {
          total: {
            description: 'Records in the import.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
            maximum: 2147483647,
          },
          created: {
            description: 'Records that created a contact.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
            maximum: 2147483647,
          },
          updated: {
            description: 'Records that updated a contact.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
            maximum: 2147483647,
          },
          skipped: {
            description: 'Records that were skipped.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
            maximum: 2147483647,
          },
          failed: {
            description: 'Records that failed.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
            maximum: 2147483647,
          },
        },
        example: { total: 1200, created: 1100, updated: 80, skipped: 15, failed: 5 },
      },
      ContactImport: {
        description: 'A bulk import of contacts.',
        type: 'object',
        additionalProperties: true,
        required: ['object', 'id', 'status', 'created_at', 'completed_at', 'counts'],
        properties: {
          object: { $ref: '#/components/schemas/ContactImportObject' },
          id: { $ref: '#/components/schemas/Id' },
          status: { $ref: '#/components/schemas/ContactImportStatus' },
          created_at: { $ref: '#/components/schemas/Timestamp' },
          completed_at: { $ref: '#/components/schemas/CompletionTimestamp' },
          counts: { $ref: '#/components/schemas/ContactImportCounts' },
        },
        example: {
          object: 'contact_import',
          id: '7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95',
          status: 'completed',
          created_at: '2026-04-16 13:49:40.678+00',
          completed_at: '2026-04-16 13:52:08.004512+00',
          counts: { total: 1200, created: 1100, updated: 80, skipped: 15, failed: 5 },
        },
      },
      ContactImportList: {
        description: 'A page of contact imports, newest first.',
        type: 'object',
        additionalProperties: true,
        required: ['object', 'has_more', 'data'],
        properties: {
          object: { $ref: '#/components/schemas/ListObject' },
          has_more: { $ref: '#/components/schemas/HasMore' },
          data: {
            description: 'The contact imports of this page. Empty if there are none.',
            type: 'array',
            maxItems: 100,
            items: { $ref: '#/components/schemas/ContactImport' },
          },
        },
      },
      ProblemName: {
        description:
          'What went wrong, for programs. A closed set: a new name comes with a major version. Each belongs to one status.',
        type: 'string',
        enum: [
          'validation_error',
          'missing_api_key',
          'invalid_api_key',
          'not_found',
          'method_not_allowed',
          'rate_limit_exceeded',
          'application_error',
          'service_unavailable',
        ],
      },
      Problem: {
        description: 'The body of every error.',
        type: 'object',
        additionalProperties: true,
        required: ['statusCode', 'name', 'message'],
        properties: {
          statusCode: {
            description: 'The HTTP status, once more.',
            type: 'integer',
            format: 'int32',
            minimum: 400,
            maximum: 599,
            example: 422,
          },
          name: { $ref: '#/components/schemas/ProblemName' },
          message: {
            description: 'What went wrong, for people. Its wording may change at any time.',
            type: 'string',
            minLength: 1,
            maxLength: 1000,
            example: '`limit` must be a whole number from 1 to 100.',
          },
        },
        example: {
          statusCode: 422,
          name: 'validation_error',
          message: '`limit` must be a whole number from 1 to 100.',
        },
      },
    },
    responses: {
      AutomationsPage: {
        description: 'A page of automations.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/AutomationList' },
            example: {
              object: 'list',
              has_more: true,
              data: [
                {
                  id: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
                  name: 'Welcome series',
                  status: 'enabled',
                  created_at: '2026-04-16 13:49:40.678912+00',
                  updated_at: '2026-05-02 08:11:05.004+00',
                },
              ],
            },
          },
        },
      },
      ContactPropertiesPage: {
        description: 'A page of contact properties.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ContactPropertyList' },
            example: {
              object: 'list',
              has_more: false,
              data: [
                {
                  id: '5d0a7c92-3e1b-4f68-8b24-91c7e6d5a034',
                  key: 'first_name',
                  type: 'string',
                  fallback_value: 'friend',
                  created_at: '2026-02-03 09:30:00+00',
                },
                {
                  id: '0f4b9e17-86ad-4c35-9d02-b7e5c3f1a248',
                  key: 'seats',
                  type: 'number',
                  fallback_value: null,
                  created_at: '2026-02-03 09:29:58.120+00',
                },
              ],
            },
          },
        },
      },
      ContactImportsPage: {
        description: 'A page of contact imports.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ContactImportList' },
            example: {
              object: 'list',
              has_more: true,
              data: [
                {
                  object: 'contact_import',
                  id: 'a94c20d7-1f6e-4583-bb70-6e8d5c0f3a12',
                  status: 'queued',
                  created_at: '2026-04-17 06:00:00.250+00',
                  completed_at: null,
                  counts: { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
                },
                {
                  object: 'contact_import',
                  id: '7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95',
                  status: 'completed',
                  created_at: '2026-04-16 13:49:40.678+00',
                  completed_at: '2026-04-16 13:52:08.004512+00',
                  counts: { total: 1200, created: 1100, updated: 80, skipped: 15, failed: 5 },
                },
              ],
            },
          },
        },
      },
      ContactImportFound: {
        description: 'The contact import.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ContactImport' },
            example: {
              object: 'contact_import',
              id: '7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95',
              status: 'completed',
              created_at: '2026-04-16 13:49:40.678+00',
              completed_at: '2026-04-16 13:52:08.004512+00',
              counts: { total: 1200, created: 1100, updated: 80, skipped: 15, failed: 5 },
            },
          },
        },
      },
      NotModified: {
        description: 'The answer is still the one `If-None-Match` names. It has no body.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
      },
      Unauthorized: {
        description: 'No bearer key was sent, or it is unknown, revoked or expired.',
        'x-problem-names': ['missing_api_key', 'invalid_api_key'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
          'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: {
              noKey: {
                summary: 'No key, or another scheme',
                value: {
                  statusCode: 401,
                  name: 'missing_api_key',
                  message: 'Send an API key: `Authorization: Bearer <key>`.',
                },
              },
              wrongKey: {
                summary: 'A key that is unknown, revoked or expired',
                value: {
                  statusCode: 401,
                  name: 'invalid_api_key',
                  message: 'This API key is unknown, has been revoked or has expired.',
                },
              },
            },
          },
        },
      },
      NotFound: {
        description: 'No such path, no such import, or a cursor the account does not have.',
        'x-problem-names': ['not_found'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: {
              unknownImport: {
                summary: 'An id the account does not have',
                value: { statusCode: 404, name: 'not_found', message: 'There is no contact import with this `id`.' },
              },
              unknownCursor: {
                summary: 'A cursor the account does not have',
                value: {
                  statusCode: 404,
                  name: 'not_found',
                  message:
                    'There is no item with the id given as `after`. If it has been removed, go on from its neighbour in the page you hold.',
                },
              },
              unknownPath: {
                summary: 'A path there is not',
                value: { statusCode: 404, name: 'not_found', message: 'There is nothing at this path.' },
              },
            },
          },
        },
      },
      MethodNotAllowed: {
        description: 'The path exists, but answers only to GET, HEAD and OPTIONS.',
        'x-problem-names': ['method_not_allowed'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
          Allow: { $ref: '#/components/headers/Allow' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: {
              statusCode: 405,
              name: 'method_not_allowed',
              message: 'This path answers only to GET, HEAD and OPTIONS.',
            },
          },
        },
      },
      UnprocessableContent: {
        description: 'A parameter is unknown, repeated, empty or not as documented, or both cursors were sent.',
        'x-problem-names': ['validation_error'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: {
              limitOutOfRange: {
                summary: 'A limit out of range',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`limit` must be a whole number from 1 to 100.',
                },
              },
              repeatedLimit: {
                summary: 'A parameter given more than once',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`limit` must be given once, as a whole number from 1 to 100.',
                },
              },
              unknownStatus: {
                summary: 'A status that no automation has',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`status` must be one of `enabled`, `disabled`.',
                },
              },
              malformedId: {
                summary: 'An id that is not a UUID',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message:
                    '`id` must be a UUID in upper or lower case, such as `c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73`.',
                },
              },
              unknownParameter: {
                summary: 'A parameter that the operation does not have',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`page` is not a parameter here: allowed are `limit`, `after`, `before`, `status`.',
                },
              },
              bothCursors: {
                summary: 'Both cursors at once',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`after` and `before` cannot be combined: send one of them.',
                },
              },
            },
          },
        },
      },
      TooManyRequests: {
        description: 'Too many requests for this key.',
        'x-problem-names': ['rate_limit_exceeded'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: {
              statusCode: 429,
              name: 'rate_limit_exceeded',
              message: 'Too many requests. Ask again after the seconds in `Retry-After`.',
            },
          },
        },
      },
      InternalServerError: {
        description: 'A fault of the server. Its log has the details under the id of the request.',
        'x-problem-names': ['application_error'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: {
              statusCode: 500,
              name: 'application_error',
              message: 'The server failed to answer. The fault is ours.',
            },
          },
        },
      },
      ServiceUnavailable: {
        description: 'The server cannot answer for now.',
        'x-problem-names': ['service_unavailable'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          Vary: { $ref: '#/components/headers/Vary' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
          'Access-Control-Expose-Headers': { $ref: '#/components/headers/ExposeHeaders' },
          'X-Content-Type-Options': { $ref: '#/components/headers/ContentTypeOptions' },
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: {
              statusCode: 503,
              name: 'service_unavailable',
              message: 'The server cannot answer for now. Ask again after the seconds in `Retry-After`.',
            },
          },
        },
      },
    },
  },
};
