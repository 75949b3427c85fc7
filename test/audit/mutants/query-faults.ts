/** Faults of queries: how languages and frameworks read values, names, separators, escapes and what is repeated. */
import {
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  becomes,
  inRequest,
  isCursor,
  isGetById,
  isList,
  mutantsOf,
  only,
  where,
  emptyPage,
  reads,
  fails,
  rejects,
} from './mutant.ts';
import { cursors, drops, isParameter, limits } from './pages.ts';
import type { Change, InterceptedRequest, Reply } from './proxy.ts';
import { idOf, ids, paths } from './edits.ts';

const named = (...names: readonly string[]): Change => drops((it) => names.includes(it));

/** Takes one value of a parameter that is given several times. */
const picks = (name: string, pick: (values: readonly string[]) => string | undefined): Change =>
  inRequest(({ query }) => {
    const values = query.getAll(name);
    const picked = values.length > 1 ? pick(values) : undefined;
    if (picked !== undefined) query.set(name, picked);
  });

/** Reads a parameter by another name. */
const renames = (from: string, to: string): Change =>
  inRequest(({ query }) => {
    const value = query.get(from);
    if (value === null) return;
    query.delete(from);
    query.set(to, value);
  });

const joins = ({ query }: InterceptedRequest): boolean => query.has('after') && query.has('before');

const areDifferent = ({ query }: InterceptedRequest): boolean =>
  query.get('after')?.toLowerCase() !== query.get('before')?.toLowerCase();

/** Takes one of two cursors. */
const wins = (name: 'after' | 'before', isSo: (request: InterceptedRequest) => boolean): Change =>
  where((it) => joins(it) && isSo(it), named(name === 'after' ? 'before' : 'after'));

/** Whether a parameter has no `=`. */
const isBare = (name: string) => {
  return ({ target }: InterceptedRequest): boolean => new RegExp(`[?&]${name}(&|$)`).test(target);
};

const isInvalid = ({ status }: Reply, request: InterceptedRequest): boolean => status === 422 && isList(request);

const hyphenated = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const arabic = (text: string): number => Number(text.replaceAll(/[٠-٩]/g, (it) => String(it.charCodeAt(0) - 0x660)));

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
  'list.invalid_limit': {
    'a line feed behind a limit is passed over': limits(/^\d+\n$/, Number),
    'a limit may have underscores': limits(/^\d+(_\d+)+$/, (it) => Number(it.replaceAll('_', ''))),
    'a limit may have other digits': only(AUTOMATIONS, limits(/^[٠-٩]+$/, arabic)),
    'a limit may have a plus sign': only(PROPERTIES, limits(/^[+]\d+$/, Number)),
    'a limit may have an exponent': limits(/^\d+e\d+$/i, Number),
    'a limit may be hexadecimal': only(IMPORTS, limits(/^0x[0-9a-f]+$/i, Number)),
    'the fraction of a limit is cut off': only(
      IMPORTS,
      limits(/^\d+[.]\d*[1-9]$/, (it) => Math.trunc(Number(it))),
    ),
    'a limit wraps at 32 bits': limits(/^\d{10,19}$/, (it) => Number(BigInt.asIntN(32, BigInt(it)))),
    'a limit wraps at 64 bits': limits(/^\d{20}$/, (it) => Number(BigInt.asIntN(64, BigInt(it)))),
    'an empty limit is none': only(
      PROPERTIES,
      where(
        (it) => !isBare('limit')(it),
        reads('limit', (it) => it || undefined),
      ),
    ),
    'a limit without = is none': where(
      isBare('limit'),
      reads('limit', (it) => it || undefined),
    ),
    'before a cursor the limit 0 of contact properties is 1': only(
      PROPERTIES,
      where(
        ({ query }) => query.has('before'),
        limits(/^0$/, () => 1),
      ),
    ),
    'with a filter alone the limit 0 is none': where(
      (it) => it.query.has('status') && !isCursor(it),
      reads('limit', (it) => (it === '0' ? undefined : it)),
    ),
    'a carriage return behind a limit is passed over': limits(/^\d+\r$/, Number),
    'bytes of a limit that are not UTF-8 are dropped': limits(/^\d+\ufffd$/, (it) => Number.parseInt(it, 10)),
    'a limit is decoded twice': reads('limit', (it) => (/^%\d\d$/.test(it) ? decodeURIComponent(it) : it)),
    'a limit may have a superscript digit': limits(/^[²³¹]$/, () => 2),
    'a limit may be in scripts of India': limits(/^[०-९]$/, (it) => it.charCodeAt(0) - 0x966),
    'a blank that does not break is trimmed': limits(/^\d+\u00a0$/, (it) => Number.parseInt(it, 10)),
    'a limit may have many zeros': limits(/^0{2,}[1-9]\d*$/, Number),
    'a tab before a limit is trimmed': limits(/^\t\d+$/, Number),
  },
  'list.invalid_filter': {
    'an empty status is none': only(
      IMPORTS,
      where(
        (it) => !isBare('status')(it),
        reads('status', (it) => it || undefined),
      ),
    ),
    'a status may be capitalized': only(
      AUTOMATIONS,
      reads('status', (it) => it.replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())),
    ),
    'a status may be in full-width letters': reads('status', (it) => it.normalize('NFKC')),
    'a status of two words may have a capital letter': reads('status', (it) =>
      it === 'inProgress' ? 'in_progress' : it,
    ),
  },
  'list.malformed_cursor': {
    'a cursor may be in braces': cursors((it) => it.replace(/^[{](.{36})[}]$/, '$1')),
    'a cursor may lack its hyphens': cursors((it) => (/^[0-9a-f]{32}$/i.test(it) ? hyphenated(it) : it)),
    'a cursor may be a URN': cursors((it) => it.replace(/^urn:uuid:/, '')),
    'before, a line feed behind a cursor is passed over': reads('before', (it) => it.replace(/\n$/, '')),
    'a cursor may be in parentheses': cursors((it) => it.replace(/^[(](.{36})[)]$/, '$1')),
    'the cursor null is none': cursors((it) => (/^(null|undefined|none)$/.test(it) ? undefined : it)),
    'a percent sign in a cursor is any text': cursors((it) => (it === '%' ? undefined : it)),
  },
  'list.conflicting_cursors': {
    'beside a filter after counts': wins('after', ({ query }) => query.has('status')),
    'of two cursors the last counts': only(
      PROPERTIES,
      wins('after', ({ query }) => [...query.keys()].join().endsWith('before,after')),
    ),
    'two cursors of one item get an empty page': becomes(
      emptyPage,
      (reply, it) => isInvalid(reply, it) && joins(it) && !areDifferent(it),
    ),
  },
  'request.unknown_parameter': {
    'with a cursor unknown parameters are ignored': where(
      isCursor,
      drops((it) => !isParameter(it)),
    ),
    'a status in brackets is a filter': renames('status[]', 'status'),
    'behind a cursor contact properties ignore a status': only(
      PROPERTIES,
      where(({ query }) => query.has('after') && query.size > 1, named('status')),
    ),
    'get by id ignores a limit': where(isGetById, named('limit')),
    'an unknown parameter without = is ignored': inRequest((it) => {
      for (const name of [...it.query.keys()])
        if (!isParameter(name) && /^\w+$/.test(name) && isBare(name)(it)) it.query.delete(name);
    }),
    'a parameter of an empty name is ignored': named(''),
    'a name that cannot be decoded is a 404': fails(404, 'not_found', (_reply, it) => /[?&]%ff=/.test(it.target)),
    'an encoded percent sign is passed over': drops((it) => it === '%'),
  },
  'request.repeated_parameter': {
    'of a repeated cursor the last counts': picks('after', (it) => it.at(-1)),
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
  'request.parameter_case': {
    'Limit is a limit': only(IMPORTS, renames('Limit', 'limit')),
    'a name in another case is ignored': drops(
      (it) => /^(limit|after|before|status)$/i.test(it) && it !== it.toLowerCase(),
    ),
  },
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
    'the value of a filter is not decoded': rejects(422, 'validation_error', isRaw(/(^|&)status=[^&]*%[46]/)),
    'an empty part of a query is a parameter': rejects(422, 'validation_error', isRaw(/^&|&&|&$/)),
    'an empty query is a parameter': rejects(422, 'validation_error', ({ target }) => target.endsWith('?')),
  },
  'get.malformed_id': {
    'an underscore in an id is any character': fails(404, 'not_found', ({ status }, it) => {
      return status === 422 && /^[0-9a-f-]{35}_$/i.test(idOf(it) ?? '') && it.query.size === 0;
    }),
    'a plus sign before an id is passed over': ids((it) => it.replace(/^(?:%2b|[+])/i, '')),
  },
  'request.exact_path': {
    'a backslash separates segments': paths((path) => path.replace(/%5c/gi, '/')),
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
