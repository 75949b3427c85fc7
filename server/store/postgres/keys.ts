/** The table `rollcall_keys`. */
import type { HashedKey, Key, NewKey } from '../store.ts';
import { ensureAccount } from './accounts.ts';
import type { Sql } from './sql.ts';

const INSERT = `INSERT INTO rollcall_keys (id, account, hash, label, created_at, expires_at, revoked_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`;
const SHOWN =
  'key.id, accounts.name AS account, label, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"';
const allOf = (what: string): string => `SELECT ${what}
  FROM rollcall_keys AS key JOIN rollcall_accounts AS accounts ON accounts.id = key.account`;
const OLDEST_FIRST = 'ORDER BY created_at, key.id';

/** See `Writer.createKey`. In a transaction. @returns whether its account is new. */
export async function insertKey(sql: Sql, key: NewKey, hash: Buffer): Promise<boolean> {
  const account = await ensureAccount(sql, key.account, 'FOR KEY SHARE');
  const ends = [key.expiresAt ?? null, key.revokedAt ?? null];
  await sql(INSERT, [key.id, account.id, hash, key.label, key.createdAt, ...ends]);
  return account.isNew;
}

/** @returns every key, oldest first. */
export const everyKey = (sql: Sql): Promise<readonly Key[]> => sql<Key>(`${allOf(SHOWN)} ${OLDEST_FIRST}`);

/** @returns the same, with their hashes. */
export const everyHashedKey = (sql: Sql): Promise<readonly HashedKey[]> =>
  sql<HashedKey>(`${allOf(`${SHOWN}, hash`)} ${OLDEST_FIRST}`);

/** See `Writer.revokeKey`. In a transaction. */
export async function revokeKey(sql: Sql, id: string, revokedAt: string): Promise<Key | undefined> {
  const [key] = await sql<Key>(`${allOf(SHOWN)} WHERE key.id = $1 FOR UPDATE OF key`, [id]);
  if (key?.revokedAt === null) await sql('UPDATE rollcall_keys SET revoked_at = $1 WHERE id = $2', [revokedAt, id]);
  return key;
}
