/** Faults of records as databases and languages read, store, write, sort and compare them: instants, ids, texts and numbers. */
import { AUTOMATIONS, IMPORTS, PROPERTIES, inPage, mutantsOf, only, inItems, instants, property } from './mutant.ts';
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

type Of<T> = (value: T, item: Item) => unknown;

const TEXTS = ['name', 'key', 'fallback_value'];

/** Writes every text that people enter in another way. */
const texts = (as: Of<string>): Change =>
  inItems((item) => {
    for (const name of TEXTS) {
      const text = item[name];
      if (typeof text === 'string') item[name] = as(text, item);
    }
  });

const type = (as: Of<string>): Change => property('type', (it, item) => as(String(it), item));

const fallback = (as: Of<unknown>): Change => property('fallback_value', as);

const numbers = (as: (number: number) => unknown): Change => fallback((it) => (typeof it === 'number' ? as(it) : it));

const count = (as: (count: number) => unknown): Change =>
  inItems(({ counts }) => {
    const all = (counts ?? {}) as Record<string, unknown>; // Only imports have some.
    for (const [name, it] of Object.entries(all)) all[name] = as(Number(it));
  });

/** Computes counts anew from the others. */
const computes = (as: (counts: Record<string, number>) => Record<string, number>): Change =>
  inItems((item) => {
    if ('counts' in item) Object.assign(item['counts'] as object, as(item['counts'] as Record<string, number>));
  });

const fraction = (as: (digits: string) => string): Change =>
  instants((it) => it.replace(/[.](\d+)/, (_, digits: string) => `.${as(digits)}`));

/** The same time of the day in another zone; it moves by an hour. */
const later = (instant: string): string =>
  instant.replace(/ (\d\d)/, (_, hour: string) => ` ${String((Number(hour) + 1) % 24).padStart(2, '0')}`);

const [MAX_INT32, MIN_INT32] = [2 ** 31 - 1, -(2 ** 31)];

const bounded = (number: number): number => Math.max(MIN_INT32, Math.min(MAX_INT32, number));

const cutBytes = (text: string, length: number): string =>
  Buffer.from(text)
    .subarray(0, length)
    .toString()
    .replace(/\ufffd+$/, '');

const ASTRAL = /[\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const sumOf = ({ created = 0, updated = 0, skipped = 0, failed = 0 }: Record<string, number>): number =>
  created + updated + skipped + failed;

export const VALUE_FAULTS = mutantsOf({
  'list.pagination': {
    'a cursor is cut to seconds': compares(cut(SECOND), 'cursor'),
  },
  'list.order': {
    'items are sorted by seconds': sorts(at(cut(SECOND)), id),
    'items are sorted by rounded milliseconds': sorts(at(rounded(MS)), id),
    'items are sorted by the text of their instants': sorts((it) => it.created_at, id),
    'contact imports are sorted by milliseconds': only(IMPORTS, sorts(at(cut(MS)), id)),
    'contact properties are sorted by milliseconds': only(PROPERTIES, sorts(at(cut(MS)), id)),
    'the offset is lost': instants((it) => it.replace(/[+-]\d\d(:\d\d)?$/, '+00')),
    'the minutes of an offset are lost': instants((it) => it.replace(/([+-]\d\d):\d\d$/, '$1')),
  },
  'list.ties': {
    'ties are sorted as SQL Server sorts ids': sorts(instantOf, ofSqlServer),
    'ties are sorted as Java sorts ids': sorts(instantOf, ofJava),
    'ties are sorted as .NET stores ids': sorts(instantOf, ofDotNet),
    'ties are sorted as MySQL stores ids': sorts(instantOf, ofMySql),
    'ties are sorted by the text of their instants': sorts(instantOf, (it) => it.created_at, id),
    'instants are rounded to milliseconds': fraction((it) =>
      String(Math.min(999, Math.round(Number(`0.${it}`) * 1000))).padStart(3, '0'),
    ),
    'instants are cut to 100 µs': fraction((it) => it.slice(0, 4)),
    'fractions pass through floats, cut to microseconds': fraction((it) =>
      String(Math.trunc(Number(`0.${it}`) * 1e6)).padStart(6, '0'),
    ),
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
  'record.example': {
    'texts are trimmed': texts((it) => it.trim()),
    'texts lose blanks at their end': texts((it) => it.replace(/ +$/, '')),
    'blanks in texts are one': texts((it) => it.replaceAll(/[ ]{2,}/g, ' ')),
    'blanks that do not break are plain ones': texts((it) => it.replaceAll('\u00a0', ' ')),
    'a text of blanks is empty': texts((it) => (it.trim() === '' ? '' : it)),
    'an empty text has a name of its own': texts((it) => it || 'Untitled'),
    'a text of zero is empty': texts((it) => (it === '0' ? '' : it)),
    'texts are escaped for HTML': texts((it) => it.replaceAll(/[<>"']/g, (char) => ENTITIES[char] ?? char)),
    'entities of HTML in texts are read': texts((it) => it.replaceAll('&amp;', '&')),
    'tags of HTML in texts are removed': texts((it) => it.replaceAll(/<[^>]*>/g, '')),
    'quotes in texts are doubled': texts((it) => it.replaceAll("'", "''")),
    'escapes of URLs in texts are read': texts((it) =>
      it.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    ),
    'a plus in texts is a blank': texts((it) => it.replaceAll('+', ' ')),
    'templates in texts are filled in': texts((it) => it.replaceAll(/\{\{.*?\}\}/g, '')),
    'control characters of texts are lost': texts((it) => it.replaceAll(/\p{Cc}/gu, '')),
    'control characters of texts are lost, except tabs and line ends': texts((it) =>
      it.replaceAll(/[^\P{Cc}\t\r\n]/gu, ''),
    ),
    'invisible characters of texts are lost': texts((it) => it.replaceAll(/\p{Cf}/gu, '')),
    'lines of texts end as on Unix': texts((it) => it.replaceAll('\r\n', '\n')),
    'texts end at their first line': texts((it) => it.replace(/[\r\n].*/s, '')),
    'combining characters are composed': texts((it) => it.normalize('NFC')),
    'letters lose their accents': texts((it) => it.normalize('NFD').replaceAll(/\p{M}/gu, '')),
    'ligatures and signs are written out': texts((it) => it.normalize('NFKC')),
    'characters beyond ASCII are question marks': texts((it) => it.replaceAll(/[^\0-\x7f]/g, '?')),
    'characters beyond Latin-1 are question marks': texts((it) => it.replaceAll(/[^\0-\xff]/g, '?')),
    'UTF-8 is read as Latin-1': texts((it) => Buffer.from(it).toString('latin1')),
    'characters of four bytes are question marks': texts((it) => it.replaceAll(ASTRAL, '?')),
    'characters of four bytes are lost': texts((it) => it.replaceAll(ASTRAL, '')),
    'texts end at the first character of four bytes': texts((it) => it.replace(/[\u{10000}-\u{10ffff}].*/su, '')),
    'characters of four bytes are each half of a replacement': texts((it) => it.replaceAll(ASTRAL, '\ufffd\ufffd')),
    'texts are cut at 255 bytes': texts((it) => cutBytes(it, 255)),
    'texts are cut at 256 characters, with an ellipsis': texts((it) => (it.length > 256 ? `${it.slice(0, 255)}…` : it)),
    'names begin with a capital': texts((it) => it.charAt(0).toUpperCase() + it.slice(1)),
    'texts are folded': texts((it) => it.toLowerCase()),
    'an empty fallback is none': fallback((it) => (it === '' ? null : it)),
    'a fallback of 0 is none': fallback((it) => (it === 0 ? null : it)),
    'a fallback of "0" is none': fallback((it) => (it === '0' ? null : it)),
    'a fallback of -1 is none': fallback((it) => (it === -1 ? null : it)),
    'a fallback that is false, as PHP or Python see it, is none': fallback((it) =>
      ['0', '', 0].includes(it as string) ? null : it,
    ),
    'no fallback is an empty one': fallback((it, { type: of }) => it ?? (of === 'number' ? 0 : '')),
    'numbers are integers': numbers(Math.trunc),
    'numbers are integers of 32 bits that wrap': numbers((it) => it | 0),
    'numbers end at 32 bits': numbers(bounded),
    'numbers have two places': numbers((it) => Number(it.toFixed(2))),
    'numbers have six places': numbers((it) => Number(it.toFixed(6))),
    'numbers have 15 digits': numbers((it) => Number(it.toPrecision(15))),
    'numbers are absolute': numbers(Math.abs),
    'a type is in lower case': type((it) => it.toLowerCase()),
    'an empty type is string': type((it) => it || 'string'),
    'a fallback of an unknown type is none': fallback((it, { type: of }) =>
      of === 'string' || of === 'number' ? it : null,
    ),
    'a fallback of an unknown type is a text': fallback((it, { type: of }) =>
      of === 'string' || of === 'number' || typeof it !== 'number' ? it : String(it),
    ),
    'counts wrap at 32 bits': count((it) => it >>> 0),
    'counts end at 31 bits': count(bounded),
    'counts pass through 32-bit floats': count(Math.fround),
    'the total is the sum of the others': computes((it) => ({ total: sumOf(it) })),
    'what is missing in the total has failed': computes((it) => ({
      failed: (it['failed'] ?? 0) + (it['total'] ?? 0) - sumOf(it),
    })),
    'an import that has failed counts nothing': inItems((item) => {
      if (item['status'] === 'failed')
        for (const it of Object.keys(item['counts'] as object)) Object.assign(item['counts'] as object, { [it]: 0 });
    }),
    'a fraction is a number of microseconds': fraction((it) => String(Number(it)).padStart(6, '0')),
    'a fraction is a number of milliseconds': fraction((it) => (it.length < 3 ? it.padStart(3, '0') : it)),
    'zeros at the front of a fraction are lost': fraction((it) => String(Number(it))),
    'a time that summer time passes over is an hour later': instants((it) =>
      /^2026-03-29 02:.*[+]00$/.test(it) ? later(it) : it,
    ),
    'updated_at is to the second': property('updated_at', (it) => String(it).replace(/[.]\d+/, '')),
    'completed_at is to the second': property('completed_at', (it) =>
      typeof it === 'string' ? it.replace(/[.]\d+/, '') : it,
    ),
  },
  'list.filter': {
    'a failed import without records is completed': inItems((item) => {
      const { total } = (item['counts'] ?? {}) as Record<string, unknown>;
      if (item['status'] === 'failed' && total === 0) item['status'] = 'completed';
    }),
  },
  'record.constraints': {
    'a type is one of those that are known': type((it) => (it === 'number' ? it : 'string')),
    'a fallback that looks like a number is one': fallback((it) =>
      typeof it === 'string' && it.trim() !== '' && Number.isFinite(Number(it)) ? Number(it) : it,
    ),
    'numbers that are no integers are texts': numbers((it) => (Number.isInteger(it) ? it : String(it))),
  },
  'response.schema': {
    'numbers pass through 32-bit floats': numbers(Math.fround),
    'an empty name is null': property('name', (it) => (it === '' ? null : it)),
    'an empty key is missing': inItems((item) => {
      if (item['key'] === '') Reflect.deleteProperty(item, 'key');
    }),
    'an empty type is null': property('type', (it) => (it === '' ? null : it)),
    'an unknown type is null': property('type', (it) => (it === 'string' || it === 'number' ? it : null)),
    'a fallback that is none is missing': inItems((item) => {
      if (item['fallback_value'] === null) Reflect.deleteProperty(item, 'fallback_value');
    }),
    'a fallback of "false" is a boolean': fallback((it) => (it === 'false' ? false : it)),
    'counts above 31 bits are texts': count((it) => (it > MAX_INT32 ? String(it) : it)),
    'counts above 31 bits are negative': count((it) => it | 0),
    'updated_at is null until the first change': property('updated_at', (it, { created_at }) =>
      it === created_at ? null : it,
    ),
    'instants at midnight are dates': instants((it) => it.replace(/ 00:00:00[+]00$/, '')),
  },
});
