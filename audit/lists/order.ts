/** The order that a profile declares: how values compare, as far as all servers agree. */
import { NotChecked } from '../rules/rule.ts';
import { code, quote, say } from '../rules/text.ts';
import type { SortKey } from './profile.ts';

/** Below 0 if the first value is smaller; `undefined` if servers differ, so that nothing can be said. */
type Sign = number | undefined;

/** Two values that are the wrong way round. */
export interface Misplacement {
  /** The place of the property in the order: 0 is the first one. */
  readonly depth: number;
  /** Whether nothing but a fault explains it. */
  readonly isSure: boolean;
}

/** @returns the path of a property. */
export const propertyOf = ({ by }: SortKey): string => by.replace(/^-/, '');

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

interface Instant {
  /** Nanoseconds since 1970. */
  readonly ns: bigint;
  readonly hasZone: boolean;
  /** Whether it is written without a fraction, and may hide one. */
  readonly isWhole: boolean;
}

/** @returns the instant that a text names; `undefined` if it is no date or time as ISO 8601 has them. */
export function instantOf(text: string): Instant | undefined {
  const [, date, time = '00:00', seconds = '00', fraction, zone] = TIME.exec(text) ?? [];
  if (date === undefined) return undefined;
  const offset =
    zone === undefined || /z/i.test(zone)
      ? 'Z'
      : zone.replace(/^(...):?(\d\d)?$/, (_, h: string, m = '00') => `${h}:${String(m)}`);
  const ms = Date.parse(`${date}T${time}:${seconds}${offset}`);
  if (Number.isNaN(ms)) return undefined;
  const ns = BigInt(ms) * 1_000_000n + BigInt((fraction ?? '').padEnd(9, '0'));
  return { ns, hasZone: zone !== undefined, isWhole: fraction === undefined };
}

const HOUR_NS = 3_600_000_000_000n;

function compareTimes(one: unknown, other: unknown): Sign {
  if (typeof one === 'number' || typeof other === 'number') return compareNumbers(one, other);
  const [a, b] = [instantOf(String(one)), instantOf(String(other))];
  if (a === undefined || b === undefined) return undefined;
  const difference = a.ns - b.ns;
  // Without a zone, an hour comes twice when clocks go back.
  const isClear = (a.hasZone && b.hasZone) || difference > HOUR_NS || difference < -HOUR_NS;
  return isClear || difference === 0n ? Number(difference > 0n) - Number(difference < 0n) : undefined;
}

function compareNumbers(one: unknown, other: unknown): Sign {
  const difference = Number(one) - Number(other);
  const isExact = [one, other].every((it) => !Number.isInteger(Number(it)) || Number.isSafeInteger(Number(it)));
  return isExact ? Math.sign(difference) : undefined;
}

function compareBytes(one: unknown, other: unknown): Sign {
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

// Languages in which letters have other places, or two are one.
const LOCALES = 'en az cs cy da es-u-co-trad et haw hr hu lt lv pl sk sq sv tr vi'.split(' ');
let collations: readonly ((one: string, other: string) => number)[] | undefined;

/** @returns what every collation says; `undefined` if they differ. */
function compareText(one: unknown, other: unknown): Sign {
  const [a, b] = [String(one), String(other)];
  if (a === b) return 0;
  if (!/^[\x20-\x7e]*$/.test(a + b)) return undefined;
  collations ??= [
    compareBytes as (typeof collations & object)[number],
    ...LOCALES.map((locale) => new Intl.Collator(locale).compare),
    new Intl.Collator('en', { numeric: true }).compare,
    new Intl.Collator('en', { ignorePunctuation: true, sensitivity: 'base' }).compare,
  ];
  const signs = new Set(collations.map((compare) => Math.sign(compare(a, b))));
  const [low, up] = [(it: string) => it.toLowerCase(), (it: string) => it.toUpperCase()];
  for (const change of [low, up]) signs.add(compareBytes(change(a), change(b)) ?? 0);
  if ([a, b].every((it) => Number.isFinite(Number(it)))) signs.add(Math.sign(Number(a) - Number(b)));
  const [sign, another] = signs;
  return another === undefined ? sign : undefined;
}

const COMPARE = { number: compareNumbers, time: compareTimes, text: compareText, bytes: compareBytes } as const;
type Type = keyof typeof COMPARE;

const isAbsent = (value: unknown): boolean => value === null || value === undefined;
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
const isTime = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && instantOf(value) !== undefined);

/** Whether a time is in whole seconds, and the list may be ordered by what its fraction was. */
const isCoarse = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value) && value > 1e8 && value < 1e10
    : typeof value === 'string' && instantOf(value)?.isWhole === true;

interface Column {
  readonly key: SortKey;
  readonly type: Type;
  /** Whether the type is declared, or cannot be another one. */
  readonly isKnown: boolean;
}

/** Compares neighbours of a list. */
export class Order {
  readonly #columns: readonly Column[];
  readonly #nulls = new Map<number, 'first' | 'last'>();
  /** Whether two neighbours were equal in the first property. */
  hasTies = false;

  /**
   * @param rows the values of the properties of each item, in the order of the keys.
   * @throws NotChecked if no item has a property, or a value is not of its type.
   */
  constructor(keys: readonly SortKey[], rows: readonly (readonly unknown[])[]) {
    this.#columns = keys.map((key, at) =>
      columnOf(
        key,
        rows.map((row) => row[at]).filter((it) => !isAbsent(it)),
      ),
    );
  }

  /** @returns what is wrong with two neighbours; `undefined` if nothing is, or nothing can be said. */
  misplacementOf(one: readonly unknown[], other: readonly unknown[]): Misplacement | undefined {
    let isSure = true;
    for (const [depth, column] of this.#columns.entries()) {
      const [a, b] = [one[depth], other[depth]];
      this.hasTies ||= depth > 0;
      const sign = this.#signOf(depth, column, a, b);
      if (sign === undefined || sign < 0) return undefined;
      if (sign > 0) return { depth, isSure: isSure && (column.isKnown || isAbsent(a) || isAbsent(b)) };
      isSure &&= column.key.type !== undefined || !isCoarse(a) || !isCoarse(b);
    }
    return undefined;
  }

  #signOf(depth: number, { key, type }: Column, one: unknown, other: unknown): Sign {
    if (isAbsent(one) && isAbsent(other)) return 0;
    if (isAbsent(one) || isAbsent(other)) {
      const isFirst = isAbsent(one);
      // What is not declared, the first null says.
      const nulls = key.nulls ?? this.#nulls.get(depth) ?? (isFirst ? 'first' : 'last');
      this.#nulls.set(depth, nulls);
      return isFirst === (nulls === 'first') ? -1 : 1;
    }
    const sign = COMPARE[type](one, other);
    return key.by.startsWith('-') && sign !== undefined ? -sign : sign;
  }
}

/** @param values those that are there. */
function columnOf(key: SortKey, values: readonly unknown[]): Column {
  const name = code(propertyOf(key));
  if (values.length === 0) throw new NotChecked(say`no item has ${name}, the promised order`);
  const wrong = (
    type: 'a string, number or boolean' | 'a number' | 'a time',
    test: (value: unknown) => boolean,
  ): void => {
    const bad = values.find((it) => !test(it));
    if (bad !== undefined) throw new NotChecked(say`${name} is not ${type}: ${quote(JSON.stringify(bad))}`);
  };
  wrong('a string, number or boolean', (it) => ['string', 'number', 'boolean'].includes(typeof it));
  if (key.type === 'number') wrong('a number', isNumber);
  if (key.type === 'time') wrong('a time', isTime);
  if (key.type !== undefined) return { key, type: key.type, isKnown: true };
  if (values.every((it) => typeof it !== 'string')) return { key, type: 'number', isKnown: true };
  return values.every((it) => typeof it === 'string' && isTime(it))
    ? { key, type: 'time', isKnown: true }
    : { key, type: 'text', isKnown: false };
}
