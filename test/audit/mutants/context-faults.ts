/** Faults that show beside another parameter, on a later page, in one list, with a header or at the same time as another request alone. */
import { gzipSync } from 'node:zlib';
import { accountOf, ignores, toNotModified, otherOf } from './edits.ts';
import { AUTOMATIONS, IMPORTS, becomes, inBody, inReply, inRequest, isGetById, isList, reads } from './mutant.ts';
import { hasKey, mutantsOf, on, only, targetOf, where, problem, rejects, isSecond } from './mutant.ts';
import { has, isAfter, pages, cursors, drops, isUnknown } from './pages.ts';
import type { Change } from './proxy.ts';

/** Reads the query in another way. */
const splits = (pattern: RegExp, by: string): Change =>
  inRequest((request) => {
    const [, query = ''] = /[?]([^#]*)/.exec(request.target) ?? [];
    if (pattern.test(query)) request.query = new URLSearchParams(query.replaceAll(pattern, by));
  });
const withoutHyphens = (text: string): string => text.replaceAll('-', '');

/** Keeps what the first request for an import has found. */
function remembering(): Change {
  const lost = new Set<string>();
  return inReply((reply, request) => {
    if (!isGetById(request) || request.method !== 'GET') return;
    if (reply.status === 200 && lost.has(request.path)) Object.assign(reply, problem(404, 'not_found'));
    else if (reply.status === 404 && 'authorization' in request.headers) lost.add(request.path);
  });
}

export const CONTEXT_FAULTS = mutantsOf({
  'list.cursor_case': {
    'before a cursor in upper case is the head': becomes(
      ({ path, query }) => `${path}?limit=${query.get('limit') ?? '20'}`,
      ({ status }, it) => status === 200 && isList(it) && /[A-F]/.test(it.query.get('before') ?? ''),
    ),
  },
  'list.default_limit': {
    'the third page of the default size begins with the first item': pages(
      (it) => isAfter(it) && it.cursor > 37 && it.limit === 20,
      ({ items }, { data }) => [...items.slice(0, 1), ...data],
    ),
  },
  'list.limit': {
    'a limit of 20 is the default of imports': only(
      IMPORTS,
      reads('limit', (it) => (it === '20' ? undefined : it)),
    ),
  },
  'list.filter_cursor': {
    'the third page of a filter is that without it': pages(
      (it) => isAfter(it) && it.status !== null && it.matching[5] === it.items[it.cursor],
      ({ items, cursor }, { data }) => items.slice(cursor + 1, cursor + 1 + data.length),
    ),
  },
  'http.head': {
    'compressed, HEAD has another length': on(200, (reply, { method, headers }) => {
      if (headers['accept-encoding'] !== 'gzip') return;
      const bytes = gzipSync(reply.body);
      Object.assign(reply.headers, { 'content-encoding': 'gzip', vary: 'Accept-Encoding, Authorization' });
      Object.assign(reply, method === 'HEAD' ? { stray: '' } : { bytes });
      reply.headers['content-length'] = String(method === 'HEAD' ? 1 : bytes.length);
    }),
  },
  'list.invalid_limit': {
    'a limit is read as a byte': reads('limit', (it) => (/^\d{3}$/.test(it) ? String(Number(it) % 256) : it)),
    'the limit max is the maximum': reads('limit', (it) => (it === 'max' ? '100' : it)),
  },
  'list.invalid_filter': {
    'an emoji in a status is a 500': rejects(500, 'application_error', ({ query }) =>
      /[\u{10000}-\u{10ffff}]/u.test(query.get('status') ?? ''),
    ),
  },
  'list.malformed_cursor': {
    'a short cursor is unknown': rejects(404, 'not_found', ({ query }) =>
      /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{11}$/i.test(query.get('after') ?? query.get('before') ?? ''),
    ),
    'hyphens of a cursor may be anywhere': cursors((it) =>
      /^[\da-f]{4}-[\da-f]{28}$/i.test(it)
        ? withoutHyphens(it).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
        : it,
    ),
  },
  'isolation.list': {
    'a page of one item of imports is that of the first account': where(
      isSecond,
      becomes(
        (it) => targetOf(it),
        (_reply, { path, query }) => path === IMPORTS && query.get('limit') === '1',
      ),
    ),
  },
  'isolation.cursor': {
    'before an item of the other account, with a filter, are its items': becomes(
      (it) => targetOf(it),
      (reply, it, context) => isUnknown(reply, it) && has('before', 'status')(it) && hasKey(it, context),
      otherOf,
    ),
  },
  'isolation.etag': {
    'the second account never gets a 304': where(
      isSecond,
      ignores('if-none-match', () => true),
    ),
  },
  'isolation.get': {
    'behind two slashes imports of the other account are found': becomes(
      ({ path }) => path.slice(1),
      ({ status }, it, context) => status === 404 && it.path.startsWith(`/${IMPORTS}/`) && hasKey(it, context),
      otherOf,
    ),
    'an import that the other account has asked for is lost': remembering(),
  },
  'request.exact_path': {
    'contact imports have a name in the singular too': inReply(async (reply, it, context) => {
      if (it.path === IMPORTS.slice(0, -1) && it.method === 'GET' && hasKey(it, context))
        Object.assign(reply, await context.get(IMPORTS, accountOf(it, context)));
    }),
  },
  'request.unknown_parameter': {
    'names of other letters are passed over': drops((it) => /[^\0-\x7f]/.test(it)),
  },
  'request.method_not_allowed': {
    'PUT of an import asks for a key': rejects(401, 'missing_api_key', (it) => it.method === 'PUT' && isGetById(it)),
  },
  'request.separator': {
    '&amp; separates parameters': splits(/&amp;/g, '&'),
    'a value ends at an equals sign': splits(/(?<=(?:^|&)[^&=]*=[^&=]+)=[^&]*/g, ''),
  },
  'request.repeated_parameter': {
    'a status may be there twice': only(
      IMPORTS,
      inRequest(({ query }) => {
        const [one, other] = query.getAll('status');
        if (one === other && one !== undefined) query.set('status', one);
      }),
    ),
  },
  'auth.missing': {
    'from the machine itself no key is needed': inReply(async (reply, it, context) => {
      if (reply.status === 401 && it.headers['x-forwarded-for'] === '127.0.0.1' && it.path === AUTOMATIONS)
        Object.assign(reply, await context.get(targetOf(it)));
    }),
  },
  'auth.in_query': {
    'with a key in the header api_key is passed over': where(
      hasKey,
      drops((it) => it === 'api_key'),
    ),
  },
  'http.options': {
    'a preflight request without other headers is a 200': inReply((reply, { method, headers }) => {
      const isPreflight = method === 'OPTIONS' && 'access-control-request-method' in headers;
      if (isPreflight && !('access-control-request-headers' in headers)) reply.status = 200;
    }),
  },
  'http.not_modified': {
    'before a cursor, with a filter, nothing is a 304': ignores('if-none-match', (_value, it) =>
      has('before', 'status')(it),
    ),
  },
  'http.modified': {
    'a tag of an asterisk is any': on(200, (reply, { headers }) => {
      if (headers['if-none-match'] === '"*"') toNotModified(reply);
    }),
  },
  'http.kept_request_id': {
    'unknown imports have an X-Request-Id of their own': on(404, (reply, it) => {
      if (isGetById(it)) reply.headers['x-request-id'] = `own-${String(Math.random())}`;
    }),
  },
  'response.status': {
    'curl is forbidden': inReply((reply, { headers }) => {
      if (headers['user-agent']?.startsWith('curl') === true) Object.assign(reply, problem(403, 'forbidden'));
    }),
  },
  'response.error_message': {
    'in German no parameter is named': inBody(422, (body, { headers }) => {
      if (headers['accept-language'] === 'de') body['message'] = 'Nein.';
    }),
  },
  'response.schema': {
    'errors for scripts are those of another contract': inReply((reply, { headers }) => {
      if (reply.status < 400 || !('x-requested-with' in headers)) return;
      reply.body = JSON.stringify({ error: JSON.parse(reply.body) as unknown });
    }),
  },
});
