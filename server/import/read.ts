/** From an input to records that may be stored, and a report of those that may not. */
import { distinct } from '../contract/schema.ts';
import type { CheckedRecord } from '../store/store.ts';
import { alterations, mayBeAltered } from './alterations.ts';
import type { Check, Checked } from './check.ts';
import { JsonError, scanJson } from './json-text.ts';
import { after } from './pieces.ts';
import type { Piece } from './pieces.ts';
import { unwrap } from './rejects.ts';
import type { Reject } from './rejects.ts';
import { splitRecords } from './split.ts';

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
