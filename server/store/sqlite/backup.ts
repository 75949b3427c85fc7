/** Copies a database while it is in use. */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreError } from '../store.ts';
import { hasNoRoom, isSqlite, translateError } from './sqlite-errors.ts';
import { openForBackup, removeEmptyWal } from './database.ts';
import { sideFilesOf } from './names.ts';

const PRIVATE = 0o600;

/**
 * Copies one state of a database, also of an older version, to a new file. Servers and imports continue during the copy.
 * SQLite needs no other file to read the new one, so it can be read where nothing can be written.
 * @param to a path without a file, and without the WAL or journal of one: SQLite would use that for the new file.
 * @throws StoreError, and errors of the file system about the new file. The new file is then removed.
 */
export async function backUp(file: string, to: string): Promise<void> {
  for (const path of [to, ...sideFilesOf(to)]) {
    if (existsSync(path)) throw new StoreError(`${path} already exists. Choose a new file.`);
  }
  const db = openForBackup(file);
  const copy = `${to}.${randomUUID()}.partial`;
  const created: string[] = [];
  try {
    closeSync(openSync(copy, 'wx', PRIVATE));
    created.push(copy, ...sideFilesOf(copy));
    // This transaction keeps one state for the whole copy. Otherwise the copy restarts with every write of another
    // process.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await db.backup(copy);
    withoutLog(copy);
    sync(copy);
    // Created exclusively first, because a rename would replace an existing file.
    closeSync(openSync(to, 'wx', PRIVATE));
    created.push(to);
    renameSync(copy, to);
    sync(dirname(to));
  } catch (error) {
    for (const path of created) rmSync(path, { force: true });
    if (hasNoRoom(error)) throw translateError(error, to);
    if (isSqlite(error, 'SQLITE_')) throw new StoreError(`${file} was not copied: ${error.message}.`, { cause: error });
    throw error;
  } finally {
    db.close();
    removeEmptyWal(file);
  }
}

/** Has SQLite read a file without a log next to it, until the file is first written. */
function withoutLog(path: string): void {
  const db = new Database(path);
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
