/** What a database holds, by a connection of a test's own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterTest } from '../../support/after-test.ts';

/** @returns a connection; ended when the test has ended. */
export async function connectTo(address: string): Promise<Client> {
  const client = new Client({ connectionString: address, connectionTimeoutMillis: 20_000, query_timeout: 20_000 });
  client.on('error', () => undefined); // Its query tells as well.
  await client.connect();
  afterTest(() => client.end());
  return client;
}

/** @returns the texts of all records of the collection whose number it is, in list order. */
export async function heldIn(client: Client, collection: number): Promise<unknown[]> {
  const { rows } = await client.query<{ json: string }>(
    'SELECT json FROM rollcall_records WHERE collection = $1 ORDER BY created_us DESC, id DESC',
    [collection],
  );
  return rows.map(({ json }) => JSON.parse(json) as unknown);
}

const ASK_AGAIN_MS = 20;

/** Waits until another connection to the database is in a state, by a condition on `pg_stat_activity`. */
export async function untilActivity(address: string, condition: string): Promise<void> {
  // A connection of its own: within a transaction the view does not change.
  const client = await connectTo(address);
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`;
  while ((await client.query(sql)).rowCount === 0) await sleep(ASK_AGAIN_MS);
}
