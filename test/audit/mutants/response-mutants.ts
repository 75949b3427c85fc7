/** Faults of responses: headers, schemas, records, errors. */
import { PROPERTIES, inBody, inItems, inList, inReply, isList, isGetById, mutantsOf, on } from './mutant.ts';
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
  'header.rate_limit': {
    'rate-limit headers come in part': on(200, ({ headers }) =>
      Object.assign(headers, { 'ratelimit-limit': '10', 'ratelimit-remaining': '9' }),
    ),
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
    'responses are text': on(200, ({ headers }) => (headers['content-type'] = 'text/plain')),
  },
  'response.schema': {
    'a page lacks has_more': inList((body) => Reflect.deleteProperty(body, 'has_more')),
    'an id is in upper case': inItems((item) => (item.id = item.id.toUpperCase())),
    'completed_at is left out where it is null': inItems((item) => {
      if (item['completed_at'] === null) delete item['completed_at'];
    }),
    'an error has a name of its own': inBody(404, (body) => (body['name'] = 'missing')),
    'an error has no message': inBody(401, (body) => delete body['message']),
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
  'record.constraints': {
    'a queued import has an end': inItems((item) => {
      if (item['status'] === 'queued') item['completed_at'] = item.created_at;
    }),
    'a queued import has counts': inItems((item) => {
      if (item['status'] === 'queued') item['counts'] = { total: 10, created: 20, updated: 0, skipped: 0, failed: 0 };
    }),
    'the fallback of a number is a text': inItems((item, { path }) => {
      if (path.endsWith(PROPERTIES) && item['type'] === 'number') item['fallback_value'] = '5';
    }),
    'a day is none of the calendar': inItems((item) => {
      if ('updated_at' in item) item['updated_at'] = '2026-02-30 00:00:00+00';
    }),
  },
});
