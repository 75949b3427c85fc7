/** The keys that older versions kept beside the database: `upgrade` stores them, and every other command rejects the database. */
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { schemaHashes } from '../../../server/contract/schema.ts';
import { keyHash } from '../../../server/store/keys.ts';
import { openStore } from '../../../server/store/sqlite/open.ts';
import { automation } from '../../../server/testing/builders.ts';
import { contract } from '../../support/app.ts';
import { create } from '../../support/create-key.ts';
import { FIXTURE_KEY, placeFixture } from '../../support/fixtures.ts';
import { address, folder, load } from '../../support/own-database.ts';
import { COMMANDS } from '../commands.ts';

// As the older versions made it.
const TABLE = `CREATE TABLE pending_keys (number INTEGER PRIMARY KEY, is_new INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL, hash BLOB NOT NULL, label TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT, revoked_at TEXT) STRICT`;
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
  `rollcall: ${db} was written by an older version of Rollcall, which left new or revoked keys in ${side}-pending-keys. ` +
  `Back up both files by copying them, then run: rollcall upgrade --db ${db}\n`;

/** @returns the bytes of all files of the folder. */
const bytes = (): Record<string, string> =>
  Object.fromEntries(readdirSync(folder.path('.')).map((it) => [it, readFileSync(folder.path(it), 'base64')]));

type Listed = Record<'id' | 'account' | 'revokedAt', string | null>;
const listed = async (): Promise<readonly Listed[]> =>
  JSON.parse((await folder.call(['keys', 'list', '--json'])).stdout) as Listed[];
const expectUpgraded = async (...argv: string[]): Promise<void> => {
  expect(await folder.call(['upgrade', ...argv])).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(pendingFile())).toBe(false);
};

/** @returns which of some keys open an account. */
async function live(...keys: readonly string[]): Promise<readonly string[]> {
  const store = openStore(address, schemaHashes(contract));
  const found = await Promise.all(keys.map(async (it) => [it, await store.authenticate(keyHash(it))] as const));
  await store.close();
  return found.flatMap(([key, account]) => (account === undefined ? [] : [key]));
}

test('`upgrade` stores creations and revocations, and removes the file; killed before that, it stores the same again', async () => {
  const old = await create();
  leave(
    pendingFile(),
    { ...old, revokedAt: NOW },
    { id: 'fresh', key: 'fresh', account: 'new', isNew: true },
    { id: 'over', key: 'over', isNew: true, revokedAt: NOW },
    { id: 'gone', key: 'gone', account: 'removed', revokedAt: NOW },
  );
  const file = readFileSync(pendingFile());
  await expectUpgraded();
  expect(await live(old.key, 'fresh', 'over', 'gone')).toEqual(['fresh']);
  const keys = (await listed()).map(({ id, account, revokedAt }) => [id, account, revokedAt]);
  expect(new Set(keys)).toEqual(new Set([[old.id, 'acme', NOW], ['fresh', 'new', null], ['over', 'acme', NOW]])); // prettier-ignore
  writeFileSync(pendingFile(), file);
  await expectUpgraded();
  expect((await listed()).map(({ id, account, revokedAt }) => [id, account, revokedAt])).toEqual(keys);
});

test('every other command rejects the database, and leaves all files byte for byte', async () => {
  const { id, key } = await create();
  await load('automations', [automation()]);
  leave(pendingFile(), { id, key, revokedAt: NOW });
  const before = bytes();
  const { upgrade: _, ...rejecting } = COMMANDS;
  for (const argv of [...Object.values(rejecting), ['copy', './rollcall.db', 'copy.db']]) {
    expect([argv, await folder.call(argv, { input: JSON.stringify(automation()) })]).toEqual([
      argv,
      { code: 1, signal: null, stdout: '', stderr: rejection() },
    ]);
  }
  expect(bytes()).toEqual(before);
});

test('a file beside the real name of the database counts under each of its names, and so does one beside the name that is given', async () => {
  const { id, key } = await create();
  symlinkSync(address, folder.path('link.db'));
  leave(pendingFile(), { id, key, revokedAt: NOW });
  const [db, real] = ['./link.db', folder.path('rollcall.db')];
  expect((await folder.call(['keys', 'list', '--db', db])).stderr).toBe(rejection(db, real));
  await expectUpgraded('--db', db);
  expect(await listed()).toMatchObject([{ id, revokedAt: NOW }]);

  const other = await create();
  leave(folder.path('link.db-pending-keys'), { ...other, revokedAt: NOW });
  expect((await folder.call(['keys', 'list', '--db', db])).stderr).toBe(rejection(db));
  await expectUpgraded('--db', db);
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
  await expectUpgraded();
  expect(await live(FIXTURE_KEY, 'fresh')).toEqual(['fresh']);
});

test('where there is no database, none is created beside them', async () => {
  leave(pendingFile(), { id: 'fresh', key: 'fresh', isNew: true });
  const before = bytes();
  expect((await folder.call(['keys', 'create', '--account', 'acme'])).stderr).toBe(rejection());
  expect(bytes()).toEqual(before);
});

test('an empty file, of a command that was killed, holds no keys', async () => {
  await create();
  writeFileSync(pendingFile(), '');
  expect((await folder.call(['keys', 'list'])).stderr).toBe(rejection());
  await expectUpgraded();
});

test.each([
  ['nonsense'.repeat(1000), 'file is not a database'],
  [undefined, 'unable to open database file'],
])('of a damaged file or a folder nobody knows what it revokes: `upgrade` changes nothing', async (text, why) => {
  const { id } = await create();
  if (text === undefined) mkdirSync(pendingFile());
  else writeFileSync(pendingFile(), text);
  expect(await folder.call(['upgrade'])).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr:
      `rollcall: ./${basename(pendingFile())} cannot be read (${why}), so the keys that it revokes are unknown. ` +
      'Grant this user read access, or restore a backup. Otherwise, delete it, run the upgrade, and revoke those keys again.\n',
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
  new Database(address).exec(`UPDATE records SET stored = replace(stored, '"enabled"', '"disabled"')`).close();
  expect(await folder.call(['upgrade'])).toMatchObject({ code: 1, stdout: '' });
  expect((await folder.call(['keys', 'list'])).stderr).toBe(rejection());
});
