/** The table `rollcall_last_uses`: when each key was last used. */
import type { Sql } from './sql.ts';

// In order, so that of two servers neither waits for what the other waits for.
const PUT = `INSERT INTO rollcall_last_uses (key, at)
  SELECT key, at FROM unnest($1::text[], $2::text[]) AS used (key, at) ORDER BY key
  ON CONFLICT (key) DO UPDATE SET at = greatest(rollcall_last_uses.at, excluded.at)`;

/** Files when keys were used, in milliseconds since 1970. Several processes may do so: the later time stays. */
export async function putLastUses(sql: Sql, uses: ReadonlyMap<string, number>): Promise<void> {
  await sql(PUT, [[...uses.keys()], [...uses.values()].map((at) => new Date(at).toISOString())]);
}

/** @returns when keys were last used: ISO 8601, UTC, by the id of the key. */
export async function lastUses(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ key: string; at: string }>('SELECT key, at FROM rollcall_last_uses');
  return new Map(rows.map(({ key, at }) => [key, at]));
}

/** Forgets keys. */
export async function forgetLastUses(sql: Sql, keys: readonly string[]): Promise<void> {
  await sql('DELETE FROM rollcall_last_uses WHERE key = ANY ($1::text[])', [keys]);
}
