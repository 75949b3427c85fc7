/** The table `collections`: the number of each in `records`, and the fingerprint that its records were checked against. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Fingerprints } from '../../contract/fingerprint.ts';
import { outdatedRecords } from '../refusals.ts';
import { write } from './busy.ts';
import type { Db } from './busy.ts';

// CROSS JOIN keeps the order of the tables: one index search for each account.
const HOLDS_RECORDS = `SELECT EXISTS (SELECT 1 FROM accounts CROSS JOIN records
  WHERE records.account = accounts.id AND records.collection = ?)`;

/** Adds the collections that the contract has and the store does not. */
export function addCollections(db: Db): void {
  const known = new Set(db.prepare<[], string>('SELECT name FROM collections').pluck().all());
  if (COLLECTIONS.every((it) => known.has(it))) return; // Without the lock that a write waits for.
  const add = db.prepare('INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING');
  write(db, () => {
    for (const collection of COLLECTIONS) add.run(collection);
  });
}

/** @returns the number of a collection. */
export function numberOf(db: Db, collection: Collection): number {
  const number = db.prepare<[string], number>('SELECT id FROM collections WHERE name = ?').pluck().get(collection);
  if (number === undefined) throw new Error(`The store was opened without ${collection}.`);
  return number;
}

/** Says that every record of these collections has been checked against these fingerprints. */
export function putFingerprints(db: Db, fingerprints: Partial<Fingerprints>): void {
  const put = db.prepare('UPDATE collections SET fingerprint = ? WHERE name = ?');
  for (const [collection, fingerprint] of Object.entries(fingerprints)) put.run(fingerprint, collection);
}

/** @returns the collections whose fingerprint in the store is another one. */
export function changed(db: Db, fingerprints: Partial<Fingerprints>): readonly Collection[] {
  const get = db.prepare<[string], string>('SELECT fingerprint FROM collections WHERE name = ?').pluck();
  return COLLECTIONS.filter((it) => fingerprints[it] !== undefined && get.get(it) !== fingerprints[it]);
}

/** @throws StoreRefused if there are records of these collections that were checked against other fingerprints. */
export function demandCurrent(db: Db, fingerprints: Partial<Fingerprints>): void {
  const holdsRecords = db.prepare<[number], number>(HOLDS_RECORDS).pluck();
  const outdated = changed(db, fingerprints).filter((it) => holdsRecords.get(numberOf(db, it)) === 1);
  if (outdated.length === 0) return;
  throw outdatedRecords(db.name, outdated);
}

/** Gives collections without records new fingerprints. @throws StoreRefused as `demandCurrent` does. */
export function adopt(db: Db, fingerprints: Fingerprints): void {
  if (changed(db, fingerprints).length === 0) return; // Without the lock that a write waits for.
  write(db, () => {
    demandCurrent(db, fingerprints);
    putFingerprints(db, fingerprints);
  });
}
