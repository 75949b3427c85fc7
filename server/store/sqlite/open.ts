/** SQLite stores by their file. */
import type { Store, Writer } from '../store.ts';
import { openForReading, openForWriting } from './database.ts';
import { createSqliteStore } from './reader.ts';
import { createSqliteWriter } from './writer.ts';

/**
 * Opens a store to serve from. A file that does not exist is made, one of an older version is migrated; after that the
 * connection only reads.
 * @throws StoreRefused
 */
export function openStore(file: string): Store {
  openForWriting(file).close();
  const store = createSqliteStore(openForReading(file));
  return {
    ...store,
    close: () => {
      void store.close();
      // A reader leaves the write-ahead log behind; the last writer to close folds it into the file.
      openForWriting(file).close();
    },
  };
}

/** @returns both sides of a store in memory, over one connection that the store closes. */
export function openInMemory(): { readonly store: Store; readonly writer: Writer } {
  const db = openForWriting(':memory:');
  return { store: createSqliteStore(db), writer: createSqliteWriter(db) };
}

/**
 * Opens a store to write to; makes or migrates the file as `openStore` does.
 * @param mustExist refuse a file that does not exist instead.
 * @throws StoreRefused
 */
export function openWriter(file: string, mustExist = false): Writer {
  return createSqliteWriter(openForWriting(file, mustExist));
}
