/** Moves a contact import on, the way a real one goes. */
import type { Schemas } from '../contract/types.ts';

type ContactImport = Schemas['ContactImport'];

/** Where an import ends, and how many records it has. */
export interface Move {
  readonly end?: 'completed' | 'failed';
  readonly total?: number;
}

const TOTAL = 1000;

/**
 * @returns the import one step on: `queued`, `in_progress` with a half of its records done, then `completed` with all of
 *   them, or `failed`. One that has ended stays as it is.
 */
export function moved(record: ContactImport, { end = 'completed', total = TOTAL }: Move): ContactImport {
  switch (record.status) {
    case 'queued':
      return { ...record, status: 'in_progress', counts: countsOf(total, Math.floor(total / 2)) };
    case 'in_progress': {
      const all = record.counts.total > 0 ? record.counts.total : total;
      const counts = end === 'completed' ? countsOf(all, all) : record.counts;
      return { ...record, status: end, completed_at: timestamp(new Date()), counts };
    }
    case 'completed':
    case 'failed':
      return record;
  }
}

/** Most create a contact, some update one, a few are skipped or fail; what is done adds up. */
function countsOf(total: number, done: number): ContactImport['counts'] {
  const [updated, skipped, failed] = [Math.floor(done / 5), Math.floor(done / 50), Math.floor(done / 100)];
  return { total, created: done - updated - skipped - failed, updated, skipped, failed };
}

const timestamp = (date: Date): string => date.toISOString().replace('T', ' ').replace('Z', '+00');
