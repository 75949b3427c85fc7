/** Every SQL statement that serves requests is an index search in list order, without a sort, whatever the statistics say. */
import { expect, test } from '@jest/globals';
import type { Client } from 'pg';
import type { Prepared } from '../../../server/store/postgres/batches.ts';
import { SERVING } from '../../../server/store/postgres/dialect.ts';
import { AUTHENTICATE, DIRECTIONS, getOf, pageOf } from '../../../server/store/postgres/statements.ts';
import { contactImport } from '../../../server/testing/builders.ts';
import { contract } from '../../support/app.ts';
import { openDatabase } from '../../support/engine.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';
import { connectTo } from './rows.ts';

const records = series(3000, contactImport);

/** @returns a connection like those that serve, to a database with so many records and statistics of them. */
async function openWith(count: number): Promise<Client> {
  const { address, database } = await openDatabase();
  const writer = await database.openWriter();
  await loadInto(writer, 'contactImports', records.slice(0, count), { contract });
  await writer.close();
  const client = await connectTo(address);
  await client.query('ANALYZE'); // All records have one value of the filter: by this, its index is of no use.
  await client.query(SERVING);
  return client;
}

async function planOf(client: Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  return rows.map((it) => it['QUERY PLAN'].replace(/^[ >-]*/, ''));
}

const STORE = ['Index Scan using rollcall_store_pkey on rollcall_store store', 'Index Cond: (id = 1)'];
const byId = (alias: string, id: string): string[] => [
  `Index Scan using rollcall_records_id on rollcall_records ${alias}`,
  `Index Cond: ((account = $1) AND (collection = $2) AND (id = ${id}))`,
];
/** @param hash which parameter it is; the time is the next. */
const liveKey = (hash: number): string[] => [
  'Index Scan using rollcall_keys_hash_key on rollcall_keys filed',
  `Index Cond: (hash = $${String(hash)})`,
  `Filter: ((revoked_at IS NULL) AND ((expires_at IS NULL) OR (expires_at > $${String(hash + 1)})) AND ((account + 0) = $1))`,
];
const RANGE = {
  first: '',
  after: ' AND (ROW(created_us, id) < ROW(cursor.created_us, cursor.id))',
  before: ' AND (ROW(created_us, id) > ROW(cursor.created_us, cursor.id))',
};
const FILTERED_RANGE = {
  first: ' AND (filter >= $5) AND (filter <= $5)',
  after: ' AND (filter >= $5) AND (ROW(filter, created_us, id) < ROW($5, cursor.created_us, cursor.id))',
  before: ' AND (filter <= $5) AND (ROW(filter, created_us, id) > ROW($5, cursor.created_us, cursor.id))',
};
const expected: readonly (readonly [Prepared, ...string[]])[] = [
  [
    AUTHENTICATE,
    'Filter: (epoch = $2)',
    'Index Scan using rollcall_keys_hash_key on rollcall_keys filed',
    'Index Cond: (hash = $1)',
    'Filter: (revoked_at IS NULL)',
    'Index Scan using rollcall_accounts_pkey on rollcall_accounts',
    'Index Cond: (id = filed.account)',
  ],
  [getOf(false), 'Filter: (epoch = $4)', ...byId('record', '$3')],
  [getOf(true), 'Filter: (epoch = $4)', ...liveKey(5), ...byId('record', '$3')],
  ...DIRECTIONS.flatMap((direction) =>
    [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ].map(([filtered = false, forKey = false]): [Prepared, ...string[]] => [
      pageOf(direction, filtered, forKey),
      'Filter: (epoch = $4)',
      ...(forKey ? liveKey(5 + Number(filtered) + Number(direction !== 'first')) : []),
      ...(direction === 'first' ? [] : byId('cursor', filtered ? '$6' : '$5')),
      `Index Scan ${direction === 'before' ? '' : 'Backward '}using ` +
        `${filtered ? 'rollcall_records_filter' : 'rollcall_records_pkey'} on rollcall_records page`,
      `Index Cond: ((account = $1) AND (collection = $2)${(filtered ? FILTERED_RANGE : RANGE)[direction]})`,
    ]),
  ),
];

test.each([0, 1, 3000])('statements as they are planned with %d records', async (count) => {
  const client = await openWith(count);
  for (const [{ name, text }, ...plan] of expected) {
    const lines = await planOf(client, `(GENERIC_PLAN, COSTS OFF) ${text}`);
    const steps = lines.filter((it) => !/^(Nested Loop|Limit|SubPlan)/.test(it));
    // The planner may look at the key first: sorted, for that makes no difference.
    expect({ name, steps: steps.sort() }).toEqual({ name, steps: [...STORE, ...plan].sort() });
  }
});

test('a page reads few blocks wherever it is, also of a rare value', async () => {
  const client = await openWith(records.length);
  const rare = records.flatMap(({ id }, at) => (at % 300 === 0 ? [id] : []));
  await client.query("UPDATE rollcall_records SET filter = 'rare' WHERE id = ANY ($1)", [rare]);
  await client.query('ANALYZE');
  const { rows } = await client.query<{ places: string }>(
    "SELECT format('%s, %s, 11, %L', account, collection, epoch) AS places FROM rollcall_store, rollcall_records LIMIT 1",
  );
  for (const direction of ['after', 'before'] as const) {
    for (const filter of [undefined, 'completed', 'rare']) {
      await client.query(`PREPARE page AS ${pageOf(direction, filter !== undefined, false).text}`);
      for (const place of [0, 1500, 2980]) {
        const values = [filter, records[place]?.id].flatMap((it) => (it === undefined ? [] : [`'${it}'`]));
        const page = `EXECUTE page (${[rows[0]?.places, ...values].join(', ')})`;
        const plan = await planOf(client, `(ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) ${page}`);
        const [, blocks] = /^Buffers: shared hit=(\d+)$/m.exec(plan.join('\n')) ?? [];
        expect({ direction, filter, place, isFew: Number(blocks) <= 40 }).toMatchObject({ isFew: true });
      }
      await client.query('DEALLOCATE page');
    }
  }
});
