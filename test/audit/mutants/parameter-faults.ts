/** Faults of parameters: how languages and frameworks read values, names and what is repeated. */
import {
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  becomes,
  fails,
  hasKey,
  inRequest,
  isCursor,
  isGetById,
  isList,
  mutantsOf,
} from './mutant.ts';
import { cursors, drops, isParameter, limits } from './pages.ts';
import { only, rejects, targetOf, where, emptyPage, reads } from './mutant.ts';
import type { Change, InterceptedRequest, Reply } from './proxy.ts';

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
const STATUSES: readonly string[] = ['queued', 'in_progress', 'completed', 'failed'];
/** Values of the status of the other list. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  [AUTOMATIONS]: STATUSES,
  [IMPORTS]: ['enabled', 'disabled'],
};
const isStatus = (value: string): boolean => [...STATUSES, 'enabled', 'disabled'].includes(value);
const isInvalid = ({ status }: Reply, request: InterceptedRequest): boolean => status === 422 && isList(request);
const hyphenated = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const arabic = (text: string): number => Number(text.replaceAll(/[٠-٩]/g, (it) => String(it.charCodeAt(0) - 0x660)));

export const PARAMETER_FAULTS = mutantsOf({
  'list.invalid_limit': {
    'blanks around a limit are trimmed': limits(/^ +\d+ *$|^ *\d+ +$/, Number),
    'a line feed behind a limit is passed over': limits(/^\d+\n$/, Number),
    'a limit may have underscores': limits(/^\d+(_\d+)+$/, (it) => Number(it.replaceAll('_', ''))),
    'a limit may have other digits': only(AUTOMATIONS, limits(/^[٠-٩]+$/, arabic)),
    'a limit may have a plus sign': only(PROPERTIES, limits(/^[+]\d+$/, Number)),
    'a limit may have an exponent': limits(/^\d+e\d+$/i, Number),
    'a limit may be hexadecimal': only(IMPORTS, limits(/^0x[0-9a-f]+$/i, Number)),
    'a limit may have a fraction of zeros': limits(/^\d+[.]0*$/, Number),
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
    'the limit 0 is none': only(
      IMPORTS,
      reads('limit', (it) => (it === '0' ? undefined : it)),
    ),
    'the limit 101 is 100': only(
      PROPERTIES,
      limits(/^101$/, () => 100),
    ),
    'a limit below 0 is its amount': only(
      AUTOMATIONS,
      limits(/^-\d+$/, (it) => Math.abs(Number(it))),
    ),
    'a limit that is no number is none': only(
      AUTOMATIONS,
      reads('limit', (it) => (/^[a-z]+$/i.test(it) ? undefined : it)),
    ),
    'with a cursor a limit over 100 is 100': where(
      isCursor,
      limits(/^[1-9]\d\d+$/, (it) => Math.min(Number(it), 100)),
    ),
    'with a filter a limit over 100 is 100': where(
      ({ query }) => query.has('status'),
      limits(/^[1-9]\d\d+$/, (it) => Math.min(Number(it), 100)),
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
    'the limit 1000 is 100': limits(/^1000$/, () => 100),
    'a carriage return behind a limit is passed over': limits(/^\d+\r$/, Number),
    'bytes of a limit that are not UTF-8 are dropped': limits(/^\d+\ufffd$/, (it) => Number.parseInt(it, 10)),
    'a limit is decoded twice': reads('limit', (it) => (/^%\d\d$/.test(it) ? decodeURIComponent(it) : it)),
  },
  'list.invalid_filter': {
    'a list of values is a filter of any of them': only(
      AUTOMATIONS,
      reads('status', (it) => (/^\w+(,\w+)+$/.test(it) ? undefined : it)),
    ),
    'the status of another list gets an empty page': becomes(
      emptyPage,
      (reply, { path, query }) =>
        reply.status === 422 && query.size === 1 && OTHERS[path]?.includes(query.get('status') ?? '') === true,
    ),
    'blanks around a status are trimmed': reads('status', (it) => it.trim() || it),
    'an empty status is none': only(
      IMPORTS,
      where(
        (it) => !isBare('status')(it),
        reads('status', (it) => it || undefined),
      ),
    ),
    'a status without = is none': where(
      isBare('status'),
      reads('status', (it) => it || undefined),
    ),
    'a status may be a number': reads('status', (it) => (it === '0' ? 'enabled' : it === '1' ? 'disabled' : it)),
    'the status all is none': reads('status', (it) => (/^(all|any|[*])$/.test(it) ? undefined : it)),
    'the beginning of a status is a status': only(
      IMPORTS,
      reads('status', (it) => (it.length > 3 ? (STATUSES.find((status) => status.startsWith(it)) ?? it) : it)),
    ),
    'a status may be capitalized': only(
      AUTOMATIONS,
      reads('status', (it) => it.replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())),
    ),
    'a status of two words may have a hyphen or a blank': reads('status', (it) =>
      it.replace(/^in[- ]progress$/, 'in_progress'),
    ),
    'behind a cursor a status may be in any case': where(
      ({ query }) => query.has('after'),
      reads('status', (it) => it.toLowerCase()),
    ),
    'before a cursor an unknown status is none': where(
      ({ query }) => query.has('before'),
      reads('status', (it) => (/^[a-z]+$/.test(it) && !isStatus(it) ? undefined : it)),
    ),
    'a status may be in full-width letters': reads('status', (it) => it.normalize('NFKC')),
    'the status true is that of automations that are on': only(
      AUTOMATIONS,
      reads('status', (it) => (it === 'true' ? 'enabled' : it)),
    ),
    'the status of another API is an unknown path': rejects(404, 'not_found', ({ query }) =>
      /^(cancell?ed|archived|active)$/.test(query.get('status') ?? ''),
    ),
    'a status is decoded twice': reads('status', (it) => (/^%\d\d\w+$/.test(it) ? decodeURIComponent(it) : it)),
    'bytes of a status that are not UTF-8 are dropped': reads('status', (it) => it.replaceAll('\ufffd', '')),
    'the existence of a cursor is looked at before the status': fails(
      404,
      'not_found',
      (reply, it, { items }) =>
        isInvalid(reply, it) &&
        /^[0-9a-f-]{36}$/i.test(it.query.get('before') ?? '') &&
        it.query.size === 2 &&
        !isStatus(it.query.get('status') ?? '') &&
        !items(it.path).some(({ id }) => id === it.query.get('before')) &&
        it.query.has('status'),
    ),
    'with a cursor an unknown status is none': where(
      isCursor,
      reads('status', (it) => (isStatus(it) ? it : undefined)),
    ),
  },
  'list.malformed_cursor': {
    'a cursor may be in braces': cursors((it) => it.replace(/^[{](.{36})[}]$/, '$1')),
    'a cursor may lack its hyphens': cursors((it) => (/^[0-9a-f]{32}$/i.test(it) ? hyphenated(it) : it)),
    'a cursor may be a URN': cursors((it) => it.replace(/^urn:uuid:/, '')),
    'blanks around a cursor are trimmed': cursors((it) => it.trim()),
    'beside a filter an empty cursor is none': where(
      ({ query }) => query.has('status'),
      cursors((it) => it || undefined),
    ),
    'before, a line feed behind a cursor is passed over': reads('before', (it) => it.replace(/\n$/, '')),
    'a cursor may be in parentheses': cursors((it) => it.replace(/^[(](.{36})[)]$/, '$1')),
    'an empty cursor is none': where(
      ({ target }) => /(after|before)=(&|$)/.test(target),
      cursors((it) => it || undefined),
    ),
    'a cursor without = is none': where(
      (it) => isBare('after')(it) || isBare('before')(it),
      cursors((it) => it || undefined),
    ),
    'the cursor null is none': cursors((it) => (/^(null|undefined|none)$/.test(it) ? undefined : it)),
    'a cursor of 36 other characters is unknown': fails(404, 'not_found', (reply, { query }) => {
      const it = query.get('after') ?? query.get('before') ?? '';
      return reply.status === 422 && query.size === 1 && /^\w{8}-\w{4}-\w{4}-\w{4}-\w{12}$/.test(it);
    }),
    'what follows 36 characters of a cursor is passed over': cursors((it) => it.slice(0, 36)),
    'with a filter a malformed cursor gets an empty page': becomes(emptyPage, (reply, it) => {
      const cursor = it.query.get('after') ?? it.query.get('before');
      return isInvalid(reply, it) && it.query.has('status') && cursor !== null && !/^[0-9a-f-]{36}$/i.test(cursor);
    }),
    'a malformed before is passed over': reads('before', (it) => (/^[0-9a-f-]{36}$/i.test(it) ? it : undefined)),
  },
  'list.conflicting_cursors': {
    'of two different cursors after counts': only(AUTOMATIONS, wins('after', areDifferent)),
    'beside a limit before counts': only(
      IMPORTS,
      wins('before', ({ query }) => query.has('limit')),
    ),
    'beside a filter after counts': wins('after', ({ query }) => query.has('status')),
    'of two cursors the last counts': only(
      PROPERTIES,
      wins('after', ({ query }) => [...query.keys()].join().endsWith('before,after')),
    ),
    'two cursors of one item get an empty page': becomes(
      emptyPage,
      (reply, it) => isInvalid(reply, it) && joins(it) && !areDifferent(it),
    ),
    'two cursors of which one is unknown are a 404': where(
      joins,
      fails(404, 'not_found', (reply, { path, query }, { items }) => {
        const known = (name: string): boolean => items(path).some(({ id }) => id === query.get(name)?.toLowerCase());
        return reply.status === 422 && query.size === 2 && !(known('after') && known('before'));
      }),
    ),
  },
  'request.unknown_parameter': {
    'with a cursor unknown parameters are ignored': where(
      isCursor,
      drops((it) => !isParameter(it)),
    ),
    'the existence of an import is looked at before the parameters': becomes(
      ({ path }) => path,
      (reply, it, context) =>
        isGetById(it) &&
        reply.status === 422 &&
        hasKey(it, context) &&
        !context.items(IMPORTS).some(({ id }) => it.path.toLowerCase().endsWith(id)),
    ),
    'a limit in brackets is a limit': renames('limit[]', 'limit'),
    'a status in brackets is a filter': renames('status[]', 'status'),
    'contact properties ignore a status': only(PROPERTIES, named('status')),
    'behind a cursor contact properties ignore a status': only(
      PROPERTIES,
      where(({ query }) => query.has('after') && query.size > 1, named('status')),
    ),
    'a dollar sign before a name is passed over': renames('$limit', 'limit'),
    'get by id ignores a limit': where(isGetById, named('limit')),
    'get by id ignores cursors': where(isGetById, named('after', 'before')),
    'get by id ignores what it does not know': where(
      isGetById,
      drops((it) => !isParameter(it)),
    ),
    'a page number is ignored': named('page', 'per_page', 'page_size'),
    'a format is ignored': only(AUTOMATIONS, named('format')),
    'an order is ignored': only(IMPORTS, named('sort', 'order', 'order_by', 'ordering')),
    'an unknown parameter without = is ignored': inRequest((it) => {
      for (const name of [...it.query.keys()])
        if (!isParameter(name) && /^\w+$/.test(name) && isBare(name)(it)) it.query.delete(name);
    }),
    'an empty unknown parameter is ignored': drops(
      (name, value) => value === '' && !/^(limit|after|before|status|)$/.test(name),
    ),
    'a parameter of an empty name is ignored': named(''),
    'a name in brackets is ignored': drops((it) => /[[\]]/.test(it)),
    'blanks before a name are passed over': renames(' limit', 'limit'),
    'an unknown parameter is an unknown path': fails(
      404,
      'not_found',
      (reply, it) => isGetById(it) && reply.status === 422 && it.query.size > 0,
    ),
  },
  'request.repeated_parameter': {
    'the existence of a cursor is looked at before other parameters': becomes(
      (it) => targetOf(it, ...[...it.query.keys()].filter((name) => name !== 'after')),
      (reply, it, { items }) =>
        isInvalid(reply, it) &&
        !it.query.has('before') &&
        /^[0-9a-f-]{36}$/.test(it.query.get('after') ?? '') &&
        it.query.getAll('after').length === 1 &&
        !items(it.path).some(({ id }) => id === it.query.get('after')),
    ),
    'of a repeated limit the first counts': only(
      AUTOMATIONS,
      picks('limit', ([first]) => first),
    ),
    'of a repeated status the last counts': only(
      IMPORTS,
      picks('status', (it) => it.at(-1)),
    ),
    'of a repeated cursor the last counts': picks('after', (it) => it.at(-1)),
    'a parameter may be repeated with the same value': inRequest(({ query }) => {
      for (const name of new Set(query.keys()))
        if (new Set(query.getAll(name)).size === 1) query.set(name, query.get(name) ?? '');
    }),
    'a repeated status filters by all of its values': only(
      AUTOMATIONS,
      where(({ query }) => query.getAll('status').length > 1, named('status')),
    ),
    'of a limit that is there twice an empty one does not count': picks('limit', (it) =>
      it.find((value) => value !== ''),
    ),
    'a limit beside one in brackets counts': where(
      ({ query }) => query.has('limit') && query.has('limit[]'),
      named('limit[]'),
    ),
  },
  'request.parameter_case': {
    'Limit is a limit': only(IMPORTS, renames('Limit', 'limit')),
    'the names of cursors are read in any case': inRequest(({ query }) => {
      for (const [name, value] of [...query]) {
        if (!/^(after|before)$/i.test(name) || name === name.toLowerCase()) continue;
        query.delete(name);
        query.set(name.toLowerCase(), value);
      }
    }),
    'a name in another case is ignored': drops(
      (it) => /^(limit|after|before|status)$/i.test(it) && it !== it.toLowerCase(),
    ),
  },
  'auth.precedence': {
    'a limit is checked before a wrong key': rejects(
      422,
      'validation_error',
      (it, context) =>
        isList(it) &&
        it.method === 'GET' &&
        !hasKey(it, context) &&
        /^(0|-.*|[a-z]+|\d{4,})$/.test(it.query.get('limit') ?? ''),
    ),
  },
});
