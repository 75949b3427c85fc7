/** Faults of responses: headers, schemas, records, errors. */
import { inBody, inList, inReply, isList, isGetById, mutantsOf, on } from './mutant.ts';
import { toHtml } from './edits.ts';

/** Removes a header from every response. */
const without = (name: string) => inReply(({ headers }) => Reflect.deleteProperty(headers, name));

export const RESPONSE_MUTANTS = mutantsOf({
  'header.x_request_id': {
    'no response has an X-Request-Id': without('x-request-id'),
  },
  'header.cache_control': {
    'no response has a Cache-Control': without('cache-control'),
    'any cache may store responses': on(200, ({ headers }) => (headers['cache-control'] = 'public, max-age=60')),
  },
  'header.vary': {
    'no response has a Vary': without('vary'),
  },
  'header.etag': {
    'no response has an ETag': without('etag'),
    'a 304 has no ETag': on(304, ({ headers }) => delete headers['etag']),
  },
  'header.www_authenticate': {
    'a 401 has no WWW-Authenticate': without('www-authenticate'),
  },
  'header.allow': {
    'a 405 has no Allow': on(405, ({ headers }) => delete headers['allow']),
  },
  'header.optional': {
    'X-Content-Type-Options is none that there is': inReply(
      ({ headers }) => (headers['x-content-type-options'] = 'sniff'),
    ),
  },
  'response.content_type': {
    'unknown paths have HTML responses': on(404, (reply, request) => {
      if (!isList(request) && !isGetById(request)) toHtml(reply);
    }),
  },
  'response.schema': {
    'a page lacks has_more': inList((body) => Reflect.deleteProperty(body, 'has_more')),
  },
  'response.error_status_code': {
    'the statusCode of an error is another': inBody(422, (body) => (body['statusCode'] = 400)),
  },
  'response.error_message': {
    'a message names nothing': inBody(422, (body) => (body['message'] = 'Bad request.')),
  },
  'response.status': {
    'validation errors are 400': on(422, (reply) => (reply.status = 400)),
  },
});
