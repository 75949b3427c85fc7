/** Converts RFC 3339 and Unix timestamps in the text of a record to the contract's notation, without loss. */
import type { Collection } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import { timestampsOf } from '../contract/record-rules.ts';
import { mustBe, pointer } from '../contract/schema.ts';
import type { Violation } from '../contract/schema.ts';
import { fromMicroseconds } from '../contract/timestamp.ts';
import type { Check } from './check.ts';
import { valuesIn } from './json-text.ts';

export interface Converted {
  /** The text with every timestamp that can be converted. It is the same string if there is none. */
  readonly text: string;
  /** The timestamps whose conversion would lose something. */
  readonly violations: readonly Violation[];
}
export type Convert = (text: string) => Converted;

/** @returns a function that converts the timestamps of a collection's records. Text that is not JSON stays as it is. */
export function createConverter(contract: Contract, collection: Collection): Convert {
  const names = new Set(timestampsOf(contract, collection));
  return (text) => {
    const violations: Violation[] = [];
    let [converted, end] = ['', 0];
    for (const value of valuesIn(text)) {
      const [name, ...inner] = value.path;
      if (name === undefined || inner.length > 0 || !names.has(name)) continue;
      const literal = text.slice(value.start, value.end);
      const { timestamp, loss } = convert(literal.startsWith('"') ? String(JSON.parse(literal)) : literal);
      if (loss !== undefined) violations.push({ where: pointer(value.path), what: loss });
      if (timestamp === undefined) continue;
      converted += text.slice(end, value.start) + JSON.stringify(timestamp);
      end = value.end;
    }
    return { text: converted + text.slice(end), violations };
  };
}

/** @returns a check whose violations also name the notations that are converted. */
export function naming(contract: Contract, check: Check): Check {
  const { Timestamp, CompletionTimestamp } = contract.schemas;
  const phrases = [Timestamp, CompletionTimestamp].map(mustBe);
  const named = ({ where, what }: Violation): Violation => ({
    where,
    what: phrases.includes(what)
      ? `${what}, or an RFC 3339 timestamp with an offset, or a Unix timestamp in seconds`
      : what,
  });
  return (value) => {
    const result = check(value);
    return result.violations === undefined ? result : { violations: result.violations.map(named) };
  };
}

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|[-+]\d{2}:\d{2})$/;
const UNIX = /^(-?)(\d+)(?:\.(\d+))?$/;
const FRACTION_DIGITS = 6;
const [MIN_SECONDS, MAX_SECONDS] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map((time) =>
  BigInt(Date.parse(time) / 1000),
) as [bigint, bigint]; // A tuple stays one when it is mapped.

interface Conversion {
  readonly timestamp?: string;
  /** Why a timestamp cannot be converted without loss. */
  readonly loss?: string;
}

/** @returns neither a timestamp nor a loss for a text in another notation, which the contract then accepts or rejects. */
function convert(text: string): Conversion {
  const [, date, time, fraction = '', offset] = RFC_3339.exec(text) ?? [];
  if (date !== undefined && time !== undefined && offset !== undefined) {
    const digits = significant(fraction);
    if (digits === undefined) return { loss: TOO_PRECISE };
    return {
      timestamp: `${date} ${time}${digits === '' ? '' : `.${digits}`}${/z/i.test(offset) ? '+00' : offset}`,
    };
  }
  const [, sign, whole, parts = ''] = UNIX.exec(text) ?? [];
  if (whole === undefined) return {};
  const digits = significant(parts);
  if (digits === undefined) return { loss: TOO_PRECISE };
  const magnitude = BigInt(whole + digits.padEnd(FRACTION_DIGITS, '0'));
  const microseconds = sign === '-' ? -magnitude : magnitude;
  if (microseconds < MIN_SECONDS * 1_000_000n || microseconds >= (MAX_SECONDS + 1n) * 1_000_000n) {
    return { loss: 'must be in seconds as a Unix timestamp, up to the year 9999; divide milliseconds by 1000' };
  }
  return { timestamp: fromMicroseconds(microseconds) };
}

const TOO_PRECISE = 'must be exact to the microsecond; more than 6 digits of a second would be lost';

/** @returns the digits of a fraction that a timestamp can hold; `undefined` if it has more than zeros after them. */
function significant(fraction: string): string | undefined {
  return /[1-9]/.test(fraction.slice(FRACTION_DIGITS)) ? undefined : fraction.slice(0, FRACTION_DIGITS);
}
