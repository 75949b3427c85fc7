/** Reads that come together see one state of the database; those that come later see the next. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { createSnapshots } from '../../../server/store/sqlite/reader.ts';
import type { Snapshots } from '../../../server/store/sqlite/reader.ts';
import { file } from '../../support/own-folder.ts';

let writer: Database.Database;
let reader: Database.Database;
let polls: number;
let snapshots: Snapshots;

beforeEach(() => {
  writer = new Database(file);
  writer.pragma('journal_mode = WAL');
  writer.exec('CREATE TABLE numbers (n INTEGER)');
  reader = new Database(file, { readonly: true });
  polls = 0;
  snapshots = createSnapshots(reader, () => {
    polls += 1;
    count();
  });
});
afterEach(() => {
  writer.close();
  reader.close();
});

const count = (): unknown => reader.prepare('SELECT count(*) FROM numbers').pluck().get();
const add = (): unknown => writer.exec('INSERT INTO numbers VALUES (1)');
const read = (): unknown => {
  snapshots.enter();
  return count();
};

test('what is committed in between is seen from the next turn of the event loop on', async () => {
  expect(read()).toBe(0);
  add();
  expect([read(), await Promise.resolve().then(read), polls]).toEqual([0, 0, 1]);
  await turn();
  expect([read(), polls]).toEqual([1, 2]);
});

test('a poll alone holds no state, and a read after it sees what has been committed since', async () => {
  snapshots.poll();
  snapshots.poll();
  expect([polls, reader.inTransaction]).toEqual([1, false]);
  add();
  expect([read(), polls]).toEqual([1, 2]);
  snapshots.poll();
  expect(polls).toBe(2);
  await turn();
  snapshots.poll();
  expect([polls, reader.inTransaction]).toEqual([3, false]);
});

test('between turns no state is held: the log can be folded into the file', async () => {
  read();
  add();
  await turn();
  expect(reader.inTransaction).toBe(false);
  expect(writer.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
});

test('a poll that fails is passed on, and leaves nothing behind', () => {
  let fail = true;
  const again = createSnapshots(reader, () => {
    if (fail) throw new Error('It cannot be read.');
  });
  expect(again.enter).toThrow(new Error('It cannot be read.'));
  expect(again.poll).toThrow(new Error('It cannot be read.'));
  expect(reader.inTransaction).toBe(false);
  fail = false;
  again.enter();
  expect(reader.inTransaction).toBe(true);
});

test('a connection that is closed in the middle of a turn is left alone', async () => {
  read();
  reader.close();
  await turn();
  expect(reader.open).toBe(false);
});
