/** From an input to records that may be stored, and a report of those that may not. */
import { distinct, pointer } from '../contract/schema.ts';
import type { Violation } from '../contract/schema.ts';
import type { CheckedRecord } from '../store/store.ts';
import type { Check, Checked } from './check.ts';
import { JsonError, scanJson, valuesIn } from './json-text.ts';
import { after, splitRecords } from './split.ts';
import type { Piece } from './split.ts';

export interface ReadOptions {
  /** Told of every bad record; where it throws, reading ends. */
  readonly reject: (bad: Reject) => void;
  /** Called if the input is a page of a list and says that there are more; where it throws, reading ends. */
  readonly partial?: () => void;
}

/**
 * @yields the good records, in the order of the input.
 * @throws InputError where the input as a whole is broken.
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  check: Check,
  { reject, partial }: ReadOptions,
): AsyncGenerator<readonly CheckedRecord[]> {
  for await (const pieces of splitRecords(chunks, partial)) {
    const records: CheckedRecord[] = [];
    for (const piece of pieces) {
      const found = read(piece, check);
      if (found.record !== undefined) records.push(found.record);
      else reject(found.bad);
    }
    yield records;
  }
}

type Read = { readonly record: CheckedRecord } | { readonly record?: undefined; readonly bad: Reject };

function read(piece: Piece, check: Check): Read {
  const { record, violations } = checkText(piece, check);
  if (record !== undefined) return { record };
  // A line of a file of rejects, which has the record in it.
  const inner = unwrap(piece);
  return inner === undefined ? { bad: { ...piece, violations } } : read(inner, check);
}

/** @returns whether a record's text passes a check. */
export function fits(piece: Piece, check: Check): boolean {
  return checkText(piece, check).record !== undefined;
}

function checkText(piece: Piece, check: Check): Checked {
  const { text } = piece;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { violations: [{ where: 'record', what: syntaxFault(piece) }] };
  }
  const checked = check(value);
  // What is stored is as it came, or has as many members and no number that might be another.
  if (checked.record !== undefined && (checked.record.json === text || !mayBeAltered(text, value))) return checked;
  const altered = alterations(text);
  return altered.length === 0 ? checked : { violations: distinct([...altered, ...(checked.violations ?? [])]) };
}

/** @returns a place in a record's text, as a place in the input where that is known. */
function placeIn(piece: Piece, offset: number): string {
  if (piece.isQuoted === true) return `character ${String(offset + 1)}`;
  const { line, column } = after(piece, piece.text.slice(0, offset));
  return `line ${String(line)}, column ${String(column)}`;
}

function syntaxFault(piece: Piece): string {
  try {
    scanJson(piece.text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return `is not JSON: ${error.expected} is expected at ${placeIn(piece, error.offset)}`;
  }
  return 'is not JSON';
}

// What parsing changes without a word: numbers that a double does not hold as written, and names that come again.

// 16 digits or an exponent of 3: a double holds every number that is shorter.
const LONG_NUMBER = /[:[,]\s*-?(?:[\d.]{16,}|[\d.]+[eE][-+]?\d{3})/;
const NAME = /"\s*:/g;
const MAX_SHOWN = 40;

/**
 * A cheap test, because it is asked of every record.
 * @param value what the text was parsed into; nested no deeper than a record of the contract.
 * @returns whether parsing may have changed something. It can be wrong, but never if it says no.
 */
export function mayBeAltered(text: string, value: unknown): boolean {
  // In a text there may be more that looks like a name than there are members, and never less.
  return LONG_NUMBER.test(text) || text.match(NAME)?.length !== members(value);
}

function members(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : 1;
  return Object.values(value).reduce<number>((sum, it) => sum + own + members(it), 0);
}

/** @returns what parsing changes in a text, and where. Nothing is said of a text that nests too deep to be a record. */
export function alterations(text: string): readonly Violation[] {
  return valuesIn(text).flatMap(({ path, start, end, isRepeated }) => {
    if (isRepeated) return [{ where: pointer(path), what: 'is given more than once' }];
    const literal = text.slice(start, end);
    if (!/^[-\d]/.test(literal) || isHeld(literal)) return [];
    const shown = literal.length > MAX_SHOWN ? `${literal.slice(0, MAX_SHOWN)}…` : literal;
    const what = `must be a number that a double holds as written; ${shown} would become ${String(Number(literal))}`;
    return [{ where: pointer(path), what }];
  });
}

/** @returns whether what is read from a literal and written again is the same number. */
function isHeld(literal: string): boolean {
  return decimal(literal) === decimal(String(Number(literal)));
}

/** @returns a form that equal numbers share: their digits without zeros around them, and the power of ten. */
function decimal(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  const power = Number(exponent) - fraction.length + digits.length - length;
  return length === 0 ? '0' : `${sign}${digits.slice(0, length)}e${String(power)}`;
}

// The lines of a file of rejects: `{"file", "line", "violations", "record"}`, or `text` in place of `record` where that is
// not JSON. `import` reads them too, so that a record can be mended where it stands.

/** A record that is not as the contract has it. */
export interface Reject extends Piece {
  readonly violations: readonly Violation[];
}

const REASONS = ['file', 'line', 'violations'] as const;
type Reasons = Readonly<Record<(typeof REASONS)[number], unknown>>;

/** @returns the line of a bad record, with its line break. The record stands in it as it was written. */
export function rejectLine(file: string, { line, violations, text }: Reject): string {
  const reasons = JSON.stringify({ file, line, violations } satisfies Reasons).slice(0, -1);
  if (parse(text) === undefined) return `${reasons},"text":${JSON.stringify(text)}}\n`;
  // Line breaks stand between the values of a JSON text, never in them.
  return `${reasons},"record":${text.trim().replaceAll(/[\r\n]+[ \t]*/g, ' ')}}\n`;
}

/** @returns the record in a line of a file of rejects; `undefined` if the piece is no such line. */
export function unwrap(piece: Piece): Piece | undefined {
  const line = parse(piece.text);
  if (typeof line !== 'object' || line === null) return undefined;
  if (Object.keys(line).length !== REASONS.length + 1 || !REASONS.every((it) => it in line)) return undefined;
  // Of a member that is given twice, nobody knows which one is meant. Those of the record are judged with it.
  const values = valuesIn(piece.text);
  const isAmbiguous = values.some(({ isRepeated, path }) => isRepeated && (path.length === 1 || path[0] !== 'record'));
  if (values.length === 0 || isAmbiguous) return undefined;
  if ('text' in line && typeof line.text === 'string') return { ...piece, text: line.text, isQuoted: true };
  const found = values.find(({ path }) => path.length === 1 && path[0] === 'record');
  if (found === undefined) return undefined;
  return { ...after(piece, piece.text.slice(0, found.start)), text: piece.text.slice(found.start, found.end) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // No JSON text is parsed to it.
  }
}
