/** The table `rollcall_collections`: the number of each in the records, and the fingerprint that these were checked against. */
import { randomUUID } from 'node:crypto';
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import { outdatedRecords } from '../refusals.ts';
import type { Db, Sql } from './sql.ts';

/**
 * Parameters: names of collections, fingerprints of each, and the name of an account whose records do not count.
 * One statement, because a load may end between two. One index search for each account: LIMIT, so that it is not turned into
 * a search of all records. OFFSET, so that none of them is for a collection whose fingerprint is the same.
 */
export const OUTDATED = `SELECT it.name FROM (
    SELECT known.id, known.name FROM rollcall_collections AS known
    JOIN unnest($1::text[], $2::text[]) AS asked (name, fingerprint) ON asked.name = known.name
    WHERE known.fingerprint IS DISTINCT FROM asked.fingerprint OFFSET 0) AS it
  WHERE EXISTS (
    SELECT 1 FROM rollcall_accounts AS accounts CROSS JOIN LATERAL (
      SELECT 1 FROM rollcall_records WHERE account = accounts.id AND collection = it.id LIMIT 1) AS held
    WHERE accounts.name IS DISTINCT FROM $3)`;

interface Row {
  readonly name: string;
  readonly id: number | string;
  readonly fingerprint: string | null;
}
export interface KnownCollection {
  /** Its number in the records. */
  readonly number: number;
  readonly fingerprint: string | null;
}

/**
 * @param lock `FOR SHARE` keeps their fingerprints as they are to the end of the transaction, `FOR UPDATE` is for who changes them.
 * @returns the collections that the store knows.
 */
export async function readCollections(
  sql: Sql,
  lock: '' | 'FOR SHARE' | 'FOR UPDATE' = '',
): Promise<ReadonlyMap<string, KnownCollection>> {
  const rows = await sql<Row>(`SELECT name, id, fingerprint FROM rollcall_collections ORDER BY id ${lock}`);
  return new Map(rows.map(({ name, id, fingerprint }) => [name, { number: Number(id), fingerprint }]));
}

/** @returns a collection of those that the store knows. */
export function knownOf(known: ReadonlyMap<string, KnownCollection>, collection: Collection): KnownCollection {
  const found = known.get(collection);
  if (found === undefined) throw new Error(`The store was opened without ${collection}.`);
  return found;
}

/**
 * @returns the collections whose schema hash in the store is another one. A collection that has none is not among them: nothing
 *   was loaded into it.
 */
export const changed = (
  known: ReadonlyMap<string, KnownCollection>,
  hashes: Partial<SchemaHashes>,
): readonly Collection[] =>
  COLLECTIONS.filter(
    (it) => hashes[it] !== undefined && ![null, hashes[it]].includes(known.get(it)?.fingerprint ?? null),
  );

/**
 * @param except the name of an account whose records do not count.
 * @throws StoreRefused if there are records of these collections that were checked against other fingerprints.
 */
export async function demandCurrent(
  db: Db,
  sql: Sql,
  fingerprints: Partial<SchemaHashes>,
  except: string | null = null,
): Promise<void> {
  const found = await outdated(sql, fingerprints, except);
  if (found.length > 0) throw outdatedRecords(db.name, found);
}

/** @throws StoreRefused if the store must be upgraded before a server with these schema hashes serves it. */
export async function assertServable(db: Db, sql: Sql, hashes: SchemaHashes): Promise<void> {
  const found = new Set([...changed(await readCollections(sql), hashes), ...(await outdated(sql, hashes, null))]);
  if (found.size > 0)
    throw outdatedRecords(
      db.name,
      COLLECTIONS.filter((it) => found.has(it)),
    );
}

async function outdated(
  sql: Sql,
  hashes: Partial<SchemaHashes>,
  except: string | null,
): Promise<readonly Collection[]> {
  const asked = [Object.keys(hashes), Object.values(hashes), except];
  const found = new Set((await sql<Pick<Row, 'name'>>(OUTDATED, asked)).map(({ name }) => name));
  return COLLECTIONS.filter((it) => found.has(it));
}

/** Says that every record of these collections has been checked against these fingerprints. Locked `FOR UPDATE` before. */
export async function putFingerprints(sql: Sql, fingerprints: Partial<SchemaHashes>): Promise<void> {
  for (const [collection, fingerprint] of Object.entries(fingerprints)) {
    await sql('UPDATE rollcall_collections SET fingerprint = $1 WHERE name = $2', [fingerprint, collection]);
  }
  await beginEpoch(sql);
}

/** Has every server look at the state of the store again. */
export async function beginEpoch(sql: Sql): Promise<void> {
  await sql('UPDATE rollcall_store SET epoch = $1 WHERE id = 1', [randomUUID()]);
}
