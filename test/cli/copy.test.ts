/** `rollcall db copy`: all there is, and nothing else, into another database. */
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { createKey } from '../../cli/keys.ts';
import { COLLECTIONS } from '../../contract/collections.ts';
import { schemaHashes } from '../../contract/schema.ts';
import type { AccountSummary } from '../../server/store/store.ts';
import { keyHash } from '../../server/store/keys.ts';
import { openInspector, openStore, openWriter } from '../../server/store/sqlite/open.ts';
import { automation, contactImport, contactProperty } from '../../testkit/builders.ts';
import { contract } from '../support/app.ts';
import type { Folder } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { series } from '../support/series.ts';
import { loadInto } from '../support/store.ts';

const copy = (): ReturnType<Folder['run']> => folder.call(['db', 'copy', 'rollcall.db', 'two.db']);

/** @returns all that a database holds. */
function contentOf(db: string): unknown {
  const inspector = openInspector(folder.path(db));
  try {
    const accounts = inspector.accounts() as readonly AccountSummary[]; // SQLite is synchronous; below too.
    const texts = accounts.flatMap(({ name }) =>
      COLLECTIONS.map((it) => [name, it, ...(inspector.texts(name, it) as Iterable<string>)]),
    );
    return { accounts, texts, keys: inspector.keys() };
  } finally {
    void inspector.close();
  }
}

test('accounts, keys and records are the same in both, and so is a copy of the copy', async () => {
  const writer = openWriter(folder.path('rollcall.db'));
  await loadInto(writer, 'automations', series(1200, automation), { contract, account: 'acme' });
  await loadInto(writer, 'contactProperties', series(3, contactProperty), { contract, account: 'acme' });
  await loadInto(writer, 'contactImports', series(20, contactImport), { contract, account: 'zeta é' });
  const { id, key } = await createKey(writer, 'acme', 'first');
  await createKey(writer, 'keys only', '', '2999-12-31T00:00:00.000Z');
  await writer.revokeKey((await createKey(writer, 'acme', 'revoked')).id, '2026-01-02T03:04:05.678Z');
  await writer.close();

  const { code, stdout, stderr } = await copy();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const said =
    /^Copied 3 accounts, 3 keys and 1,223 records in \d{1,3}\.\d s\. The copy has the digest sha256 ([0-9a-f]{64}), as the source had when it began\.\n$/;
  expect(stdout).toMatch(said);
  const again = await folder.call(['db', 'copy', 'two.db', 'three.db']);
  expect(said.exec(again.stdout)?.[1]).toBe(said.exec(stdout)?.[1]);
  expect(contentOf('two.db')).toEqual(contentOf('rollcall.db'));
  expect(contentOf('three.db')).toEqual(contentOf('rollcall.db'));

  const store = openStore(folder.path('two.db'), schemaHashes(contract));
  expect(await store.authenticate(keyHash(key))).toMatchObject({ accountName: 'acme', keyId: id });
  await store.close();
});

test('an empty database is copied too', async () => {
  await openWriter(folder.path('rollcall.db')).close();
  expect((await copy()).stdout).toMatch(/^Copied 0 accounts, 0 keys and 0 records in /);
});

test('nothing is copied into a database that has an account', async () => {
  for (const db of ['rollcall.db', 'two.db']) {
    await folder.call(['keys', 'create', '--account', `of ${db}`, '--db', db]);
  }
  const before = contentOf('two.db');
  expect(await copy()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'rollcall: The target already has an account, "of two.db". Choose an empty database.\n',
  });
  expect(contentOf('two.db')).toEqual(before);
});

test('a database that is not there, or is not sound, is not copied', async () => {
  expect(await copy()).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(folder.path('rollcall.db'))).toBe(false);

  const writer = openWriter(folder.path('rollcall.db'));
  await loadInto(writer, 'automations', [automation()], { contract });
  await writer.close();
  const db = new Database(folder.path('rollcall.db'));
  db.exec("UPDATE collections SET fingerprint = 'other' WHERE name = 'automations'");
  db.close();
  const ran = await copy();
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toMatch(/were checked against another version of the contract.* Nothing was copied\.\n$/s);
  expect(existsSync(folder.path('two.db'))).toBe(false);
});

test('a record whose text is no JSON is not copied, and the message names its collection', async () => {
  const writer = openWriter(folder.path('rollcall.db'));
  await loadInto(writer, 'automations', [automation()], { contract, account: 'acme' });
  await writer.close();
  new Database(folder.path('rollcall.db')).exec('UPDATE records SET json = substr(json, 2)').close();
  expect(await copy()).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'rollcall: The automations of account "acme" have an invalid record: record: is not JSON. The copy is incomplete: delete what it has, or use another target. To list all, run `rollcall db check` on the source.\n',
  });
});
