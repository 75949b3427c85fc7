/**
 * The table of collections. It holds the number of each collection, which its records refer to, and the hash of the
 * schema that its records were checked against.
 */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import { outdatedRecords } from './store-errors.ts';
import { query } from './sql.ts';
import type { Dialect, Int, Steps } from './sql.ts';

export interface StoredCollection {
  /** The number that the table of records has for this collection. */
  readonly number: number;
  /** The schema hash; `null` if nothing was loaded into the collection. */
  readonly hash: string | null;
}
/** The collections of a store, by name. */
export type StoredCollections = ReadonlyMap<string, StoredCollection>;

interface Row {
  readonly name: string;
  readonly id: Int;
  readonly fingerprint: string | null;
}

/**
 * @param lock `FOR SHARE` prevents changes to the schema hashes until the transaction ends. `FOR UPDATE` is for a
 *   transaction that changes them.
 * @returns the collections of the store.
 */
export function* readCollections(dialect: Dialect, lock?: 'FOR SHARE' | 'FOR UPDATE'): Steps<StoredCollections> {
  const clause = lock === undefined ? '' : dialect.lock(lock);
  const rows = yield* query<Row>(
    `SELECT name, id, fingerprint FROM ${dialect.prefix}collections ORDER BY id ${clause}`,
  );
  return new Map(rows.map(({ name, id, fingerprint }) => [name, { number: Number(id), hash: fingerprint }]));
}

/** @returns a collection of the store. */
export function collectionIn(stored: StoredCollections, collection: Collection): StoredCollection {
  const found = stored.get(collection);
  if (found === undefined) throw new Error(`The store was opened without ${collection}.`);
  return found;
}

/** @returns whether a store has every collection of the contract. */
export const isComplete = (stored: StoredCollections): boolean =>
  COLLECTIONS.every((collection) => stored.has(collection));

/**
 * Inserts the collections of the contract that the store does not have. Must run in a transaction that excludes others.
 */
export function* addCollections(dialect: Dialect): Steps<void> {
  const stored = yield* readCollections(dialect);
  let last = Math.max(0, ...[...stored.values()].map(({ number }) => number));
  for (const collection of COLLECTIONS.filter((known) => !stored.has(known))) {
    last += 1;
    yield* query(`INSERT INTO ${dialect.prefix}collections (id, name) VALUES ($1, $2)`, [last, collection]);
  }
}

/**
 * @returns the collections whose schema hash in the store differs from the one in `hashes`. A collection without a
 *   schema hash in the store is not among them, because nothing was loaded into it.
 */
export const changed = (stored: StoredCollections, hashes: Partial<SchemaHashes>): readonly Collection[] =>
  COLLECTIONS.filter(
    (collection) =>
      hashes[collection] !== undefined && ![null, hashes[collection]].includes(stored.get(collection)?.hash ?? null),
  );

/** @returns the collections with records that were checked against other schemas. */
function* outdated(
  dialect: Dialect,
  hashes: Partial<SchemaHashes>,
  except: string | null,
): Steps<readonly Collection[]> {
  const { sql, values } = dialect.outdated(hashes, except);
  const found = new Set((yield* query<Pick<Row, 'name'>>(sql, values)).map(({ name }) => name));
  return COLLECTIONS.filter((collection) => found.has(collection));
}

/**
 * @param db the database's name for display; here and below.
 * @param except the name of an account whose records are ignored.
 * @throws StoreError if these collections have records that were checked against other schemas.
 */
export function* assertCurrent(
  dialect: Dialect,
  db: string,
  hashes: Partial<SchemaHashes>,
  except: string | null = null,
): Steps<void> {
  const found = yield* outdated(dialect, hashes, except);
  if (found.length > 0) throw outdatedRecords(db, found);
}

/** @throws StoreError if the store must be upgraded before a server with these schema hashes serves it. */
export function* assertServable(dialect: Dialect, db: string, hashes: SchemaHashes): Steps<void> {
  const stored = yield* readCollections(dialect);
  const found = new Set([...changed(stored, hashes), ...(yield* outdated(dialect, hashes, null))]);
  const inOrder = COLLECTIONS.filter((collection) => found.has(collection));
  if (inOrder.length > 0) throw outdatedRecords(db, inOrder);
}

/**
 * Stores the hashes of the schemas that every record of these collections has been checked against. The caller must
 * have locked the rows of these collections.
 */
export function* putHashes(dialect: Dialect, hashes: Partial<SchemaHashes>): Steps<void> {
  for (const [collection, hash] of Object.entries(hashes)) {
    yield* query(`UPDATE ${dialect.prefix}collections SET fingerprint = $1 WHERE name = $2`, [hash, collection]);
  }
  yield* beginGeneration(dialect);
}

/** Makes every server read the state of the store again. */
export function* beginGeneration({ newGeneration }: Dialect): Steps<void> {
  if (newGeneration === undefined) return;
  const { sql, values } = newGeneration();
  yield* query(sql, values);
}
