/** Copies a database while it is in use. */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../store.ts';
import { hasNoRoom, isSqlite, translateError } from './errors.ts';
import { openOfAnyVersion, removeEmptyWal } from './database.ts';

const PRIVATE = 0o600;

/**
 * Copies one state of a store, of whatever version, to a new file; servers and imports go on meanwhile.
 * @param to a path at which there is no file, nor a log of one: SQLite would take that for the new file's.
 * @throws StoreError, and errors of the file system about the new file. Then nothing is left of it.
 */
export async function backUp(file: string, to: string): Promise<void> {
  for (const taken of [to, `${to}-wal`, `${to}-shm`, `${to}-journal`]) {
    if (existsSync(taken)) throw new StoreError(`${taken} exists already. Name a new file.`);
  }
  const db = openOfAnyVersion(file);
  const copy = `${to}.${randomUUID()}.partial`;
  const ours: string[] = [];
  try {
    closeSync(openSync(copy, 'wx', PRIVATE));
    ours.push(copy, `${copy}-journal`);
    // One state from beginning to end: a copy that follows what is written begins again with every write of another process.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await db.backup(copy);
    sync(copy);
    // Exclusively, because a rename replaces what is there.
    closeSync(openSync(to, 'wx', PRIVATE));
    ours.push(to);
    renameSync(copy, to);
    sync(dirname(to));
  } catch (error) {
    for (const it of ours) rmSync(it, { force: true });
    if (hasNoRoom(error)) throw translateError(error, to);
    if (isSqlite(error, 'SQLITE_')) throw new StoreError(`${file} was not copied: ${error.message}.`, { cause: error });
    throw error;
  } finally {
    db.close();
    removeEmptyWal(file);
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
