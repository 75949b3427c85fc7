/** Faults of methods, paths, ids, headers and bodies: what frameworks accept beside the contract, conditions, request ids, content negotiation. */
import { ignores, authorizes, fromQuery, idOf, paths, accountOf, hash, opaque, tags, toNotModified } from './edits.ts';
import {
  becomes,
  fails,
  hasKey,
  inReply,
  isGetById,
  isList,
  mutantsOf,
  on,
  onHead,
  rejects,
  PROPERTIES,
  AUTOMATIONS,
  IMPORTS,
  inRequest,
  targetOf,
  isKnownPath,
} from './mutant.ts';
import type { Change, Reply } from './proxy.ts';

const asks = (path: RegExp): Change =>
  fails(401, 'missing_api_key', ({ status }, it) => {
    return status === 404 && path.test(it.path) && !('authorization' in it.headers);
  });

/** Whether the path is all that may be wrong with a request. */
function isPlain({ method, query }: { readonly method: string; readonly query: URLSearchParams }): boolean {
  return (method === 'GET' || method === 'HEAD') && query.size === 0;
}

/** Reads a request body as parameters, beside those of the query. */
const merges = (parametersOf: (body: string, type: string) => Iterable<[string, unknown]>): Change =>
  inRequest(({ body, query, headers }) => {
    if (body === '') return;
    for (const [name, value] of parametersOf(body, headers['content-type'] ?? '')) query.set(name, String(value));
  });

const withoutId = (isSo: (reply: Reply, method: string) => boolean): Change =>
  inReply((reply, { headers, method }) => {
    if ('x-request-id' in headers && isSo(reply, method))
      reply.headers['x-request-id'] = hash(String(Math.random())).slice(1, -1);
  });

const numbers = (idOf: (count: number) => string): Change => {
  let count = 0;
  return inReply(({ headers }, request) => {
    if (!('x-request-id' in request.headers)) headers['x-request-id'] = idOf(count++);
  });
};

export const HTTP_FAULTS = mutantsOf({
  'request.leading_slashes': {
    'several leading slashes are another path': rejects(404, 'not_found', ({ path }) => path.startsWith('//')),
    'three leading slashes are another path': rejects(404, 'not_found', ({ path }) => path.startsWith('///')),
  },
  'request.ignored_input': {
    'a body is rejected': rejects(422, 'validation_error', ({ body, method }) => body !== '' && method === 'GET'),
    'the fields of a form are parameters': merges((body, type) =>
      type.includes('form-urlencoded') ? new URLSearchParams(body) : [],
    ),
    'a JSON body must be well-formed': rejects(422, 'validation_error', ({ body, method, headers }) => {
      if (method !== 'GET' || body === '' || headers['content-type']?.includes('json') !== true) return false;
      try {
        return JSON.parse(body) === undefined;
      } catch {
        return true;
      }
    }),
  },
  'auth.in_query': {
    'the key is taken from the query': fromQuery('api_key'),
  },
  'http.options': {
    'OPTIONS names other methods': inReply(({ headers }, { method }) => {
      if (method === 'OPTIONS') headers['allow'] = 'GET';
    }),
    'OPTIONS does not echo the X-Request-Id': withoutId((_reply, method) => method === 'OPTIONS'),
    'OPTIONS has no X-Request-Id': inReply(({ headers }, { method }) => {
      if (method === 'OPTIONS') delete headers['x-request-id'];
    }),
    'OPTIONS passes over a slash behind a path': inRequest((request) => {
      if (request.method === 'OPTIONS') request.path = request.path.replace(/\/$/, '');
    }),
    'OPTIONS of a list checks a key that is sent': fails(401, 'invalid_api_key', ({ status }, request, context) => {
      return status === 204 && isList(request) && 'authorization' in request.headers && !hasKey(request, context);
    }),
    'OPTIONS checks parameters': fails(422, 'validation_error', ({ status }, request) => {
      return status === 204 && (request.query.size > 0 || (!isList(request) && !isGetById(request)));
    }),
  },
  'http.head': {
    'HEAD has no length but 0': onHead((reply) => {
      reply.stray = '';
      reply.headers['content-length'] = '0';
    }),
    'the tag of HEAD is that of no body': on(200, (reply, { method }) => {
      if (method === 'HEAD') reply.headers['etag'] = hash('');
    }),
    'the tag of HEAD behind a cursor is that of no body': on(200, (reply, { method, query }) => {
      if (method === 'HEAD' && query.has('after')) reply.headers['etag'] = hash('');
    }),
  },
  'http.head_errors': {
    'HEAD of nothing is 200': onHead((reply) => {
      if (reply.status === 404) reply.status = 200;
    }),
    'HEAD of automations passes over wrong parameters': becomes(
      ({ path }) => path,
      ({ status }, { method, path }) => method === 'HEAD' && path === AUTOMATIONS && status === 422,
    ),
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
    'an id in upper case has no 304': ignores('if-none-match', (_value, it) => isGetById(it) && /[A-F]/.test(it.path)),
    'with a filter If-None-Match is ignored': ignores('if-none-match', (_value, { query }) => query.has('status')),
    'a 304 has a tag of its own': on(304, ({ headers }) => (headers['etag'] = hash(''))),
  },
  'http.request_id': {
    'an X-Request-Id is not echoed': ignores('x-request-id', (_value, { method }) => method !== 'OPTIONS'),
    'an X-Request-Id of more than 255 characters is cut': inReply(({ headers }, request) => {
      const id = request.headers['x-request-id'] ?? '';
      if (id.length > 128 && /^[\w.-]+$/.test(id)) headers['x-request-id'] = id.slice(0, 128);
    }),
    'an X-Request-Id that does not match is a 422': fails(422, 'validation_error', ({ status }, { headers }) => {
      return status === 200 && !/^[A-Za-z0-9._~+/=:@-]{1,128}$/.test(headers['x-request-id'] ?? '-');
    }),
  },
  'get.id_case': {
    'an id in upper case is unknown': rejects(404, 'not_found', (it) => isGetById(it) && /[A-F]/.test(it.path)),
    'an id in upper and lower case at once is malformed': rejects(422, 'validation_error', (it) => {
      return isGetById(it) && /[A-F]/.test(idOf(it) ?? '') && /[a-f]/.test(idOf(it) ?? '');
    }),
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
    'a method in X-HTTP-Method-Override is that of the request': rejects(405, 'method_not_allowed', (it) => {
      return isKnownPath(it) && /^(?:DELETE|PUT|PATCH|POST)$/i.test(it.headers['x-http-method-override'] ?? '');
    }),
  },
  'get.malformed_id': {
    'an id with a NUL is a 500': rejects(500, 'application_error', (it) => idOf(it)?.includes('\0') === true),
    'any letters are hexadecimal': fails(404, 'not_found', ({ status }, request) => {
      return (
        status === 422 && /^[0-9a-z]{8}(-[0-9a-z]{4}){3}-[0-9a-z]{12}$/i.test(idOf(request) ?? '') && isPlain(request)
      );
    }),
    'hyphens may stand anywhere in an id': fails(404, 'not_found', ({ status }, request) => {
      return status === 422 && /^[0-9a-f-]{36}$/i.test(idOf(request) ?? '') && isPlain(request);
    }),
    'an id may have digits of any script': fails(404, 'not_found', ({ status }, request) => {
      const id = idOf(request) ?? '';
      return status === 422 && /\p{Nd}/u.test(id.replaceAll(/[0-9]/g, '')) && isPlain(request);
    }),
  },
  'request.exact_path': {
    'an escaped slash separates segments': paths((path) => path.replace('%2F', '/')),
    'an escaped letter of a path is malformed': rejects(
      422,
      'validation_error',
      (it, context) => hasKey(it, context) && /%[67]/.test(it.path),
    ),
  },
  'request.unknown_path': {
    'below automations the key comes before the path': asks(/^\/automations\/[0-9a-f-]+$/),
    'the first of several leading segments is a host': paths((path) => path.replace(/^\/\/[^/]+(?=\/)/, '')),
    'what follows the id of an import is passed over': paths((path) =>
      path.replace(/^(\/contacts\/imports\/[0-9a-f-]{36})\/.+$/i, '$1'),
    ),
    'with its key, a contact property has a path too': becomes(
      () => `${PROPERTIES}?limit=1`,
      ({ status }, it, context) =>
        status === 404 && hasKey(it, context) && /^\/contact-properties\/[0-9a-f-]{36}$/.test(it.path),
    ),
  },
  'request.fragment': {
    'a fragment is part of the last parameter': rejects(422, 'validation_error', ({ target }) => {
      return /[?].*#/.test(target);
    }),
    'a fragment behind the id of an import is part of the id': rejects(404, 'not_found', (it) => {
      return isGetById(it) && it.target.includes('#');
    }),
  },
  'request.method_not_allowed': {
    'DELETE looks at the id first': fails(422, 'validation_error', ({ status }, request) => {
      const isMalformed = request.path.startsWith(`${IMPORTS}/`) && !isGetById(request);
      return status === 405 && request.method === 'DELETE' && isMalformed;
    }),
  },
  'header.allow': {
    'a 405 of get by id allows other methods': on(405, ({ headers }, request) => {
      if (isGetById(request)) headers['allow'] = 'GET, HEAD';
    }),
  },
  'http.head_not_modified': {
    'HEAD ignores If-None-Match': ignores('if-none-match', (_value, { method }) => method === 'HEAD'),
    'HEAD of get by id ignores If-None-Match': ignores(
      'if-none-match',
      (_value, it) => it.method === 'HEAD' && isGetById(it),
    ),
  },
  'http.multiple_etags': {
    'of several If-None-Match the last line counts': inRequest(({ headers, lines }) => {
      const { length, [length - 1]: last } = lines['if-none-match'] ?? [];
      if (last !== undefined && length > 1) headers['if-none-match'] = last;
    }),
    'of several If-None-Match the first line counts': inRequest(({ headers, lines }) => {
      const [first, ...others] = lines['if-none-match'] ?? [];
      if (first !== undefined && others.length > 0) headers['if-none-match'] = first;
    }),
    'an If-None-Match of more than 300 characters is a 500': rejects(500, 'application_error', ({ headers }) => {
      return (headers['if-none-match']?.length ?? 0) > 300;
    }),
    'a list of tags has no empty elements': ignores('if-none-match', (it) => /,\s*,/.test(it)),
  },
  'http.modified': {
    'a part of the tag in If-None-Match is a 304': on(200, (reply, { headers }) => {
      const part = opaque(headers['if-none-match']).replaceAll('"', '');
      if (part.length > 2 && reply.headers['etag']?.includes(part) === true) toNotModified(reply);
    }),
    'a tag that contains that of the response is a 304': on(200, (reply, { headers }) => {
      const tag = reply.headers['etag']?.replaceAll('"', '') ?? ' ';
      if (headers['if-none-match']?.includes(tag) === true) toNotModified(reply);
    }),
  },
  'http.kept_request_id': {
    'errors do not echo the X-Request-Id': withoutId(({ status }) => status >= 400),
    'a 304 does not echo the X-Request-Id': withoutId(({ status }) => status === 304),
    'a 405 does not echo the X-Request-Id': withoutId(({ status }) => status === 405),
  },
  'http.unique_request_id': {
    'X-Request-Id are counted': numbers((count) => `req-${String(count)}-eu`),
  },
  'http.cross_origin': {
    'scripts of other origins cannot read the tag': inReply(({ headers }) => {
      if ('access-control-expose-headers' in headers) headers['access-control-expose-headers'] = 'X-Request-Id';
    }),
  },
  'response.content_type': {
    'errors to HEAD have no type': onHead(({ status, headers }) => {
      if (status >= 400) delete headers['content-type'];
    }),
  },
  'header.x_request_id': {
    'errors keep any X-Request-Id': inReply(({ status, headers }, request) => {
      const id = request.headers['x-request-id'] ?? '';
      if (status >= 400 && id !== '' && /^[ -~]{1,128}$/.test(id)) headers['x-request-id'] = id;
    }),
    'a 304 has no X-Request-Id': on(304, ({ headers }) => delete headers['x-request-id']),
  },
  'header.etag_identity': {
    'the tag is made of the length alone': tags((body, it, context) =>
      hash(`${String(accountOf(it, context))}${String(body.length)}`),
    ),
    'the tag is made of the first item': tags((body, it, context) => {
      const { data } = JSON.parse(body) as { data?: readonly unknown[] };
      return hash(`${String(accountOf(it, context))}${JSON.stringify(data ? (data[0] ?? targetOf(it)) : body)}`);
    }),
  },
  'isolation.etag': {
    'the tag is made of the path alone': tags((_body, { path }, context) => hash(`${path}${context.keys[0]}`)),
  },
});
