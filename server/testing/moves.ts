/** Moves a contact import on, the way a real one goes. */
import type { Contract } from '../contract/document.ts';
import { fromMicroseconds } from '../contract/timestamp.ts';
import type { Schemas } from '../contract/types.ts';
import { demandKnown, demandWhole } from './demand.ts';

type ContactImport = Schemas['ContactImport'];
type Counts = ContactImport['counts'];

/** Where an import ends, and how many records it has. */
export interface Move {
  readonly end?: 'completed' | 'failed';
  readonly total?: number;
}

const TOTAL = 1000;
const OPTIONS: readonly string[] = ['end', 'total'] satisfies (keyof Move)[];
const ENDS: readonly string[] = ['completed', 'failed'] satisfies Move['end'][];

/** @throws TypeError or RangeError if a move is not one that can be made. */
export function demandMove({ schemas }: Contract, move: Move): void {
  demandKnown('option of a move', Object.keys(move), OPTIONS);
  if (move.end !== undefined) demandKnown('end of an import', [move.end], ENDS);
  const { minimum = 0, maximum = 0 } = schemas.ContactImportCounts.properties?.['total'] ?? {};
  if (move.total !== undefined) demandWhole('total', move.total, minimum, maximum);
}

/**
 * @returns the import one step on: `queued`, `in_progress` with a half of its records done, then `completed` with all of
 *   them, or `failed`. One that has ended stays as it is.
 */
export function moved(record: ContactImport, { end = 'completed', total = TOTAL }: Move): ContactImport {
  switch (record.status) {
    case 'queued':
      return { ...record, status: 'in_progress', counts: unfinishedCounts('in_progress', total) };
    case 'in_progress': {
      const all = record.counts.total > 0 ? record.counts.total : total;
      const counts = end === 'completed' ? countsOf(all, all) : record.counts;
      return { ...record, status: end, completed_at: fromMicroseconds(BigInt(Date.now()) * 1000n), counts };
    }
    case 'completed':
    case 'failed':
      return record;
  }
}

/** @returns the counts of an import that has not completed: none while it is queued, and then a half. */
export function unfinishedCounts(status: Exclude<ContactImport['status'], 'completed'>, total: number): Counts {
  return status === 'queued' ? countsOf(0, 0) : countsOf(total, Math.floor(total / 2));
}

/** Most create a contact, some update one, a few are skipped or fail; what is done adds up. */
function countsOf(total: number, done: number): Counts {
  const [updated, skipped, failed] = [Math.floor(done / 5), Math.floor(done / 50), Math.floor(done / 100)];
  return { total, created: done - updated - skipped - failed, updated, skipped, failed };
}
