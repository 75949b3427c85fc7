/** From an input to records that may be stored, and a report of those that may not. */
import type { CheckedRecord } from '../store/store.ts';
import type { Check } from './check.ts';
import type { Violation } from '../contract/schema.ts';
import type { Piece } from './pieces.ts';
import { splitRecords } from './split.ts';

/** A record that is not as the contract has it. */
export interface Reject extends Piece {
  readonly violations: readonly Violation[];
}

/**
 * @param reject told of every bad record; where it throws, reading ends.
 * @yields the good records, in the order of the input.
 * @throws InputError where the input as a whole is broken.
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  check: Check,
  reject: (bad: Reject) => void,
): AsyncGenerator<readonly CheckedRecord[]> {
  for await (const pieces of splitRecords(chunks)) {
    const records: CheckedRecord[] = [];
    for (const piece of pieces) {
      const { record, violations } = checkText(piece.text, check);
      if (record === undefined) reject({ ...piece, violations });
      else records.push(record);
    }
    yield records;
  }
}

function checkText(text: string, check: Check): ReturnType<Check> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : String(error);
    return { violations: [{ where: 'record', what: `is not JSON: ${reason}` }] };
  }
  return check(value);
}
