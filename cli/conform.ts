/** `rollcall conform`: the command of `audit`, and its dry run: the requests of a run, listed by a run against a server inside this process. */
import type { Command } from 'commander';
import { conformCommand as conformOfAudit } from '../command/conform.ts';
import { print } from '../command/output.ts';
import { COLLECTIONS, filterOf, recordSchemaOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import { conform } from '../audit/conform/conform.ts';
import type { Options } from '../audit/conform/conform.ts';
import type * as Kit from '../testkit/index.ts';

export const conformCommand = (): Command => conformOfAudit(listRequests);

// Loaded for this alone. In a function with `await using`, TypeScript 5.9 does not rewrite the extension of an import.
const loadKit = (): Promise<typeof Kit> => import('../testkit/index.ts');

// More than a page of any limit, with ties.
const COUNT = 130;
const TIES = 4;

/**
 * Prints the requests in order, with `<key>`, `<other key>` and `<id>` for keys and ids. Nothing is sent to the implementation. It would
 * receive these requests if it conforms. If a rule fails, the run also requests the records again.
 * @param hasOther whether there is a key of another account.
 */
async function listRequests(contract: Contract, hasOther: boolean, options: Options): Promise<void> {
  const kit = await loadKit();
  await using server = await kit.startRollcall(recordsOf(kit, contract, 'own'));
  const other = hasOther ? await server.account(recordsOf(kit, contract, 'other')) : undefined;
  const requests: string[] = [];
  const trace = (request: string): void => {
    requests.push(request.replaceAll(ANY_ID, '<id>'));
  };
  const target = { url: server.url, key: server.apiKey, otherKey: other?.apiKey };
  for await (const _ of conform(contract, target, { ...options, trace }));
  print(
    ...requests,
    '',
    `${String(requests.length)} requests would be sent for an account with ${String(COUNT)} records in each collection.`,
  );
}

const ANY_ID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** @returns records of each collection, in turn with every value of its filter. */
function recordsOf({ createBuilders }: typeof Kit, contract: Contract, seed: string): Kit.Records {
  const { build } = createBuilders({ seed });
  const many = (collection: Collection): readonly unknown[] => {
    const filter = filterOf(collection);
    const values = filter === undefined ? [] : (recordSchemaOf(contract, collection).properties?.[filter]?.enum ?? []);
    return Array.from({ length: COUNT }, (_, at) => {
      const created_at = `2026-04-16 13:${String(Math.floor(at / TIES)).padStart(2, '0')}:00.678+00`;
      const overrides = { created_at, ...(filter !== undefined && { [filter]: values[at % values.length] }) };
      return (build[collection] as (overrides: object) => unknown)(overrides); // The values are those of the collection's filter.
    });
  };
  return Object.fromEntries(COLLECTIONS.map((collection) => [collection, many(collection)])); // The builder of each collection builds its records.
}
