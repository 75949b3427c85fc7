/**
 * A sidecar file in which older versions stored keys that they created or revoked while another process wrote.
 * `upgrade` stores what is in it and removes it; until then nobody may open the database, because a revoked key would work.
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

const END = '-pending-keys';
const ALL = `SELECT is_new AS isNew, id, account, hash, label, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt FROM pending_keys ORDER BY number`;

interface PendingKey extends HashedKey {
  /** 0 for a key that was revoked alone: it is in the database, or its account was removed. */
  readonly isNew: 0 | 1;
}

/** @throws StoreError if an older version has left keys beside a database. */
export function assertNoPendingKeys(file: string): void {
  const [found] = filesOf(file);
  if (found !== undefined) throw olderStoreWithKeys(file, found);
}

/** Stores the keys that an older version has left, in a transaction. They may be stored already. */
export function storePendingKeys(db: Db): void {
  for (const { isNew, ...key } of filesOf(db.name).flatMap(readKeys)) {
    if (isNew === 1) run(db, insertKey(SQLITE, key));
    if (key.revokedAt !== null) run(db, revokeKey(SQLITE, key.id, key.revokedAt));
  }
}

/** Removes what has been stored. */
export function removePendingKeys(file: string): void {
  for (const it of filesOf(file)) for (const end of ['-journal', '']) rmSync(it + end, { force: true });
}

/** @returns what older versions named after the path as it was given, and after another name of the same file. */
function filesOf(file: string): readonly string[] {
  if (file === ':memory:') return [];
  const real = existsSync(file) ? realpathSync(file) : file;
  return [file + END, real + END].filter((it) => existsSync(it));
}

function readKeys(file: string): readonly PendingKey[] {
  let pending: Db | undefined;
  try {
    // Not read-only: a command that was killed may have left a journal, which is rolled back.
    pending = new Database(file, { fileMustExist: true, timeout: TRY_MS });
    const isEmpty = pending.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    return isEmpty ? [] : pending.prepare<[], PendingKey>(ALL).all();
  } catch (error) {
    if (!isSqlite(error, 'SQLITE_') || error.code.startsWith('SQLITE_BUSY')) throw translateError(error, file);
    throw new StoreError(
      `${file} cannot be read (${error.message}), so that nobody knows which keys it revokes. ` +
        'Let this user read it, or put a backup in its place; or remove it, run the upgrade, and revoke those keys again.',
      { cause: error },
    );
  } finally {
    pending?.close();
  }
}
