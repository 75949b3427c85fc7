/** Loads: what lies in the tables after them, in list order, and that nothing is left of one that fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { schemaHashes } from '../../../contract/schema.ts';
import { createChecks } from '../../../import/check.ts';
import { StoreUnavailable } from '../../../server/store/store.ts';
import type { CheckedRecord, LoadResult, Writer } from '../../../server/store/store.ts';
import { contactImport } from '../../../testkit/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { contractWith } from '../../support/contract.ts';
import { openDatabase } from '../../support/engine.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';
import { connectTo, heldIn, untilActivity } from './rows.ts';

const hashes = schemaHashes(contract);
const check = createChecks(contract).contactImports;
const IMPORTS = 3; // The number of the collection.

let writer: Writer;
let address: string;
let client: Client;
beforeEach(async () => {
  const opened = await openDatabase();
  ({ address } = opened);
  writer = await opened.database.openWriter();
  afterTest(() => writer.close());
  client = await connectTo(address);
});

type Import = ReturnType<typeof contactImport>;
const load = (records: readonly Import[], replace = false): Promise<LoadResult> =>
  loadInto(writer, 'contactImports', records, { contract, replace });
const held = (): Promise<unknown[]> => heldIn(client, IMPORTS);
const checked = (records: readonly Import[]): CheckedRecord[] => records.flatMap((it) => check(it).record ?? []);
const loadBatches = (batches: AsyncIterable<readonly CheckedRecord[]>): Promise<LoadResult> =>
  writer.load('main', 'contactImports', batches, { replace: false, schemaHash: hashes.contactImports });

const [newer, middle, older] = series(3, contactImport) as [Import, Import, Import];

test('a load of what is there already writes nothing', async () => {
  const records = series(100, contactImport);
  await load(records);
  const places = async (): Promise<unknown> => (await client.query('SELECT id, ctid FROM rollcall_records')).rows;
  const before = await places();
  for (const replace of [false, true]) expect(await load(records, replace)).toMatchObject({ before: 100, after: 100 });
  expect(await places()).toEqual(before);
});

test('records lie in list order, whatever the order in which they come', async () => {
  await load(series(2000, contactImport).sort((a, b) => (a.id < b.id ? -1 : 1)));
  await client.query('ANALYZE rollcall_records');
  const { rows } = await client.query<{ correlation: number }>(
    "SELECT correlation FROM pg_stats WHERE tablename = 'rollcall_records' AND attname = 'created_us'",
  );
  expect(rows).toEqual([{ correlation: 1 }]);
});

describe('nothing is left', () => {
  const nothing = async (): Promise<void> => {
    const { rows } = await client.query(
      'SELECT (SELECT count(*) FROM rollcall_records) AS records, (SELECT count(*) FROM rollcall_accounts) AS accounts',
    );
    expect(rows).toEqual([{ records: '0', accounts: '0' }]);
  };

  test.each([0, 5])('of a load whose connection is cut after %d batches', async (batches) => {
    const batch = checked(series(2000, contactImport));
    const source = async function* (): AsyncGenerator<readonly CheckedRecord[]> {
      for (let number = 0; number < batches; number += 1) yield batch;
      await untilActivity(address, "query LIKE 'COPY pg_temp.%'");
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY pg_temp.%'",
      );
      for (let number = 0; number < 50; number += 1) {
        yield batch;
        await sleep(1); // Lets the connection be heard.
      }
    };
    await expect(loadBatches(source())).rejects.toThrow(StoreUnavailable);
    await nothing();
    expect(await load([newer])).toEqual({ accountIsNew: true, before: 0, after: 1 });
  });

  test('of a load that the server rejects', async () => {
    await client.query("ALTER TABLE rollcall_records ADD CHECK (filter <> 'failed')");
    await expect(load([newer, { ...middle, status: 'failed' }])).rejects.toMatchObject({ code: '23514' });
    await nothing();
  });
});

test('reads go on while records are moved', async () => {
  await load([older]);
  await client.query('BEGIN; LOCK TABLE rollcall_accounts IN SHARE ROW EXCLUSIVE MODE');
  const loading = load([newer, middle]);
  await untilActivity(address, "wait_event_type = 'Lock'");
  expect(await writer.listKeys()).toEqual([]);
  expect(await held()).toEqual([older]);
  await client.query('COMMIT');
  expect(await loading).toMatchObject({ before: 1, after: 3 });
});

test('a load is one transaction from its first record on: a pooler that passes connections on after each mixes no two', async () => {
  await client.query('BEGIN; LOCK TABLE rollcall_accounts IN SHARE ROW EXCLUSIVE MODE');
  let read: Date | undefined;
  const source = async function* (): AsyncGenerator<readonly CheckedRecord[]> {
    read = (await client.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows[0]?.now;
    yield checked([newer]);
  };
  const loading = loadBatches(source());
  await untilActivity(address, "wait_event_type = 'Lock' AND query LIKE 'INSERT INTO rollcall_accounts %'");
  const { rows } = await client.query(
    "SELECT xact_start < $1 AS early FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rollcall' AND xact_start IS NOT NULL",
    [read],
  );
  expect(rows).toEqual([{ early: true }]);
  await client.query('COMMIT');
  await loading;
  const { rows: staged } = await client.query("SELECT FROM pg_class WHERE relname = 'rollcall_staged'");
  expect([await held(), staged]).toEqual([[newer], []]);
});

test('of two loads at once that were checked against other contracts, one is rejected', async () => {
  const next = contractWith(({ ContactImport: it }) => Object.assign(it, { maxProperties: 40 }));
  const loads = [contract, next].map((it, account) =>
    loadInto(writer, 'contactImports', [newer], { contract: it, account: String(account) }),
  );
  const settled = await Promise.allSettled(loads);
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await held()).toHaveLength(1);
});
