/** What the testers are pointed at: a server whose records have every kind of value, and the contract. */
import { startRollcall } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/builders.ts';
import { series } from '../support/series.ts';

/** The id that the contract gives as its example of one, so that examples find something. */
export const EXAMPLE_ID = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const NO_COUNTS = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

/** Starts a server with more of everything than fits on the largest page. */
export async function startTarget(): Promise<TestServer> {
  return startRollcall({
    automations: [
      automation({ id: EXAMPLE_ID, created_at: '2026-04-16 13:00:00+00' }),
      ...series(101, automation),
      ...series(20, (at) => automation({ ...at, status: 'disabled' })),
      ...series(3, (at) => automation({ ...at, name: '' })),
    ],
    contactProperties: [
      contactProperty({ id: EXAMPLE_ID, created_at: '2026-04-16 13:00:00+00' }),
      ...series(101, contactProperty),
      ...series(3, (at) => contactProperty({ ...at, fallback_value: null })),
      ...series(3, (at) => contactProperty({ ...at, type: 'number', fallback_value: 1.5 })),
      ...series(3, (at) => contactProperty({ ...at, key: ' ', type: '' })),
    ],
    contactImports: [
      contactImport({ id: EXAMPLE_ID, created_at: '2026-04-16 13:00:00+00' }),
      ...series(101, contactImport),
      ...series(20, (at) => contactImport({ ...at, status: 'failed' })),
      ...series(20, (at) => contactImport({ ...at, status: 'queued', completed_at: null, counts: NO_COUNTS })),
      ...series(20, (at) => contactImport({ ...at, status: 'in_progress', completed_at: null })),
    ],
  });
}
