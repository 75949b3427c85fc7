/** Statements on the tables of accounts and of their keys. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { AccountRow } from './records.ts';
import { collectionIn, readCollections } from './schema-hashes.ts';
import { StoreUnavailable } from './store.ts';
import type { AccountSummary, HashedKey, Key } from './store.ts';
import { query } from './sql.ts';
import type { Dialect, Int, Steps } from './sql.ts';

const MAX_TRIES = 5;
const KEY = `keys.id, accounts.name AS account, label, created_at AS "createdAt", expires_at AS "expiresAt",
  revoked_at AS "revokedAt"`;

const keysOf = ({ prefix }: Dialect): string =>
  `FROM ${prefix}keys AS keys JOIN ${prefix}accounts AS accounts ON accounts.id = keys.account`;

/**
 * Finds an account, and inserts it if it is new. Must run in a transaction.
 * @param lock the lock on the account's row. `FOR KEY SHARE` prevents the removal of the account until the transaction
 *   ends. `FOR NO KEY UPDATE` also blocks other transactions that request the same lock.
 * @returns the id of the account, and whether this call inserted it.
 */
export function* ensureAccount(
  dialect: Dialect,
  name: string,
  lock: 'FOR KEY SHARE' | 'FOR NO KEY UPDATE',
): Steps<{ readonly id: Int; readonly isNew: boolean }> {
  const accounts = `${dialect.prefix}accounts`;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const inserted = yield* query(
      `INSERT INTO ${accounts} (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id`,
      [name],
    );
    const [found] = yield* query<{ id: Int }>(`SELECT id FROM ${accounts} WHERE name = $1 ${dialect.lock(lock)}`, [
      name,
    ]);
    if (found !== undefined) return { id: found.id, isNew: inserted.length > 0 };
    // The account existed at the INSERT, and another process removed it before the SELECT.
  }
  throw new StoreUnavailable('Another process is removing the account. Try again.');
}

export const accountsByName = ({ prefix }: Dialect): Steps<readonly AccountRow[]> =>
  query<AccountRow>(`SELECT id, name FROM ${prefix}accounts ORDER BY name`);

/** @returns what each account holds, sorted by name. */
export function* accountSummaries(dialect: Dialect): Steps<readonly AccountSummary[]> {
  const { prefix } = dialect;
  const stored = yield* readCollections(dialect);
  const keys = yield* query<{ account: Int; count: Int }>(
    `SELECT account, count(*) AS count FROM ${prefix}keys
      WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) GROUP BY account`,
    [new Date().toISOString()],
  );
  const records = yield* query<{ account: Int; collection: Int; count: Int }>(
    `SELECT account, collection, count(*) AS count FROM ${prefix}records GROUP BY account, collection`,
  );
  const keysOf = new Map(keys.map((row) => [row.account, Number(row.count)]));
  const recordsOf = new Map(
    records.map((row) => [`${String(row.account)} ${String(row.collection)}`, Number(row.count)]),
  );
  return (yield* accountsByName(dialect)).map(({ id, name }) => {
    const countOf = (collection: Collection): number =>
      recordsOf.get(`${String(id)} ${String(collectionIn(stored, collection).number)}`) ?? 0;
    return {
      name,
      keys: keysOf.get(id) ?? 0,
      records: Object.fromEntries(
        COLLECTIONS.map((collection) => [collection, countOf(collection)]),
      ) as AccountSummary['records'], // One for each.
    };
  });
}

/**
 * Removes an account with its records and keys. Must run in a transaction.
 * @param agree called with what the account holds, before it is removed. What it throws ends the transaction.
 * @returns whether the account existed.
 */
export function* removeAccount(dialect: Dialect, name: string, agree?: (held: AccountSummary) => void): Steps<boolean> {
  const { prefix, lock } = dialect;
  const [found] = yield* query<{ id: Int }>(`SELECT id FROM ${prefix}accounts WHERE name = $1 ${lock('FOR UPDATE')}`, [
    name,
  ]);
  if (found === undefined) return false;
  // The row of the account keeps off loads and new keys; these rows keep off revocations.
  yield* query(`SELECT id FROM ${prefix}keys WHERE account = $1 ${lock('FOR UPDATE')}`, [found.id]);
  const held = agree && (yield* accountSummaries(dialect)).find((account) => account.name === name);
  if (held !== undefined) agree?.(held);
  for (const table of ['records', 'keys', 'last_imports'])
    yield* query(`DELETE FROM ${prefix}${table} WHERE account = $1`, [found.id]);
  yield* query(`DELETE FROM ${prefix}accounts WHERE id = $1`, [found.id]);
  return true;
}

/**
 * Inserts a key, unless a key with the same id exists. Inserts the account if it is new. Must run in a transaction.
 * @returns whether the account is new.
 */
export function* insertKey(dialect: Dialect, key: HashedKey): Steps<boolean> {
  const account = yield* ensureAccount(dialect, key.account, 'FOR KEY SHARE');
  yield* query(
    `INSERT INTO ${dialect.prefix}keys (id, account, hash, label, created_at, expires_at, revoked_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    [key.id, account.id, key.hash, key.label, key.createdAt, key.expiresAt, key.revokedAt],
  );
  return account.isNew;
}

/** @returns every key, oldest first. */
export const everyKey = (dialect: Dialect): Steps<readonly HashedKey[]> =>
  query<HashedKey>(`SELECT ${KEY}, hash ${keysOf(dialect)} ORDER BY created_at, keys.id`);

/** @returns the key with an id; `undefined` if there is none. */
export function* findKey(dialect: Dialect, id: string): Steps<Key | undefined> {
  return (yield* query<Key>(`SELECT ${KEY} ${keysOf(dialect)} WHERE keys.id = $1`, [id]))[0];
}

/**
 * Revokes a key, if it exists and is not revoked yet. Must run in a transaction.
 * @returns the key as it was before; `undefined` if there is none.
 */
export function* revokeKey(dialect: Dialect, id: string, revokedAt: string): Steps<Key | undefined> {
  const lock = dialect.lock('FOR UPDATE OF keys');
  const [key] = yield* query<Key>(`SELECT ${KEY} ${keysOf(dialect)} WHERE keys.id = $1 ${lock}`, [id]);
  if (key?.revokedAt === null) {
    yield* query(`UPDATE ${dialect.prefix}keys SET revoked_at = $1 WHERE id = $2`, [revokedAt, id]);
  }
  return key;
}
