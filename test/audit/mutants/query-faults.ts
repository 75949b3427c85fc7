/** Faults of targets: separators, escapes, wildcards, names that objects have, segments of paths, methods and their overrides. */
import { idOf, ids, paths } from './edits.ts';
import { cursors, drops, limits } from './pages.ts';
import { IMPORTS, inRequest, reads } from './mutant.ts';
import { mutantsOf, fails, rejects } from './mutant.ts';
import type { Change, InterceptedRequest } from './proxy.ts';

const rawQuery = ({ target }: InterceptedRequest): string => /[?]([^#]*)/.exec(target)?.[1] ?? '';
/** Parses the query in another way. */
const parses = (isSo: (query: string) => boolean, as: (query: string) => string): Change =>
  inRequest((request) => {
    const query = rawQuery(request);
    if (isSo(query)) request.query = new URLSearchParams(as(query));
  });
const isRaw = (pattern: RegExp) => (it: InterceptedRequest) => it.method === 'GET' && pattern.test(rawQuery(it));
const withBody = ({ body, headers }: InterceptedRequest): boolean => body !== '' && 'content-type' in headers;

export const QUERY_FAULTS = mutantsOf({
  'request.separator': {
    'a query is decoded before it is split': parses(
      (it) => it.includes('%26'),
      (it) => decodeURIComponent(it),
    ),
    'a second question mark separates parameters': parses(
      (it) => it.includes('?'),
      (it) => it.replaceAll('?', '&'),
    ),
  },
  'request.encoding': {
    'the names of parameters are not decoded': rejects(422, 'validation_error', isRaw(/(^|&)[^=]*%[46]/)),
    'an empty part of a query is a parameter': rejects(422, 'validation_error', isRaw(/^&|&&|&$/)),
    'an empty query is a parameter': rejects(422, 'validation_error', ({ target }) => target.endsWith('?')),
  },
  'request.unknown_parameter': {
    'a name that cannot be decoded is a 404': fails(404, 'not_found', (_reply, it) => /[?&]%ff=/.test(it.target)),
    'an encoded percent sign is passed over': drops((it) => it === '%'),
  },
  'request.repeated_parameter': {
    'a repeat in an encoded name counts': inRequest((request) => {
      const names = rawQuery(request)
        .split('&')
        .map((it) => it.replace(/=.*/s, ''));
      if (new Set(names).size < names.length) return;
      for (const name of new Set(request.query.keys()))
        request.query.set(name, request.query.getAll(name).at(-1) ?? '');
    }),
    'an empty repeat before a parameter is passed over': inRequest(({ query }) => {
      for (const name of new Set(query.keys())) {
        const [first, ...others] = query.getAll(name);
        if (first === '' && others.length === 1) query.set(name, others[0] ?? '');
      }
    }),
  },
  'list.invalid_filter': {
    'a status of two words may have a capital letter': reads('status', (it) =>
      it === 'inProgress' ? 'in_progress' : it,
    ),
  },
  'list.malformed_cursor': {
    'a percent sign in a cursor is any text': cursors((it) => (it === '%' ? undefined : it)),
  },
  'get.malformed_id': {
    'an underscore in an id is any character': fails(404, 'not_found', ({ status }, it) => {
      return status === 422 && /^[0-9a-f-]{35}_$/i.test(idOf(it) ?? '') && it.query.size === 0;
    }),
    'a plus sign before an id is passed over': ids((it) => it.replace(/^(?:%2b|[+])/i, '')),
  },
  'list.invalid_limit': {
    'a limit may have a superscript digit': limits(/^[²³¹]$/, () => 2),
    'a limit may be in scripts of India': limits(/^[०-९]$/, (it) => it.charCodeAt(0) - 0x966),
    'a blank that does not break is trimmed': limits(/^\d+\u00a0$/, (it) => Number.parseInt(it, 10)),
    'a limit may have many zeros': limits(/^0{2,}[1-9]\d*$/, Number),
    'a tab before a limit is trimmed': limits(/^\t\d+$/, Number),
  },
  'request.exact_path': {
    'the second segment is read in any case': paths((path) =>
      path.startsWith('/contacts/') ? path.replace(/^\/contacts\/imports/i, IMPORTS) : path,
    ),
  },
  'request.unknown_path': {
    'a list can be counted': paths((path) => path.replace(/^(\/automations|\/contact-properties)\/count$/, '$1')),
  },
  'request.method_not_allowed': {
    'POST with JSON is a 422': fails(422, 'validation_error', ({ status }, it) => status === 405 && withBody(it)),
  },
  'request.method_case': {
    'methods are read in any case': { unparsed: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}' },
  },
});
