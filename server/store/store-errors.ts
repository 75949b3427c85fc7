/** Errors for databases that cannot be used in their state, on any engine. Each message suggests a fix. */
import { noun } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import { shellWord } from './address.ts';
import { StoreError } from './store.ts';

/** @param db the database's name for display; here and below. */
export const noStore = (db: string, options?: ErrorOptions): StoreError =>
  new StoreError(
    `There is no Rollcall database at ${db}. Check the address, or create one with import, keys create or serve --create.`,
    options,
  );

export const olderStore = (db: string): StoreError =>
  new StoreError(
    `${db} was written by an older version of Rollcall. Back it up, then run: rollcall db upgrade --db ${shellWord(db)}`,
  );

/**
 * @param version the version of the database's tables.
 * @param known the newest version that this Rollcall supports.
 */
export const newerStore = (db: string, version: number, known: number): StoreError =>
  new StoreError(
    `${db} was written by a newer version of Rollcall (store version ${String(version)}; this version supports up to ` +
      `${String(known)}). Use the newer version.`,
  );

/** @param collections the collections whose records were checked against another version of the contract. */
export const outdatedRecords = (db: string, collections: readonly Collection[]): StoreError =>
  new StoreError(
    `The ${new Intl.ListFormat('en').format(collections.map(noun))} in ${db} were checked against another version of ` +
      `the contract and must be checked again. Back up the database, then run: rollcall db upgrade --db ${shellWord(db)}`,
  );

/** @returns the error for a database whose content was altered after it was written. */
export const damaged = (db: string, why: string, options?: ErrorOptions): StoreError =>
  new StoreError(
    `${db} is damaged (${why}). Stop all processes that use it, restore a backup, and check the disk.`,
    options,
  );
