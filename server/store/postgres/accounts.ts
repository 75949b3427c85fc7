/** Accounts by their name, locked against those who would remove them. */
import { StoreUnavailable } from '../store.ts';
import type { Sql } from './sql.ts';

const MAX_TRIES = 5;
const MAKE = 'INSERT INTO rollcall_accounts (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id';

interface Row {
  readonly id: number | string;
}

/**
 * In a transaction.
 * @param lock `FOR KEY SHARE` keeps the account from being removed until the transaction ends; `FOR NO KEY UPDATE` keeps
 *   others with the same lock waiting too.
 * @returns the number of an account, which is made if it is new.
 */
export async function ensureAccount(
  sql: Sql,
  name: string,
  lock: 'FOR KEY SHARE' | 'FOR NO KEY UPDATE',
): Promise<{ id: string; isNew: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const made = await sql<Row>(MAKE, [name]);
    const [found] = await sql<Row>(`SELECT id FROM rollcall_accounts WHERE name = $1 ${lock}`, [name]);
    if (found !== undefined) return { id: String(found.id), isNew: made.length > 0 };
    // It was there, and another has removed it meanwhile.
  }
  throw new StoreUnavailable('Another process removes the account. Try again.');
}
