/** What the contract says of each rule of `conform`: the sentences of `openapi.yaml` that demand it, quoted, with blanks in one form. */

/** Sentences that several rules check. */
const SAYS = {
  account: 'A key gives full read access to one account and no access to other accounts.',
  cursor: "A cursor marks a position in the account's unfiltered list.",
  filter: 'With a filter, `has_more` and `limit` count matching items only.',
  full: 'While it is `true`, the page is full.',
  head: 'HEAD works like GET, but the response has no body.',
  ignored:
    'A header that this document does not name, such as `Range`, never changes the status or the data of a response;',
  invalid: 'A parameter that is unknown, repeated, empty or invalid returns 422 `validation_error`.',
  key: 'All text after `Bearer` and the spaces is the key, which is compared exactly.',
  limit:
    '`limit` is the maximum number of items on a page: 1 to 100, in plain decimal digits without a sign, a leading zero or a fraction.',
  message:
    'The message names the parameter and the allowed values; if several are wrong, one of them. If `after` and `before` are combined, it names both.',
  more: '`has_more` applies to the direction of pagination: older items without a cursor or with `after`, newer items with `before`.',
  names: 'Each name belongs to one status.',
  order:
    'A request that is valid HTTP is checked in this order: path, method, API key, rate limit, parameters, existence.',
  otherId: 'The id of an item of another list or of another account is unknown.',
  query: 'A query is split at `&`, and each part at its first `=`; then names and values are decoded once.',
  requestId: 'To choose the id, send your own `X-Request-Id`',
  sendKey: 'Send your API key in the `Authorization` header',
  strict: 'Path and query parameters are validated strictly and never corrected.',
  tags: 'You can send several tags, in one line or in several lines, as in RFC 9110;',
  unchanged: 'If the response has not changed, the server returns 304 without a body.',
  undecodable: 'A value that cannot be decoded as UTF-8 is invalid.',
  unknownId: 'If the account has no item with this id, the response is 404 `not_found`.',
  unknownPath: 'An unknown path returns 404 `not_found`, and so does a path with a trailing slash.',
  uuid: 'A UUID in any letter case. The id of an item in a request. The pattern is the complete format.',
  version: 'Identifies this version of the response.',
  withoutKey: 'Without a key, a request returns 401 `missing_api_key`.',
} as const;

/** The sentences of each rule, by its id. */
export const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'operation.exists': [
    "Returns a page of the account's automations, newest first.",
    'Returns one contact import by its id',
  ],

  'list.first_request': ['two identical requests over the same items return the same page.'],
  'list.pagination': ['While you iterate, an item that keeps its position in the list is returned exactly once'],
  'list.order': [
    'Lists are sorted newest first: by `created_at` descending, then by `id` descending.',
    '`created_at` is compared to the microsecond, after conversion to UTC.',
  ],
  'list.ties': ['by `created_at` descending, then by `id` descending.', 'Ids are compared as strings.'],
  'list.limit': [SAYS.limit, SAYS.full],
  'list.after': ['Returns the older automations that follow it in the list, nearest first, without the item itself.'],
  'list.before': [
    'Returns the page that ends right before it: up to `limit` newer automations, those nearest to it, newest first, without the item itself.',
  ],
  'list.invalid_limit': [
    SAYS.limit,
    'A value out of range is never clamped: the request returns 422 `validation_error`.',
    SAYS.undecodable,
  ],
  'list.has_more': [SAYS.more],
  'list.end': [SAYS.more, 'The automations on this page. Can be empty.'],
  'list.default_limit': ['The default is 20, or 10 for contact imports.', SAYS.full],
  'list.filter': ['Returns only automations with this status.', SAYS.filter],
  'list.filter_limit': [SAYS.full, SAYS.filter],
  'list.filter_cursor': [SAYS.cursor, 'You can continue from an item that no longer matches the filter.'],
  'list.filter_end': [SAYS.filter, SAYS.more],
  'list.invalid_filter': [SAYS.strict, SAYS.invalid, SAYS.undecodable],
  'list.cursor_case': [SAYS.uuid],
  'list.unknown_cursor': [SAYS.unknownId, SAYS.uuid],
  'list.foreign_cursor': [SAYS.otherId],
  'list.malformed_cursor': [SAYS.uuid, SAYS.invalid, SAYS.undecodable],
  'list.conflicting_cursors': [
    'Cannot be combined with `before`: sending both returns 422 `validation_error`.',
    'If `after` and `before` are combined, it names both.',
  ],

  'request.exact_path': ['Paths are case-sensitive.', SAYS.unknownPath],
  'request.unknown_path': [SAYS.unknownPath, SAYS.order],
  'request.leading_slashes': ['Several leading slashes count as one;'],
  'request.fragment': ['and a fragment (`#` and the text after it) in the request target.'],
  'request.ignored_input': ['The server ignores the request body, `Content-Type`, `Accept`', SAYS.ignored],
  'request.unknown_parameter': [SAYS.invalid, SAYS.query],
  'request.ignored_headers': ['The server ignores the request body, `Content-Type`, `Accept`', SAYS.ignored],
  'request.method_not_allowed': ['All other methods return 405 `method_not_allowed`.', SAYS.order],
  'request.method_case': ['Methods are case-sensitive: one in lower case may be rejected as malformed, too.'],
  'request.encoding': [
    SAYS.query,
    'in an id, every character is decoded, once',
    'Empty parts (`?`, `&&`) are no parameters.',
  ],
  'request.repeated_parameter': [SAYS.invalid, SAYS.query],
  'request.separator': [SAYS.query, SAYS.strict],
  'request.parameter_case': ['Parameter names are case-sensitive.'],

  'auth.missing': [
    SAYS.withoutKey,
    '`Bearer` alone and other schemes, such as `BearerToken`, are no key; with a punctuation mark directly beside `Bearer`, such as `Bearer:`, either name is right.',
    SAYS.sendKey,
  ],
  'auth.scheme_case': ['`Bearer` may be in any letter case.'],
  'auth.unknown': [
    'With an unknown, revoked or expired key, it returns 401 `invalid_api_key`.',
    SAYS.key,
    'Headers of up to 8 kB are not too large.',
  ],
  'auth.several': ['Several lines of `Authorization` return 401 `invalid_api_key`, unless a proxy rejects them.'],
  'auth.precedence': [SAYS.order],
  'auth.in_query': [SAYS.sendKey, SAYS.withoutKey, SAYS.invalid],

  'http.options': [
    'OPTIONS returns 204, with any key or none.',
    'Both have the header `Allow: GET, HEAD, OPTIONS`.',
    SAYS.order,
  ],
  'http.not_modified': [
    'Send its value in `If-None-Match`, with or without the weak prefix `W/`.',
    SAYS.unchanged,
    SAYS.version,
  ],
  'http.multiple_etags': ['If one matches the current response, the server returns 304 without a body.', SAYS.tags],
  'http.modified': [
    'If one matches the current response, the server returns 304 without a body.',
    'No value causes an error, unless the headers are too large.',
  ],
  'http.conditional_errors': ['An error is never a 304.'],
  'http.not_modified_body': [SAYS.unchanged],
  'http.head': [
    SAYS.head,
    'It has the status, the `Content-Type` and the `ETag` of GET, and the same `Content-Length` or none;',
  ],
  'http.head_not_modified': [SAYS.head, SAYS.unchanged],
  'http.head_body': [SAYS.head],
  'http.head_errors': [SAYS.head],
  'http.cross_origin': [
    'It then handles preflight requests, in which it allows `Authorization`.',
    'Other responses to an allowed origin have `Access-Control-Allow-Origin`, with this origin or `*`, and `Access-Control-Expose-Headers`, with `ETag` and `X-Request-Id` among them.',
  ],
  'http.compression': ['A body is compressed only if `Accept-Encoding` allows it.'],
  'http.request_id': [
    SAYS.requestId,
    '1 to 128 ASCII letters, digits or characters of `._~+/=:@-`, and replaces any other.',
  ],

  'record.example': ['Valid items that servers and clients often alter or sort wrongly'],
  'isolation.list': [SAYS.account],
  'isolation.cursor': [SAYS.otherId, SAYS.unknownId],
  'isolation.disclosure': ['The error is the same as for any other unknown id.'],
  'isolation.etag': [SAYS.version, SAYS.account],
  'list.sampled': [SAYS.cursor, SAYS.head, SAYS.ignored],

  'get.found': ['Returns one contact import by its id, with the values that it has in the list.'],
  'get.id_case': ['The id of the contact import, in any letter case.'],
  'get.not_found': [SAYS.unknownId, SAYS.otherId, SAYS.uuid],
  'get.malformed_id': [SAYS.uuid, SAYS.invalid, SAYS.undecodable],
  'isolation.get': [SAYS.otherId, SAYS.unknownId, 'An error is never a 304.'],

  'response.status': [SAYS.names, 'The set of error names is closed: a new name requires a major version.'],
  'response.content_type': ['The `Content-Type` is `application/json` without parameters.'],
  'response.encoding': ['Bodies are JSON in UTF-8, without a byte order mark.'],
  'response.schema': [
    'All documented properties are always present. A property without a value is `null`.',
    'All errors have the same JSON body, a `Problem`',
    'Ignore unknown properties.',
  ],
  'response.integers': ['A value of type `integer` is written without a fraction or an exponent: `5`, never `5.0`.'],
  'response.error_name': [SAYS.names],
  'response.error_status_code': ['The HTTP status of the response.'],
  'response.error_message': [SAYS.message],
  'response.error_values': ['The message names the parameter and the allowed values'],
  'response.disclosure': [
    'No response contains your API key.',
    'No error contains a stack trace, SQL, a class name or a file path of the server.',
  ],

  'header.cache_control': [
    'Every response but the 204 has `Cache-Control: private, no-cache`',
    'Intermediaries may change this, as long as `no-cache` or `no-store` is there, and neither `public` nor `s-maxage`.',
  ],
  'header.vary': ['Every response but the 204 has `Vary: Authorization`', 'Intermediaries may add other header names.'],
  'header.x_request_id': ['Every response, the 204 too, has an `X-Request-Id`'],
  'header.etag': ['Every 200 response has an `ETag`, which may be weak.'],
  'header.www_authenticate': ['The authentication scheme, `Bearer`. The text after the scheme follows RFC 6750'],
  'header.allow': ['Both have the header `Allow: GET, HEAD, OPTIONS`.'],
  'header.rate_limit': [
    'It then sends the headers `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` and `RateLimit-Policy`',
    'Maximum number of requests in a window, and the length of the window in seconds.',
    'A 503 `service_unavailable` has this header too.',
  ],
  'header.rate_limit_coverage': [
    'with every response to a GET or HEAD request for an API path, errors and 304 too, if the request is valid HTTP.',
  ],
  'header.repeated': ['A header with a single value, such as `Content-Type` or `ETag`, is sent once.'],
  'header.etag_identity': ['Different bodies have different tags.', SAYS.unchanged],
  'http.kept_request_id': [SAYS.requestId, 'Every response, the 204 too, has an `X-Request-Id`'],
  'http.unique_request_id': [
    'If you send none or any other, the server makes a unique one, which is not a counter: it tells nothing of other requests.',
  ],
  'header.optional': [
    'A response with a body can have `X-Content-Type-Options: nosniff`.',
    'Other responses to an allowed origin have `Access-Control-Allow-Origin`, with this origin or `*`',
  ],
  'record.constraints': [
    'Strings can contain any Unicode character except U+0000. They never contain lone surrogates.',
    'a date of the calendar',
    'It is `null` while the status is `queued` or `in_progress`, and never `null` if the status is `completed` or `failed`.',
    'All counts are 0 before processing starts.',
    'For properties of type `number`, a number or `null`; of type `string`, a string or `null`',
  ],
};
