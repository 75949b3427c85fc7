/** Stores with records, as a test wants them. */
import type { Collection } from '../../contract/collections.ts';
import type { Contract } from '../../contract/document.ts';
import { schemaHashes } from '../../contract/schema.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import { createChecks } from '../../import/check.ts';
import type { LoadResult, Writer } from '../../server/store/store.ts';

interface Compiled {
  readonly checks: ReturnType<typeof createChecks>;
  readonly hashes: SchemaHashes;
}
/** Made once for each contract, which it is compiled for. */
const compiled = new WeakMap<Contract, Compiled>();

export interface LoadInto {
  readonly contract: Contract;
  readonly account?: string;
  readonly replace?: boolean;
}

/** Checks records against a contract and loads them into a store. */
export function loadInto(
  writer: Writer,
  collection: Collection,
  records: readonly object[],
  { contract, account = 'main', replace = false }: LoadInto,
): Promise<LoadResult> {
  const { checks, hashes } = compiled.get(contract) ?? {
    checks: createChecks(contract),
    hashes: schemaHashes(contract),
  };
  compiled.set(contract, { checks, hashes });
  const checked = records.map((value) => {
    const { record, violations } = checks[collection](value);
    if (record === undefined) throw new Error(`A test's record is not valid: ${JSON.stringify(violations)}`);
    return record;
  });
  return writer.load(account, collection, each([checked]), { replace, schemaHash: hashes[collection] });
}

// eslint-disable-next-line @typescript-eslint/require-await -- a load takes an async source
export async function* each<T>(batches: readonly T[]): AsyncGenerator<T> {
  yield* batches;
}
