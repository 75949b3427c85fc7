/** Faults of methods, headers and bodies: conditions, request ids, content negotiation. */
import { accountOf, hash, idOf, ignores, opaque, page, tags, toHtml, toNotModified } from './edits.ts';
import { AUTOMATIONS, IMPORTS, PROPERTIES, becomes, counting, hasKey, inReply, inRequest } from './mutant.ts';
import {
  isGetById,
  isList,
  mutantsOf,
  on,
  onHead,
  targetOf,
  fails,
  instants,
  isKnownPath,
  problem,
  rejects,
  where,
  isSecond,
} from './mutant.ts';
import type { Change, InterceptedRequest, Reply } from './proxy.ts';

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

const breaks = (status: number, isSo: (request: InterceptedRequest) => boolean): Change =>
  rejects(status, 'validation_error', (it) => it.method === 'GET' && isSo(it));
const numbers = (idOf: (count: number) => string): Change => {
  let count = 0;
  return inReply(({ headers }, request) => {
    if (!('x-request-id' in request.headers)) headers['x-request-id'] = idOf(count++);
  });
};

export const HTTP_FAULTS = mutantsOf({
  'request.ignored_input': {
    'the properties of a JSON body are parameters': merges((body, type) => {
      try {
        const json: unknown = type.includes('json') ? JSON.parse(body) : undefined;
        return typeof json === 'object' && json !== null ? Object.entries(json) : [];
      } catch {
        return [];
      }
    }),
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
    'with a Content-Type get by id is a 422': rejects(
      422,
      'validation_error',
      (it) => 'content-type' in it.headers && isGetById(it),
    ),
  },
  'request.ignored_headers': {
    'If-Modified-Since is a 304': on(200, (reply, { headers }) => {
      if ('if-modified-since' in headers && !('if-none-match' in headers)) toNotModified(reply);
    }),
    'a method in X-HTTP-Method-Override is that of the request': rejects(405, 'method_not_allowed', (it) => {
      return isKnownPath(it) && /^(?:DELETE|PUT|PATCH|POST)$/i.test(it.headers['x-http-method-override'] ?? '');
    }),
    'X-Original-URL is the path of the request': inRequest((request) => {
      request.path = request.headers['x-original-url'] ?? request.headers['x-rewrite-url'] ?? request.path;
    }),
    'X-Forwarded-Prefix stands before the path': rejects(
      404,
      'not_found',
      ({ headers }) => 'x-forwarded-prefix' in headers,
    ),
    'an Origin that is not known is a 401': fails(401, 'invalid_api_key', ({ status }, { headers }) => {
      return status === 200 && 'origin' in headers;
    }),
  },
  'response.status': {
    'a body in chunks is a 411': breaks(411, ({ headers }) => 'transfer-encoding' in headers),
    'a body of more than 1,000 bytes is a 413': breaks(413, ({ body }) => body.length > 1000),
    'a body with a Content-Encoding is a 415': breaks(415, ({ headers }) => 'content-encoding' in headers),
    'a form of several parts is a 400': breaks(400, ({ headers }) =>
      (headers['content-type'] ?? '').includes('multipart'),
    ),
    'a charset other than UTF-8 is a 415': breaks(415, ({ headers }) => {
      return /charset=(?!utf-8)/i.test(headers['content-type'] ?? '');
    }),
    'Expect is a 417': breaks(417, ({ headers }) => 'expect' in headers),
    'Accept-Charset is a 406': breaks(406, ({ headers }) => 'accept-charset' in headers),
    'Upgrade is a 426': breaks(426, ({ headers }) => 'upgrade' in headers),
    'a request of another site is a 403': breaks(403, ({ headers }) => headers['sec-fetch-site'] === 'cross-site'),
    'X-Forwarded-Proto: http is a redirect': breaks(301, ({ headers }) => headers['x-forwarded-proto'] === 'http'),
    'Accept: application/xml is a 406': breaks(406, ({ headers }) => {
      return !/\*\/\*|json|\bapplication\/\*|html/.test(headers['accept'] ?? '*/*');
    }),
    'a Content-Type other than JSON is a 415': breaks(415, ({ headers }) => {
      return !(headers['content-type'] ?? 'json').includes('json');
    }),
    'Range is a 206': on(200, (reply, { headers, method }) => {
      const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? [];
      if (from === undefined || to === undefined || method !== 'GET') return;
      const bytes = Buffer.from(reply.body);
      const end = to === '' ? bytes.length : Number(to) + 1;
      reply.bytes = bytes.subarray(Number(from), end);
      reply.status = 206;
      reply.headers['content-range'] = `bytes ${from}-${String(end - 1)}/${String(bytes.length)}`;
    }),
    'If-Match with another tag is a 412': on(200, (reply, { headers }) => {
      if (headers['if-match'] !== undefined && headers['if-match'] !== reply.headers['etag'])
        Object.assign(reply, problem(412, 'validation_error'));
    }),
    'an unusual method is a 501': {
      request: ({ method }) => (/^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/.test(method) ? undefined : page(501)),
    },
    'an If-None-Match without quotes is a 400': breaks(400, ({ headers }) => {
      return !/^(?:\*|(?:W\/)?".*")$/.test(headers['if-none-match'] ?? '*');
    }),
  },
  'request.method_not_allowed': {
    'only a known import cannot be deleted': fails(404, 'not_found', ({ status }, request, { items }) => {
      return status === 405 && isGetById(request) && !items(IMPORTS).some((it) => it.id === idOf(request));
    }),
    'leading slashes before the path of a POST are another path': rejects(404, 'not_found', ({ method, path }) => {
      return method === 'POST' && path.startsWith('//');
    }),
    'DELETE looks at the id first': fails(422, 'validation_error', ({ status }, request) => {
      const isMalformed = request.path.startsWith(`${IMPORTS}/`) && !isGetById(request);
      return status === 405 && request.method === 'DELETE' && isMalformed;
    }),
    'a JSON body of a POST must be well-formed': rejects(422, 'validation_error', ({ method, body }) => {
      return method === 'POST' && body === '{';
    }),
    'PROPFIND is a 500': rejects(500, 'application_error', ({ method }) => method === 'PROPFIND'),
    'imports can be created with a key': fails(401, 'missing_api_key', (_reply, { method, path, headers }) => {
      return method === 'POST' && path === IMPORTS && !('authorization' in headers);
    }),
    'QUERY is GET': inRequest((request) => {
      if (request.method === 'QUERY') request.method = 'GET';
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
    'OPTIONS of an unknown path is a 204': inReply((reply, { method }) => {
      if (method !== 'OPTIONS' || reply.status !== 404) return;
      Object.assign(reply, { status: 204, body: '' });
      reply.headers['allow'] = 'GET, HEAD, OPTIONS';
    }),
    'OPTIONS of a list checks a key that is sent': fails(401, 'invalid_api_key', ({ status }, request, context) => {
      return status === 204 && isList(request) && 'authorization' in request.headers && !hasKey(request, context);
    }),
    'OPTIONS of get by id names no methods': inReply(({ headers }, request) => {
      if (request.method === 'OPTIONS' && isGetById(request)) delete headers['allow'];
    }),
    'OPTIONS checks parameters': fails(422, 'validation_error', ({ status }, request) => {
      return status === 204 && (request.query.size > 0 || (!isList(request) && !isGetById(request)));
    }),
  },
  'header.allow': {
    'a 405 of get by id allows other methods': on(405, ({ headers }, request) => {
      if (isGetById(request)) headers['allow'] = 'GET, HEAD';
    }),
    'a 405 of contact properties allows POST': on(405, ({ headers }, { path }) => {
      if (path === PROPERTIES) headers['allow'] = 'GET, HEAD, OPTIONS, POST';
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
    'HEAD of get by id is a 404': fails(404, 'not_found', (_reply, it) => it.method === 'HEAD' && isGetById(it)),
    'HEAD of contact properties is text': onHead(({ headers }, { path }) => {
      if (path === PROPERTIES) headers['content-type'] = 'text/html';
    }),
  },
  'http.head_errors': {
    'HEAD of automations passes over wrong parameters': becomes(
      ({ path }) => path,
      ({ status }, { method, path }) => method === 'HEAD' && path === AUTOMATIONS && status === 422,
    ),
  },
  'http.not_modified': {
    'an empty page has no 304': becomes(
      (it) => targetOf(it),
      ({ status }, { path, query }, { items }) => {
        return status === 304 && query.get('after') === items(path).at(-1)?.id;
      },
    ),
    'an id in upper case has no 304': ignores('if-none-match', (_value, it) => isGetById(it) && /[A-F]/.test(it.path)),
    'the tag has the time in it': (() => {
      let count = 0;
      return tags(
        (body) => `"${String(count++)}.${hash(body).slice(1)}`,
        (held, mine) => held.split('.')[1] === mine.split('.')[1],
      );
    })(),
    'get by id ignores If-None-Match': ignores('if-none-match', (_value, it) => isGetById(it)),
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
    'of several tags the first three count': inRequest(({ headers }) => {
      const [first, ...others] = headers['if-none-match']?.split(',') ?? [];
      if (first !== undefined) headers['if-none-match'] = [first, ...others.slice(0, 2)].join(',');
    }),
    'an If-None-Match of more than 300 characters is a 500': rejects(500, 'application_error', ({ headers }) => {
      return (headers['if-none-match']?.length ?? 0) > 300;
    }),
    'a list of tags has no empty elements': ignores('if-none-match', (it) => /,\s*,/.test(it)),
    'of several tags the last counts': inRequest(({ headers }) => {
      const [, last] = /.*,\s*(.+)$/.exec(headers['if-none-match'] ?? '') ?? [];
      if (last !== undefined) headers['if-none-match'] = last;
    }),
  },
  'http.modified': {
    'a tag of characters beyond ASCII is a 500': rejects(500, 'application_error', ({ headers }) => {
      return /[^ -~]/.test(headers['if-none-match'] ?? '');
    }),
    'a part of the tag in If-None-Match is a 304': on(200, (reply, { headers }) => {
      const part = opaque(headers['if-none-match']).replaceAll('"', '');
      if (part.length > 2 && reply.headers['etag']?.includes(part) === true) toNotModified(reply);
    }),
    'a tag that contains that of the response is a 304': on(200, (reply, { headers }) => {
      const tag = reply.headers['etag']?.replaceAll('"', '') ?? ' ';
      if (headers['if-none-match']?.includes(tag) === true) toNotModified(reply);
    }),
    'an If-None-Match without quotes is a 500': rejects(500, 'application_error', ({ headers }) => {
      return !/^(?:\*|(?:W\/)?".*")$/.test(headers['if-none-match'] ?? '*');
    }),
    'an empty If-None-Match is a 304': on(200, (reply, { headers }) => {
      if (headers['if-none-match'] === '') toNotModified(reply);
    }),
  },
  'http.request_id': {
    'an X-Request-Id of less than 8 characters is replaced': ignores('x-request-id', (it) => it.length < 8),
    'wrong X-Request-Id are all replaced by one': inReply(({ headers }, request) => {
      const id = request.headers['x-request-id'];
      if (id !== undefined && id !== headers['x-request-id']) headers['x-request-id'] = 'invalid';
    }),
    'two requests in succession have one X-Request-Id': where(
      ({ method }) => method !== 'OPTIONS',
      counting((reply, count) => {
        reply.headers['x-request-id'] = `request-${String(Math.floor(count / 2))}`;
      }),
    ),
    'an X-Request-Id of more than 255 characters is cut': inReply(({ headers }, request) => {
      const id = request.headers['x-request-id'] ?? '';
      if (id.length > 128 && /^[\w.-]+$/.test(id)) headers['x-request-id'] = id.slice(0, 128);
    }),
    'an X-Request-Id is echoed in lower case': inReply(({ headers }, request) => {
      if ('x-request-id' in request.headers) headers['x-request-id'] = headers['x-request-id']?.toLowerCase() ?? '';
    }),
    'an X-Request-Id that does not match is a 422': fails(422, 'validation_error', ({ status }, { headers }) => {
      return status === 200 && !/^[A-Za-z0-9._~+/=:@-]{1,128}$/.test(headers['x-request-id'] ?? '-');
    }),
  },
  'http.kept_request_id': {
    'errors do not echo the X-Request-Id': withoutId(({ status }) => status >= 400),
    'a 304 does not echo the X-Request-Id': withoutId(({ status }) => status === 304),
    'a 405 does not echo the X-Request-Id': withoutId(({ status }) => status === 405),
    'HEAD does not echo the X-Request-Id': withoutId((_reply, method) => method === 'HEAD'),
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
    'errors to OPTIONS are HTML': on(404, (reply, { method }) => {
      if (method === 'OPTIONS') toHtml(reply);
    }),
  },
  'header.x_request_id': {
    'a 304 has no X-Request-Id': on(304, ({ headers }) => delete headers['x-request-id']),
    'two X-Request-Id are sent': on(
      422,
      ({ headers }) => (headers['x-request-id'] = `${headers['x-request-id'] ?? ''}, other`),
    ),
  },
  'get.found': {
    'instants alone have milliseconds': where(
      isGetById,
      instants((it) => it.replace(/(\.\d{3})\d+/, '$1')),
    ),
    'the second account finds imports of its first page alone': fails(404, 'not_found', ({ status }, it, context) => {
      return (
        status === 200 &&
        isGetById(it) &&
        isSecond(it, context) &&
        context.items(IMPORTS, 1).findIndex(({ id }) => id === idOf(it)) > 10
      );
    }),
  },
  'header.etag_identity': {
    'the tag is made of the items alone': tags((body, it, context) => {
      return hash(
        `${String(accountOf(it, context))}${JSON.stringify((JSON.parse(body) as { data?: unknown }).data ?? body)}`,
      );
    }),
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
