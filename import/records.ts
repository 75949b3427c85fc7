/** Reads records from an input: valid ones to store, and rejects with their violations. */
import { distinct, pointer } from '../contract/schema.ts';
import type { Violation } from '../contract/schema.ts';
import type { CheckedRecord } from '../server/store/store.ts';
import type { Check, CheckResult } from './check.ts';
import { JsonError, alteration, scanJson, valuesIn } from './json-text.ts';
import { splitRecords } from './format.ts';
import type { SplitOptions } from './format.ts';
import { positionAfter } from './split.ts';
import type { RawRecord } from './split.ts';
import type { Convert } from './timestamps.ts';

export interface ReadOptions extends SplitOptions {
  /** Converts the timestamps of each record before it is checked. */
  readonly convert?: Convert | undefined;
  /** Called with each invalid record. If it throws, reading ends. */
  readonly reject: (reject: Reject) => void;
}

/**
 * @yields the valid records, in the order of the input.
 * @throws InputError if the input as a whole is malformed.
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  check: Check,
  { convert, reject, ...options }: ReadOptions,
): AsyncGenerator<readonly CheckedRecord[]> {
  for await (const rawRecords of splitRecords(chunks, options)) {
    const records: CheckedRecord[] = [];
    for (const raw of rawRecords) {
      const result = read(raw, check, convert);
      if (result.record !== undefined) records.push(result.record);
      else reject(result.reject);
    }
    yield records;
  }
}

type ReadResult = { readonly record: CheckedRecord } | { readonly record?: undefined; readonly reject: Reject };

function read(raw: RawRecord, check: Check, convert?: Convert): ReadResult {
  const { record, violations } = checkText(raw, check, convert);
  if (record !== undefined) return { record };
  // It may be a line of a rejects file, which contains the record.
  const inner = unwrap(raw);
  return inner === undefined ? { reject: { ...raw, violations } } : read(inner, check, convert);
}

/** @returns whether a record passes a check. */
export function fits(raw: RawRecord, check: Check): boolean {
  return checkText(raw, check).record !== undefined;
}

function checkText(raw: RawRecord, check: Check, convert?: Convert): CheckResult {
  if (raw.fault !== undefined) return { violations: [{ where: 'record', what: raw.fault }] };
  const { text, violations: losses } = convert?.(raw.text) ?? { text: raw.text, violations: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { violations: [{ where: 'record', what: syntaxError(raw) }] };
  }
  const result = check(value);
  if (losses.length > 0) return { violations: distinct([...losses, ...(result.violations ?? [])]) };
  // Parsing has lost nothing if the stored text is the input text, or the cheap test confirms it.
  if (result.record !== undefined && (result.record.json === text || !mayBeAltered(text, value))) return result;
  const altered = alterations(text);
  return altered.length === 0 ? result : { violations: distinct([...altered, ...(result.violations ?? [])]) };
}

/** @returns the phrase for an offset in a record's text: its position in the input, or its character in a text from a JSON string. */
function positionIn(raw: RawRecord, offset: number): string {
  if (raw.isQuoted === true) return `character ${String(offset + 1)}`;
  const { line, column } = positionAfter(raw, raw.text.slice(0, offset));
  return `line ${String(line)}, column ${String(column)}`;
}

function syntaxError(raw: RawRecord): string {
  try {
    scanJson(raw.text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const position = positionIn(raw, error.offset);
    const stray = STRAY[raw.text.charAt(error.offset)];
    return `is not JSON: ${stray === undefined ? `${error.expected} is expected` : `${stray} must be removed`} at ${position}`;
  }
  return 'is not JSON';
}

/** Marks that joined files leave in the middle. An editor does not show them. */
const STRAY: Readonly<Record<string, string>> = {
  '\uFEFF': 'a byte order mark (U+FEFF)',
  '\x1E': 'a record separator (U+001E)',
};

// `JSON.parse` silently alters numbers that a double cannot represent, and drops all but the last of duplicate members.

// 16 digits, or an exponent of 3 digits: a double represents every shorter number.
const LONG_NUMBER = /[:[,]\s*-?(?:[\d.]{16,}|[\d.]+[eE][-+]?\d{3})/;
const NAME = /"\s*:/g;

/**
 * A cheap test, because it runs for every record.
 * @param value the parsed text, nested no deeper than a record of the contract.
 * @returns whether parsing may have altered something. It can be a false positive, never a false negative.
 */
export function mayBeAltered(text: string, value: unknown): boolean {
  // NAME matches once for each member of the text, and may also match inside strings. So equal numbers mean that no member was dropped.
  return LONG_NUMBER.test(text) || text.match(NAME)?.length !== members(value);
}

function members(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : 1;
  return Object.values(value).reduce<number>((sum, member) => sum + own + members(member), 0);
}

/** @returns a violation for each value that parsing alters or drops; none for a text that nests too deep to be a record. */
export const alterations = (text: string): readonly Violation[] =>
  valuesIn(text).flatMap((value) => {
    const what = alteration(text, value);
    return what === undefined ? [] : [{ where: pointer(value.path), what }];
  });

// A line of a rejects file is `{"file", "line", "violations", "record"}`, with `text` instead of `record` if the record is
// not JSON. `import` reads these lines too, so that records can be fixed in that file.

/** A record that does not satisfy the contract. */
export interface Reject extends RawRecord {
  readonly violations: readonly Violation[];
}

const REASONS = ['file', 'line', 'violations'] as const;
type Reasons = Readonly<Record<(typeof REASONS)[number], unknown>>;

/** @returns the line of a reject, with its line break. It contains the text of the record unchanged, except for line breaks. */
export function rejectLine(file: string, { line, violations, text }: Reject): string {
  const reasons = JSON.stringify({ file, line, violations } satisfies Reasons).slice(0, -1);
  if (parse(text) === undefined) return `${reasons},"text":${JSON.stringify(text)}}\n`;
  // In JSON text, line breaks occur only between tokens.
  return `${reasons},"record":${text.trim().replaceAll(/[\r\n]+[ \t]*/g, ' ')}}\n`;
}

/** @returns the record in a line of a rejects file; `undefined` for any other line. */
export function unwrap(raw: RawRecord): RawRecord | undefined {
  const line = parse(raw.text);
  if (typeof line !== 'object' || line === null) return undefined;
  if (Object.keys(line).length !== REASONS.length + 1 || !REASONS.every((property) => property in line))
    return undefined;
  // A duplicate member makes the line ambiguous. Duplicate members inside the record are violations of the record instead.
  const values = valuesIn(raw.text);
  const isAmbiguous = values.some(
    ({ isDuplicate, path }) => isDuplicate && (path.length === 1 || path[0] !== 'record'),
  );
  if (values.length === 0 || isAmbiguous) return undefined;
  if ('text' in line && typeof line.text === 'string') return { ...raw, text: line.text, isQuoted: true };
  const record = values.find(({ path }) => path.length === 1 && path[0] === 'record');
  if (record === undefined) return undefined;
  return { ...positionAfter(raw, raw.text.slice(0, record.start)), text: raw.text.slice(record.start, record.end) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // `JSON.parse` never returns `undefined`.
  }
}
