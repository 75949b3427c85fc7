/** Every SQL statement that serves requests is an index search in list order, without a sort, whatever the statistics say. */
import { expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { OUTDATED, POSTGRES } from '../../../server/store/postgres/dialect.ts';
import { SERVING } from '../../../server/store/postgres/dialect.ts';
import { pageOf } from '../../../server/store/postgres/statements.ts';
import { usageSql } from '../../../server/store/usage.ts';
import { contactImport } from '../../../testkit/builders.ts';
import { contract } from '../../support/app.ts';
import { openDatabase } from '../../support/engine.ts';
import { SERVING_PLANS, executed, mostBlocks, stepsOf } from '../../support/plans.ts';
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
