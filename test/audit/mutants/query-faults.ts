/** Faults of targets: separators, escapes, wildcards, names that objects have, segments of paths, methods and their overrides. */
import { idOf, ids, paths } from './edits.ts';
import { cursors, drops, limits } from './pages.ts';
import { AUTOMATIONS, IMPORTS, PROPERTIES, becomes, emptyPage, inRequest, isGetById, isList, reads } from './mutant.ts';
import { mutantsOf, only, where, fails, rejects } from './mutant.ts';
import type { Change, InterceptedRequest } from './proxy.ts';

const rawQuery = ({ target }: InterceptedRequest): string => /[?]([^#]*)/.exec(target)?.[1] ?? '';
/** Parses the query in another way. */
const parses = (isSo: (query: string) => boolean, as: (query: string) => string): Change =>
  inRequest((request) => {
    const query = rawQuery(request);
    if (isSo(query)) request.query = new URLSearchParams(as(query));
  });
const isRaw = (pattern: RegExp) => (it: InterceptedRequest) => it.method === 'GET' && pattern.test(rawQuery(it));
const STATUSES = ['queued', 'in_progress', 'completed', 'failed', 'enabled', 'disabled'];
const like = (pattern: string, value: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(/[^\w%]/g, '')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
  ).test(value);
const withBody = ({ body, headers }: InterceptedRequest): boolean => body !== '' && 'content-type' in headers;

export const QUERY_FAULTS = mutantsOf({
  'request.separator': {
    'a semicolon separates parameters': parses(
      (it) => it.includes(';'),
      (it) => it.replaceAll(';', '&'),
    ),
    'what follows a semicolon is passed over': parses(
      (it) => it.includes(';'),
      (it) => it.replaceAll(/;[^&]*/g, ''),
    ),
    'a query is decoded before it is split': parses(
      (it) => it.includes('%26'),
      (it) => decodeURIComponent(it),
    ),
    'a second question mark separates parameters': parses(
      (it) => it.includes('?'),
      (it) => it.replaceAll('?', '&'),
    ),
    'a parameter may have two equals signs': parses(
      (it) => /=[=]/.test(it),
      (it) => it.replaceAll('==', '='),
    ),
  },
  'request.encoding': {
    'the names of parameters are not decoded': rejects(422, 'validation_error', isRaw(/(^|&)[^=]*%[46]/)),
    'the values of parameters are not decoded': rejects(422, 'validation_error', isRaw(/=%3|=[^&]*%6/)),
    'an empty part of a query is a parameter': rejects(422, 'validation_error', isRaw(/^&|&&|&$/)),
    'an empty query is a parameter': rejects(422, 'validation_error', ({ target }) => target.endsWith('?')),
    'an empty query is another path': rejects(404, 'not_found', (it) => it.target.endsWith('?') && isGetById(it)),
    'hyphens of a cursor are not decoded': rejects(422, 'validation_error', isRaw(/%2d/i)),
    'hyphens of an id are not decoded': rejects(422, 'validation_error', ({ path }) => /%2d/i.test(path)),
  },
  'request.unknown_parameter': {
    'a name that cannot be decoded is a 404': fails(404, 'not_found', (_reply, it) => /[?&]%ff=/.test(it.target)),
    'get by id passes over __proto__': where(
      isGetById,
      drops((it) => it.startsWith('__proto__')),
    ),
    'constructor is a known name of every object': drops((it) => ['constructor', 'toString', 'valueOf'].includes(it)),
    'contact properties pass over __proto__': only(
      PROPERTIES,
      drops((it) => it === '__proto__'),
    ),
    'an encoded percent sign is passed over': drops((it) => it === '%'),
    'include and expand are passed over': drops((it) => ['include', 'expand', 'embed'].includes(it)),
    'starting_after is after': drops((it) => ['starting_after', 'ending_before'].includes(it)),
    'a search is passed over': drops((it) => ['q', 'search', 'query', 'filter'].includes(it)),
    'a version is passed over': drops((it) => ['version', 'api-version', 'v'].includes(it)),
  },
  'request.repeated_parameter': {
    'an empty repeat of a parameter is passed over': inRequest(({ query }) => {
      for (const name of new Set(query.keys())) {
        const full = query.getAll(name).filter((it) => it !== '');
        if (query.getAll(name).length > full.length && full.length === 1) query.set(name, full[0] ?? '');
      }
    }),
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
    'a filter is a pattern of SQL': becomes(
      ({ path }, { items }) => `${path}?status=${String(items(path)[0]?.['status'])}`,
      (reply, { path, query }) => {
        const value = query.get('status') ?? '';
        return (
          reply.status === 422 && isList({ path }) && value.includes('%') && STATUSES.some((it) => like(value, it))
        );
      },
    ),
    'a filter may have more behind its value': reads(
      'status',
      (it) => STATUSES.find((status) => it.startsWith(status)) ?? it,
    ),
    'a filter may have more before its value': reads(
      'status',
      (it) => STATUSES.find((status) => it.endsWith(status)) ?? it,
    ),
    'a filter with a minus sign is the others': becomes(
      ({ path }) => `${path}?status=${path === AUTOMATIONS ? 'disabled' : 'failed'}`,
      (reply, it) => reply.status === 422 && isList(it) && /^[-!]\w/.test(it.query.get('status') ?? ''),
    ),
    'a status of two words may have a capital letter': reads('status', (it) =>
      it === 'inProgress' ? 'in_progress' : it,
    ),
  },
  'list.malformed_cursor': {
    'an underscore in a cursor is any character': becomes(emptyPage, (reply, { path, query }) => {
      const cursor = query.get('after') ?? query.get('before') ?? '';
      return reply.status === 422 && isList({ path }) && /^[0-9a-f-]{35}_$/i.test(cursor);
    }),
    'a percent sign in a cursor is any text': cursors((it) => (it === '%' ? undefined : it)),
  },
  'get.malformed_id': {
    'an underscore in an id is any character': fails(404, 'not_found', ({ status }, it) => {
      return status === 422 && /^[0-9a-f-]{35}_$/i.test(idOf(it) ?? '') && it.query.size === 0;
    }),
    'a percent sign in an id is a 500': rejects(500, 'application_error', (it) => it.path.endsWith('%25')),
    'a plus sign before an id is passed over': ids((it) => it.replace(/^(?:%2b|[+])/i, '')),
  },
  'list.invalid_limit': {
    'a limit may have a superscript digit': limits(/^[²³¹]$/, () => 2),
    'a limit may be in scripts of India': limits(/^[०-९]$/, (it) => it.charCodeAt(0) - 0x966),
    'a blank that does not break is trimmed': limits(/^\d+\u00a0$/, (it) => Number.parseInt(it, 10)),
    'a limit may have the suffix of a type': limits(/^\d+[lfdn]$/i, (it) => Number.parseInt(it, 10)),
    'the limit NaN is none': reads('limit', (it) => (it === 'NaN' ? undefined : it)),
    'the limit Infinity is 100': limits(/^Infinity$/i, () => 100),
    'a limit may have a comma': limits(/^\d+,\d+$/, (it) => Number.parseInt(it, 10)),
    'a limit may have many zeros': limits(/^0{2,}[1-9]\d*$/, Number),
    'a tab before a limit is trimmed': limits(/^\t\d+$/, Number),
  },
  'request.exact_path': {
    'the second segment is read in any case': paths((path) =>
      path.startsWith('/contacts/') ? path.replace(/^\/contacts\/imports/i, IMPORTS) : path,
    ),
  },
  'request.unknown_path': {
    'imports are at the root too': paths((path) => path.replace(/^\/imports(?=\/|$)/, IMPORTS)),
    'imports have a name with a hyphen too': paths((path) => path.replace(/^\/contact-imports/, IMPORTS)),
    'the path above imports with a slash exists': rejects(
      405,
      'method_not_allowed',
      ({ path }) => path === '/contacts/',
    ),
    'a list can be counted': paths((path) => path.replace(/^(\/automations|\/contact-properties)\/count$/, '$1')),
  },
  'request.method_not_allowed': {
    'POST with JSON is a 422': fails(422, 'validation_error', ({ status }, it) => status === 405 && withBody(it)),
    'POST with JSON is created': fails(401, 'missing_api_key', ({ status }, it) => {
      return status === 405 && withBody(it) && it.headers['content-type']?.includes('json') === true;
    }),
    'a method in X-Method-Override takes the place of POST': inRequest((request) => {
      const method = request.headers['x-method-override'] ?? request.headers['x-http-method'];
      if (request.method === 'POST' && method !== undefined) request.method = method;
    }),
    'a method in the query takes the place of POST': inRequest((request) => {
      const method = request.query.get('_method');
      if (request.method === 'POST' && method !== null) request.method = method;
    }),
    'COPY is an unknown path': rejects(404, 'not_found', ({ method }) => method === 'COPY' || method === 'MKCOL'),
  },
  'request.method_case': {
    'methods are read in any case': { unparsed: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}' },
  },
});
