/** Errors for databases that cannot be used as they are, on any engine. Each message says what to do. */
import { noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { shellWord } from './address.ts';
import { StoreError } from './store.ts';

/** @param db the database's name for display; here and below. */
export const noStore = (db: string, options?: ErrorOptions): StoreError =>
  new StoreError(
    `There is no database of Rollcall at ${db}. Check its name; import, keys create and serve --create make one.`,
    options,
  );

export const olderStore = (db: string): StoreError =>
  new StoreError(
    `${db} was written by an older Rollcall. Back it up, then run: rollcall upgrade --db ${shellWord(db)}`,
  );

/** @param left the sidecar file in which an older version left keys. */
export const olderStoreWithKeys = (db: string, left: string): StoreError =>
  new StoreError(
    `${db} was written by an older Rollcall, which left keys that it created or revoked in ${left}. ` +
      `Back both files up by copying them, then run: rollcall upgrade --db ${shellWord(db)}`,
  );

/**
 * @param version the version of the database's tables.
 * @param known the newest version that this Rollcall supports.
 */
export const newerStore = (db: string, version: number, known: number): StoreError =>
  new StoreError(
    `${db} was written by a newer Rollcall (store version ${String(version)}; this one knows up to ` +
      `${String(known)}). Use that version.`,
  );

/** @param collections the collections whose records were checked against another version of the contract. */
export const outdatedRecords = (db: string, collections: readonly Collection[]): StoreError =>
  new StoreError(
    `The ${new Intl.ListFormat('en').format(collections.map(noun))} in ${db} were checked against another version of ` +
      `the contract, and must be checked again. Back it up, then run: rollcall upgrade --db ${shellWord(db)}`,
  );

/** @returns the error for a database whose content is not what was written to it. */
export const damaged = (db: string, why: string, options?: ErrorOptions): StoreError =>
  new StoreError(
    `${db} is damaged (${why}). Stop what uses it, put a backup in its place, and check the disk.`,
    options,
  );

/** @returns the error for a database with a record that is not what was written to it. */
export const altered = (db: string, account: string, collection: Collection): StoreError =>
  damaged(db, `a record of the ${noun(collection)} of ${account} is not what was written; rollcall check names it`);
