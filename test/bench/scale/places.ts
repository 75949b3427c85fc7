/** Records at random, as cursors. */
import type { Client } from 'pg';
import { idOf } from './fill.ts';

const PLACES = 200_000;

export interface Place {
  readonly account: number;
  readonly id: string;
}

/** @returns records at random, each of one of so many accounts: which account is as likely as another. */
export async function placesIn(client: Client, accounts: number): Promise<readonly Place[]> {
  const { rows } = await client.query<Place>(
    `SELECT account::int, ${idOf('account', 'floor(random() * size)')} AS id
     FROM (SELECT 1 + floor(random() * $1)::bigint AS account FROM generate_series(1, $2)) AS chosen
     JOIN bench_sizes USING (account) WHERE size > 0 ORDER BY random()`,
    [accounts, PLACES],
  );
  return rows;
}
