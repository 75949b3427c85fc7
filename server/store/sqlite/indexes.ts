/** The indexes of `records` during a large load. */
import type { Db } from './busy.ts';

const OF_RECORDS =
  "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'records' AND sql IS NOT NULL";

/**
 * Runs `work` without the indexes, and makes them anew: sorted once, they cost a third of what they do entry by entry.
 * Within a transaction, so that no other connection sees `records` without them. No two records may have one id after
 * `work`.
 */
export function rebuildingIndexes(db: Db, work: () => void): void {
  const indexes = db.prepare<[], { readonly name: string; readonly sql: string }>(OF_RECORDS).all();
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  work();
  for (const { sql } of indexes) db.exec(sql);
}

/** @returns whether the store holds more records than so many, at the cost of reading no more of them. */
export function holdsMoreThan(db: Db, records: number): boolean {
  return db.prepare<[number]>('SELECT 1 FROM records LIMIT 1 OFFSET ?').get(records) !== undefined;
}
