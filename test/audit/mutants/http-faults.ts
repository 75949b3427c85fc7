/** Faults of methods, headers and bodies: conditions, request ids, content negotiation. */
import { accountOf, hash, ignores, opaque, tags, toNotModified } from './edits.ts';
import { AUTOMATIONS, IMPORTS, becomes, hasKey, inReply, inRequest } from './mutant.ts';
import { isGetById, isList, mutantsOf, on, onHead, targetOf, fails, isKnownPath, rejects } from './mutant.ts';
import type { Change, Reply } from './proxy.ts';

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
  'request.ignored_input': {
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
  'request.ignored_headers': {
    'a method in X-HTTP-Method-Override is that of the request': rejects(405, 'method_not_allowed', (it) => {
      return isKnownPath(it) && /^(?:DELETE|PUT|PATCH|POST)$/i.test(it.headers['x-http-method-override'] ?? '');
    }),
  },
  'request.method_not_allowed': {
    'DELETE looks at the id first': fails(422, 'validation_error', ({ status }, request) => {
      const isMalformed = request.path.startsWith(`${IMPORTS}/`) && !isGetById(request);
      return status === 405 && request.method === 'DELETE' && isMalformed;
    }),
  },
  'http.options': {
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
  'http.head': {
    'the tag of HEAD is that of no body': on(200, (reply, { method }) => {
      if (method === 'HEAD') reply.headers['etag'] = hash('');
    }),
  },
  'http.head_errors': {
    'HEAD of automations passes over wrong parameters': becomes(
      ({ path }) => path,
      ({ status }, { method, path }) => method === 'HEAD' && path === AUTOMATIONS && status === 422,
    ),
  },
  'http.not_modified': {
    'an id in upper case has no 304': ignores('if-none-match', (_value, it) => isGetById(it) && /[A-F]/.test(it.path)),
    'with a filter If-None-Match is ignored': ignores('if-none-match', (_value, { query }) => query.has('status')),
    'a 304 has a tag of its own': on(304, ({ headers }) => (headers['etag'] = hash(''))),
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
  'http.request_id': {
    'an X-Request-Id of more than 255 characters is cut': inReply(({ headers }, request) => {
      const id = request.headers['x-request-id'] ?? '';
      if (id.length > 128 && /^[\w.-]+$/.test(id)) headers['x-request-id'] = id.slice(0, 128);
    }),
    'an X-Request-Id that does not match is a 422': fails(422, 'validation_error', ({ status }, { headers }) => {
      return status === 200 && !/^[A-Za-z0-9._~+/=:@-]{1,128}$/.test(headers['x-request-id'] ?? '-');
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
    'errors to HEAD are text': onHead(({ status, headers }) => {
      if (status >= 400) headers['content-type'] = 'text/html';
    }),
  },
  'header.x_request_id': {
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
