/** What a store holds, as small as a test wants it: a store does not look into the texts that it serves. */
import { randomUUID } from 'node:crypto';
import type { Collection } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import type { Account } from '../../contract/types.ts';
import { keyHash } from '../../server/store/keys.ts';
import type { CheckedRecord, LoadResult, RecordPage, Store, Writer } from '../../server/store/store.ts';
import { eachCollection } from '../support/collections.ts';
import { each } from '../support/store.ts';

export const HASHES: SchemaHashes = eachCollection((it) => it);
export const OTHERS: SchemaHashes = eachCollection((it) => `other ${it}`);

const PREFIX = '00000000-0000-4000-8000-';
export const idOf = (number: number): string => PREFIX + String(number).padStart(12, '0');

/** @returns a record; by their instants, those of lower numbers are nearer to the head of the list. */
export function recordOf(number: number, overrides: Partial<CheckedRecord> = {}): CheckedRecord {
  const id = idOf(number);
  const json = JSON.stringify({ id, created_at: `at ${String(number)}` });
  return { id, createdUs: BigInt(-number), filter: 'enabled', json, ...overrides };
}

/** @returns the numbers of the records of a page. */
export function numbersIn(page: RecordPage<Collection> | undefined): readonly number[] | undefined {
  return page?.items.map((it) => Number((JSON.parse(it) as { id: string }).id.slice(PREFIX.length)));
}

interface Into {
  readonly account?: string;
  readonly collection?: Collection;
  readonly replace?: boolean;
  readonly hashes?: SchemaHashes;
}

/** Loads records, of each argument a batch. */
export function load(
  writer: Writer,
  { account = 'main', collection = 'automations', replace = false, hashes = HASHES }: Into,
  ...batches: readonly (readonly CheckedRecord[])[]
): Promise<LoadResult> {
  return writer.load(account, collection, each(batches), { replace, schemaHash: hashes[collection] });
}

/** @returns an account, which a key is made for. */
export async function accountOf({ store, writer }: { store: Store; writer: Writer }, name = 'main'): Promise<Account> {
  const key = randomUUID();
  await writer.createKey({ id: key, account: name, label: '', createdAt: '2026-01-01T00:00:00.000Z' }, keyHash(key));
  const caller = await store.authenticate(keyHash(key));
  if (caller === undefined) throw new Error('A new key opens nothing.');
  return caller.account;
}
