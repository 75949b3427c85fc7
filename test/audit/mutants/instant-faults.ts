/** Faults of order and cursors: instants that are sorted or compared as databases and languages store them, and ids that are. */
import { AUTOMATIONS, IMPORTS, PROPERTIES, inPage, mutantsOf, only } from './mutant.ts';
import { instantOf, nearest } from './pages.ts';
import type { Change, Item } from './proxy.ts';

/** What a server makes of an instant, in microseconds. */
type Coarse = (us: bigint) => bigint;
const cut =
  (unit: bigint): Coarse =>
  (us) =>
    us - (us % unit);
const rounded =
  (unit: bigint): Coarse =>
  (us) =>
    ((us + unit / 2n) / unit) * unit;
const [SECOND, MS, US100] = [1_000_000n, 1000n, 100n];
/** Seconds as PHP prints them: a float with 14 digits. */
const php: Coarse = (us) => BigInt(Math.round(Number((Number(us) / 1e6).toPrecision(14)) * 1e6));

type Key = (item: Item) => bigint | string | number;
const descending = (a: bigint | string | number, b: bigint | string | number): number => (a < b ? 1 : a > b ? -1 : 0);
const sorted = (items: readonly Item[], ...keys: readonly Key[]): readonly Item[] =>
  items.toSorted((a, b) => keys.map((key) => descending(key(a), key(b))).find((it) => it !== 0) ?? 0);
/** Sorts a list in another way, and follows cursors in it. */
const sorts = (...keys: readonly Key[]): Change =>
  inPage((page, { items, cursor, isBackward, limit, status }) => {
    const all = sorted(items, ...keys);
    const place = cursor < 0 ? -1 : all.findIndex((it) => it.id === items[cursor]?.id);
    const matching = (isBackward ? all.slice(0, place) : all.slice(place + 1)).filter(
      (it) => status === null || it['status'] === status,
    );
    page.data = [...(isBackward ? nearest(matching, limit) : matching.slice(0, limit))];
    page.has_more = matching.length > limit;
  });
const at =
  (coarse: Coarse): Key =>
  (it) =>
    coarse(instantOf(it));
const id: Key = (it) => it.id;

type Sides = 'cursor' | 'both sides';
/**
 * Sorts as it should, and compares the instants of the cursor and of the items, or that of the cursor alone, as they are
 * stored: `WHERE date_trunc('ms', created_at) < $1`, or a cursor that is decoded to a `Date`.
 */
const compares = (coarse: Coarse, sides: Sides = 'both sides', directions = ['after', 'before']): Change =>
  inPage((page, { items, cursor, limit, status }, { query }) => {
    const own = items[cursor];
    const direction = directions.find((it) => query.has(it));
    if (own === undefined || direction === undefined) return;
    const stored = sides === 'both sides' ? coarse : (us: bigint): bigint => us;
    const isOlder = (it: Item): boolean => {
      const [mine, its] = [coarse(instantOf(own)), stored(instantOf(it))];
      return its < mine || (its === mine && it.id < own.id);
    };
    const matching = items.filter((it) => status === null || it['status'] === status);
    const all = direction === 'after' ? matching.filter(isOlder) : matching.filter((it) => it !== own && !isOlder(it));
    page.data = [...(direction === 'after' ? all.slice(0, limit) : nearest(all, limit))];
    page.has_more = all.length > limit;
  });

const bytes = (uuid: string): string => uuid.replaceAll('-', '');
const reversed = (hex: string): string => (hex.match(/../g) ?? []).reverse().join('');
/** `uniqueidentifier` of SQL Server: by the last group first. */
const ofSqlServer: Key = (it) => {
  const [a = '', b = '', c = '', d = '', e = ''] = it.id.split('-');
  return e + d + reversed(c) + reversed(b) + reversed(a);
};
/** `UUID.compareTo` of Java: the halves are signed. */
const ofJava: Key = (it) => BigInt.asIntN(64, BigInt(`0x${bytes(it.id).slice(0, 16)}`));
/** The bytes of a GUID of .NET: the first three groups are reversed. */
const ofDotNet: Key = (it) => {
  const [a = '', b = '', c = '', d = '', e = ''] = it.id.split('-');
  return reversed(a) + reversed(b) + reversed(c) + d + e;
};
/** `UUID_TO_BIN(id, 1)` of MySQL: the third group first. */
const ofMySql: Key = (it) => {
  const [a = '', b = '', c = '', d = '', e = ''] = it.id.split('-');
  return c + b + a + d + e;
};

export const INSTANT_FAULTS = mutantsOf({
  'list.pagination': {
    'a cursor is cut to seconds': compares(cut(SECOND), 'cursor'),
  },
  'list.order': {
    'items are sorted by seconds': sorts(at(cut(SECOND)), id),
    'items are sorted by rounded milliseconds': sorts(at(rounded(MS)), id),
    'items are sorted by the text of their instants': sorts((it) => it.created_at, id),
    'contact imports are sorted by milliseconds': only(IMPORTS, sorts(at(cut(MS)), id)),
    'contact properties are sorted by milliseconds': only(PROPERTIES, sorts(at(cut(MS)), id)),
  },
  'list.ties': {
    'ties are sorted as SQL Server sorts ids': sorts(instantOf, ofSqlServer),
    'ties are sorted as Java sorts ids': sorts(instantOf, ofJava),
    'ties are sorted as .NET stores ids': sorts(instantOf, ofDotNet),
    'ties are sorted as MySQL stores ids': sorts(instantOf, ofMySql),
    'ties are sorted by the text of their instants': sorts(instantOf, (it) => it.created_at, id),
  },
  'list.after': {
    'cursors are compared by milliseconds': compares(cut(MS)),
    'cursors are compared by seconds with 14 digits': compares(php),
    'a cursor is cut to milliseconds': compares(cut(MS), 'cursor'),
    'a cursor is rounded to milliseconds': compares(rounded(MS), 'cursor'),
    'automations: after compares by milliseconds': only(AUTOMATIONS, compares(cut(MS), 'both sides', ['after'])),
    'contact properties: after compares by milliseconds': only(PROPERTIES, compares(cut(MS), 'both sides', ['after'])),
  },
  'list.before': {
    'before compares by milliseconds': compares(cut(MS), 'both sides', ['before']),
    'before has a cursor that is cut to milliseconds': compares(cut(MS), 'cursor', ['before']),
    'before has a cursor that is rounded to milliseconds': compares(rounded(MS), 'cursor', ['before']),
    'contact imports: before compares by 100 µs': only(IMPORTS, compares(cut(US100), 'both sides', ['before'])),
  },
});
