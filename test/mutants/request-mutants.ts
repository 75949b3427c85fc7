/** Faults in the handling of requests: paths, methods, keys, conditions, get by id, accounts. */
import { AUTOMATIONS, IMPORTS, become, hasKey, inBody, isList, isGetById, on, problem, targetOf } from './mutant.ts';
import type { Mutant } from './mutant.ts';

const isKnown = (path: string): boolean => isList({ path } as Parameters<typeof isList>[0]);
const opaque = (tag = ''): string => tag.replace(/^W\//, '');

export const REQUEST_MUTANTS: readonly Mutant[] = [
  {
    name: 'unknown parameters are ignored',
    rule: 'request.unknown_parameter',
    request: ({ query }) => {
      for (const name of [...query.keys()])
        if (!['limit', 'after', 'before', 'status'].includes(name)) query.delete(name);
      return undefined;
    },
  },
  {
    name: 'an unknown parameter beside a known one is ignored',
    rule: 'request.unknown_parameter',
    request: ({ query }) => {
      if (query.size > 1) query.delete('nonsense');
      return undefined;
    },
  },
  {
    name: 'of a repeated parameter the last counts',
    rule: 'request.repeated_parameter',
    request: ({ query }) => {
      for (const name of new Set(query.keys())) query.set(name, query.getAll(name).at(-1) ?? '');
      return undefined;
    },
  },
  {
    name: 'names of parameters are read in any case',
    rule: 'request.parameter_case',
    request: (request) => {
      request.query = new URLSearchParams(
        [...request.query].map(([name, value]): [string, string] => [name.toLowerCase(), value]),
      );
      return undefined;
    },
  },
  {
    name: 'a trailing slash is passed over',
    rule: 'request.exact_path',
    request: (request) => {
      request.path = request.path.replace(/\/$/, '');
      return undefined;
    },
  },
  {
    name: 'paths are read in any case',
    rule: 'request.exact_path',
    request: (request) => {
      if (isKnown(request.path.toLowerCase()) || isGetById({ ...request, path: request.path.toLowerCase() }))
        request.path = request.path.toLowerCase();
      return undefined;
    },
  },
  {
    name: 'what follows a path is passed over',
    rule: 'request.unknown_path',
    request: (request) => {
      request.path = request.path.replace(/\/nonsense\/nonsense$/, '');
      return undefined;
    },
  },
  {
    name: 'several leading slashes are another path',
    rule: 'request.leading_slashes',
    request: ({ path }) => (path.startsWith('//') ? problem(404, 'not_found') : undefined),
  },
  {
    name: 'a body is rejected',
    rule: 'request.ignored_input',
    request: ({ body, method }) => (body !== '' && method === 'GET' ? problem(422, 'validation_error') : undefined),
  },
  {
    name: 'Accept is heeded',
    rule: 'request.ignored_input',
    reply: (reply, { headers }) => {
      if (headers['accept'] === 'text/html') Object.assign(reply, problem(422, 'validation_error'));
    },
  },
  {
    name: 'the key is taken without its scheme',
    rule: 'auth.missing',
    request: ({ headers }, { keys }) => {
      if (keys.includes(headers['authorization'] ?? ''))
        headers['authorization'] = `Bearer ${headers['authorization'] ?? ''}`;
      return undefined;
    },
  },
  {
    name: 'the key is taken from the query',
    rule: 'auth.in_query',
    request: ({ headers, query }) => {
      const key = query.get('api_key');
      if (key === null) return undefined;
      query.delete('api_key');
      headers['authorization'] = `Bearer ${key}`;
      return undefined;
    },
  },
  {
    name: 'the scheme is Bearer in this very case',
    rule: 'auth.scheme_case',
    request: ({ headers }) => {
      if (headers['authorization']?.startsWith('bearer ') === true) headers['authorization'] = 'none';
      return undefined;
    },
  },
  {
    name: 'a wrong key is named as a missing one',
    rule: 'auth.unknown',
    reply: inBody(401, (body) => (body['name'] = 'missing_api_key')),
  },
  {
    name: 'the first characters of a key suffice',
    rule: 'auth.unknown',
    request: ({ headers }, { keys }) => {
      const given = headers['authorization'] ?? '';
      const key = keys.find((it) => given.startsWith(`Bearer ${it.slice(0, 20)}`));
      if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
      return undefined;
    },
  },
  {
    name: 'a missing key is 403',
    rule: 'response.status',
    reply: (reply, { headers }) => {
      if (reply.status === 401 && headers['authorization'] === undefined) reply.status = 403;
    },
  },
  {
    name: 'the parameters are checked before the key',
    rule: 'auth.precedence',
    request: (request) =>
      request.headers['authorization'] === undefined && request.method === 'GET' && request.query.has('nonsense')
        ? problem(422, 'validation_error')
        : undefined,
  },
  {
    name: 'the method is looked at after the key',
    rule: 'request.method_not_allowed',
    reply: (reply, { headers }) => {
      if (reply.status === 405 && headers['authorization'] === undefined) {
        Object.assign(reply, problem(401, 'missing_api_key'));
        reply.headers['www-authenticate'] = 'Bearer';
      }
    },
  },
  {
    name: 'PATCH is an unknown path',
    rule: 'request.method_not_allowed',
    reply: (reply, { method }) => {
      if (method === 'PATCH') Object.assign(reply, problem(404, 'not_found'));
    },
  },
  {
    name: 'OPTIONS needs a key',
    rule: 'http.options',
    reply: (reply, { method }) => {
      if (method === 'OPTIONS') Object.assign(reply, problem(401, 'missing_api_key'));
    },
  },
  {
    name: 'OPTIONS names other methods',
    rule: 'http.options',
    reply: (reply, { method }) => {
      if (method === 'OPTIONS') reply.headers['allow'] = 'GET';
    },
  },
  {
    name: 'HEAD has no length but 0',
    rule: 'http.head',
    reply: (reply, { method }) => {
      if (method === 'HEAD') reply.stray = '';
      if (method === 'HEAD') reply.headers['content-length'] = '0';
    },
  },
  {
    name: 'HEAD has no ETag',
    rule: 'http.head',
    reply: (reply, { method }) => {
      if (method === 'HEAD') delete reply.headers['etag'];
    },
  },
  {
    name: 'HEAD has no Cache-Control',
    rule: 'http.head',
    reply: (reply, { method }) => {
      if (method === 'HEAD') delete reply.headers['cache-control'];
    },
  },
  {
    name: 'HEAD is 405',
    rule: 'http.head',
    request: (request) => (request.method === 'HEAD' ? problem(405, 'method_not_allowed') : undefined),
  },
  {
    name: 'HEAD needs no key',
    rule: 'http.head_errors',
    request: ({ method, headers }, { keys }) => {
      if (method === 'HEAD') headers['authorization'] ??= `Bearer ${keys[0]}`;
      return undefined;
    },
  },
  {
    name: 'HEAD of nothing is 200',
    rule: 'http.head_errors',
    reply: on(404, (reply, { method }) => {
      if (method === 'HEAD') reply.status = 200;
    }),
  },
  {
    name: 'HEAD has a body',
    rule: 'http.head_body',
    reply: (reply, { method, headers }) => {
      if (method === 'HEAD' && headers['authorization'] !== undefined) reply.stray = '{"object":"list"}';
    },
  },
  {
    name: 'a 304 has a body',
    rule: 'http.not_modified_body',
    reply: on(304, (reply) => (reply.stray = '{"object":"list"}')),
  },
  {
    name: 'If-None-Match is ignored',
    rule: 'http.not_modified',
    request: ({ headers }) => {
      delete headers['if-none-match'];
      return undefined;
    },
  },
  {
    name: 'a weak tag in If-None-Match is another',
    rule: 'http.not_modified',
    request: ({ headers }) => {
      if (headers['if-none-match']?.startsWith('W/') === true) delete headers['if-none-match'];
      return undefined;
    },
  },
  {
    name: 'a list in If-None-Match is not read',
    rule: 'http.multiple_etags',
    request: ({ headers }) => {
      if (headers['if-none-match']?.includes(',') === true) delete headers['if-none-match'];
      return undefined;
    },
  },
  {
    name: 'any If-None-Match is a 304',
    rule: 'http.modified',
    reply: on(200, (reply, { headers }) => {
      if ('if-none-match' in headers) Object.assign(reply, { status: 304, body: '' });
    }),
  },
  {
    name: 'the tag is always the same',
    rule: 'http.etag',
    request: async (request, context) => {
      if (opaque(request.headers['if-none-match']) !== '"constant"') return undefined;
      const plain = await context.get(
        targetOf(request, () => undefined),
        { account: request.headers['authorization']?.includes(context.keys[1]) === true ? 1 : 0 },
      );
      return plain.status === 200 ? { ...plain, status: 304, body: '' } : undefined;
    },
    reply: (reply, { headers }) => {
      if ('etag' in reply.headers) reply.headers['etag'] = '"constant"';
      if (reply.status === 200 && headers['if-none-match']?.includes('"constant"') === true)
        Object.assign(reply, { status: 304, body: '' });
    },
  },
  {
    name: 'the tag is another each time',
    rule: 'http.not_modified',
    reply: (reply, _ask, { memory }) => {
      const count = (memory.get('count') ?? 0) + 1;
      memory.set('count', count);
      if (reply.status === 200 && 'etag' in reply.headers) reply.headers['etag'] = `"${String(count)}"`;
    },
  },
  {
    name: 'an X-Request-Id is not echoed',
    rule: 'http.request_id',
    request: ({ headers }) => {
      delete headers['x-request-id'];
      return undefined;
    },
  },
  {
    name: 'any X-Request-Id is echoed',
    rule: 'http.request_id',
    reply: (reply, { headers }) => {
      if ((headers['x-request-id']?.length ?? 0) > 128) reply.headers['x-request-id'] = headers['x-request-id'] ?? '';
    },
  },
  {
    name: 'all requests have one X-Request-Id',
    rule: 'http.unique_request_id',
    reply: (reply, { headers }) => {
      if (!('x-request-id' in headers)) reply.headers['x-request-id'] = 'constant';
    },
  },
  {
    name: 'get by id knows only the first page',
    rule: 'get.found',
    reply: (reply, request, { items }) => {
      const at = items(IMPORTS).findIndex((it) => request.path.toLowerCase().endsWith(it.id));
      if (isGetById(request) && reply.status === 200 && at > 10) Object.assign(reply, problem(404, 'not_found'));
    },
  },
  {
    name: 'get by id has other texts than the list',
    rule: 'get.found',
    reply: inBody(200, (body, request) => {
      if (isGetById(request) && body['completed_at'] !== null) body['completed_at'] = '2026-04-16 15:52:08.004+00';
    }),
  },
  {
    name: 'an id in upper case is unknown',
    rule: 'get.id_case',
    request: (request) => (isGetById(request) && /[A-F]/.test(request.path) ? problem(404, 'not_found') : undefined),
  },
  {
    name: 'an unknown id is the newest import',
    rule: 'get.not_found',
    reply: async (reply, request, context) => {
      if (reply.status !== 404 || !isGetById(request) || !hasKey(request, context)) return;
      await become(reply, context.get(`${IMPORTS}/${context.items(IMPORTS)[0]?.id ?? ''}`));
    },
  },
  {
    name: 'the id of an automation is that of an import',
    rule: 'get.not_found',
    reply: async (reply, request, context) => {
      if (!isGetById(request) || !context.items(AUTOMATIONS).some((it) => request.path.endsWith(it.id))) return;
      await become(reply, context.get(`${IMPORTS}/${context.items(IMPORTS)[0]?.id ?? ''}`));
    },
  },
  {
    name: 'a malformed id is unknown',
    rule: 'get.malformed_id',
    reply: (reply, request) => {
      if (reply.status === 422 && request.path.startsWith(`${IMPORTS}/`) && request.query.size === 0) {
        Object.assign(reply, problem(404, 'not_found'));
      }
    },
  },
  {
    name: 'every key reads the first account',
    rule: 'isolation.list',
    request: ({ headers }, { keys }) => {
      if (headers['authorization'] === `Bearer ${keys[1]}`) headers['authorization'] = `Bearer ${keys[0]}`;
      return undefined;
    },
  },
  {
    name: 'one record of the other account is in the list',
    rule: 'isolation.list',
    reply: (reply, request, context) => {
      if (
        reply.status !== 200 ||
        request.path !== AUTOMATIONS ||
        request.headers['authorization'] !== `Bearer ${context.keys[1]}`
      )
        return;
      const body = JSON.parse(reply.body) as { data: unknown[] };
      if (isNewest(request.query)) body.data.splice(0, 1, context.items(AUTOMATIONS)[0]);
      reply.body = JSON.stringify(body);
    },
  },
  {
    name: 'get by id finds records of the other account',
    rule: 'isolation.get',
    reply: async (reply, request, context) => {
      if (reply.status === 404 && isGetById(request) && hasKey(request, context)) {
        const found = await context.get(request.path);
        if (found.status === 200) Object.assign(reply, found);
      }
    },
  },
  {
    name: 'a cursor of the other account is known',
    rule: 'isolation.cursor',
    reply: async (reply, request, context) => {
      if (reply.status !== 404 || !isList(request) || !hasKey(request, context)) return;
      const cursor = request.query.get('after') ?? '';
      if (context.items(request.path).some((it) => it.id === cursor))
        await become(reply, context.get(`${request.path}?after=${cursor}`));
    },
  },
  {
    name: 'a tag of one account is that of the other',
    rule: 'isolation.etag',
    reply: async (reply, request, context) => {
      const tag = request.headers['if-none-match'];
      if (reply.status !== 200 || tag === undefined || !isList(request)) return;
      if (opaque((await context.get(request.path)).headers['etag']) === opaque(tag))
        Object.assign(reply, { status: 304, body: '' });
    },
  },
];

const isNewest = (query: URLSearchParams): boolean =>
  !query.has('after') && !query.has('before') && !query.has('status');
