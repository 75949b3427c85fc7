/** An upgrade is planned by what the tables hold now: by the statistics of an empty table, each batch read the whole account. */
import { expect, test } from '@jest/globals';
import { fingerprintsOf } from '../../../server/contract/fingerprint.ts';
import { createChecks } from '../../../server/records/check.ts';
import { contactImport } from '../../../server/testing/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { openDatabase } from '../../support/engine.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';
import { connectTo } from './rows.ts';

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
  expect(await writer.upgrade(fingerprintsOf(contract), ({ json }) => check(JSON.parse(json)).record)).toBe(true);
  expect(await known()).toEqual([{ reltuples: 30 }]);
});
