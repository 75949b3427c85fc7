/** The table `collections`: the number of each in `records`, and the fingerprint that its records were checked against. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import { outdatedRecords } from '../refusals.ts';
import type { Db } from './busy.ts';

// CROSS JOIN keeps the order of the tables: one index search for each account.
const HOLDS_RECORDS = `SELECT EXISTS (SELECT 1 FROM accounts CROSS JOIN records
  WHERE records.account = accounts.id AND records.collection = ?)`;

/** @returns whether the store has every collection that the contract has. */
export function hasCollections(db: Db): boolean {
  const known = new Set(db.prepare<[], string>('SELECT name FROM collections').pluck().all());
  return COLLECTIONS.every((it) => known.has(it));
}

/** Adds the collections that the contract has and the store does not, within a transaction that writes. */
export function addCollections(db: Db): void {
  const add = db.prepare('INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING');
  for (const collection of COLLECTIONS) add.run(collection);
}

/** @returns the number of a collection. */
export function numberOf(db: Db, collection: Collection): number {
  const number = db.prepare<[string], number>('SELECT id FROM collections WHERE name = ?').pluck().get(collection);
  if (number === undefined) throw new Error(`The store was opened without ${collection}.`);
  return number;
}

/** Says that every record of these collections has been checked against these fingerprints. */
export function putFingerprints(db: Db, fingerprints: Partial<SchemaHashes>): void {
  const put = db.prepare('UPDATE collections SET fingerprint = ? WHERE name = ?');
  for (const [collection, fingerprint] of Object.entries(fingerprints)) put.run(fingerprint, collection);
}

const hashesIn = (db: Db): ReadonlyMap<string, string | null> =>
  new Map(db.prepare<[], [string, string | null]>('SELECT name, fingerprint FROM collections').raw().all());

/**
 * @returns the collections whose schema hash in the store is another one. A collection that has none is not among them: nothing
 *   was loaded into it.
 */
export function changed(db: Db, hashes: Partial<SchemaHashes>): readonly Collection[] {
  const stored = hashesIn(db);
  return COLLECTIONS.filter((it) => hashes[it] !== undefined && ![null, hashes[it]].includes(stored.get(it) ?? null));
}

/** @returns the collections with records that were not checked against these schemas. */
function outdated(db: Db, hashes: Partial<SchemaHashes>): readonly Collection[] {
  const stored = hashesIn(db);
  const holdsRecords = db.prepare<[number], number>(HOLDS_RECORDS).pluck();
  const others = COLLECTIONS.filter((it) => hashes[it] !== undefined && stored.get(it) !== hashes[it]);
  return others.filter((it) => holdsRecords.get(numberOf(db, it)) === 1);
}

/** @throws StoreRefused if there are records of these collections that were checked against other fingerprints. */
export function demandCurrent(db: Db, fingerprints: Partial<SchemaHashes>): void {
  const found = outdated(db, fingerprints);
  if (found.length > 0) throw outdatedRecords(db.name, found);
}

/** @throws StoreRefused if the store must be upgraded before a server with these schema hashes serves it. */
export function assertServable(db: Db, hashes: SchemaHashes): void {
  const found = new Set([...changed(db, hashes), ...outdated(db, hashes)]);
  if (found.size > 0)
    throw outdatedRecords(
      db.name,
      COLLECTIONS.filter((it) => found.has(it)),
    );
}
