/** Keys that are created and revoked while another process writes to the database. */
import { copyFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { loadContract } from '../../../server/contract/document.ts';
import { fingerprintsOf } from '../../../server/contract/fingerprint.ts';
import { keyHash } from '../../../server/store/keys.ts';
import { backUp } from '../../../server/store/sqlite/backup.ts';
import { openInspector, openStore, openWriter } from '../../../server/store/sqlite/open.ts';
import { pendingKeys } from '../../../server/store/sqlite/pending-keys.ts';
import type { Store, Writer } from '../../../server/store/store.ts';
import { openFolder } from '../../support/cli.ts';
import type { Folder } from '../../support/cli.ts';

const FINGERPRINTS = fingerprintsOf(loadContract());
const LATER = '2999-12-31T00:00:00.000Z';
const NOW = '2026-11-21T00:00:00.000Z';

let folder: Folder;
let file: string;
let pendingFile: string;
let store: Store;
let writer: Writer;
let other: Database.Database | undefined;

beforeEach(async () => {
  folder = openFolder();
  file = folder.path('rollcall.db');
  pendingFile = `${file}-pending-keys`;
  writer = openWriter(file);
  await create('first');
  store = openStore(file, FINGERPRINTS);
});
afterEach(async () => {
  release();
  await store.close();
  await writer.close();
  folder.remove();
});

/** Creates a key whose id and label are its name. @returns whether its account is new. */
const create = async (name: string, account = 'acme', expiresAt: string | null = null): Promise<boolean> =>
  (await writer.createKey({ id: name, account, label: name, createdAt: NOW, expiresAt }, keyHash(name))).accountIsNew;

/** Another process begins to write, and does not come to an end. */
function hold(): void {
  other = new Database(file);
  other.exec('BEGIN IMMEDIATE');
}
function release(): void {
  if (other?.inTransaction === true) other.exec('ROLLBACK');
  other?.close();
  other = undefined;
}

/** @returns the account that a key opens, and its number. */
async function opens(key: string): Promise<readonly [string, number] | undefined> {
  await turn();
  const caller = await store.authenticate(keyHash(key));
  return caller && [caller.accountName, caller.account];
}
const ids = async (): Promise<readonly string[]> => (await writer.listKeys()).map((it) => it.id);
/** @returns the ids of the keys that are filed in the database itself. */
function filed(path = file): readonly unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare('SELECT id FROM keys ORDER BY id').pluck().all();
  } finally {
    db.close();
  }
}
const revision = async (): Promise<number | undefined> => {
  await turn();
  return store.revision();
};

test('nothing is pending where nobody else writes', async () => {
  await writer.revokeKey('first', NOW);
  expect(existsSync(pendingFile)).toBe(false);
  expect(await opens('first')).toBeUndefined();
});

test('a key opens its account once it is created, and is filed later', async () => {
  const before = await revision();
  hold();
  const started = performance.now();
  expect(await create('second')).toBe(false);
  expect(performance.now() - started).toBeLessThan(5000);
  expect(await opens('second')).toEqual(['acme', 1]);
  expect(await revision()).not.toBe(before);
  expect(await ids()).toEqual(['first', 'second']);
  expect(filed()).toEqual(['first']);
  expect((statSync(pendingFile).mode & 0o777).toString(8)).toBe('600');

  release();
  await writer.close();
  expect(filed()).toEqual(['first', 'second']);
  expect(pendingKeys(file)).toEqual([]);
  expect(await opens('second')).toEqual(['acme', 1]);
  writer = openWriter(file);
  expect(await ids()).toEqual(['first', 'second']);
});

test('a key opens nothing once it is revoked, for good', async () => {
  const before = await revision();
  hold();
  expect(await writer.revokeKey('first', NOW)).toMatchObject({ id: 'first', account: 'acme', revokedAt: null });
  expect(await opens('first')).toBeUndefined();
  expect(await revision()).not.toBe(before);
  expect(await writer.revokeKey('first', LATER)).toMatchObject({ id: 'first', revokedAt: NOW });
  release();
  await create('second');
  expect(pendingKeys(file)).toEqual([]);
  expect(await opens('first')).toBeUndefined();
  expect((await writer.listKeys()).map((it) => [it.id, it.revokedAt])).toEqual([
    ['first', NOW],
    ['second', null],
  ]);
});

test('a key that is pending is revoked while it is, and after it was filed', async () => {
  hold();
  await create('second');
  await create('third');
  await writer.revokeKey('second', NOW);
  expect([await opens('second'), await opens('third')]).toEqual([undefined, ['acme', 1]]);
  release();
  await writer.revokeKey('third', NOW);
  expect([await opens('second'), await opens('third')]).toEqual([undefined, undefined]);
  expect(pendingKeys(file)).toEqual([]);
  expect((await writer.listKeys()).map((it) => it.revokedAt)).toEqual([null, NOW, NOW]);
});

test('a key of a new account opens an empty one until the account is made', async () => {
  hold();
  expect(await create('second', 'new')).toBe(true);
  expect(await create('third', 'new')).toBe(false);
  const [name, number = 0] = (await opens('second')) ?? [];
  expect(name).toBe('new');
  expect(number).toBeLessThan(0);
  release();
  await writer.close();
  expect([await opens('second'), await opens('third')]).toEqual([
    ['new', 2],
    ['new', 2],
  ]);
  writer = openWriter(file);
});

test('a pending key expires', async () => {
  hold();
  await create('over', 'acme', NOW);
  await create('second', 'acme', LATER);
  expect([await opens('over'), await opens('second')]).toEqual([undefined, ['acme', 1]]);
  expect((await writer.listKeys()).find((it) => it.id === 'second')?.expiresAt).toBe(LATER);
});

test('an unknown id is unknown, and what is revoked already is left as it is', async () => {
  await writer.revokeKey('first', NOW);
  hold();
  expect(await writer.revokeKey('nope', LATER)).toBeUndefined();
  expect(await writer.revokeKey('first', LATER)).toMatchObject({ revokedAt: NOW });
  expect(existsSync(pendingFile)).toBe(false);
});

test('a kill after it was filed, before it was forgotten: filed again, it changes nothing', async () => {
  hold();
  await create('second');
  await writer.revokeKey('first', NOW);
  release();
  copyFileSync(pendingFile, folder.path('before'));
  await create('third');
  await writer.revokeKey('second', LATER);
  const keys = await writer.listKeys();
  copyFileSync(folder.path('before'), pendingFile);
  await create('fourth');
  expect((await writer.listKeys()).filter((it) => it.id !== 'fourth')).toEqual(keys);
  expect(await opens('second')).toBeUndefined();
});

test('an account that is removed does not come back with a key that was pending', async () => {
  hold();
  await create('second');
  await writer.revokeKey('first', NOW);
  release();
  expect(await writer.removeAccount('acme')).toBe(true);
  await writer.close();
  writer = openWriter(file);
  expect(await ids()).toEqual([]);
  expect([await opens('first'), await opens('second')]).toEqual([undefined, undefined]);
  const inspector = openInspector(file);
  expect(inspector.accounts()).toEqual([]);
  await inspector.close();
});

test('a revocation that is pending does not bring back an account that another removes', async () => {
  hold();
  await writer.revokeKey('first', NOW);
  other?.exec("DELETE FROM keys; DELETE FROM accounts WHERE name = 'acme'; COMMIT");
  await writer.close();
  writer = openWriter(file);
  expect(await ids()).toEqual([]);
});

test('a backup has what is pending', async () => {
  hold();
  await create('second');
  await writer.revokeKey('first', NOW);
  const copy = folder.path('copy.db');
  await backUp(file, copy);
  expect(filed(copy)).toEqual(['first', 'second']);
  const copied = openStore(copy, FINGERPRINTS);
  expect(await copied.authenticate(keyHash('first'))).toBeUndefined();
  expect(await copied.authenticate(keyHash('second'))).toMatchObject({ accountName: 'acme', keyId: 'second' });
  await copied.close();
  expect([`${copy}-wal`, `${copy}-shm`].filter((it) => existsSync(it))).toEqual([]);
});

test('a file that is removed and made anew is read anew', async () => {
  hold();
  await create('second');
  expect(await opens('second')).toEqual(['acme', 1]);
  rmSync(pendingFile);
  await create('third');
  // Removed files are noticed within a second; until then what was read stays.
  const deadline = performance.now() + 10_000;
  while ((await opens('third')) === undefined && performance.now() < deadline) await turn();
  expect([await opens('second'), await opens('third')]).toEqual([undefined, ['acme', 1]]);
});

test('of a damaged file nobody can say what is revoked, so it is refused', async () => {
  writeFileSync(pendingFile, 'not a database'.repeat(100));
  const message =
    `${pendingFile} is damaged. Remove it: it holds nothing but keys that were created or revoked while records were ` +
    'loaded, and are not filed yet.';
  const again = openStore(file, FINGERPRINTS);
  expect(() => again.authenticate(keyHash('first'))).toThrow(message);
  expect(again.revision()).toBeUndefined();
  await again.close();
  await expect(create('second')).rejects.toThrow(message);
  await expect(Promise.resolve().then(() => writer.listKeys())).rejects.toThrow(message);
  await expect(backUp(file, folder.path('copy.db'))).rejects.toThrow(message);
});
