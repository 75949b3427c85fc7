/** An upgrade is planned by what the tables hold now: by the statistics of an empty table, each batch read the whole account. */
import { expect, test } from '@jest/globals';
import { schemaHashes } from '../../../contract/schema.ts';
import { createChecks } from '../../../import/check.ts';
import { contactImport } from '../../../testkit/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { openDatabase } from '../../support/engine.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';
import { connectTo, untilActivity } from './rows.ts';

test('an upgrade has statistics of the records before it changes the first', async () => {
  const { address, database } = await openDatabase();
  const client = await connectTo(address);
  const known = async (): Promise<unknown[]> =>
    (await client.query<object>("SELECT reltuples FROM pg_class WHERE oid = 'rollcall_records'::regclass")).rows;
  const writer = await database.openWriter();
  afterTest(() => writer.close());
  await loadInto(writer, 'contactImports', series(30, contactImport), { contract });
  expect(await known()).toEqual([{ reltuples: -1 }]);
  const check = createChecks(contract).contactImports;
  expect(await database.upgrade(schemaHashes(contract), ({ json }) => check(JSON.parse(json)).record)).toBe(true);
  expect(await known()).toEqual([{ reltuples: 30 }]);
});

test('an upgrade that meets another process halfway begins again, and says so', async () => {
  const { address, database } = await openDatabase();
  const client = await connectTo(address);
  const writer = await database.openWriter();
  afterTest(() => writer.close());
  await loadInto(writer, 'contactImports', series(30, contactImport), { contract });
  await client.query('BEGIN; SELECT FROM rollcall_records ORDER BY created_us LIMIT 1 FOR UPDATE');
  const check = createChecks(contract).contactImports;
  let [begun, count] = [0, 0];
  const upgraded = database.upgrade(
    schemaHashes(contract),
    ({ json }) => {
      count += 1;
      return check({ ...(JSON.parse(json) as object), status: 'in_progress', completed_at: null }).record;
    },
    {
      begin: () => {
        begun += 1;
        count = 0;
      },
    },
  );
  await untilActivity(address, "query = 'ROLLBACK'"); // It has tried, and will again.
  await client.query('ROLLBACK');
  expect(await upgraded).toBe(true);
  expect(begun).toBeGreaterThan(1);
  expect(count).toBe(30);
});
