/** What becomes of files: those that go while they are served, and errors that are not theirs. */
import { existsSync, rmSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openForReading, openForWriting } from '../../../server/store/sqlite/database.ts';
import { afterTest } from '../../support/after-test.ts';
import { folder } from '../../support/own-folder.ts';

describe('a server that stops', () => {
  const removeFile = (): void => {
    for (const end of ['', '-wal', '-shm']) rmSync(folder.path(`rollcall.db${end}`), { force: true });
  };

  test('does not make a file that was removed meanwhile', async () => {
    const server = await folder.serve();
    removeFile();
    server.process.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(existsSync(folder.path('rollcall.db'))).toBe(false);
  });

  test('leaves the database of another program that has taken its place', async () => {
    const server = await folder.serve();
    removeFile();
    new Database(folder.path('rollcall.db')).exec('CREATE TABLE t (a)').close();
    server.process.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
    const db = new Database(folder.path('rollcall.db'), { readonly: true });
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(db.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['t']);
    db.close();
  });
});

test('a fault in opening is not called a bad path', () => {
  expect(() => openForReading(':memory:')).toThrow(TypeError);
});

test('a key or a record of an account that does not exist cannot be stored', () => {
  const db = openForWriting(':memory:');
  afterTest(() => db.close());
  const orphans = [
    "INSERT INTO keys (id, account, hash, label, created_at) VALUES ('a', 7, x'00', '', '')",
    "INSERT INTO records (account, collection, created_us, id, json) VALUES (7, 1, 0, x'00', '')",
  ];
  for (const sql of orphans) {
    expect(() => db.exec(sql)).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' }));
  }
});
