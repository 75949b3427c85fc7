/** The target of the testers: a server whose records have every kind of value. */
import { loadContract } from '../../server/contract/document.ts';
import type { ServedOperation } from '../../server/contract/collections.ts';
import { startRollcall } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/builders.ts';
import { series } from '../support/series.ts';

const EXAMPLE_POSITION = { created_at: '2026-04-16 13:00:00+00' };

/** @returns the ids that the contract has as examples of a collection's items, so that examples find something. */
function exampleIds(operation: ServedOperation): readonly string[] {
  const { parameters } = contract.operation(operation);
  return [
    ...new Set(
      parameters.filter(({ schema }) => schema === contract.schemas.AnyCaseId).map((it) => String(it.example)),
    ),
  ];
}
const contract = loadContract();
const NO_COUNTS = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

/** Starts a server with more of everything than fits on the largest page. */
export async function startTarget(): Promise<TestServer> {
  return startRollcall({
    automations: [
      ...exampleIds('listAutomations').map((id) => automation({ ...EXAMPLE_POSITION, id })),
      ...series(101, automation),
      ...series(20, (at) => automation({ ...at, status: 'disabled' })),
      ...series(3, (at) => automation({ ...at, name: '' })),
    ],
    contactProperties: [
      ...exampleIds('listContactProperties').map((id) => contactProperty({ ...EXAMPLE_POSITION, id })),
      ...series(101, contactProperty),
      ...series(3, (at) => contactProperty({ ...at, fallback_value: null })),
      ...series(3, (at) => contactProperty({ ...at, type: 'number', fallback_value: 1.5 })),
      ...series(3, (at) => contactProperty({ ...at, key: ' ', type: '' })),
    ],
    contactImports: [
      ...exampleIds('listContactImports').map((id) => contactImport({ ...EXAMPLE_POSITION, id })),
      ...series(101, contactImport),
      ...series(20, (at) => contactImport({ ...at, status: 'failed' })),
      ...series(20, (at) => contactImport({ ...at, status: 'queued', completed_at: null, counts: NO_COUNTS })),
      ...series(20, (at) => contactImport({ ...at, status: 'in_progress', completed_at: null })),
    ],
  });
}
