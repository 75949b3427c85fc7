/** Faults of responses: headers, schemas, records and how they are written, errors, and what messages say and reveal. */
import {
  inBody,
  inList,
  inReply,
  isList,
  isGetById,
  mutantsOf,
  on,
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  inItems,
  where,
  fails,
  property,
  inText,
  cursorOf,
  isKnownPath,
} from './mutant.ts';
import { toHtml, idOf, opaque, toLimited } from './edits.ts';
import type { Change, InterceptedRequest, Reply } from './proxy.ts';

/** Removes a header from every response. */
const without = (name: string) => inReply(({ headers }) => Reflect.deleteProperty(headers, name));

/** Writes texts in another way. */
const texts = (name: string, as: (text: string) => string): Change =>
  property(name, (it) => (typeof it === 'string' ? as(it) : it));

const count = (name: string, as: (count: number) => unknown): Change =>
  inItems(({ counts }) => {
    const all = counts as Record<string, unknown> | undefined; // Only imports have some.
    if (all !== undefined) all[name] = as(Number(all[name]));
  });

const alone = (change: Change): Change => where(isGetById, change);

const filtered = (change: Change): Change => where(({ query }) => query.has('status'), change);

const behind = (change: Change): Change => where(({ query }) => query.has('after'), change);

const toSeconds = (text: string): string => text.replace(/[.]\d+/, '');

const toMilliseconds = (text: string): string => text.replace(/([.]\d{3})\d+/, '$1');

/** Nothing is at the path of a list. */
const absent = (list: string): Change =>
  fails(404, 'not_found', ({ status }, { path }) => path === list && status === 200);

type Test = (request: InterceptedRequest, reply: Reply) => boolean;

/** Puts a 500 in the place of a response to odd input. */
const breaks = (isSo: Test): Change =>
  fails(500, 'application_error', (reply, it) => reply.status === 422 && isSo(it, reply));

/** Puts rate-limit headers into the responses to reads, but not into all. */
const limitsBut = (isLeftOut: (reply: Reply, request: InterceptedRequest) => boolean): Change =>
  inReply((reply, request) => {
    if (!['GET', 'HEAD'].includes(request.method) || !isKnownPath(request) || isLeftOut(reply, request)) return;
    toLimited(reply);
  });

const CORS = ['access-control-allow-origin', 'access-control-expose-headers'];

/** Takes the headers for other origins away from some responses. */
const withoutCors = (isSo: (reply: Reply, request: InterceptedRequest) => boolean): Change =>
  inReply((reply, request) => {
    if (isSo(reply, request)) for (const name of CORS) Reflect.deleteProperty(reply.headers, name);
  });

const twice = (status: number, name: string, value: (old: string) => string): Change =>
  on(status, (reply) => (reply.again = { [name]: value(reply.headers[name] ?? '') }));

/** Gives errors of a status another message. */
const says = (
  status: number,
  message: (old: string, request: InterceptedRequest) => string,
  isSo: (request: InterceptedRequest) => boolean = () => true,
): Change =>
  inBody(status, (body, request) => {
    if (isSo(request)) body['message'] = message(String(body['message']), request);
  });

const STATUS = /`status` must be one of.*/;

export const RESPONSE_FAULTS = mutantsOf({
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
    'a 405 has no body': on(405, (reply) => {
      reply.body = '';
      delete reply.headers['content-type'];
    }),
  },
  'response.schema': {
    'a page lacks has_more': inList((body) => Reflect.deleteProperty(body, 'has_more')),
    'a number that is no number is written as NaN': inText((body) =>
      body.replaceAll('"type":"number","fallback_value":null', '"type":"number","fallback_value":NaN'),
    ),
  },
  'response.error_status_code': {
    'the statusCode of an error is another': inBody(422, (body) => (body['statusCode'] = 400)),
    'the statusCode of a 405 is 404': inBody(405, (body) => (body['statusCode'] = 404)),
  },
  'response.error_message': {
    'a message names nothing': inBody(422, (body) => (body['message'] = 'Bad request.')),
    'the message of a wrong status names nothing': inBody(422, (body, { query }) => {
      if (query.has('status') && !query.has('nonsense')) body['message'] = 'Invalid value.';
    }),
  },
  'response.status': {
    'validation errors are 400': on(422, (reply) => (reply.status = 400)),
  },
  'operation.exists': {
    'there are no automations': absent(AUTOMATIONS),
    'there are no contact properties': absent(PROPERTIES),
    'there are no contact imports': absent(IMPORTS),
    'a queued import cannot be retrieved': fails(404, 'not_found', ({ status, body }, request) => {
      return isGetById(request) && status === 200 && body.includes('"queued"');
    }),
  },
  'get.found': {
    'alone, created_at is to the second': alone(texts('created_at', toSeconds)),
    'alone, completed_at is to the millisecond': alone(texts('completed_at', toMilliseconds)),
  },
  'list.pagination': {
    'behind a cursor the fraction of instants is lost': behind(texts('created_at', toSeconds)),
  },
  'list.ties': {
    'microseconds are cut to milliseconds': texts('created_at', toMilliseconds),
  },
  'list.filter': {
    'with a filter counts are zero': filtered(count('total', () => 0)),
  },
  'record.example': {
    'names are in lower case': texts('name', (it) => it.toLowerCase()),
    'a fallback is written in capitals': texts('fallback_value', (it) => it.toUpperCase()),
  },
  'response.error_name': {
    'an invalid limit is not found by its name': inBody(422, (body, { query }) => {
      if (query.has('limit')) body['name'] = 'not_found';
    }),
    'a 405 is named not_found': inBody(405, (body) => (body['name'] = 'not_found')),
  },
  'response.encoding': {
    'lists begin with a byte order mark': inText((body) => (body.includes('"data"') ? `\ufeff${body}` : body)),
    'errors begin with a byte order mark': on(404, (reply) => (reply.body &&= `\ufeff${reply.body}`)),
  },
  'response.integers': {
    'counts in lists are written with a fraction': inText((body) =>
      body.includes('"data"') ? body.replaceAll(/"(total|created)":(\d+)/g, '"$1":$2.0') : body,
    ),
    'counts alone are written with an exponent': inText((body) =>
      body.includes('"data"') ? body : body.replaceAll(/"(updated|skipped)":(\d+)/g, '"$1":$2e0'),
    ),
  },
  'record.constraints': {
    'texts have NUL characters': inText((body) => body.replaceAll('№', '\\u0000')),
  },
  'list.malformed_cursor': {
    'a cursor of more than 255 characters is a 500': breaks((it) => cursorOf(it).length > 255),
  },
  'request.unknown_parameter': {
    'an escape that is none is a 500': breaks(({ target }) => /%(?![0-9a-f]{2})/i.test(target)),
  },
  'get.malformed_id': {
    'an id that is a number is a 500': breaks((it) => /^\d+$/.test(idOf(it) ?? '')),
  },
  'header.rate_limit_coverage': {
    'a 304 has no rate-limit headers': limitsBut(({ status }) => status === 304),
    'a 401 has no rate-limit headers': limitsBut(({ status }) => status === 401),
  },
  'http.cross_origin': {
    'a 401 is not for other origins': withoutCors(({ status }) => status === 401),
    'a 404 is not for other origins': withoutCors(({ status }) => status === 404),
    'a 422 is not for other origins': withoutCors(({ status }) => status === 422),
    'a 304 is not for other origins': withoutCors(({ status }) => status === 304),
    'HEAD is not for other origins': withoutCors((_reply, { method }) => method === 'HEAD'),
    'a 405 is not for other origins': withoutCors(({ status }) => status === 405),
    'a preflight request does not allow Authorization': inReply(({ headers }, { method }) => {
      if (method === 'OPTIONS' && 'access-control-allow-headers' in headers)
        headers['access-control-allow-headers'] = 'Content-Type';
    }),
  },
  'header.repeated': {
    'two Content-Type lines differ': twice(200, 'content-type', () => 'text/plain'),
    'Content-Type is sent twice': twice(200, 'content-type', (old) => old),
    'two ETag lines differ': twice(200, 'etag', (old) => `W/"${opaque(old).slice(2)}`),
  },
  'response.disclosure': {
    'the message of an unknown path has a file': says(
      404,
      (old) => `${old} open /var/www/html/index.html: no such file or directory`,
      (it) => !isKnownPath(it),
    ),
    'a 422 has its statement among the details': inBody(422, (body) => {
      body['errors'] = [{ detail: 'SELECT id FROM items WHERE account_id = 7' }];
    }),
    'the message of a wrong status names a class of Java': says(
      422,
      (old) => `${old} No enum constant com.example.api.AutomationStatus.NONSENSE`,
      ({ query }) => query.has('status'),
    ),
    'a 404 names the table': says(404, (old) => `${old} SQLITE_ERROR: no such row in contact_imports`, isGetById),
  },
  'response.error_values': {
    'the message of a wrong status does not say the values': says(422, (old) =>
      old.replace(STATUS, '`status` is not a valid choice.'),
    ),
    'the message of a wrong status names one value': says(422, (old) =>
      old.replace(STATUS, '`status` must be `enabled` or `completed`, for example.'),
    ),
  },
});
