/** Records of two accounts: all that the rules of `conform` need. */
import { createHash } from 'node:crypto';
import { COLLECTIONS, operationsOf } from '../../server/contract/collections.ts';
import type { Contract } from '../../server/contract/document.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/index.ts';
import type { Records } from '../../server/testing/index.ts';

// More than a page of any limit.
const COUNT = 130;
const TIES = 4;

/** @returns an id that is derived from a text. */
function idOf(text: string): string {
  const hex = createHash('sha1').update(text).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const instant = (index: number): string => {
  const [minutes, seconds] = [Math.floor(index / TIES / 60), Math.floor(index / TIES) % 60];
  return `2026-04-16 13:${String(10 + minutes)}:${String(seconds).padStart(2, '0')}.678+00`;
};

interface Common {
  readonly id: string;
  readonly created_at: string;
}

/** @param account the account of the records, from which their ids are derived. */
export function recordsOf(account: string, count = COUNT): Records {
  const many = <T>(kind: string, build: (common: Common, index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) =>
      build({ id: idOf(`${account} ${kind} ${String(index)}`), created_at: instant(index) }, index),
    );
  return {
    automations: many('automation', (it, index) =>
      automation({ ...it, name: `${account} № ${String(index)}`, status: index % 3 === 0 ? 'disabled' : 'enabled' }),
    ),
    contactProperties: many('property', (it, index) =>
      contactProperty({ ...it, key: `key_${String(index)}`, type: index % 2 === 0 ? 'string' : 'number' }),
    ),
    contactImports: many('import', (it, index) => {
      const status = (['queued', 'in_progress', 'completed', 'failed'] as const)[index % 4] ?? 'failed';
      const hasEnded = status === 'completed' || status === 'failed';
      return contactImport({ ...it, status, completed_at: hasEnded ? '2026-04-16 15:52:08.004512+00' : null });
    }),
  };
}

/** @returns the records and those of the contract's examples: the records of a seeded account. */
export function seeded(records: Records, contract: Contract): Records {
  const entries = COLLECTIONS.map((it) => {
    const { responses } = contract.operation(operationsOf(it).list);
    const example = responses.get(200)?.content?.['application/json']?.example as { readonly data: readonly unknown[] }; // Of a list.
    return [it, [...(records[it] ?? []), ...example.data]] as const;
  });
  return Object.fromEntries(entries); // The examples of each are its records.
}
