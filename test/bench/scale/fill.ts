/** Records of many accounts, made within PostgreSQL: to load as many through Rollcall would take hours. */
import type { Client } from 'pg';

export interface Size {
  readonly records: number;
  readonly accounts: number;
}
/** @returns accounts of each size, by their numbers. */
export const accountsOf = ({ accounts }: Size): Readonly<Record<'largest' | 'middle' | 'small' | 'empty', number>> => {
  return { largest: 1, middle: 2, small: accounts >> 1, empty: accounts };
};

// As if each account had been loaded so many times: what is added later lies elsewhere.
const LOADS = 4;

// One account has a tenth of all records, one in a hundred shares a fifth of them, another one in a hundred has none.
const SIZES = `CREATE TABLE bench_sizes AS
  SELECT account, CASE
      WHEN account = 1 THEN $1::bigint / 10
      WHEN account <= 1 + $2::bigint / 100 THEN $1 / 5 * 100 / $2
      WHEN account > $2 - $2 / 100 THEN 0
      ELSE (0.7 + account % 7 / 10.0) * ($1 * 7 / 10) / ($2 * 98 / 100)
    END::bigint AS size
  FROM generate_series(1, $2) AS account ORDER BY account`;

const NAMES = `INSERT INTO rollcall_accounts (name)
  SELECT 'account-' || account FROM bench_sizes ORDER BY account`;

const KEY = 'scale-';
/** @returns the key of the account with this number. */
export const keyOf = (account: number): string => `${KEY}${String(account)}`;
const KEYS = `INSERT INTO rollcall_keys (id, account, hash, label, created_at)
  SELECT lpad(account::text, 16, '0'), account, sha256(convert_to($1 || account, 'UTF8')), '', '2026-11-01T00:00:00.000Z'
  FROM bench_sizes ORDER BY account`;

/** @returns the id of a record in SQL: `position` counts from the newest of the account. */
export const idOf = (account: string, position: string): string => `md5(${account} || '-' || ${position})::uuid`;

const textOf = (us: string): string =>
  `to_char(timestamp 'epoch' + (${us}) * interval '1 microsecond', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`;
// The same as `records.ts` makes.
const JSON_TEXT = `format(
  '{"object":"contact_import","id":"%s","status":"%s","created_at":"%s","completed_at":%s,"counts":{"total":%s,"created":%s,"updated":0,"skipped":%s,"failed":0}}',
  id, status, ${textOf('us')}, CASE WHEN ended THEN '"' || ${textOf('us + 147326000')} || '"' ELSE 'null' END,
  total, total * 9 / 10, total - total * 9 / 10)`;
// In list order within each load.
const RECORDS = `INSERT INTO rollcall_records (account, collection, created_us, id, filter, json)
  SELECT account, $1, us, id, status, ${JSON_TEXT}
  FROM (
    SELECT account, size, position, ${idOf('account', 'position')} AS id, 1793491200000000 - position * 7000000 - account AS us,
      CASE WHEN part < 5 THEN 'failed' WHEN part < 15 THEN 'queued' WHEN part < 25 THEN 'in_progress' ELSE 'completed' END AS status,
      part < 5 OR part >= 25 AS ended, CASE WHEN part < 5 OR part >= 25 THEN position % 5000 ELSE 0 END AS total
    FROM (SELECT account, size, position, (position * 7919 + account) % 1000 AS part
      FROM bench_sizes CROSS JOIN LATERAL generate_series(
        size * (${String(LOADS)} - $2::int) / ${String(LOADS)} - 1, size * (${String(LOADS)} - 1 - $2) / ${String(LOADS)}, -1) AS position
      ) AS numbered
  ) AS made`;

/**
 * Fills an empty store; the table `bench_sizes` says how many records each account has.
 * @param collection the number of the contact imports.
 * @param report called with the name of each step.
 */
export async function fill(
  client: Client,
  collection: number,
  { records, accounts }: Size,
  report: (what: string) => void,
): Promise<void> {
  report('accounts and keys');
  await client.query(SIZES, [records, accounts]);
  await client.query('ALTER TABLE bench_sizes ADD PRIMARY KEY (account)');
  await client.query(NAMES);
  await client.query(KEYS, [KEY]);
  for (let load = 0; load < LOADS; load += 1) {
    report(`records, ${String(load + 1)} of ${String(LOADS)}`);
    await client.query(RECORDS, [collection, load]);
  }
  report('statistics');
  await client.query('VACUUM ANALYZE'); // As autovacuum would, a little later.
}
