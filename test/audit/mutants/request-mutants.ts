/** Faults in the handling of requests: paths, methods, keys, conditions, get by id, accounts. */
import { ignores, authorizes, fromQuery } from './edits.ts';
import { becomes, fails, hasKey, inReply, isGetById } from './mutant.ts';
import { isList, mutantsOf, on, onHead, rejects } from './mutant.ts';

export const REQUEST_MUTANTS = mutantsOf({
  'request.leading_slashes': {
    'several leading slashes are another path': rejects(404, 'not_found', ({ path }) => path.startsWith('//')),
  },
  'request.ignored_input': {
    'a body is rejected': rejects(422, 'validation_error', ({ body, method }) => body !== '' && method === 'GET'),
  },
  'auth.in_query': {
    'the key is taken from the query': fromQuery('api_key'),
  },
  'http.options': {
    'OPTIONS names other methods': inReply(({ headers }, { method }) => {
      if (method === 'OPTIONS') headers['allow'] = 'GET';
    }),
  },
  'http.head': {
    'HEAD has no length but 0': onHead((reply) => {
      reply.stray = '';
      reply.headers['content-length'] = '0';
    }),
  },
  'http.head_errors': {
    'HEAD of nothing is 200': onHead((reply) => {
      if (reply.status === 404) reply.status = 200;
    }),
  },
  'http.head_body': {
    'HEAD has a body': onHead((reply, { headers }) => {
      if (headers['authorization'] !== undefined) reply.stray = '{"object":"list"}';
    }),
    'HEAD has a body with a 304': onHead((reply) => {
      if (reply.status === 304) reply.stray = '{"object":"list"}';
    }),
  },
  'http.not_modified_body': {
    'a 304 has a body': on(304, (reply) => (reply.stray = '{"object":"list"}')),
  },
  'http.not_modified': {
    'a weak tag in If-None-Match is another': ignores('if-none-match', (it) => it.startsWith('W/')),
  },
  'http.request_id': {
    'an X-Request-Id is not echoed': ignores('x-request-id', (_value, { method }) => method !== 'OPTIONS'),
  },
  'get.id_case': {
    'an id in upper case is unknown': rejects(404, 'not_found', (it) => isGetById(it) && /[A-F]/.test(it.path)),
  },
  'isolation.list': {
    'every key reads the first account': authorizes(({ headers }, keys) =>
      headers['authorization'] === `Bearer ${keys[1]}` ? keys[0] : undefined,
    ),
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
  'request.ignored_headers': {
    'Accept is heeded': fails(422, 'validation_error', (_reply, { headers }) => headers['accept'] === 'text/html'),
  },
});
