/** Faults of parameters: how languages and frameworks read values, names and what is repeated. */
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
} from './mutant.ts';
import { cursors, drops, isParameter, limits } from './pages.ts';
import { only, where, emptyPage, reads } from './mutant.ts';
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
const isInvalid = ({ status }: Reply, request: InterceptedRequest): boolean => status === 422 && isList(request);
const hyphenated = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const arabic = (text: string): number => Number(text.replaceAll(/[٠-٩]/g, (it) => String(it.charCodeAt(0) - 0x660)));

export const PARAMETER_FAULTS = mutantsOf({
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
  },
  'list.malformed_cursor': {
    'a cursor may be in braces': cursors((it) => it.replace(/^[{](.{36})[}]$/, '$1')),
    'a cursor may lack its hyphens': cursors((it) => (/^[0-9a-f]{32}$/i.test(it) ? hyphenated(it) : it)),
    'a cursor may be a URN': cursors((it) => it.replace(/^urn:uuid:/, '')),
    'before, a line feed behind a cursor is passed over': reads('before', (it) => it.replace(/\n$/, '')),
    'a cursor may be in parentheses': cursors((it) => it.replace(/^[(](.{36})[)]$/, '$1')),
    'the cursor null is none': cursors((it) => (/^(null|undefined|none)$/.test(it) ? undefined : it)),
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
  },
  'request.repeated_parameter': {
    'of a repeated cursor the last counts': picks('after', (it) => it.at(-1)),
  },
  'request.parameter_case': {
    'Limit is a limit': only(IMPORTS, renames('Limit', 'limit')),
    'a name in another case is ignored': drops(
      (it) => /^(limit|after|before|status)$/i.test(it) && it !== it.toLowerCase(),
    ),
  },
});
