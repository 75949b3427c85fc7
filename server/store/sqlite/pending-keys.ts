/**
 * A sidecar file in which older versions stored keys that they created or revoked while another process was writing.
 * `upgrade` stores these keys in the database and removes the file. Until then no other command may open the database,
 * because a revoked key would still work.
 */
import { existsSync, realpathSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { insertKey, revokeKey } from '../accounts.ts';
import { olderStoreWithKeys } from '../errors.ts';
import { StoreError } from '../store.ts';
import type { HashedKey } from '../store.ts';
import { TRY_MS } from '../wait.ts';
import { isSqlite, translateError } from './errors.ts';
import { SQLITE, run } from './sql.ts';
import type { Db } from './sql.ts';

const SUFFIX = '-pending-keys';
const ALL = `SELECT is_new AS isNew, id, account, hash, label, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt FROM pending_keys ORDER BY number`;

interface PendingKey extends HashedKey {
  /** 0 for a key that was only revoked: it is in the database, or its account was removed. */
  readonly isNew: 0 | 1;
}

/** @throws StoreError if an older version left keys next to a database. */
export function assertNoPendingKeys(file: string): void {
  const [found] = filesOf(file);
  if (found !== undefined) throw olderStoreWithKeys(file, found);
}

/** Stores the keys that an older version left. Must run in a transaction. The keys may be stored already. */
export function storePendingKeys(db: Db): void {
  for (const { isNew, ...key } of filesOf(db.name).flatMap(readKeys)) {
    if (isNew === 1) run(db, insertKey(SQLITE, key));
    if (key.revokedAt !== null) run(db, revokeKey(SQLITE, key.id, key.revokedAt));
  }
}

/** Removes the sidecar files, after their keys have been stored. */
export function removePendingKeys(file: string): void {
  for (const it of filesOf(file)) for (const end of ['-journal', '']) rmSync(it + end, { force: true });
}

/**
 * @returns the sidecar files that exist. Older versions named them after the path as it was given, which may be the
 *   real path of the database or another name of the same file.
 */
function filesOf(file: string): readonly string[] {
  const real = existsSync(file) ? realpathSync(file) : file;
  return [file + SUFFIX, real + SUFFIX].filter((it) => existsSync(it));
}

function readKeys(file: string): readonly PendingKey[] {
  let pending: Db | undefined;
  try {
    // Not read-only: a killed command may have left a journal, which SQLite must roll back.
    pending = new Database(file, { fileMustExist: true, timeout: TRY_MS });
    const isEmpty = pending.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    return isEmpty ? [] : pending.prepare<[], PendingKey>(ALL).all();
  } catch (error) {
    if (!isSqlite(error, 'SQLITE_') || error.code.startsWith('SQLITE_BUSY')) throw translateError(error, file);
    throw new StoreError(
      `${file} cannot be read (${error.message}), so the keys that it revokes are unknown. ` +
        'Grant this user read access, or restore a backup. Otherwise, delete it, run the upgrade, and revoke those keys again.',
      { cause: error },
    );
  } finally {
    pending?.close();
  }
}
