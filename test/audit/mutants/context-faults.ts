/** Faults that show beside another parameter, on a later page, in one list, with a header or at the same time as another request alone. */
import { accountOf, ignores } from './edits.ts';
import { IMPORTS, inReply, inRequest, isGetById, reads } from './mutant.ts';
import { hasKey, mutantsOf, only, where, problem, isSecond } from './mutant.ts';
import { isAfter, pages, cursors, drops } from './pages.ts';
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
  'list.malformed_cursor': {
    'hyphens of a cursor may be anywhere': cursors((it) =>
      /^[\da-f]{4}-[\da-f]{28}$/i.test(it)
        ? withoutHyphens(it).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
        : it,
    ),
  },
  'isolation.etag': {
    'the second account never gets a 304': where(
      isSecond,
      ignores('if-none-match', () => true),
    ),
  },
  'isolation.get': {
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
  'request.separator': {
    '&amp; separates parameters': splits(/&amp;/g, '&'),
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
});
