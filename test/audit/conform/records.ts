/** Records of two accounts: all that the rules of `conform` need. */
import { COLLECTIONS } from '../../../contract/collections.ts';
import type { Contract } from '../../../contract/document.ts';
import { exampleRecords } from '../../../contract/examples.ts';
import { createBuilders } from '../../../testkit/index.ts';
import type { Records } from '../../../testkit/index.ts';

// More than a page of any limit.
const COUNT = 130;
const TIES = 4;
const STATUSES = ['queued', 'in_progress', 'completed', 'failed'] as const;

/** @param account the account of the records, from which their ids are derived. */
export function recordsOf(account: string, count = COUNT): Records {
  const { automation, contactProperty, contactImport } = createBuilders({ seed: account });
  const many = <T>(build: (at: number, created_at: string) => T): T[] =>
    Array.from({ length: count }, (_, at) => {
      const instant = new Date(Date.UTC(2026, 3, 16, 13, 10, Math.floor(at / TIES), 678));
      return build(at, instant.toISOString().replace('T', ' ').replace('Z', '+00'));
    });
  return {
    automations: many((at, created_at) => {
      const status = at % 3 === 0 ? 'disabled' : 'enabled';
      return automation({ created_at, name: `${account} № ${String(at)}`, status });
    }),
    contactProperties: many((at, created_at) => {
      return contactProperty({ created_at, key: `key_${String(at)}`, type: at % 2 === 0 ? 'string' : 'number' });
    }),
    contactImports: many((at, created_at) => contactImport({ created_at, status: STATUSES[at % 4] ?? 'failed' })),
  };
}

/** @returns the records and those of the contract's examples: the records of a seeded account. */
export function seeded(records: Records, contract: Contract): Records {
  const entries = COLLECTIONS.map((it) => [it, [...(records[it] ?? []), ...exampleRecords(contract, it)]] as const);
  return Object.fromEntries(entries); // The examples of each are its records.
}
