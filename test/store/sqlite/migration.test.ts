/** Stores of older versions: records, accounts and keys are kept; records of version 1 must be checked again. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { upgradeRecords } from '../../../server/commands/upgrade-database.ts';
import { fingerprintsOf } from '../../../server/contract/fingerprint.ts';
import { keyHash } from '../../../server/store/keys.ts';
import { JSON_OF_STORED } from '../../../server/store/sqlite/checksum.ts';
import { MIGRATIONS } from '../../../server/store/sqlite/schema.ts';
import { openStore, openWriter } from '../../../server/store/sqlite/open.ts';
import type { Page } from '../../../server/store/store.ts';
import { automation } from '../../../server/testing/builders.ts';
import { contract } from '../../support/app.ts';
import { openFolder } from '../../support/cli.ts';
import type { Folder } from '../../support/cli.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';

const VERSION_1 = readFileSync(fileURLToPath(new URL('version-1.sql', import.meta.url)), 'utf8');
const KEY = `rollcall_${'0'.repeat(40)}`;
const CART = '4e6bfa81-0dbf-4f6b-ae37-211071cced1d';
const REVIEW = '8b95d57b-cbb3-48f1-b60a-0f3ef3a80cd0';
const fingerprints = fingerprintsOf(contract);

let folder: Folder;
let file: string;
beforeEach(() => {
  folder = openFolder();
  file = folder.path('old.db');
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec(VERSION_1);
  db.close();
});
afterEach(() => {
  folder.remove();
});

const outdated = (what: string): string =>
  `The ${what} in ${file} were checked against another version of the contract, and must be checked again. ` +
  `Run: rollcall upgrade --db ${file}`;

test('it is not served, and nothing is added to it, until its records were checked again', async () => {
  expect(() => openStore(file, fingerprints)).toThrow(outdated('automations, contact properties, and contact imports'));
  const writer = openWriter(file, true);
  await expect(loadInto(writer, 'automations', [automation()], { contract })).rejects.toThrow(outdated('automations'));
  expect(await writer.listKeys()).toEqual([
    {
      id: '83e7cf73',
      account: 'acme',
      label: 'nightly job',
      createdAt: '2026-11-21T10:05:45.363Z',
      expiresAt: null,
      revokedAt: null,
    },
  ]);
  await writer.close();
});

test('checked again, it is served as before', async () => {
  const writer = openWriter(file, true);
  expect(await upgradeRecords(writer, contract)).toEqual({
    checked: { automations: 3, contactProperties: 1, contactImports: 2 },
    changed: 0,
    refusals: [],
  });
  await writer.close();

  const store = openStore(file, fingerprints);
  const account = (await store.authenticate(keyHash(KEY)))?.account;
  if (account === undefined) throw new Error('The key does not work.');
  const names = (page: Page<'automations'> | undefined): unknown =>
    page?.items.map((it) => (JSON.parse(it) as { name: string }).name);
  const list = async (query: object = {}): Promise<unknown> =>
    names(await store.list(account, 'automations', { limit: 10, ...query }));
  expect(await list()).toEqual(['Review request', 'Abandoned cart']);
  expect(await list({ cursor: { direction: 'after', id: REVIEW } })).toEqual(['Abandoned cart']);
  expect(await list({ cursor: { direction: 'before', id: CART }, filter: 'disabled' })).toEqual(['Review request']);
  expect(await list({ filter: 'enabled' })).toEqual(['Abandoned cart']);
  expect((await store.list(account, 'contactProperties', { limit: 10 }))?.items).toHaveLength(1);
  expect((await store.list(account, 'contactImports', { limit: 10, filter: 'queued' }))?.items).toHaveLength(1);
  expect(await store.get(account, 'contactImports', '53d84f3e-1165-4f37-bd43-b44b273b70ae')).toMatch(/"completed"/);
  await store.close();
});

test('the old tables leave nothing behind', async () => {
  await openWriter(file, true).close();
  const db = new Database(file, { readonly: true });
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck();
  expect(tables.all()).toEqual(['accounts', 'collections', 'keys', 'records']);
  expect(db.pragma('user_version', { simple: true })).toBe(4);
  expect(db.pragma('freelist_count', { simple: true })).toBe(0);
  db.close();
});

test('a store of version 2 is served at once; its records have checksums then, and its keys do not expire', async () => {
  const second = folder.path('second.db');
  const writer = openWriter(second);
  const records = series(450, automation);
  await loadInto(writer, 'automations', records, { contract });
  await writer.createKey(
    { id: 'old', account: 'main', label: '', createdAt: '2026-11-21T10:05:45.363Z' },
    keyHash(KEY),
  );
  await writer.close();
  const db = new Database(second);
  const stored = (): unknown => db.prepare('SELECT stored FROM records ORDER BY id').pluck().all();
  const loaded = stored();
  db.exec('DROP INDEX keys_expiry; ALTER TABLE keys DROP COLUMN expires_at');
  db.exec(`UPDATE records SET stored = ${JSON_OF_STORED}; ALTER TABLE records RENAME COLUMN stored TO json`);
  db.pragma('user_version = 2');
  const tables = (it: Database.Database): unknown =>
    it.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
  const [version1 = '', version2 = ''] = MIGRATIONS;
  expect(tables(db)).toEqual(tables(new Database(':memory:').exec(version1).exec(version2))); // What that version made.

  const store = openStore(second, fingerprints);
  const account = (await store.authenticate(keyHash(KEY)))?.account;
  expect(account).toBeDefined();
  expect((await store.list(account ?? (0 as never), 'automations', { limit: 500 }))?.items).toHaveLength(450);
  await store.close();
  expect(stored()).toEqual(loaded);
  db.close();
  const again = openWriter(second, true);
  expect(await again.listKeys()).toMatchObject([{ id: 'old', expiresAt: null, revokedAt: null }]);
  await again.close();
});
