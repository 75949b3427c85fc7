/** What records take on disk, and how much of it is worth being in memory. */
import type { Client } from 'pg';
import type { Row } from '../rows.ts';

const SIZES = `SELECT relname AS name, pg_relation_size(oid)::float8 AS bytes, relkind = 'i' AS "isIndex"
  FROM pg_class WHERE relname LIKE 'rollcall\\_records%' AND relkind IN ('r', 'i') ORDER BY relkind DESC, relname`;
const INNER = 'SELECT tree_level, internal_pages * 8192.0::float8 AS bytes FROM pgstatindex($1)';
const WHOLE = `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
  WHERE relname = ANY ($1)`;

/** @returns bytes per record of the table and of each index, of the inner blocks of the indexes, and of the rest per account. */
export async function storage(client: Client, accounts: number): Promise<readonly Row[]> {
  await client.query('CREATE EXTENSION IF NOT EXISTS pgstattuple');
  const { rows: counts } = await client.query<{ count: string }>('SELECT count(*) AS count FROM rollcall_records');
  const records = Number(counts[0]?.count);
  const perRecord = (contender: string, bytes: number): Row => {
    return { work: 'storage per record', contender, value: bytes / records, unit: 'B' };
  };
  const { rows: relations } = await client.query<{ name: string; bytes: number; isIndex: boolean }>(SIZES);
  const inner: Row[] = [];
  for (const { name } of relations.filter((it) => it.isIndex)) {
    const { rows } = await client.query<{ tree_level: number; bytes: number }>(INNER, [name]);
    const [{ tree_level: levels, bytes } = { tree_level: NaN, bytes: NaN }] = rows;
    inner.push(perRecord(`inner blocks of ${name}, ${String(levels + 1)} levels`, bytes));
  }
  const { rows: others } = await client.query<{ bytes: number }>(WHOLE, [['rollcall_accounts', 'rollcall_keys']]);
  return [
    ...relations.map(({ name, bytes }) => perRecord(name, bytes)),
    perRecord(
      'table and indexes',
      relations.reduce((sum, { bytes }) => sum + bytes, 0),
    ),
    ...inner,
    { work: 'storage per account', contender: 'with one key', value: (others[0]?.bytes ?? NaN) / accounts, unit: 'B' },
  ];
}
