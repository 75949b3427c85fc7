/** Faults in the handling of requests: paths, methods, keys, conditions, get by id, accounts. */
import { ignores, opaque, paths, toNotModified, authorizes, fromQuery } from './edits.ts';
import { drops, isParameter } from './pages.ts';
import {
  AUTOMATIONS,
  IMPORTS,
  becomes,
  counting,
  fails,
  hasKey,
  inBody,
  inReply,
  inRequest,
  isGetById,
} from './mutant.ts';
import { inList, isCursor, isList, mutantsOf, on, onHead, problem, rejects, targetOf } from './mutant.ts';
import type { Context } from './proxy.ts';

const newestImport = (_request: unknown, { items }: Context): string => `${IMPORTS}/${items(IMPORTS)[0]?.id ?? ''}`;

export const REQUEST_MUTANTS = mutantsOf({
  'request.unknown_parameter': {
    'unknown parameters are ignored': drops((it) => !isParameter(it)),
    'an unknown parameter beside a known one is ignored': inRequest(({ query }) => {
      if (query.size > 1) query.delete('nonsense');
    }),
  },
  'request.repeated_parameter': {
    'of a repeated parameter the last counts': inRequest(({ query }) => {
      for (const name of new Set(query.keys())) query.set(name, query.getAll(name).at(-1) ?? '');
    }),
  },
  'request.parameter_case': {
    'names of parameters are read in any case': inRequest((request) => {
      const lower = [...request.query].map(([name, value]) => [name.toLowerCase(), value] as [string, string]);
      request.query = new URLSearchParams(lower);
    }),
  },
  'request.exact_path': {
    'a trailing slash is passed over': paths((path) => path.replace(/\/$/, '')),
    'paths are read in any case': paths((path) => {
      const lower = path.toLowerCase();
      return isList({ path: lower }) || isGetById({ path: lower }) ? lower : path;
    }),
  },
  'request.unknown_path': {
    'what follows a path is passed over': paths((path) => path.replace(/\/nonsense\/nonsense$/, '')),
  },
  'request.leading_slashes': {
    'several leading slashes are another path': rejects(404, 'not_found', ({ path }) => path.startsWith('//')),
  },
  'request.ignored_input': {
    'a body is rejected': rejects(422, 'validation_error', ({ body, method }) => body !== '' && method === 'GET'),
  },
  'request.method_not_allowed': {
    'the method is looked at after the key': on(405, (reply, { headers }) => {
      if (headers['authorization'] === undefined) Object.assign(reply, problem(401, 'missing_api_key'));
    }),
    'PATCH is an unknown path': fails(404, 'not_found', (_reply, { method }) => method === 'PATCH'),
  },
  'auth.missing': {
    'a missing key is named as a wrong one': authorizes(({ headers }) =>
      'authorization' in headers ? undefined : 'nonsense',
    ),
  },
  'auth.in_query': {
    'the key is taken from the query': fromQuery('api_key'),
  },
  'auth.scheme_case': {
    'the scheme is Bearer in this very case': ignores('authorization', (it) => it.startsWith('bearer ')),
  },
  'auth.unknown': {
    'a wrong key is named as a missing one': inBody(401, (body) => (body['name'] = 'missing_api_key')),
    'the first characters of a key suffice': authorizes(({ headers }, keys) =>
      keys.find((it) => headers['authorization']?.startsWith(`Bearer ${it.slice(0, 20)}`)),
    ),
  },
  'auth.precedence': {
    'unknown parameters come before the key': rejects(422, 'validation_error', (it, context) => {
      const isKnown = (name: string): boolean => ['limit', 'after', 'before', 'status'].includes(name);
      return !hasKey(it, context) && isList(it) && it.method === 'GET' && ![...it.query.keys()].every(isKnown);
    }),
    'the tag is always the same': {
      request: async (request, context) => {
        if (opaque(request.headers['if-none-match']) !== '"constant"') return undefined;
        const account = request.headers['authorization']?.includes(context.keys[1]) === true ? 1 : 0;
        const plain = await context.get(targetOf(request), account);
        return plain.status === 200 ? { ...plain, status: 304, body: '' } : undefined;
      },
      reply: (reply, { headers }) => {
        if ('etag' in reply.headers) reply.headers['etag'] = '"constant"';
        if (reply.status === 200 && headers['if-none-match']?.includes('"constant"') === true) toNotModified(reply);
      },
    },
    'the parameters are checked before the key': rejects(
      422,
      'validation_error',
      ({ headers, method, query }) =>
        headers['authorization'] === undefined && method === 'GET' && query.has('nonsense'),
    ),
  },
  'http.options': {
    'OPTIONS needs a key': fails(401, 'missing_api_key', (_reply, { method }) => method === 'OPTIONS'),
    'OPTIONS names other methods': inReply(({ headers }, { method }) => {
      if (method === 'OPTIONS') headers['allow'] = 'GET';
    }),
  },
  'http.head': {
    'HEAD has no length but 0': onHead((reply) => {
      reply.stray = '';
      reply.headers['content-length'] = '0';
    }),
    'HEAD has no ETag': onHead(({ headers }) => delete headers['etag']),
    'HEAD is 405': rejects(405, 'method_not_allowed', ({ method }) => method === 'HEAD'),
  },
  'http.head_errors': {
    'HEAD needs no key': inRequest(({ method, headers }, { keys }) => {
      if (method === 'HEAD') headers['authorization'] ??= `Bearer ${keys[0]}`;
    }),
    'HEAD of nothing is 200': onHead((reply) => {
      if (reply.status === 404) reply.status = 200;
    }),
  },
  'http.head_body': {
    'HEAD has a body': onHead((reply, { headers }) => {
      if (headers['authorization'] !== undefined) reply.stray = '{"object":"list"}';
    }),
    'HEAD of an error has its body': onHead((reply) => {
      if (reply.status >= 400) reply.stray = '{"statusCode":404}';
    }),
    'HEAD has a body with a 304': onHead((reply) => {
      if (reply.status === 304) reply.stray = '{"object":"list"}';
    }),
  },
  'http.not_modified_body': {
    'a 304 has a body': on(304, (reply) => (reply.stray = '{"object":"list"}')),
  },
  'http.not_modified': {
    'If-None-Match is ignored': ignores('if-none-match', () => true),
    'a weak tag in If-None-Match is another': ignores('if-none-match', (it) => it.startsWith('W/')),
    'the tag is another each time': counting((reply, count) => {
      if (reply.status === 200 && 'etag' in reply.headers) reply.headers['etag'] = `"${String(count)}"`;
    }),
  },
  'http.multiple_etags': {
    'a list in If-None-Match is not read': ignores('if-none-match', (it) => it.includes(',')),
  },
  'http.modified': {
    'any If-None-Match is a 304': on(200, (reply, { headers }) => {
      if ('if-none-match' in headers) toNotModified(reply);
    }),
  },
  'http.request_id': {
    'an X-Request-Id is not echoed': ignores('x-request-id', (_value, { method }) => method !== 'OPTIONS'),
    'any X-Request-Id is echoed': inReply((reply, { headers }) => {
      const id = headers['x-request-id'] ?? '';
      if (id.length > 128) reply.headers['x-request-id'] = id;
    }),
  },
  'http.unique_request_id': {
    'all requests have one X-Request-Id': inReply((reply, { headers }) => {
      if (!('x-request-id' in headers)) reply.headers['x-request-id'] = 'constant';
    }),
  },
  'get.found': {
    'get by id knows only the first page': fails(404, 'not_found', ({ status }, request, { items }) => {
      const at = items(IMPORTS).findIndex((it) => request.path.toLowerCase().endsWith(it.id));
      return isGetById(request) && status === 200 && at > 10;
    }),
    'get by id has other texts than the list': inBody(200, (body, request) => {
      if (isGetById(request) && body['completed_at'] !== null) body['completed_at'] = '2026-04-16 15:52:08.004+00';
    }),
  },
  'get.id_case': {
    'an id in upper case is unknown': rejects(404, 'not_found', (it) => isGetById(it) && /[A-F]/.test(it.path)),
  },
  'get.not_found': {
    'an unknown id is the newest import': becomes(
      newestImport,
      ({ status }, request, context) => status === 404 && isGetById(request) && hasKey(request, context),
    ),
    'the id of an automation is that of an import': becomes(
      newestImport,
      (_reply, request, { items }) =>
        isGetById(request) && items(AUTOMATIONS).some((it) => request.path.endsWith(it.id)),
    ),
  },
  'get.malformed_id': {
    'a malformed id is unknown': fails(
      404,
      'not_found',
      ({ status }, { path, query }) => status === 422 && path.startsWith(`${IMPORTS}/`) && query.size === 0,
    ),
  },
  'isolation.list': {
    'every key reads the first account': authorizes(({ headers }, keys) =>
      headers['authorization'] === `Bearer ${keys[1]}` ? keys[0] : undefined,
    ),
  },
  'isolation.get': {
    'get by id finds records of the other account': inReply(async (reply, request, context) => {
      if (reply.status !== 404 || !isGetById(request) || !hasKey(request, context)) return;
      const found = await context.get(request.path);
      if (found.status === 200) Object.assign(reply, found);
    }),
  },
  'isolation.cursor': {
    'a cursor of the other account is known': becomes(
      ({ path, query }) => `${path}?after=${query.get('after') ?? ''}`,
      ({ status }, request, context) =>
        status === 404 &&
        isList(request) &&
        hasKey(request, context) &&
        context.items(request.path).some((it) => it.id === request.query.get('after')),
    ),
  },
  'isolation.etag': {
    'a tag of one account is that of the other': on(200, async (reply, request, context) => {
      const tag = request.headers['if-none-match'];
      if (tag === undefined || !isList(request)) return;
      if (opaque((await context.get(targetOf(request))).headers['etag']) === opaque(tag)) toNotModified(reply);
    }),
  },
  'request.ignored_headers': {
    'Accept is heeded': fails(422, 'validation_error', (_reply, { headers }) => headers['accept'] === 'text/html'),
  },
  'list.filter': {
    'one record of the other account is in the list': inList(({ data }, request, { items, keys }) => {
      if (request.path !== AUTOMATIONS || request.headers['authorization'] !== `Bearer ${keys[1]}`) return;
      if (!isCursor(request) && !request.query.has('status')) data.splice(0, 1, ...items(AUTOMATIONS).slice(0, 1));
    }),
  },
});
