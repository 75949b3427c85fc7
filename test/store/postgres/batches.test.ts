/** Statements of one turn share a connection, and nothing else: each has its own answer, or its own failure. */
import { beforeEach, expect, test } from '@jest/globals';
import { connect } from '../../../server/store/postgres/connections.ts';
import type { Db } from '../../../server/store/postgres/sql.ts';
import { StoreUnavailable } from '../../../server/store/store.ts';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';

const PID = { name: 'pid', text: 'SELECT pg_backend_pid()' };
const INVERSE = { name: 'inverse', text: 'SELECT 12 / $1::int4' };
const WRONG = { name: 'wrong', text: 'SELECT nothing' };
const END = { name: 'end', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };

let db: Db;
beforeEach(async () => {
  db = await connect((await openDatabase()).address, 'serving');
  afterTest(() => db.close());
});
const pids = async (count: number): Promise<unknown[]> =>
  (await Promise.all(Array.from({ length: count }, () => db.prepared(PID, [])))).map(([row]) => row?.[0]);

test('eight share a connection, and no more', async () => {
  const found = await pids(20);
  expect(new Set(found).size).toBe(3);
  const counts = [...new Set(found)].map((pid) => found.filter((it) => it === pid).length);
  expect(counts.sort()).toEqual([4, 8, 8]);
  expect(found.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => found[0]));
});

test('one that fails fails alone', async () => {
  const asked = [1, 2, 0, 3, 0, 4].map((it) => db.prepared(INVERSE, [it]));
  const division = { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) };
  const rows = (value: number): object => ({ status: 'fulfilled', value: [[value]] });
  expect(await Promise.allSettled(asked)).toEqual([rows(12), rows(6), division, rows(4), division, rows(3)]);
  expect(await db.prepared(INVERSE, [6])).toEqual([[2]]);
});

test('one that cannot be prepared fails for the same reason, however often it was asked', async () => {
  const [, ...failed] = await Promise.allSettled([PID, WRONG, WRONG, WRONG].map((it) => db.prepared(it, [])));
  const unknownColumn = { status: 'rejected', reason: expect.objectContaining({ code: '42703' }) };
  expect(failed).toEqual([unknownColumn, unknownColumn, unknownColumn]);
});

test('one whose result has other columns than before fails once: its connection keeps the plan, and is closed', async () => {
  const all = { name: 'all', text: 'SELECT * FROM changing' };
  await db.sql('CREATE TABLE changing AS SELECT 1 AS a');
  expect(await db.prepared(all, [])).toEqual([[1]]);
  await db.sql('ALTER TABLE changing ADD b int DEFAULT 2');
  await expect(db.prepared(all, [])).rejects.toMatchObject({ code: '0A000' });
  expect(await db.prepared(all, [])).toEqual([[1, 2]]);
});

test('when their connection is lost none is left waiting, and the next has another', async () => {
  const lost = await Promise.allSettled([PID, END, PID, PID].map((it) => db.prepared(it, [])));
  expect(lost.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  for (const it of lost.slice(1)) expect(it).toMatchObject({ reason: expect.any(StoreUnavailable) });
  const [pid] = await pids(1);
  expect(pid).toEqual(expect.any(Number));
  expect(lost[0]).not.toMatchObject({ value: [[pid]] });
});
