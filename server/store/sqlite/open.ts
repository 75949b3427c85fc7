/** SQLite stores by their file. */
import type { Fingerprints } from '../../contract/fingerprint.ts';
import type { Inspector } from '../inspector.ts';
import { olderStore } from '../refusals.ts';
import type { Store, Writer } from '../store.ts';
import type { Database } from '../database.ts';
import { backUp } from './backup.ts';
import { adopt } from './collections.ts';
import { foldLog, isUpToDate, openForReading, openForWriting } from './database.ts';
import { createSqliteInspector } from './inspector.ts';
import { telling } from './faults.ts';
import { forgetLastUses, lastUses, putLastUses } from './last-uses.ts';
import { createSqliteStore } from './reader.ts';
import { demandSound } from './soundness.ts';
import { createSqliteWriter } from './writer.ts';

/** @returns the database of a file. */
export const sqliteDatabase = (file: string): Database => ({
  openStore: (fingerprints) => openStore(file, fingerprints),
  openWriter: (mustExist) => openWriter(file, mustExist),
  openInspector: () => openInspector(file),
  backUp: (to) => backUp(file, to),
  putLastUses: (uses) => {
    putLastUses(file, uses);
  },
  lastUses: () => lastUses(file),
  forgetLastUses: (keys) => {
    forgetLastUses(file, keys);
  },
});

/**
 * Opens a store to serve from. A file that does not exist is made, one of an older version is migrated; after that the
 * connection only reads.
 * @param fingerprints what the records must have been checked against (see `fingerprintsOf`).
 * @throws StoreRefused, also if there are records that were checked against others, or if the file is damaged.
 */
export function openStore(file: string, fingerprints: Fingerprints): Store {
  const store = telling(file, () => {
    const db = openForWriting(file);
    try {
      adopt(db, fingerprints);
      demandSound(db);
    } finally {
      db.close();
    }
    return createSqliteStore(openForReading(file), fingerprints);
  });
  return foldingLog(file, store);
}

/**
 * Opens an up-to-date store to look at it as a whole. Nothing is made, migrated or changed.
 * @throws StoreRefused
 */
export function openInspector(file: string): Inspector {
  const db = openForReading(file);
  if (isUpToDate(db)) return foldingLog(file, createSqliteInspector(db));
  db.close();
  throw olderStore(file);
}

/** @returns a reader that folds the log once it is closed. */
function foldingLog<R extends { close(): unknown }>(file: string, reader: R): R {
  return {
    ...reader,
    close: () => {
      reader.close();
      foldLog(file);
    },
  };
}

/** @returns both sides of a store in memory, over one connection that the store closes. */
export function openInMemory(fingerprints: Fingerprints): { readonly store: Store; readonly writer: Writer } {
  const db = openForWriting(':memory:');
  adopt(db, fingerprints);
  return { store: createSqliteStore(db, fingerprints), writer: createSqliteWriter(db) };
}

/**
 * Opens a store to write to; makes or migrates the file as `openStore` does.
 * @param mustExist refuse a file that does not exist instead.
 * @throws StoreRefused
 */
export function openWriter(file: string, mustExist = false): Writer {
  return createSqliteWriter(openForWriting(file, mustExist));
}
