/** Generated from openapi.yaml by `npm run generate`. Do not edit. */

/** The contract as written, with unresolved references. */
export const DOCUMENT: object = {
  openapi: '3.0.3',
  info: {
    title: 'Rollcall',
    version: '1.0.0',
    license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    description:
      'Read-only API for the automations, contact properties and contact imports of a messaging account. All operations are GET requests and return JSON. Lists are paginated and sorted newest first. All errors have a `Problem` body: switch on its `name`. Ignore unknown properties. The guide in this document describes all other rules.',
  },
  externalDocs: { description: 'The guide', url: '/docs' },
  'x-guide': [
    {
      title: 'Authentication',
      text: 'Send your API key in the `Authorization` header:\n\n    Authorization: Bearer <key>\n\n- A key gives full read access to one account and no access to other accounts. Keys have no scopes.\n- A revoked key stops working immediately; with read replicas, as soon as they have the revocation.\n- Without a key, a request returns 401 `missing_api_key`. With an unknown, revoked or expired key, it returns 401\n  `invalid_api_key`.\n',
    },
    {
      title: 'Requests',
      text: '- All operations use GET. HEAD works like GET, but the response has no body. OPTIONS returns 204. All other methods\n  return 405 `method_not_allowed`. Both have the header `Allow: GET, HEAD, OPTIONS`.\n- Paths are case-sensitive. A path with a trailing slash returns 404 `not_found`. Several leading slashes count as\n  one.\n- Path and query parameters are validated strictly and never corrected. A parameter that is unknown, repeated, empty or\n  invalid returns 422 `validation_error`. The message names the parameter and the allowed values.\n- A request that is valid HTTP is checked in this order: path, method, API key, rate limit, parameters, existence.\n- A malformed request, such as one of HTTP/1.1 without exactly one valid `Host` header, returns 422 `validation_error`, and\n  the connection is closed. RFC 9112 says 400, but here each error name belongs to one status.\n- The server ignores the request body, `Content-Type`, `Accept`, and a fragment (`#` and the text after it) in the\n  request target.\n',
    },
    {
      title: 'Pagination',
      text: "Lists are returned in pages. `limit` is the maximum number of items on a page: 1 to 100. The default is 20, or 10 for\ncontact imports.\n\nWithout a cursor, a list starts at its newest item. For the next page of older items, set `after` to the `id` of the\nlast item. For the previous page of newer items, set `before` to the `id` of the first item. Continue while `has_more`\nis `true`.\n\n    GET /automations?limit=50\n    GET /automations?limit=50&after=<id of the last item>\n\n- `has_more` applies to the direction of pagination: older items without a cursor or with `after`, newer items with\n  `before`.\n- A cursor marks a position in the account's unfiltered list. You can continue from an item that no longer matches the\n  filter.\n- While you iterate, an item that keeps its position in the list is returned exactly once, even if other items are\n  added, moved or removed, unless the item at the cursor moves (see the next point). An item that is added or moved is\n  returned if you have not yet reached its new position.\n- If the `created_at` of the item at the cursor changes, the next page starts from the new position of the item. Items\n  between the two positions are then repeated or skipped.\n- If the item at the cursor is removed, the request returns 404 `not_found`. Continue from the adjacent item on\n  a page that you already have.\n",
    },
    {
      title: 'Sorting',
      text: 'Lists are sorted newest first: by `created_at` descending, then by `id` descending. The sort order is fixed. `created_at`\nis compared to the microsecond, after conversion to UTC. The order is total and stable: two identical requests over\nthe same items return the same page.\n',
    },
    {
      title: 'Errors',
      text: 'All errors have the same JSON body, a `Problem`: the HTTP status as `statusCode`, a `name` for programs, and a\n`message` for people. Each name belongs to one status.\n\n| Name | Status | Meaning |\n|---|---|---|\n| `validation_error` | 422 | A parameter is invalid, or the request is malformed or too large. |\n| `missing_api_key` | 401 | The request has no API key. |\n| `invalid_api_key` | 401 | The key is unknown, revoked or expired, or more than one was sent. |\n| `not_found` | 404 | The path, the import or the item at the cursor does not exist. |\n| `method_not_allowed` | 405 | The path does not support the method. |\n| `rate_limit_exceeded` | 429 | Too many requests. |\n| `application_error` | 500 | Internal server error. |\n| `service_unavailable` | 503 | The service is temporarily unavailable. |\n\nAfter a 429 or a 503, wait for the number of seconds in `Retry-After`, then retry. A 500 may be temporary too.\nAll other errors are permanent: a retry returns the same error until you change the request or the data changes.\n',
    },
    {
      title: 'Rate limits',
      text: 'A server can limit the number of requests per account, and the number of invalid keys per address. Every\nresponse to a valid GET or HEAD request for an API path then has the headers `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` and\n`RateLimit-Policy`.\n\nA request over the limit returns 429 `rate_limit_exceeded`. Retry it after the number of seconds in `Retry-After`.\nA 503 `service_unavailable` has this header too.\n',
    },
    {
      title: 'Responses',
      text: '- Bodies are JSON. The `Content-Type` is `application/json` without parameters.\n- All documented properties are always present. A property without a value is `null`.\n- Strings can contain any Unicode character except U+0000. They never contain lone surrogates. Names, keys and types can\n  be empty or blank.\n- Timestamps look like `2026-04-16 13:49:40.678912+00`: a date, a time with 0 to 6 fractional digits, and a UTC offset.\n  They are not RFC 3339. The UTC offset can differ between timestamps, so convert them to UTC before you compare them.\n- `X-Request-Id` identifies the request in the server log. Include it when you report a problem. To choose the id, send\n  your own `X-Request-Id`: 1 to 128 letters, digits or characters of `._~+/=:@-`. The server replaces any other.\n- Every response but the 204 has `Cache-Control: private, no-cache`: only the holder of the API key may store it, and must\n  revalidate it before reuse. Intermediaries may only make this stricter, for example with `no-store`.\n- Every response but the 204 has `Vary: Authorization`, because it depends on the API key. Intermediaries may add other\n  header names.\n- A response with a body can have `X-Content-Type-Options: nosniff`.\n',
    },
    {
      title: 'Conditional requests',
      text: 'Every 200 response has an `ETag`. Send its value in `If-None-Match`, with or without the weak prefix `W/`. If the\nresponse has not changed, the server returns 304 without a body.\n\nUse conditional requests for polling. For example, poll a contact import until its `status` is `completed` or\n`failed`.\n',
    },
    {
      title: 'CORS',
      text: 'By default, scripts of web pages on other origins cannot read responses. A server can allow cross-origin requests (CORS)\nfor some origins or for all. It then handles preflight requests, and responses to an allowed origin have\n`Access-Control-Allow-Origin`, with this origin or `*`, and `Access-Control-Expose-Headers`, with `ETag` and\n`X-Request-Id` among them.\n',
    },
    {
      title: 'Stability',
      text: 'The contract uses semantic versioning.\n\n- A minor version can add optional parameters and response properties without notice. Ignore unknown properties.\n- The text of messages can change at any time, even without a new version. So can the text after the scheme in\n  `WWW-Authenticate`.\n- Everything else changes only in a major version. The set of error names is closed: a new name requires a major\n  version.\n- The headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) announce a removal.\n',
    },
  ],
  'x-common': {
    headers: {
      'Cache-Control': {
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
        required: true,
        schema: {
          type: 'string',
          minLength: 13,
          maxLength: 256,
          pattern: '^([A-Za-z0-9-]+ *, *)*[Aa]uthorization( *, *[A-Za-z0-9-]+)*$',
        },
        example: 'Authorization',
      },
      'Access-Control-Allow-Origin': {
        schema: { type: 'string', minLength: 1, maxLength: 1024, pattern: '^([*]|[a-z][a-z0-9+.-]*://[!-~]+)$' },
      },
      'Access-Control-Expose-Headers': {
        schema: {
          type: 'string',
          minLength: 1,
          maxLength: 1024,
          pattern: '^([*]|[A-Za-z0-9-]+( *, *[A-Za-z0-9-]+)*)$',
        },
      },
    },
    bodyHeaders: { 'X-Content-Type-Options': { schema: { type: 'string', enum: ['nosniff'] } } },
    responses: {
      '405': {
        description: 'The path does not support the method.',
        'x-problem-names': ['method_not_allowed'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          Allow: {
            description: 'The methods that the path supports.',
            required: true,
            schema: { type: 'string', enum: ['GET, HEAD, OPTIONS'] },
          },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: {
              statusCode: 405,
              name: 'method_not_allowed',
              message: 'This path supports only GET, HEAD and OPTIONS.',
            },
          },
        },
      },
    },
  },
  'x-changelog': [
    {
      version: '1.0.0',
      date: 'unreleased',
      changes: [
        'The first version: `listAutomations`, `listContactProperties`, `listContactImports` and `getContactImport`.',
      ],
    },
  ],
  servers: [
    { url: '/', description: 'The server that returned this document, local or in production.', 'x-internal': false },
  ],
  tags: [
    { name: 'Automations', description: 'Automations and their status.' },
    { name: 'Contact imports', description: 'Bulk imports of contacts and their progress.' },
    { name: 'Contact properties', description: 'The fields that contacts can have.' },
  ],
  security: [{ bearerKey: [] }],
  paths: {
    '/automations': {
      get: {
        operationId: 'listAutomations',
        tags: ['Automations'],
        summary: 'List automations',
        description:
          "Returns a page of the account's automations, newest first. Filter them by `status`. Without a cursor, returns the first page; with `after` or `before`, the page that follows or precedes an item.",
        parameters: [
          { $ref: '#/components/parameters/Limit' },
          { $ref: '#/components/parameters/AutomationsAfter' },
          { $ref: '#/components/parameters/AutomationsBefore' },
          { $ref: '#/components/parameters/AutomationStatusFilter' },
          { $ref: '#/components/parameters/IfNoneMatch' },
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
          "Returns a page of the account's contact properties, newest first. Without a cursor, returns the first page; with `after` or `before`, the page that follows or precedes an item.",
        parameters: [
          { $ref: '#/components/parameters/Limit' },
          { $ref: '#/components/parameters/ContactPropertiesAfter' },
          { $ref: '#/components/parameters/ContactPropertiesBefore' },
          { $ref: '#/components/parameters/IfNoneMatch' },
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
          "Returns a page of the account's contact imports, newest first. Filter them by `status`. Without a cursor, returns the first page; with `after` or `before`, the page that follows or precedes an item.",
        parameters: [
          { $ref: '#/components/parameters/ContactImportsLimit' },
          { $ref: '#/components/parameters/ContactImportsAfter' },
          { $ref: '#/components/parameters/ContactImportsBefore' },
          { $ref: '#/components/parameters/ContactImportStatusFilter' },
          { $ref: '#/components/parameters/IfNoneMatch' },
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
          'Returns one contact import by its id. The operation has no query parameters. To follow an import, poll it with `If-None-Match` until its `status` is `completed` or `failed`.',
        parameters: [
          { $ref: '#/components/parameters/ContactImportId' },
          { $ref: '#/components/parameters/IfNoneMatch' },
        ],
        responses: {
          '200': { $ref: '#/components/responses/ContactImportFound' },
          '304': { $ref: '#/components/responses/NotModified' },
          '401': { $ref: '#/components/responses/Unauthorized' },
          '404': { $ref: '#/components/responses/NotFound' },
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
          'An API key. It gives full read access to one account. A key that the server creates matches a fixed pattern, so that secret scanners can detect a leaked key. A test server can accept any other key.',
      },
    },
    parameters: {
      Limit: {
        name: 'limit',
        in: 'query',
        description:
          'Maximum number of items to return: 1 to 100, in plain decimal digits. The default is 20. A value out of range is never clamped: the request returns 422 `validation_error`.',
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 },
        example: 50,
      },
      ContactImportsLimit: {
        name: 'limit',
        in: 'query',
        description:
          'Maximum number of items to return: 1 to 100, in plain decimal digits. The default is 10, lower than for other lists. A value out of range is never clamped: the request returns 422 `validation_error`.',
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 10 },
        example: 50,
      },
      AutomationsAfter: {
        name: 'after',
        in: 'query',
        description:
          'The id of an automation. Returns the older automations that follow it in the list, nearest first, without the item itself. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `before`: sending both returns 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/ItemId' },
        example: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
      },
      AutomationsBefore: {
        name: 'before',
        in: 'query',
        description:
          'The id of an automation. Returns the page that ends right before it: up to `limit` newer automations, those nearest to it, newest first, without the item itself. This is not necessarily the first page of the list. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `after`: sending both returns 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/ItemId' },
        example: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
      },
      ContactPropertiesAfter: {
        name: 'after',
        in: 'query',
        description:
          'The id of a contact property. Returns the older contact properties that follow it in the list, nearest first, without the item itself. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `before`: sending both returns 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/ItemId' },
        example: '5d0a7c92-3e1b-4f68-8b24-91c7e6d5a034',
      },
      ContactPropertiesBefore: {
        name: 'before',
        in: 'query',
        description:
          'The id of a contact property. Returns the page that ends right before it: up to `limit` newer contact properties, those nearest to it, newest first, without the item itself. This is not necessarily the first page of the list. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `after`: sending both returns 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/ItemId' },
        example: '0f4b9e17-86ad-4c35-9d02-b7e5c3f1a248',
      },
      ContactImportsAfter: {
        name: 'after',
        in: 'query',
        description:
          'The id of a contact import. Returns the older contact imports that follow it in the list, nearest first, without the item itself. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `before`: sending both returns 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/ItemId' },
        example: 'a94c20d7-1f6e-4583-bb70-6e8d5c0f3a12',
      },
      ContactImportsBefore: {
        name: 'before',
        in: 'query',
        description:
          'The id of a contact import. Returns the page that ends right before it: up to `limit` newer contact imports, those nearest to it, newest first, without the item itself. This is not necessarily the first page of the list. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `after`: sending both returns 422 `validation_error`.',
        schema: { $ref: '#/components/schemas/ItemId' },
        example: '7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95',
      },
      AutomationStatusFilter: {
        name: 'status',
        in: 'query',
        description: 'Returns only automations with this status. By default, returns automations with any status.',
        schema: { $ref: '#/components/schemas/AutomationStatus' },
        example: 'enabled',
      },
      ContactImportStatusFilter: {
        name: 'status',
        in: 'query',
        description:
          'Returns only contact imports with this status. By default, returns contact imports with any status.',
        schema: { $ref: '#/components/schemas/ContactImportStatus' },
        example: 'completed',
      },
      ContactImportId: {
        name: 'id',
        in: 'path',
        required: true,
        description:
          'The id of the contact import, in any letter case. If the account has no item with this id, the response is 404 `not_found`.',
        schema: { $ref: '#/components/schemas/ItemId' },
        example: '7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95',
      },
      IfNoneMatch: {
        name: 'If-None-Match',
        in: 'header',
        description:
          'The `ETag` of an earlier response, or several separated by commas. If one matches the current response, the server returns 304 without a body. No value causes an error, unless the headers are too large.',
        schema: { type: 'string' },
        example: '"Vf2sQd0y1mJbYx6dJ0kE3yq4e0M"',
      },
    },
    headers: {
      RequestId: {
        description:
          'Identifies the request in the server log. The server keeps an `X-Request-Id` from the request if it consists of 1 to 128 letters, digits or characters of `._~+/=:@-`, and replaces any other.',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._~+/=:@-]+$' },
        example: '0b5a6c1e-6f0e-4b58-9d43-5c1f7a7f7d0e',
      },
      ETag: {
        description:
          'Identifies this version of the response. Send it in `If-None-Match` to get a 304 while the response has not changed. An intermediary that compresses responses may make it weak (`W/`).',
        required: true,
        schema: { type: 'string', minLength: 3, maxLength: 128, pattern: '^(W/)?"[!#-~]+"$' },
        example: '"Vf2sQd0y1mJbYx6dJ0kE3yq4e0M"',
      },
      WwwAuthenticate: {
        description:
          'The authentication scheme, `Bearer`. The text after the scheme follows RFC 6750 and may change at any time.',
        required: true,
        schema: { type: 'string', minLength: 6, maxLength: 256, pattern: '^Bearer( [ -~]+)?$' },
        examples: {
          missing_api_key: { summary: 'No key', value: 'Bearer realm="rollcall"' },
          invalid_api_key: {
            summary: 'Unknown, revoked or expired key',
            value: 'Bearer realm="rollcall", error="invalid_token"',
          },
        },
      },
      RetryAfter: {
        description: 'Number of seconds to wait before you retry.',
        required: true,
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86400 },
        example: 1,
      },
      RateLimitLimit: {
        description: 'Maximum number of requests in a window. Sent only by servers with a rate limit.',
        required: false,
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
        example: 10,
      },
      RateLimitRemaining: {
        description: 'Number of requests left in this window. Sent only by servers with a rate limit.',
        required: false,
        schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2147483647 },
        example: 9,
      },
      RateLimitReset: {
        description: 'Number of seconds until the window ends. Sent only by servers with a rate limit.',
        required: false,
        schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86400 },
        example: 1,
      },
      RateLimitPolicy: {
        description:
          'Maximum number of requests in a window, and the length of the window in seconds. Sent only by servers with a rate limit.',
        required: false,
        schema: { type: 'string', minLength: 5, maxLength: 32, pattern: '^[1-9][0-9]*;w=[1-9][0-9]*$' },
        example: '10;w=1',
      },
    },
    schemas: {
      Id: {
        description:
          'A UUID in lower case. Unique among the items of one type in one account. The pattern is the complete format.',
        type: 'string',
        minLength: 36,
        maxLength: 36,
        pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
        example: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
      },
      ItemId: {
        description: 'A UUID in any letter case. The id of an item in a request. The pattern is the complete format.',
        type: 'string',
        minLength: 36,
        maxLength: 36,
        pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
        example: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73',
      },
      Timestamp: {
        description:
          'A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes. Not RFC 3339: a space separates date and time, and the minutes of the offset are optional. The number of fractional digits can differ between items.',
        type: 'string',
        minLength: 22,
        maxLength: 32,
        pattern:
          '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?[+-](0[0-9]|1[0-9])(:[0-5][0-9])?$',
        example: '2026-04-16 13:49:40.678912+00',
      },
      CompletionTimestamp: {
        description:
          'A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes, or null. The value is the time at which the import ended. It is `null` while the status is `queued` or `in_progress`, and never `null` if the status is `completed` or `failed`.',
        type: 'string',
        nullable: true,
        minLength: 22,
        maxLength: 32,
        pattern:
          '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?[+-](0[0-9]|1[0-9])(:[0-5][0-9])?$',
        example: '2026-04-16 13:52:08.004+00',
      },
      ListType: { description: 'The type of the object. Always `list`.', type: 'string', enum: ['list'] },
      ContactImportType: {
        description: 'The type of the object. Always `contact_import`.',
        type: 'string',
        enum: ['contact_import'],
      },
      AutomationStatus: {
        description: 'Whether the automation is enabled.',
        type: 'string',
        enum: ['enabled', 'disabled'],
      },
      Automation: {
        description: 'An automation in the account.',
        type: 'object',
        additionalProperties: true,
        required: ['id', 'name', 'status', 'created_at', 'updated_at'],
        properties: {
          id: { $ref: '#/components/schemas/Id' },
          name: {
            description: 'The name of the automation. Can be any string, including an empty one.',
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
          object: { $ref: '#/components/schemas/ListType' },
          has_more: {
            description:
              'Whether more automations exist in the direction of pagination: older ones without a cursor or with `after`, newer ones with `before`.',
            type: 'boolean',
            example: true,
          },
          data: {
            description: 'The automations on this page. Can be empty.',
            type: 'array',
            maxItems: 100,
            items: { $ref: '#/components/schemas/Automation' },
          },
        },
      },
      FallbackValue: {
        description:
          'The value used for contacts that do not have the property, or `null` if there is no fallback. For properties of type `number`, a number or `null`; of type `string`, a string or `null`; of any other type, a string, a number or `null`. A string can be empty. A number is always exact as a double.',
        oneOf: [
          { type: 'string', maxLength: 10000 },
          { type: 'number', format: 'double', minimum: -9007199254740991, maximum: 9007199254740991 },
          { type: 'object', nullable: true, enum: [null] },
        ],
        example: 'friend',
      },
      ContactProperty: {
        description: "A field that the account's contacts can have.",
        type: 'object',
        additionalProperties: true,
        required: ['id', 'key', 'type', 'fallback_value', 'created_at'],
        properties: {
          id: { $ref: '#/components/schemas/Id' },
          key: {
            description: 'The name of the property. Can be any string, including an empty one.',
            type: 'string',
            maxLength: 1000,
            example: 'first_name',
          },
          type: {
            description:
              'The data type of the property. The known types are `string` and `number`. Accept any other string, including an empty one.',
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
          object: { $ref: '#/components/schemas/ListType' },
          has_more: {
            description:
              'Whether more contact properties exist in the direction of pagination: older ones without a cursor or with `after`, newer ones with `before`.',
            type: 'boolean',
            example: true,
          },
          data: {
            description: 'The contact properties on this page. Can be empty.',
            type: 'array',
            maxItems: 100,
            items: { $ref: '#/components/schemas/ContactProperty' },
          },
        },
      },
      ContactImportStatus: {
        description:
          'The status of the import. `queued`: waiting. `in_progress`: being processed. `completed`: processed. `failed`: the import as a whole failed.',
        type: 'string',
        enum: ['queued', 'in_progress', 'completed', 'failed'],
      },
      ContactImportCounts: {
        description:
          'The number of records by outcome. All counts are 0 before processing starts. A count can exceed 32 bits, and is always exact as a double.',
        type: 'object',
        additionalProperties: true,
        required: ['total', 'created', 'updated', 'skipped', 'failed'],
        properties: {
          total: {
            description: 'Total number of records in the import.',
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
          },
          created: {
            description: 'Number of records that created a contact.',
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
          },
          updated: {
            description: 'Number of records that updated a contact.',
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
          },
          skipped: {
            description: 'Number of skipped records.',
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
          },
          failed: {
            description: 'Number of failed records.',
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
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
          object: { $ref: '#/components/schemas/ContactImportType' },
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
          object: { $ref: '#/components/schemas/ListType' },
          has_more: {
            description:
              'Whether more contact imports exist in the direction of pagination: older ones without a cursor or with `after`, newer ones with `before`.',
            type: 'boolean',
            example: true,
          },
          data: {
            description: 'The contact imports on this page. Can be empty.',
            type: 'array',
            maxItems: 100,
            items: { $ref: '#/components/schemas/ContactImport' },
          },
        },
      },
      ProblemName: {
        description:
          'The error name, for programs. The set is closed: a new name requires a major version. Each name belongs to one status.',
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
        description: 'The body of all error responses.',
        type: 'object',
        additionalProperties: true,
        required: ['statusCode', 'name', 'message'],
        properties: {
          statusCode: {
            description: 'The HTTP status of the response.',
            type: 'integer',
            format: 'int32',
            minimum: 400,
            maximum: 599,
            example: 422,
          },
          name: { $ref: '#/components/schemas/ProblemName' },
          message: {
            description: 'A description of the error, for people. Its text may change at any time.',
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
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/AutomationList' },
            examples: {
              usual: {
                summary: 'Usual items',
                value: {
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
              unusual: {
                summary: 'Valid items that servers and clients often alter or sort wrongly',
                value: {
                  object: 'list',
                  has_more: false,
                  data: [
                    {
                      id: '1c9e5b70-3d2a-4c8f-9e61-7b0a4d5f2c83',
                      name: '',
                      status: 'disabled',
                      created_at: '2026-03-29 02:30:07.032017+00',
                      updated_at: '2026-03-29 02:30:07.032017+00',
                    },
                    {
                      id: 'd4a7f026-81bc-4e35-a9d0-52c6e8b17f94',
                      name: 'Follow-up for customers who bought once during the spring sale, opened at least two of the last five newsletters, and have not been back since: a reminder after three days, a voucher after ten, a survey after thirty; replies go to the support team, and whoever has a support case open is passed over until it is closed. Imported 🚚 from the former system, whose names had no limit, and kept as it was; nobody dares to shorten it, since the reports of the last two years, the invoices of the agency and three saved searches find this automation by the whole of its name.',
                      status: 'enabled',
                      created_at: '2026-03-29 02:30:07.032016+00',
                      updated_at: '2026-03-30 09:12:44.5+00',
                    },
                    {
                      id: 'e30b1a01-5c7d-4111-8a2e-1b0c9d8e7f6a',
                      name: '  Spring  sale ',
                      status: 'enabled',
                      created_at: '2026-03-29 02:30:00+00',
                      updated_at: '2026-03-29 02:30:00.000001+00',
                    },
                    {
                      id: '2794d5fe-90ab-4fee-b3c4-f5a6b7c8d9e0',
                      name: 'Win-back <30 days> &amp; "VIP" \\ O\'Brien, 50%20 + {{first_name}}',
                      status: 'disabled',
                      created_at: '2026-03-29 08:15:00.000+05:45',
                      updated_at: '2026-04-01 00:00:00+00',
                    },
                    {
                      id: '0d61c3e8-47f5-4a92-8b1d-3e9a60f7c254',
                      name: 'Two lines\r\nand a tab\tand a unit\u001fseparator',
                      status: 'enabled',
                      created_at: '2026-03-28 23:00:00.000000-03:30',
                      updated_at: '2026-03-29 02:30:00.04+00',
                    },
                    {
                      id: '73b08fd5-2e64-4d19-b7a8-c05f1e3d9264',
                      name: 'Café de l’Étoile, ﬁne № 5​ – 👩‍👩‍👧 ❤️ 𝒳 €',
                      status: 'enabled',
                      created_at: '2026-03-28 00:15:30.5+13',
                      updated_at: '2026-04-02 11:08:09.120+00',
                    },
                    {
                      id: '48e2d90b-b56c-4f07-8a3e-916d7c0f5b2a',
                      name: '0',
                      status: 'disabled',
                      created_at: '2026-03-27 00:00:00+00',
                      updated_at: '2026-03-27 00:00:00+00',
                    },
                    {
                      id: '9f15a6c4-0e8d-4b72-a4c1-d83b6e2f7059',
                      name: ' ',
                      status: 'enabled',
                      created_at: '2026-03-26 23:59:59.999999+00',
                      updated_at: '2026-03-27 00:00:00.100+00',
                    },
                  ],
                },
              },
            },
          },
        },
      },
      ContactPropertiesPage: {
        description: 'A page of contact properties.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ContactPropertyList' },
            examples: {
              usual: {
                summary: 'Usual items',
                value: {
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
              unusual: {
                summary: 'Valid items that servers and clients often alter or sort wrongly',
                value: {
                  object: 'list',
                  has_more: false,
                  data: [
                    {
                      id: '2b7d0f94-6a1e-4c53-8f09-e4c8a1d36b75',
                      key: '',
                      type: 'string',
                      fallback_value: '',
                      created_at: '2025-03-30 02:30:07.032017+00',
                    },
                    {
                      id: 'c86e31a7-f04d-4b9a-92e5-0d7b5c4f1a68',
                      key: 'score',
                      type: 'number',
                      fallback_value: -1,
                      created_at: '2025-03-30 02:30:07.032016+00',
                    },
                    {
                      id: 'f1a96c02-7b35-4201-9d4e-2c8f0a6e5b13',
                      key: 'constructor',
                      type: 'string',
                      fallback_value: '0',
                      created_at: '2025-03-30 02:30:00+00',
                    },
                    {
                      id: '3e58b7fd-c24a-4fd8-a60b-e97d1c3f8246',
                      key: 'Given_Name',
                      type: 'string',
                      fallback_value: ' <b>friend</b> & Café 👋\r\n\u001f',
                      created_at: '2025-03-30 08:15:00.000+05:45',
                    },
                    {
                      id: '08d4a2c9-95e1-4b76-b3f8-6a0e7c5d1f92',
                      key: 'discount',
                      type: 'number',
                      fallback_value: 0,
                      created_at: '2025-03-29 23:00:00.000000-03:30',
                    },
                    {
                      id: 'a57c60e3-1d9f-4e28-8c4b-f3b2058d7e61',
                      key: ' since\t',
                      type: 'date',
                      fallback_value: '2026-02-28',
                      created_at: '2025-03-29 00:15:30.5+13',
                    },
                    {
                      id: '61f3e8b5-d07c-4a94-97e2-8b5d0c4a6f3e',
                      key: 'revenue',
                      type: 'number',
                      fallback_value: 4294967301.25,
                      created_at: '2025-03-28 00:00:00+00',
                    },
                    {
                      id: 'b9240d7e-58a6-4c1f-a8d3-1e6f9b7c0254',
                      key: 'rate',
                      type: 'number',
                      fallback_value: 0.0725,
                      created_at: '2025-03-27 23:59:59.999999+00',
                    },
                    {
                      id: 'd703c5f1-2b8e-4965-8e0a-c4d1f7a93b60',
                      key: 'share',
                      type: 'number',
                      fallback_value: 1.5e-7,
                      created_at: '2025-03-27 18:04:11.2+00',
                    },
                    {
                      id: '45a8e9d2-fc60-4b37-b125-9d0e3c7f8a16',
                      key: 'customer_no',
                      type: 'number',
                      fallback_value: 9007199254740991,
                      created_at: '2025-03-27 18:04:11.020+00',
                    },
                    {
                      id: '8c1f74b6-a3d9-4e02-9b58-7f2c6d0e5a34',
                      key: 'opted_in',
                      type: 'boolean',
                      fallback_value: 'false',
                      created_at: '2025-03-27 18:04:11.019999+00',
                    },
                    {
                      id: '5e90b3a8-4c17-4df6-8a29-b6e1d0f4c783',
                      key: 'note',
                      type: '',
                      fallback_value: null,
                      created_at: '2025-03-27 18:04:11+00',
                    },
                    {
                      id: '17d6f0c4-e82b-4a5d-93c7-0a9b8e5f2d61',
                      key: 'level',
                      type: 'Number',
                      fallback_value: 5,
                      created_at: '2025-03-27 18:04:10.999+00',
                    },
                    {
                      id: '7f4b2e91-0c5a-4d38-86ef-d9a3c1b60e57',
                      key: 'motto',
                      type: 'string',
                      fallback_value: null,
                      created_at: '2025-03-27 09:30:00+00',
                    },
                  ],
                },
              },
            },
          },
        },
      },
      ContactImportsPage: {
        description: 'A page of contact imports.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ContactImportList' },
            examples: {
              usual: {
                summary: 'Usual items',
                value: {
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
              unusual: {
                summary: 'Valid items that servers and clients often alter or sort wrongly',
                value: {
                  object: 'list',
                  has_more: false,
                  data: [
                    {
                      object: 'contact_import',
                      id: '0a8c5e73-b1d6-4f29-9c40-5d7e2f8b6a14',
                      status: 'failed',
                      created_at: '2026-03-29 02:30:07.032017+00',
                      completed_at: '2026-03-29 02:58:51.000007+00',
                      counts: { total: 4294967301, created: 2147483648, updated: 16777217, skipped: 0, failed: 1 },
                    },
                    {
                      object: 'contact_import',
                      id: 'e97b4d10-2c8f-4a65-b3d1-86f0c9e5a742',
                      status: 'in_progress',
                      created_at: '2026-03-29 02:30:07.032016+00',
                      completed_at: null,
                      counts: { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
                    },
                    {
                      object: 'contact_import',
                      id: 'f5c20a08-d41b-4301-8e7f-1a9d6c3b5e02',
                      status: 'failed',
                      created_at: '2026-03-29 02:30:00+00',
                      completed_at: '2026-03-29 02:30:00+00',
                      counts: { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
                    },
                    {
                      object: 'contact_import',
                      id: '5b97e6fc-03da-4fb2-a1c8-f46e8d0b7395',
                      status: 'completed',
                      created_at: '2026-03-29 08:15:00.000+05:45',
                      completed_at: '2026-03-29 02:30:00.040+00',
                      counts: { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
                    },
                    {
                      object: 'contact_import',
                      id: '2f6d81b3-c7a0-4e59-b4e2-70d5a9c8f136',
                      status: 'completed',
                      created_at: '2026-03-28 23:00:00.000000-03:30',
                      completed_at: '2026-03-29 02:30:09.9+00',
                      counts: { total: 1200, created: 1100, updated: 80, skipped: 15, failed: 3 },
                    },
                    {
                      object: 'contact_import',
                      id: '93e0c7a5-6f2d-4b18-a05e-d8b1f4c36729',
                      status: 'in_progress',
                      created_at: '2026-03-28 00:15:30.5+13',
                      completed_at: null,
                      counts: { total: 250, created: 120, updated: 30, skipped: 0, failed: 1 },
                    },
                    {
                      object: 'contact_import',
                      id: '38b5f1d6-9e04-4c7a-8d62-c1a7e0f95b48',
                      status: 'completed',
                      created_at: '2026-03-27 00:00:00+00',
                      completed_at: '2026-03-27 00:00:00.999999+00',
                      counts: { total: 1, created: 0, updated: 0, skipped: 1, failed: 0 },
                    },
                    {
                      object: 'contact_import',
                      id: 'c40e9a72-8d3b-4f56-b9a1-2e7c5d0f6b83',
                      status: 'failed',
                      created_at: '2026-03-26 23:59:59.999999+00',
                      completed_at: '2026-03-27 00:00:00+00',
                      counts: { total: 12, created: 0, updated: 0, skipped: 0, failed: 12 },
                    },
                  ],
                },
              },
            },
          },
        },
      },
      ContactImportFound: {
        description: 'The contact import.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
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
        description: 'The response still matches `If-None-Match`. It has no body.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          ETag: { $ref: '#/components/headers/ETag' },
        },
      },
      Unauthorized: {
        description: 'The request has no API key, or the key is unknown, revoked or expired.',
        'x-problem-names': ['missing_api_key', 'invalid_api_key'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: {
              noKey: {
                summary: 'No key, or a scheme other than Bearer',
                value: {
                  statusCode: 401,
                  name: 'missing_api_key',
                  message: 'Send an API key: `Authorization: Bearer <key>`.',
                },
              },
              wrongKey: {
                summary: 'Unknown, revoked or expired key',
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
        description: 'The path, the contact import or the item at the cursor does not exist.',
        'x-problem-names': ['not_found'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: {
              unknownImport: {
                summary: 'Unknown id',
                value: { statusCode: 404, name: 'not_found', message: 'There is no contact import with this `id`.' },
              },
              unknownCursor: {
                summary: 'Unknown cursor',
                value: {
                  statusCode: 404,
                  name: 'not_found',
                  message:
                    'There is no item with the id in `after`. If the item was removed, continue from the adjacent item on the page that you already have.',
                },
              },
              unknownPath: {
                summary: 'Unknown path',
                value: { statusCode: 404, name: 'not_found', message: 'This path does not exist.' },
              },
            },
          },
        },
      },
      UnprocessableContent: {
        description: 'A parameter is unknown, repeated, empty or invalid, or the request has both cursors.',
        'x-problem-names': ['validation_error'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: {
              limitOutOfRange: {
                summary: 'Limit out of range',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`limit` must be a whole number from 1 to 100.',
                },
              },
              repeatedLimit: {
                summary: 'Repeated parameter',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`limit` must be sent only once, as a whole number from 1 to 100.',
                },
              },
              unknownStatus: {
                summary: 'Unknown status',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`status` must be one of `enabled`, `disabled`.',
                },
              },
              malformedId: {
                summary: 'Malformed id',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`id` must be a UUID in any letter case, such as `c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73`.',
                },
              },
              unknownParameter: {
                summary: 'Unknown parameter',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: 'Unknown parameter `page`. Allowed parameters: `limit`, `after`, `before`, `status`.',
                },
              },
              bothCursors: {
                summary: 'Both cursors',
                value: {
                  statusCode: 422,
                  name: 'validation_error',
                  message: '`after` and `before` cannot be combined. Send only one of them.',
                },
              },
            },
          },
        },
      },
      TooManyRequests: {
        description: 'Too many requests.',
        'x-problem-names': ['rate_limit_exceeded'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: {
              statusCode: 429,
              name: 'rate_limit_exceeded',
              message: 'Too many requests. Retry after the number of seconds in `Retry-After`.',
            },
          },
        },
      },
      InternalServerError: {
        description: 'Internal server error. The server log contains the details under the request id.',
        'x-problem-names': ['application_error'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: { statusCode: 500, name: 'application_error', message: 'Internal server error.' },
          },
        },
      },
      ServiceUnavailable: {
        description: 'The service is temporarily unavailable.',
        'x-problem-names': ['service_unavailable'],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: {
              statusCode: 503,
              name: 'service_unavailable',
              message: 'The service is temporarily unavailable. Retry after the number of seconds in `Retry-After`.',
            },
          },
        },
      },
    },
  },
};
