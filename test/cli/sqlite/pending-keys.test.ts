/** The keys that older versions kept beside the database: `upgrade` stores them, and every other command rejects the database. */
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { keyHash } from '../../../server/store/keys.ts';
import { automation } from '../../../server/testing/builders.ts';
import { create } from '../../support/create-key.ts';
import { FIXTURE_KEY, placeFixture } from '../../support/fixtures.ts';
import { address, folder, load } from '../../support/own-database.ts';

// As the older versions made it.
const TABLE = `CREATE TABLE pending_keys (
    number INTEGER PRIMARY KEY,
    is_new INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    hash BLOB NOT NULL,
    label TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
  ) STRICT`;
const PUT = `INSERT INTO pending_keys (is_new, id, account, hash, label, created_at, expires_at, revoked_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const NOW = '2026-11-21T00:00:00.000Z';

interface Pending {
  readonly id: string;
  readonly key: string;
  readonly account?: string;
  readonly isNew?: boolean;
  readonly revokedAt?: string;
}

/** Leaves keys to be stored, as older versions did. */
function leave(file: string, ...keys: readonly Pending[]): void {
  const db = new Database(file);
  db.exec(TABLE);
  for (const { id, key, account = 'acme', isNew = false, revokedAt = null } of keys) {
    db.prepare(PUT).run(Number(isNew), id, account, keyHash(key), id, NOW, null, revokedAt);
  }
  db.close();
}

const pendingFile = (): string => `${address}-pending-keys`;
const rejection = (db = './rollcall.db', side = db): string =>
  `rollcall: ${db} was written by an older Rollcall, which left keys that it created or revoked in ${side}-pending-keys. ` +
  `Back both files up by copying them, then run: rollcall upgrade --db ${db}\n`;

/** @returns the bytes of all files of the folder. */
const bytes = (): Record<string, string> =>
  Object.fromEntries(readdirSync(folder.path('.')).map((it) => [it, readFileSync(folder.path(it), 'base64')]));

interface Listed {
  readonly id: string;
  readonly account: string;
  readonly revokedAt: string | null;
}
const listed = async (...argv: string[]): Promise<readonly Listed[]> =>
  JSON.parse((await folder.call(['keys', 'list', '--json', ...argv])).stdout) as Listed[];

/** @returns the statuses that keys get. */
async function statuses(...keys: readonly string[]): Promise<readonly number[]> {
  const { url, process, ended } = await folder.serve();
  const found: number[] = [];
  for (const key of keys) {
    const response = await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    found.push(response.status);
  }
  process.kill('SIGTERM');
  await ended;
  return found;
}

test('`upgrade` stores creations and revocations, and removes the file', async () => {
  const old = await create();
  leave(
    pendingFile(),
    { ...old, revokedAt: NOW },
    { id: 'fresh', key: 'fresh', account: 'new', isNew: true },
    { id: 'over', key: 'over', isNew: true, revokedAt: NOW },
    { id: 'gone', key: 'gone', account: 'removed', revokedAt: NOW },
  );
  expect(await folder.call(['upgrade'])).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(pendingFile())).toBe(false);
  expect(await statuses(old.key, 'fresh', 'over', 'gone')).toEqual([401, 200, 401, 401]);
  const keys = (await listed()).map(({ id, account, revokedAt }) => [id, account, revokedAt]);
  expect(keys).toHaveLength(3);
  expect(keys).toEqual(
    expect.arrayContaining([
      [old.id, 'acme', NOW],
      ['fresh', 'new', null],
      ['over', 'acme', NOW],
    ]),
  );
});

test('every other command rejects the database, and leaves all files byte for byte', async () => {
  const { id, key } = await create();
  await load('automations', [automation()]);
  leave(pendingFile(), { id, key, revokedAt: NOW });
  const before = bytes();
  for (const argv of [
    ['serve', '--port', '0'],
    ['serve', '--create', '--port', '0'],
    ['import', 'automations', '-', '--account', 'acme'],
    ['keys', 'create', '--account', 'acme'],
    ['keys', 'list'],
    ['keys', 'revoke', id],
    ['accounts', 'list'],
    ['accounts', 'stats'],
    ['accounts', 'delete', 'acme', '--yes'],
    ['export', 'automations', '--account', 'acme'],
    ['remove', 'automations', '00000000-0000-4000-8000-000000000000', '--account', 'acme'],
    ['check'],
    ['backup', 'copy.db'],
    ['copy', './rollcall.db', 'copy.db'],
  ]) {
    expect([argv, await folder.call(argv, { input: JSON.stringify(automation()) })]).toEqual([
      argv,
      { code: 1, signal: null, stdout: '', stderr: rejection() },
    ]);
    expect(bytes()).toEqual(before);
  }
});

test('a file beside the real name of the database counts under each of its names, and so does one beside the name that is given', async () => {
  const { id, key } = await create();
  symlinkSync(address, folder.path('link.db'));
  leave(pendingFile(), { id, key, revokedAt: NOW });
  const [db, real] = ['./link.db', folder.path('rollcall.db')];
  expect((await folder.call(['keys', 'list', '--db', db])).stderr).toBe(rejection(db, real));
  expect(await folder.call(['upgrade', '--db', db])).toMatchObject({ code: 0 });
  expect(existsSync(pendingFile())).toBe(false);
  expect(await listed()).toMatchObject([{ id, revokedAt: NOW }]);

  const other = await create();
  leave(folder.path('link.db-pending-keys'), { ...other, revokedAt: NOW });
  expect((await folder.call(['keys', 'list', '--db', db])).stderr).toBe(rejection(db));
  expect(await folder.call(['upgrade', '--db', db])).toMatchObject({ code: 0 });
  expect(readdirSync(folder.path('.')).sort()).toEqual(['link.db', 'rollcall.db']);
  expect((await listed()).map((it) => it.revokedAt)).toEqual([NOW, NOW]);
});

test('`upgrade` migrates an older database first, and stores the keys in the tables of today', async () => {
  await placeFixture(1, address);
  leave(
    pendingFile(),
    { id: '83e7cf73', key: FIXTURE_KEY, revokedAt: NOW },
    { id: 'fresh', key: 'fresh', isNew: true },
  );
  const before = bytes();
  expect((await folder.call(['serve', '--create', '--port', '0'])).stderr).toBe(rejection());
  expect(bytes()).toEqual(before);
  expect(await folder.call(['upgrade'])).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(pendingFile())).toBe(false);
  expect(await statuses(FIXTURE_KEY, 'fresh')).toEqual([401, 200]);
});

test('where there is no database, none is created beside them', async () => {
  leave(pendingFile(), { id: 'fresh', key: 'fresh', isNew: true });
  const before = bytes();
  expect((await folder.call(['keys', 'create', '--account', 'acme'])).stderr).toBe(rejection());
  expect(bytes()).toEqual(before);
});

test('killed before it removes the file, `upgrade` stores the same again', async () => {
  const old = await create();
  leave(pendingFile(), { ...old, revokedAt: NOW }, { id: 'fresh', key: 'fresh', isNew: true });
  const file = readFileSync(pendingFile());
  await folder.call(['upgrade']);
  const keys = await listed();
  writeFileSync(pendingFile(), file);
  expect(await folder.call(['upgrade'])).toMatchObject({ code: 0, stderr: '' });
  expect(await listed()).toEqual(keys);
  expect(existsSync(pendingFile())).toBe(false);
});

test('an empty file, of a command that was killed, holds no keys', async () => {
  await create();
  writeFileSync(pendingFile(), '');
  expect((await folder.call(['keys', 'list'])).stderr).toBe(rejection());
  expect(await folder.call(['upgrade'])).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(pendingFile())).toBe(false);
});

test.each([
  ['a damaged file', () => { writeFileSync(pendingFile(), 'nonsense'.repeat(1000)); }, 'file is not a database'], // prettier-ignore
  ['a folder', () => { mkdirSync(pendingFile()); }, 'unable to open database file'], // prettier-ignore
])('of %s nobody knows what it revokes: `upgrade` changes nothing', async (_, make, why) => {
  const { id } = await create();
  make();
  expect(await folder.call(['upgrade'])).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr:
      `rollcall: ./${basename(pendingFile())} cannot be read (${why}), so that nobody knows which keys it revokes. ` +
      'Let this user read it, or put a backup in its place; or remove it, run the upgrade, and revoke those keys again.\n',
  });
  expect(existsSync(pendingFile())).toBe(true);
  const db = new Database(address, { readonly: true });
  expect(db.prepare('SELECT id, revoked_at FROM keys').raw().all()).toEqual([[id, null]]);
  db.close();
});

test('records that cannot be upgraded stop the upgrade: nothing is stored, and the file stays', async () => {
  const { id, key } = await create();
  await load('automations', [automation()]);
  leave(pendingFile(), { id, key, revokedAt: NOW });
  const db = new Database(address);
  db.exec(`UPDATE records SET stored = replace(stored, '"enabled"', '"disabled"')`);
  db.close();
  expect(await folder.call(['upgrade'])).toMatchObject({ code: 1, stdout: '' });
  expect((await folder.call(['keys', 'list'])).stderr).toBe(rejection());
});
