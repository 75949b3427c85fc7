/** What an implementer changes where a rule fails: a line for each rule, by its id. */

export const CHANGES: Readonly<Record<string, string>> = {
  'request.exact_path': 'Switch on strict and case-sensitive routing, and redirect nothing.',
  'request.unknown_path': 'Route whole paths only, and return the JSON error from the handler of all other paths.',
  'request.leading_slashes': 'Replace several leading slashes by one before routing; do not redirect.',
  'request.fragment': 'Cut the request target at the first `#`.',
  'request.ignored_input': 'Do not parse the body of a GET, and do not look at its Content-Type.',
  'request.ignored_headers':
    'Remove content negotiation, ranges, dates and overrides from the handling of a GET: only the headers of the contract count.',
  'request.unknown_parameter':
    'Compare the names in the query with those of the operation (a set, not an object with a prototype); reject any other.',
  'request.method_not_allowed':
    'Decide by the method of the request line, before the key, and by nothing in the body, the query or headers.',
  'request.method_case': 'Compare methods exactly.',
  'request.encoding': 'Split the path at `/`, and the query at `&` and `=`, first; then decode each part once.',
  'request.repeated_parameter':
    'Reject a name that is in the query twice, whatever its values are, after it is decoded.',
  'request.separator': 'Split the query at `&` alone, before it is decoded.',
  'request.parameter_case': 'Compare the names of parameters exactly.',
  'auth.missing':
    'Read the key from the Authorization header alone, and match its whole value: Bearer, spaces, and all that follows as the key, which is missing only if nothing follows.',
  'auth.several': 'Count the Authorization lines: more than one is invalid_api_key.',
  'auth.in_query': 'Do not read keys from the query.',
  'auth.scheme_case': 'Compare the scheme without regard to case.',
  'auth.unknown':
    'Look up the whole token as it was sent, and compare it exactly: hash it, do not trim, decode or normalize it.',
  'auth.precedence': 'Check in this order: path, method, key, parameters, existence of the item.',
  'http.options':
    'Answer OPTIONS of each path of the contract, and of no other, with 204 and Allow before the key and the parameters are checked.',
  'http.not_modified':
    'Compute the ETag from the bytes of the response, the same each time (keys in one order), and compare If-None-Match weakly for every page.',
  'http.multiple_etags': 'Split If-None-Match at its commas; one match is enough.',
  'http.modified':
    'Compare whole tags with the ETag of the response to this request; ignore a value that is not a tag.',
  'http.conditional_errors':
    'Compare If-None-Match only once the response is a 200: after the key, the parameters and the look-up.',
  'http.cross_origin':
    'Add the headers for other origins in one place, to every response; answer preflight requests without a key, and allow Authorization.',
  'http.not_modified_body': 'Send no body with a 304.',
  'http.head': 'Handle HEAD as GET, with the same headers, and leave the body out when it is sent.',
  'http.head_not_modified': 'Compare If-None-Match for HEAD as for GET.',
  'http.head_body': 'Send no body to HEAD, with errors too.',
  'http.head_errors': 'Run HEAD through all checks of GET.',
  'http.compression': 'Compress only with a coding that Accept-Encoding allows.',
  'http.request_id':
    'Return an X-Request-Id that matches the pattern of the contract as it is, with every status; replace any other.',
  'http.unique_request_id':
    'Make a new id for each response; let no cache serve responses (Cache-Control: private, no-cache, and Vary: Authorization).',
  'record.example':
    'Store and return texts, numbers and instants unchanged: UTF-8, no trimming, 64-bit integers, all digits.',
  'record.constraints': 'Make the properties agree as the contract says, and return each text as it is.',
  'isolation.list': 'Select by the account of the key in every query.',
  'isolation.cursor': 'Look the cursor up among the items of the account of the key.',
  'isolation.disclosure': 'Look up by account and id at once, so that a foreign id takes the path of an unknown one.',
  'isolation.etag': 'Compute the ETag from the response, after the account is known.',
  'isolation.get': 'Look up by account and id at once, for HEAD and conditional requests too.',
  'get.found':
    'Look the id up among all items of the account, and write the item by the function that writes it in the list.',
  'get.id_case': 'Convert the id to lower case before it is looked up.',
  'get.not_found':
    'Accept any id that matches the pattern of the contract, and return 404 if the account has no such item in this collection.',
  'get.malformed_id':
    'Match the whole id, after it is decoded, against the pattern of the contract before it is looked up; reject an escape that cannot be decoded (%ff) like any other malformed id.',
  'response.status':
    'Return only statuses of the contract: switch redirects off, catch errors of handlers, the framework, the parser and the proxy, and turn each into one of them.',
  'response.content_type': 'Set Content-Type to application/json without a charset for every body, errors too.',
  'response.encoding': 'Encode bodies as UTF-8, without a byte order mark.',
  'response.schema':
    'Send the body that the contract declares, errors too: every property, of its type, null where there is no value.',
  'response.integers': 'Write integers as integers, not as floating point numbers.',
  'response.error_name': 'Use the name that the contract has for this status.',
  'response.error_status_code': 'Take statusCode from the status of the response, in one place.',
  'response.error_message': 'Name the parameter in the message.',
  'response.error_values': 'Write the range, or every allowed value, into the message.',
  'response.disclosure':
    'Write a message of your own instead of that of the exception, and never what Authorization has.',
  'header.cache_control': 'Send Cache-Control: private, no-cache with every response but the 204.',
  'header.vary': 'Send Vary: Authorization with every response.',
  'header.x_request_id': 'Send an X-Request-Id with every response, in the form of the contract.',
  'header.etag': 'Send a quoted ETag with every 200 and 304.',
  'header.www_authenticate': 'Send WWW-Authenticate: Bearer with every 401.',
  'header.allow': 'Send Allow with every 405, with the methods of the contract.',
  'header.rate_limit':
    'Send all rate limit headers together, as whole numbers that agree; Retry-After with a 429 and a 503.',
  'header.rate_limit_coverage':
    'Add the rate limit headers where responses are sent, so that errors, 304 and HEAD have them.',
  'header.repeated':
    'Set the header once: replace the value that a framework or proxy has set, instead of adding another.',
  'header.etag_identity': 'Compute the ETag from everything in the body, and from nothing else.',
  'header.optional': 'Send the header as the contract has it, or not at all.',
};
