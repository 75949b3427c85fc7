/** Faults of errors: their names, bodies and statuses, and odd input that is a 500. */
import { idOf, toHtml } from './edits.ts';
import {
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  hasKey,
  inBody,
  inReply,
  isCursor,
  isGetById,
  isList,
  mutantsOf,
  on,
  cursorOf,
  fails,
  problem,
  isSecond,
} from './mutant.ts';
import type { Change, InterceptedRequest, Reply } from './proxy.ts';

type Test = (request: InterceptedRequest, reply: Reply) => boolean;
/** Gives errors of a status another body. */
const bodies = (status: number, bodyOf: (body: Record<string, unknown>) => unknown, isSo: Test = () => true): Change =>
  on(status, (reply, request) => {
    if (reply.body !== '' && isSo(request, reply))
      reply.body = JSON.stringify(bodyOf(JSON.parse(reply.body) as Record<string, unknown>));
  });
/** Puts a 500 in the place of a response to odd input. */
const breaks = (isSo: Test): Change =>
  fails(500, 'application_error', (reply, it) => reply.status === 422 && isSo(it, reply));
/** Gives errors another status, in the body too. */
const becomes = (from: number, to: number, isSo: Parameters<typeof fails>[2]): Change =>
  inReply((reply, ...asked) => {
    if (reply.status !== from || !isSo(reply, ...asked)) return;
    reply.status = to;
    if (reply.body !== '')
      reply.body = reply.body.replace(`"statusCode":${String(from)}`, `"statusCode":${String(to)}`);
  });

export const ERROR_FAULTS = mutantsOf({
  'response.error_name': {
    'an unknown cursor is a validation_error': inBody(404, (body, it) => {
      if (isList(it)) body['name'] = 'validation_error';
    }),
    'a 405 is named not_found': inBody(405, (body) => (body['name'] = 'not_found')),
    'a wrong limit is an application_error': inBody(422, (body, { query }) => {
      if (query.has('limit')) body['name'] = 'application_error';
    }),
    'without a key there is no import, by its name': inBody(401, (body, it) => {
      if (isGetById(it)) body['name'] = 'not_found';
    }),
    'a malformed id is named not_found': inBody(422, (body, { path }) => {
      if (path.startsWith(`${IMPORTS}/`)) body['name'] = 'not_found';
    }),
  },
  'response.error_status_code': {
    'the statusCode of a 401 is 403': inBody(401, (body) => (body['statusCode'] = 403)),
    'the statusCode of a 405 is 404': inBody(405, (body) => (body['statusCode'] = 404)),
    'the statusCode of an unknown import is 500': inBody(404, (body, it) => {
      if (isGetById(it)) body['statusCode'] = 500;
    }),
  },
  'response.error_message': {
    'the message of a wrong status names nothing': inBody(422, (body, { query }) => {
      if (query.has('status') && !query.has('nonsense')) body['message'] = 'Invalid value.';
    }),
    'the message of a wrong cursor names another parameter': inBody(422, (body, it) => {
      if (isCursor(it) && it.query.size === 1) body['message'] = '`limit` must be a whole number from 1 to 100.';
    }),
    'the message of a malformed id names nothing': inBody(422, (body, it) => {
      if (idOf(it) !== undefined && it.query.size === 0) body['message'] = 'Validation failed (uuid is expected)';
    }),
  },
  'response.content_type': {
    'a 422 is application/problem+json': on(
      422,
      ({ headers }) => (headers['content-type'] = 'application/problem+json'),
    ),
    'an unknown import is the text of a stack': on(404, (reply, it) => {
      if (!isGetById(it)) return;
      reply.headers['content-type'] = 'text/plain';
      reply.body &&= 'Error: not found\n    at find (/app/imports.js:12:9)';
    }),
    'a 405 has no body': on(405, (reply) => {
      reply.body = '';
      delete reply.headers['content-type'];
    }),
    'a 401 is a text': on(401, (reply) => {
      reply.headers['content-type'] = 'text/plain';
      reply.body &&= 'Unauthorized';
    }),
    'an unknown cursor of contact properties is HTML': on(404, (reply, { path }) => {
      if (path === PROPERTIES) toHtml(reply);
    }),
  },
  'response.schema': {
    'the statusCode of a 404 is a text': inBody(404, (body) => (body['statusCode'] = '404')),
    'the statusCode of a 401 is left out': inBody(401, (body) => delete body['statusCode']),
    'the message of a 405 is empty': inBody(405, (body) => (body['message'] = '')),
    'the message of a 422 is a list': inBody(422, (body) => (body['message'] = [body['message']])),
    'the message of an unknown import is null': inBody(404, (body, it) => {
      if (isGetById(it)) body['message'] = null;
    }),
    'the message of a long value is as long': inBody(422, (body, it) => {
      const values = [...it.query.values(), idOf(it) ?? ''];
      if (values.some((value) => value.length > 100))
        body['message'] = `${String(body['message'])} ${values.join(' ').padEnd(1000, '.')}`;
    }),
    'a 404 is wrapped': bodies(404, (error) => ({ error })),
    'a 401 is wrapped for get by id': bodies(401, (error) => ({ error }), isGetById),
    'a 422 has details instead of a message': bodies(422, ({ message }) => ({
      detail: [{ loc: ['query'], msg: message, type: 'value_error' }],
    })),
    'an unknown path is a text in JSON': bodies(
      404,
      () => 'Not Found',
      (it) => !isList(it) && !isGetById(it),
    ),
    'a 405 is a list': bodies(405, (error) => [error]),
    'a 401 is named unauthorized': inBody(401, (body) => (body['name'] = 'unauthorized')),
    'a 405 has Problem Details': bodies(405, () => ({ type: 'about:blank', title: 'Method Not Allowed', status: 405 })),
  },
  'response.status': {
    'an import of another account is a 403': becomes(404, 403, (_reply, it, context) => {
      const other = isSecond(it, context) ? 0 : 1;
      return (
        isGetById(it) &&
        hasKey(it, context) &&
        context.items(IMPORTS, other).some(({ id }) => id === idOf(it)?.toLowerCase())
      );
    }),
    'an automation for an import is a 403': becomes(404, 403, (_reply, it, { items }) => {
      return isGetById(it) && items(AUTOMATIONS).some(({ id }) => id === idOf(it));
    }),
    'a malformed cursor is a 400': becomes(422, 400, (_reply, it) => isCursor(it) && it.query.size === 1),
    'a malformed id is a 400': becomes(422, 400, (_reply, it) => idOf(it) !== undefined && it.query.size === 0),
    'two cursors are a 409': becomes(422, 409, (_reply, { query }) => query.has('after') && query.has('before')),
    'an unknown cursor of imports is a 410': becomes(404, 410, (_reply, it) => it.path === IMPORTS),
    'a wrong status of imports is a 400': becomes(
      422,
      400,
      (_reply, { path, query }) => path === IMPORTS && query.has('status'),
    ),
    'an unknown import is a 204': on(404, (reply, it) => {
      if (isGetById(it)) Object.assign(reply, { status: 204, body: '' });
    }),
    'an unknown key is a 403': becomes(401, 403, (_reply, { headers }) => 'authorization' in headers),
    'an unknown key is a 403 for contact properties': becomes(
      401,
      403,
      ({ body }, { path }) => path === PROPERTIES && body.includes('invalid_api_key'),
    ),
  },
  'list.invalid_limit': {
    'a handler raises for a limit in words, and the connection is closed': on(422, (reply, { query }) => {
      if (/^\D*$/.test(query.get('limit') ?? '1')) reply.isCut = true;
    }),
    'a limit beyond 64 bits is a 500': breaks(({ query }) => /^\d{19,}$/.test(query.get('limit') ?? '')),
    'a limit beyond 32 bits is a 500': breaks(({ query }) => Number(query.get('limit')) > 2_147_483_647),
    'a limit that is no number is a 500': breaks(({ query }) => Number.isNaN(Number(query.get('limit') ?? 1))),
    'a negative limit is a 500': breaks(({ query }) => Number(query.get('limit')) < 0),
  },
  'list.invalid_filter': {
    'a status with a NUL is a 500': breaks(({ query }) => query.get('status')?.includes('\0') === true),
    'a status of another kind is a 500 for automations': breaks(
      ({ path, query }) => path === AUTOMATIONS && query.get('status') === 'queued',
    ),
    'an empty status is a 500': breaks(({ query }) => query.get('status') === ''),
  },
  'list.malformed_cursor': {
    'a cursor that is not UTF-8 is a 500': breaks(
      (it) => cursorOf(it).includes('\ufffd') || /%(?:ff|fe|c0|ed)/i.test(it.path),
    ),
    'a cursor with a NUL is a 500': breaks((it) => cursorOf(it).includes('\0')),
    'a cursor of more than 255 characters is a 500': breaks((it) => cursorOf(it).length > 255),
    'a cursor with a quote is a 500': breaks((it) => cursorOf(it).includes("'")),
    'a malformed cursor before is a 500 for imports': breaks(
      ({ path, query }) => path === IMPORTS && query.size === 1 && query.has('before'),
    ),
  },
  'request.repeated_parameter': {
    'a repeated status is a 500': breaks(({ query }) => query.getAll('status').length > 1),
    'a repeated cursor is a 500 for contact properties': breaks(
      ({ path, query }) => path === PROPERTIES && query.getAll('after').length > 1,
    ),
  },
  'request.unknown_parameter': {
    'a parameter named __proto__ is a 500': breaks(({ query }) => query.has('__proto__') || query.has('constructor')),
    'an escape that is none is a 500': breaks(({ target }) => /%(?![0-9a-f]{2})/i.test(target)),
  },
  'get.malformed_id': {
    'an id that is a number is a 500': breaks((it) => /^\d+$/.test(idOf(it) ?? '')),
  },
  'get.not_found': {
    'an unknown import is an error with 200': on(404, (reply, it) => {
      if (!isGetById(it)) return;
      reply.status = 200;
      reply.headers['etag'] = '"none"';
    }),
    'an unknown import is null': on(404, (reply, it) => {
      if (!isGetById(it)) return;
      Object.assign(reply, { status: 200, body: 'null' });
      reply.headers['etag'] = '"none"';
    }),
    'an unknown import is a 500': fails(500, 'application_error', ({ status }, it) => status === 404 && isGetById(it)),
    'an unknown import is malformed': fails(
      422,
      'validation_error',
      ({ status }, it) => status === 404 && isGetById(it),
    ),
  },
  'list.unknown_cursor': {
    'an unknown cursor of automations is an error with 200': on(404, (reply, it) => {
      if (it.path !== AUTOMATIONS) return;
      reply.status = 200;
      reply.headers['etag'] = '"none"';
    }),
    'an unknown cursor of contact properties is a 500': fails(
      500,
      'application_error',
      ({ status }, it) => status === 404 && it.path === PROPERTIES,
    ),
    'an unknown cursor before is malformed': fails(
      422,
      'validation_error',
      ({ status }, it) => status === 404 && it.query.has('before'),
    ),
  },
  'header.cache_control': {
    'a 422 has no Cache-Control': on(422, ({ headers }) => delete headers['cache-control']),
  },
  'header.x_request_id': {
    'a 405 has no X-Request-Id': on(405, ({ headers }) => delete headers['x-request-id']),
    'unknown paths have no X-Request-Id': on(404, ({ headers }, it) => {
      if (!isList(it) && !isGetById(it)) delete headers['x-request-id'];
    }),
  },
  'auth.missing': {
    'the session of a wrong key has ended': inReply((reply, it) => {
      if (reply.status === 401 && 'authorization' in it.headers && isList(it))
        Object.assign(reply, problem(503, 'service_unavailable'));
      if (reply.status === 503) reply.headers['retry-after'] = '1';
    }),
  },
});
