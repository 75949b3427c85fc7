/** Copies a database while it is in use. */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreRefused } from '../store.ts';
import { hasNoRoom, isSqlite, told } from './faults.ts';
import { foldLog, openForReading } from './database.ts';
import { fileKeys, pendingKeys } from './pending-keys.ts';
import type { PendingKey } from './pending-keys.ts';

const PRIVATE = 0o600;

/**
 * Copies one state of a store, of whatever version, to a new file; servers and imports go on meanwhile.
 * @param to a path at which there is no file, nor a log of one: SQLite would take that for the new file's.
 * @throws StoreRefused, and errors of the file system.
 */
export async function backUp(file: string, to: string): Promise<void> {
  for (const taken of [to, `${to}-wal`, `${to}-shm`, `${to}-journal`]) {
    if (existsSync(taken)) throw new StoreRefused(`${taken} exists already. Name a new file.`);
  }
  const pending = pendingKeys(file); // Before the database: they are forgotten here once they are there.
  const db = openForReading(file);
  const copy = `${to}.${randomUUID()}.partial`;
  try {
    closeSync(openSync(copy, 'wx', PRIVATE));
    // One state from beginning to end: a copy that follows what is written begins again with every write of another process.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await db.backup(copy);
    if (pending.length > 0) addTo(copy, pending);
    sync(copy);
    // Taken by whoever makes it first, because a rename replaces what is there.
    closeSync(openSync(to, 'wx', PRIVATE));
    renameSync(copy, to);
    sync(dirname(to));
  } catch (error) {
    for (const end of ['', '-journal']) rmSync(copy + end, { force: true });
    if (hasNoRoom(error)) throw told(error, to);
    if (isSqlite(error, 'SQLITE_'))
      throw new StoreRefused(`${file} was not copied: ${error.message}.`, { cause: error });
    throw error;
  } finally {
    db.close();
    foldLog(file);
  }
}

function addTo(copy: string, keys: readonly PendingKey[]): void {
  const db = new Database(copy, { fileMustExist: true });
  try {
    fileKeys(db, keys);
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
