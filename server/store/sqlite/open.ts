/** SQLite stores by their file. */
import type { SchemaHashes } from '../../contract/schema.ts';
import type { Inspector } from '../inspector.ts';
import type { Store, Writer } from '../store.ts';
import type { Database } from '../database.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { backUp } from './backup.ts';
import { assertServable } from './collections.ts';
import { foldLog, openForReading, openForWriting, removeEmptyLog } from './database.ts';
import { createSqliteInspector } from './inspector.ts';
import { telling } from './faults.ts';
import { forgetLastUses, lastUses, lastUsesFaults, putLastUses } from './last-uses.ts';
import { createSqliteStore } from './reader.ts';
import { demandSound } from './soundness.ts';
import { upgrade } from './upgrade.ts';
import { createSqliteWriter } from './writer.ts';

/** @returns the database of a file. */
export const sqliteDatabase = (file: string): Database => ({
  openStore: (fingerprints) => whenFree(A_MINUTE, () => openStore(file, fingerprints)),
  openWriter: (mustExist, wait = A_MINUTE) => whenFree(wait, () => openWriter(file, mustExist, wait)),
  openInspector: () => openInspector(file),
  upgrade: (fingerprints, recheck, options) => upgrade(file, fingerprints, recheck, options),
  backUp: (to) => backUp(file, to),
  putLastUses: (uses) => {
    putLastUses(file, uses);
  },
  lastUses: () => lastUses(file),
  forgetLastUses: (keys) => {
    forgetLastUses(file, keys);
  },
  lastUsesFaults: () => lastUsesFaults(file),
});

/**
 * Opens a store to serve from. Its connection only reads.
 * @param fingerprints what the records must have been checked against (see `schemaHashes`).
 * @throws StoreRefused, also if the database must be upgraded first, or if the file is damaged. It is then as it was.
 */
export function openStore(file: string, fingerprints: SchemaHashes): Store {
  const store = telling(file, () => {
    const db = openForReading(file);
    try {
      assertServable(db, fingerprints);
      demandSound(db);
    } catch (error) {
      db.close();
      removeEmptyLog(file);
      throw error;
    }
    db.close();
    foldLog(file); // Which processes that were killed may have left.
    return createSqliteStore(openForReading(file), fingerprints);
  });
  return closedBefore(store, () => {
    foldLog(file);
  });
}

/**
 * Opens a store of this version to look at it as a whole. Nothing of it is changed.
 * @throws StoreRefused
 */
export const openInspector = (file: string): Inspector =>
  closedBefore(createSqliteInspector(openForReading(file)), () => {
    removeEmptyLog(file);
  });

/** @returns a reader after whose end something is done. */
const closedBefore = <R extends { close(): unknown }>(reader: R, then: () => void): R => ({
  ...reader,
  close: () => {
    reader.close();
    then();
  },
});

/** @returns both sides of a store in memory, over one connection that the store closes. */
export function openInMemory(fingerprints: SchemaHashes): { readonly store: Store; readonly writer: Writer } {
  const db = openForWriting(':memory:');
  return { store: createSqliteStore(db, fingerprints), writer: createSqliteWriter(db) };
}

/**
 * Opens a store of this version to write to. A new one is created.
 * @param mustExist refuse a file that does not exist instead.
 * @param wait how long each write waits while another process writes.
 * @throws StoreRefused, StoreBusy
 */
export function openWriter(file: string, mustExist = false, wait?: Wait): Writer {
  return createSqliteWriter(openForWriting(file, mustExist), wait);
}
