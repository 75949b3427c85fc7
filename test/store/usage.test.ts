/** What is monitored about a database, of every engine: its size, its keys that expire, its latest imports. */
import { statSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import SqliteFile from 'better-sqlite3';
import type { Database } from '../../server/store/database.ts';
import { keyHash } from '../../server/store/keys.ts';
import { StoreError } from '../../server/store/store.ts';
import type { Writer } from '../../server/store/store.ts';
import { EXPIRING_DAYS, MAX_ACCOUNTS, MAX_COUNT } from '../../server/store/usage.ts';
import type { Usage } from '../../server/store/usage.ts';
import { afterTest } from '../support/after-test.ts';
import { ENGINE, openDatabase } from '../support/engine.ts';
import { dropTables } from '../support/state.ts';
import { execute, query } from '../support/postgres-database.ts';
import { HASHES, load, recordOf } from './contents.ts';

let database: Database;
let address: string;
let writer: Writer;
beforeEach(async () => {
  ({ database, address } = await openDatabase());
  writer = await database.openWriter();
  afterTest(() => writer.close());
});

const DAY = 86_400_000;
const timeIn = (ms: number): string => new Date(Date.now() + ms).toISOString();

test('nothing is in a new database, which has a size', async () => {
  const { bytes, ...rest } = await database.usage();
  expect(rest).toEqual({ expiringKeys: 0, expiredKeys: 0, lastImports: [] });
  expect(bytes).toBeGreaterThan(4096);
});

test('keys that expire soon and keys that have expired are counted, without revoked ones and without those that last', async () => {
  const key = (id: string, expiresAt: string | null, revokedAt: string | null = null): unknown =>
    writer.createKey({ id, account: 'main', label: '', createdAt: '', expiresAt, revokedAt }, keyHash(id));
  await key('lasts', null);
  await key('later', timeIn((EXPIRING_DAYS + 1) * DAY));
  for (const it of [1, DAY, (EXPIRING_DAYS - 1) * DAY]) await key(`soon ${String(it)}`, timeIn(60_000 + it));
  await key('soon, revoked', timeIn(DAY), timeIn(0));
  for (const it of [1, 400 * DAY]) await key(`expired ${String(it)}`, timeIn(-it));
  await key('expired, revoked', timeIn(-DAY), timeIn(0));
  expect(await database.usage()).toMatchObject({ expiringKeys: 3, expiredKeys: 2 });
});

test('keys are counted up to a limit, so that the count takes no longer', async () => {
  const sql = `INSERT INTO keys (id, account, hash, label, created_at, expires_at)
    SELECT 'key ' || n, (SELECT min(id) FROM accounts), 'HASH', '', '', '2026-01-01T00:00:00.000Z'`;
  await load(writer, {});
  const count = MAX_COUNT + 1;
  if (ENGINE === 'sqlite') {
    const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${String(count)})`;
    new SqliteFile(address).exec(`${numbers} ${sql.replace("'HASH'", 'CAST(n AS BLOB)')} FROM numbers`).close();
  } else {
    const ours = sql.replaceAll(/\b(keys|accounts)\b/g, 'rollcall_$1').replace("'HASH'", 'n::text::bytea');
    await execute(address, `${ours} FROM generate_series(1, ${String(count)}) AS n`);
  }
  expect(await database.usage()).toMatchObject({ expiredKeys: MAX_COUNT });
});

describe('the last import of an account', () => {
  /** @returns the accounts in their order, after a check of the times. */
  async function importedSince(start: number): Promise<readonly string[]> {
    const { lastImports } = await database.usage();
    for (const { at } of lastImports) {
      expect(new Date(at).toISOString()).toBe(at);
      expect(Date.parse(at)).toBeGreaterThanOrEqual(start);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    }
    return lastImports.map((it) => it.account);
  }
  /** Until the clock, whose milliseconds are stored, has moved on. */
  const nextTime = async (): Promise<void> => {
    for (const start = Date.now(); Date.now() === start;) await new Promise(setImmediate);
  };

  test('is of any of its collections, the latest first; keys and removals are no imports', async () => {
    const start = Date.now();
    await load(writer, { account: 'one' }, [recordOf(1)]);
    await nextTime();
    await load(writer, { account: 'two' }, [recordOf(1)]);
    await writer.createKey({ id: 'a', account: 'three', label: '', createdAt: '' }, keyHash('a'));
    expect(await importedSince(start)).toEqual(['two', 'one']);
    await nextTime();
    await load(writer, { account: 'one', collection: 'contactImports', replace: true });
    await nextTime();
    await writer.remove('two', 'automations', [recordOf(1).id]);
    expect(await importedSince(start)).toEqual(['one', 'two']);
  });

  test('is not one that failed, and is gone with its account', async () => {
    await load(writer, {}, [recordOf(1)]);
    const { lastImports: before } = await database.usage();
    await nextTime();
    const failing = writer.load(
      'main',
      'automations',
      // eslint-disable-next-line @typescript-eslint/require-await -- a source that fails at once
      (async function* () {
        throw new Error('injected');
      })(),
      { replace: false, schemaHash: HASHES.automations },
    );
    await expect(failing).rejects.toThrow('injected');
    expect((await database.usage()).lastImports).toEqual(before);
    expect(await writer.removeAccount('main')).toBe(true);
    expect((await database.usage()).lastImports).toEqual([]);
  });

  test(`is read of the ${String(MAX_ACCOUNTS)} accounts with the latest`, async () => {
    await load(writer, { account: 'oldest' }, [recordOf(1)]);
    await nextTime();
    for (let at = 0; at < MAX_ACCOUNTS; at += 1) await load(writer, { account: `account ${String(at)}` });
    const { lastImports } = await database.usage();
    expect(lastImports).toHaveLength(MAX_ACCOUNTS);
    expect(lastImports.map((it) => it.account)).not.toContain('oldest');
  });
});

test('the size has all tables, or the file and its WAL', async () => {
  const { bytes: before } = await database.usage();
  const json = JSON.stringify('x'.repeat(1000));
  await load(
    writer,
    {},
    Array.from({ length: 2000 }, (_, at) => recordOf(at, { json })),
  );
  const { bytes } = await database.usage();
  // PostgreSQL compresses no text of this size.
  expect(bytes - before).toBeGreaterThan(2_000_000);
  if (ENGINE === 'sqlite') {
    expect(bytes).toBe(statSync(address).size + statSync(`${address}-wal`).size);
  } else {
    const [all] = await query<{ bytes: string }>(
      address,
      "SELECT sum(pg_total_relation_size(oid))::text AS bytes FROM pg_class WHERE relkind = 'r' AND relname ~ '^rollcall_'",
    );
    expect(bytes).toBe(Number(all?.bytes));
  }
});

test('it is known while a server reads and another process writes', async () => {
  const store = await database.openStore(HASHES);
  afterTest(() => store.close());
  const usage = async (): Promise<Usage> => database.usage();
  await writer.load(
    'main',
    'automations',
    (async function* () {
      yield [recordOf(1)];
      expect(await usage()).toMatchObject({ lastImports: [] });
    })(),
    { replace: false, schemaHash: HASHES.automations },
  );
  expect((await usage()).lastImports).toHaveLength(1);
});

test('a database that is not there is an error', async () => {
  const { database: none, address: empty } = await openDatabase();
  if (ENGINE === 'postgres') await dropTables(empty);
  await expect((async () => none.usage())()).rejects.toThrow(StoreError);
});
