/** Faults of responses that a few requests show: conditions with cursors, headers of some statuses alone, what messages say and reveal. */
import { accountOf, hash, idOf, ignores, opaque, tags, toNotModified, toLimited } from './edits.ts';
import { AUTOMATIONS, inBody, inReply, isCursor, isGetById, mutantsOf, on } from './mutant.ts';
import { targetOf, fails, isKnownPath } from './mutant.ts';
import type { Change, InterceptedRequest, Item, Reply } from './proxy.ts';

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
/** Takes the tag of the response without some parameters for that of the response with one of them. */
const confuses = (...names: readonly string[]): Change =>
  inReply(async (reply, request, context) => {
    const tag = request.headers['if-none-match'];
    if (reply.status !== 200 || tag === undefined || !names.some((it) => request.query.has(it))) return;
    const other = await context.get(targetOf(request, ...names), accountOf(request, context));
    if (opaque(other.headers['etag']) === opaque(tag)) toNotModified(reply);
  });
const STATUS = /`status` must be one of.*/;

export const ANSWER_FAULTS = mutantsOf({
  'http.not_modified': {
    'with the cursor after If-None-Match is ignored': ignores('if-none-match', (_value, it) => it.query.has('after')),
    'with the cursor before If-None-Match is ignored': ignores('if-none-match', (_value, it) => it.query.has('before')),
    'with a limit If-None-Match is ignored': ignores('if-none-match', (_value, { query }) => query.has('limit')),
  },
  'http.modified': {
    'with a cursor the tag of the first page is a 304': confuses('after', 'before'),
    'with a filter the tag of the unfiltered page is a 304': confuses('status'),
    'with a limit the tag of the default page is a 304': confuses('limit'),
  },
  'header.etag_identity': {
    'a tag is made of the ids alone': tags((body, it, context) => {
      const { data, id } = JSON.parse(body) as { data?: readonly Item[]; id?: string };
      return hash(`${String(accountOf(it, context))}${String(data?.map((item) => item.id) ?? id)}`);
    }),
    'a tag is made of the first id and the number of items': tags((body, it, context) => {
      const { data, id } = JSON.parse(body) as { data?: readonly Item[]; id?: string };
      const of =
        data === undefined ? id : data.length === 0 ? targetOf(it) : `${String(data[0]?.id)}${String(data.length)}`;
      return hash(`${String(accountOf(it, context))}${String(of)}`);
    }),
  },
  'header.rate_limit_coverage': {
    'a 304 has no rate-limit headers': limitsBut(({ status }) => status === 304),
    'a 401 has no rate-limit headers': limitsBut(({ status }) => status === 401),
    'a 404 has no rate-limit headers': limitsBut(({ status }) => status === 404),
    'a 422 has no rate-limit headers': limitsBut(({ status }) => status === 422),
    'HEAD has no rate-limit headers': limitsBut((_reply, { method }) => method === 'HEAD'),
    'get by id has no rate-limit headers': limitsBut((_reply, it) => isGetById(it)),
  },
  'http.cross_origin': {
    'a 401 is not for other origins': withoutCors(({ status }) => status === 401),
    'a 404 is not for other origins': withoutCors(({ status }) => status === 404),
    'a 422 is not for other origins': withoutCors(({ status }) => status === 422),
    'a 304 is not for other origins': withoutCors(({ status }) => status === 304),
    'HEAD is not for other origins': withoutCors((_reply, { method }) => method === 'HEAD'),
    'a 405 is not for other origins': withoutCors(({ status }) => status === 405),
    'headers of errors are not exposed': inReply(({ status, headers }) => {
      if (status >= 400) Reflect.deleteProperty(headers, 'access-control-expose-headers');
    }),
    'a preflight request does not allow Authorization': inReply(({ headers }, { method }) => {
      if (method === 'OPTIONS' && 'access-control-allow-headers' in headers)
        headers['access-control-allow-headers'] = 'Content-Type';
    }),
    'a preflight request needs a key': fails(401, 'missing_api_key', ({ status }, { headers }) => {
      return status === 204 && 'access-control-request-method' in headers;
    }),
  },
  'header.repeated': {
    'two Content-Type lines differ': twice(200, 'content-type', () => 'text/plain'),
    'Content-Type is sent twice': twice(200, 'content-type', (old) => old),
    'errors have two Content-Type lines': twice(404, 'content-type', () => 'text/html'),
    'two ETag lines differ': twice(200, 'etag', (old) => `W/"${opaque(old).slice(2)}`),
    'a 401 has two Content-Type lines': twice(401, 'content-type', (old) => `${old}; charset=utf-8`),
  },
  'response.disclosure': {
    'the message of a wrong cursor has the statement': says(
      422,
      (old) => `${old} ERROR: invalid input syntax for type uuid: SELECT * FROM automations WHERE id = $1`,
      isCursor,
    ),
    'the message of a malformed id is that of PostgreSQL': says(
      422,
      (old) => `${old} pq: invalid input syntax for type uuid (SQLSTATE 22P02)`,
      (it) => idOf(it) !== undefined,
    ),
    'the message of an unknown import has a stack': says(
      404,
      (old) => `${old}\n    at findImport (/srv/app/src/imports.js:41:13)`,
      isGetById,
    ),
    'the message of a wrong limit has a traceback': says(
      422,
      (old) => `${old} Traceback (most recent call last): File "/app/main.py", line 12, in parse`,
      ({ query }) => query.has('limit'),
    ),
    'the message of an unknown path has a file': says(
      404,
      (old) => `${old} open /var/www/html/index.html: no such file or directory`,
      (it) => !isKnownPath(it),
    ),
    'errors have a stack beside the message': inReply((reply) => {
      if (reply.status < 400 || reply.body === '') return;
      reply.body = JSON.stringify({
        ...(JSON.parse(reply.body) as object),
        stack: 'Error\n    at get (/srv/app/get.js:4:1)',
      });
    }),
    'a 422 has its statement among the details': inBody(422, (body) => {
      body['errors'] = [{ detail: 'SELECT id FROM items WHERE account_id = 7' }];
    }),
    'the message of a wrong status names a class of Java': says(
      422,
      (old) => `${old} No enum constant com.example.api.AutomationStatus.NONSENSE`,
      ({ query }) => query.has('status'),
    ),
    'the message of a wrong limit names an exception of Java': says(
      422,
      (old) => `${old} java.lang.NumberFormatException: For input string`,
      ({ query }) => query.has('limit'),
    ),
    'the message of a wrong key has the key': says(
      401,
      (old, { headers }) => `${old} (${(headers['authorization'] ?? 'none').slice(0, 200)})`,
    ),
    'a header of errors has the key': inReply(({ status, headers: sent }, { headers }) => {
      if (status === 422) sent['x-debug'] = headers['authorization'] ?? '';
    }),
    'a 404 names the table': says(404, (old) => `${old} SQLITE_ERROR: no such row in contact_imports`, isGetById),
  },
  'response.error_values': {
    'the message of a wrong limit does not say the range': says(
      422,
      () => '`limit` is not valid.',
      ({ query }) => query.has('limit') && query.size === 1,
    ),
    'the message of a wrong limit says the minimum alone': says(
      422,
      () => '`limit` must be greater than or equal to 1.',
      ({ query }) => query.has('limit') && query.size === 1,
    ),
    'the message of a wrong status does not say the values': says(422, (old) =>
      old.replace(STATUS, '`status` is not a valid choice.'),
    ),
    'the message of a wrong status names one value': says(422, (old) =>
      old.replace(STATUS, '`status` must be `enabled` or `completed`, for example.'),
    ),
  },
  'header.x_request_id': {
    'an empty X-Request-Id is returned': inReply((reply, { headers }) => {
      if (headers['x-request-id'] === '') reply.headers['x-request-id'] = '';
    }),
  },
  'http.request_id': {
    'an X-Request-Id with a dollar sign is returned': inReply((reply, { headers }) => {
      if (/^[\w$-]+$/.test(headers['x-request-id'] ?? ''))
        reply.headers['x-request-id'] = headers['x-request-id'] ?? '';
    }),
  },
  'request.ignored_headers': {
    'a version in X-Api-Version is unknown': fails(422, 'validation_error', ({ status }, { headers }) => {
      return status === 200 && 'x-api-version' in headers;
    }),
    'X-Requested-With is a browser without a session': fails(401, 'missing_api_key', ({ status }, { headers }) => {
      return status === 200 && 'x-requested-with' in headers;
    }),
    'X-Rewrite-Url is the path of the request': {
      request: (request) => {
        request.path = request.headers['x-rewrite-url'] ?? request.path;
        return undefined;
      },
    },
    'Prefer: return=minimal has no items': inReply((reply, { headers, method }) => {
      if (reply.status !== 200 || method !== 'GET' || !headers['prefer']?.includes('return=minimal')) return;
      const body = JSON.parse(reply.body) as { data?: unknown; has_more?: unknown };
      if (body.data !== undefined) reply.body = JSON.stringify({ ...body, data: [] });
    }),
    'X-Forwarded-For of another address is forbidden': fails(401, 'invalid_api_key', ({ status }, { headers }) => {
      return status === 200 && 'x-forwarded-for' in headers;
    }),
    'X-Forwarded-Host is a host that is not known': fails(404, 'not_found', ({ status }, { headers }) => {
      return status === 200 && 'x-forwarded-host' in headers;
    }),
    'the time zone of a header is that of instants': inReply((reply, { headers, method, path }) => {
      if (reply.status === 200 && method === 'GET' && path === AUTOMATIONS && 'time-zone' in headers)
        reply.body = reply.body.replaceAll(/:(\d\d)(\.\d+)?[+]00"/g, ':$1$2+02"');
    }),
  },
});
