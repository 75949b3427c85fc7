/** Every SQL statement that serves requests is an index search in list order, without a sort, whatever the statistics say. */
import { expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { OUTDATED, POSTGRES, SERVING } from '../../../server/store/postgres/dialect.ts';
import { AUTHENTICATE, getOf, pageOf } from '../../../server/store/postgres/statements.ts';
import { DIRECTIONS } from '../../../server/store/store.ts';
import { usageSql } from '../../../server/store/usage.ts';
import { contactImport } from '../../../testkit/builders.ts';
import { contract } from '../../support/app.ts';
import { openDatabase } from '../../support/engine.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';
import { connectTo } from './rows.ts';

const STORE = ['Index Scan using rollcall_store_pkey on rollcall_store store', 'Index Cond: (id = 1)'];
const byId = (alias: string, id: string): string[] => [
  `Index Scan using rollcall_records_id on rollcall_records ${alias}`,
  `Index Cond: ((account = $1) AND (collection = $2) AND (id = ${id}))`,
];
/** @param hash which parameter it is; the time is the next. */
const liveKey = (hash: number): string[] => [
  'Index Scan using rollcall_keys_hash_key on rollcall_keys live',
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

type Statement = ReturnType<typeof getOf>;
interface Expected {
  readonly statement: Statement;
  /** See `stepsOf`. */
  readonly steps: readonly string[];
}
const planned = (statement: Statement, ...steps: readonly string[]): Expected => ({
  statement,
  steps: [...STORE, ...steps].sort(),
});

/** Every statement that serves requests, but for the one that looks at the state of the store. */
const SERVING_PLANS: readonly Expected[] = [
  planned(
    AUTHENTICATE,
    'Filter: (epoch = $2)',
    'Index Scan using rollcall_keys_hash_key on rollcall_keys live',
    'Index Cond: (hash = $1)',
    'Filter: (revoked_at IS NULL)',
    'Index Scan using rollcall_accounts_pkey on rollcall_accounts',
    'Index Cond: (id = live.account)',
  ),
  planned(getOf(false), 'Filter: (epoch = $4)', ...byId('record', '$3')),
  planned(getOf(true), 'Filter: (epoch = $4)', ...liveKey(5), ...byId('record', '$3')),
  ...DIRECTIONS.flatMap((direction) =>
    [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ].map(([filtered = false, forKey = false]) =>
      planned(
        pageOf(direction, filtered, forKey),
        'Filter: (epoch = $4)',
        ...(forKey ? liveKey(5 + Number(filtered) + Number(direction !== 'first')) : []),
        ...(direction === 'first' ? [] : byId('cursor', filtered ? '$6' : '$5')),
        `Index Scan ${direction === 'before' ? '' : 'Backward '}using ` +
          `${filtered ? 'rollcall_records_filter' : 'rollcall_records_pkey'} on rollcall_records page`,
        `Index Cond: ((account = $1) AND (collection = $2)${(filtered ? FILTERED_RANGE : RANGE)[direction]})`,
      ),
    ),
  ),
];

/** @returns what EXPLAIN says of a statement, a step or a fact a line. */
async function planOf(client: Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  return rows.map((it) => it['QUERY PLAN'].replace(/^[ >-]*/, ''));
}

/**
 * @param sql of any parameters.
 * @returns how it reads tables. Sorted: the planner may look at the key before or after the rest, for that makes no difference.
 */
async function stepsOf(client: Client, sql: string): Promise<string[]> {
  const lines = await planOf(client, `(GENERIC_PLAN, COSTS OFF) ${sql}`);
  return lines.filter((it) => !/^(Nested Loop|Limit|SubPlan)/.test(it)).sort();
}

/** The most blocks that a statement may read for so many rows: each row in another one, and the way down of five indexes. */
const mostBlocks = (rows: number): number => rows + 29;

/**
 * @param name of a statement that this connection has prepared.
 * @param values its parameters, as texts.
 * @returns how many blocks executing it reads, and how many rows it finds.
 */
async function executed(
  client: Client,
  name: string,
  values: readonly string[],
): Promise<{ blocks: number; rows: number }> {
  const literals = values.map((it) => client.escapeLiteral(it)).join(', ');
  const lines = await planOf(client, `(ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) EXECUTE ${name} (${literals})`);
  const [, rows] = /actual rows=([\d.]+)/.exec(lines[0] ?? '') ?? [];
  const [, hit = '0', read = '0'] = /^Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/m.exec(lines.join('\n')) ?? [];
  return { blocks: Number(hit) + Number(read), rows: Number(rows) };
}

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

test.each([0, 1, 3000])('statements as they are planned with %d records', async (count) => {
  const client = await openWith(count);
  for (const { statement, steps } of SERVING_PLANS) {
    const { name, text } = statement;
    expect({ name, steps: await stepsOf(client, text) }).toEqual({ name, steps });
  }
});

test('monitoring reads ranges of indexes, which end at a limit', async () => {
  const client = await openWith(1);
  const { expiring, expired, lastImports } = usageSql(POSTGRES);
  const scan = (index: string, of: string): string => `Index Only Scan ${index} on rollcall_${of}`;
  const keys = scan('using rollcall_keys_expiry', 'keys');
  expect(await stepsOf(client, expiring)).toEqual([
    'Aggregate',
    'Index Cond: ((expires_at > $1) AND (expires_at <= $2))',
    keys,
  ]);
  expect(await stepsOf(client, expired)).toEqual(['Aggregate', 'Index Cond: (expires_at <= $1)', keys]);
  expect(await stepsOf(client, lastImports)).toEqual([
    'Index Cond: (id = latest.account)',
    'Index Scan Backward using rollcall_last_imports_at on rollcall_last_imports latest',
    'Index Scan using rollcall_accounts_pkey on rollcall_accounts named',
  ]);
  for (const it of [expiring, expired, lastImports]) expect(it).toContain('LIMIT');
});

test('a page reads few blocks wherever it is, also of a rare value', async () => {
  const client = await openWith(records.length);
  const rare = records.flatMap(({ id }, at) => (at % 300 === 0 ? [id] : []));
  await client.query("UPDATE rollcall_records SET filter = 'rare' WHERE id = ANY ($1)", [rare]);
  await client.query('ANALYZE');
  const { rows: places } = await client.query<[string, string, string, string]>({
    text: 'SELECT account::text, collection::text, 11::text, epoch::text FROM rollcall_store, rollcall_records LIMIT 1',
    rowMode: 'array',
  });
  for (const direction of ['after', 'before'] as const) {
    for (const filter of [undefined, 'completed', 'rare']) {
      await client.query(`PREPARE page AS ${pageOf(direction, filter !== undefined, false).text}`);
      for (const place of [0, 1500, 2980]) {
        const more = [filter, records[place]?.id].filter((it) => it !== undefined);
        const { blocks, rows } = await executed(client, 'page', [...(places[0] ?? []), ...more]);
        const isFew = rows > 0 && blocks > 0 && blocks <= mostBlocks(11);
        expect({ direction, filter, place, rows, blocks, isFew }).toMatchObject({ isFew: true });
      }
      await client.query('DEALLOCATE page');
    }
  }
});

test('whether a load may begin is not asked of each account, also where no account has records of the collection', async () => {
  const { address, database } = await openDatabase();
  const writer = await database.openWriter();
  await loadInto(writer, 'contactImports', records.slice(0, 1), { contract });
  await writer.close();
  const client = await connectTo(address);
  await client.query("INSERT INTO rollcall_accounts (name) SELECT 'account ' || n FROM generate_series(1, 1000) AS n");
  await client.query("UPDATE rollcall_collections SET fingerprint = 'same'; ANALYZE");
  await client.query(`PREPARE outdated AS ${OUTDATED}`);
  const blocksFor = async (fingerprint: string): Promise<number> =>
    (await executed(client, 'outdated', ['{automations}', `{${fingerprint}}`, ''])).blocks;
  expect(await blocksFor('same')).toBeLessThan(5);
  expect(await blocksFor('another')).toBeGreaterThan(1000); // It has to be then.
});
