/** How many pages one connection takes, one after the other, without a network in between. */
import type { Client } from 'pg';
import { SERVING } from '../../../server/store/postgres/dialect.ts';
import { pageOf } from '../../../server/store/postgres/statements.ts';
import { median } from '../rows.ts';
import type { Row } from '../rows.ts';
import { placesIn } from './places.ts';

const ROWS = 11; // A page, and one more.
const PAGES = 20_000;

/**
 * @param client a connection of its own.
 * @param collection the number of the contact imports.
 * @returns the time of a page, from the statement to its rows, over cursors of so many accounts at random.
 */
export async function oneConnection(client: Client, collection: number, accounts: number): Promise<readonly Row[]> {
  await client.query(SERVING);
  const { rows } = await client.query<{ epoch: string }>('SELECT epoch FROM rollcall_store');
  const statement = pageOf('after', false, false);
  const us: number[] = [];
  for (const { account, id } of (await placesIn(client, accounts)).slice(0, PAGES)) {
    const started = performance.now();
    await client.query({ ...statement, values: [account, collection, ROWS, rows[0]?.epoch, id], rowMode: 'array' });
    us.push((performance.now() - started) * 1000);
  }
  return [{ work: 'page, one connection', contender: 'time, median', value: median(us), unit: 'µs' }];
}
