/** The tables `keys` and `accounts`. */
import type { HashedKey, Key } from '../store.ts';
import type { Db } from './busy.ts';

const ALL = `SELECT keys.id, accounts.name AS account, label, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt, hash
  FROM keys JOIN accounts ON accounts.id = keys.account ORDER BY created_at, keys.id`;
const INSERT = `INSERT INTO keys (id, account, hash, label, created_at, expires_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`;
const REVOKE = 'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';

/** @returns every key, oldest first. */
export const everyKey = (db: Db): readonly HashedKey[] => db.prepare<[], HashedKey>(ALL).all();

/** Inserts a key, unless there is one with its id. Makes its account if it is new. @returns whether it is. */
export function insertKey(db: Db, { id, account, hash, label, createdAt, expiresAt, revokedAt }: HashedKey): boolean {
  const { id: accountId, isNew } = ensureAccount(db, account);
  db.prepare(INSERT).run(id, accountId, hash, label, createdAt, expiresAt, revokedAt);
  return isNew;
}

/** Revokes a key, unless it was revoked before, or is not there. */
export function revokeKey(db: Db, id: string, revokedAt: NonNullable<Key['revokedAt']>): void {
  db.prepare(REVOKE).run(revokedAt, id);
}

/** @returns the number of an account, which is made if it is new. */
export function ensureAccount(db: Db, name: string): { id: number; isNew: boolean } {
  const isNew = db.prepare('INSERT INTO accounts (name) VALUES (?) ON CONFLICT DO NOTHING').run(name).changes === 1;
  const id = accountNumber(db, name);
  if (id === undefined) throw new Error('An account that was just made is not there.');
  return { id, isNew };
}

/** @returns the number of an account; `undefined` if there is none. */
export const accountNumber = (db: Db, name: string): number | undefined =>
  db.prepare<[string], number>('SELECT id FROM accounts WHERE name = ?').pluck().get(name);
