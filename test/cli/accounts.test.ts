/** `rollcall accounts`: what there is, and how to be rid of it. */
import { beforeEach, expect, test } from '@jest/globals';
import { shellWord } from '../../server/store/address.ts';
import { COLLECTIONS } from '../../contract/collections.ts';
import { automation, contactImport } from '../../testkit/builders.ts';
import { alter } from '../support/alter.ts';
import { contract } from '../support/app.ts';
import { countedOf, namedCountsOf } from '../support/collections.ts';
import { database, folder, shown } from '../support/own-database.ts';
import { series } from '../support/series.ts';
import { loadInto } from '../support/store.ts';

const automations = series(3, automation);

beforeEach(async () => {
  const writer = await database.openWriter();
  await loadInto(writer, 'automations', automations, { contract, account: 'acme' });
  await loadInto(writer, 'contactImports', [contactImport()], { contract, account: 'other' });
  const key = { account: 'acme', label: '', createdAt: '2026-01-01T00:00:00.000Z' };
  await writer.createKey({ ...key, id: 'live' }, Buffer.of(1));
  await writer.createKey({ ...key, id: 'expired', expiresAt: '2026-01-02T00:00:00.000Z' }, Buffer.of(2));
  await writer.createKey({ ...key, id: 'revoked' }, Buffer.of(3));
  await writer.revokeKey('revoked', '2026-01-02T00:00:00.000Z');
  await writer.close();
});

// Columns of other collections may follow.
const TABLE = new RegExp(
  '^ACCOUNT  KEYS  AUTOMATIONS  CONTACT PROPERTIES  CONTACT IMPORTS(  .*)?\n' +
    'acme     1     3            0                   0( .*)?\n' +
    'other    0     0            0                   1( .*)?\n$',
);

test('are listed', async () => {
  expect(await folder.call(['accounts', 'list'])).toEqual({
    code: 0,
    signal: null,
    stdout: expect.stringMatching(TABLE) as unknown,
    stderr: '',
  });
  expect(JSON.parse((await folder.call(['accounts', 'list', '--json'])).stdout)).toEqual([
    { name: 'acme', keys: 1, records: namedCountsOf({ automations: 3 }) },
    { name: 'other', keys: 0, records: namedCountsOf({ contactImports: 1 }) },
  ]);
});

test('say what they hold', async () => {
  const rows = JSON.parse((await folder.call(['accounts', 'stats', '--json'])).stdout) as unknown[];
  expect(rows).toHaveLength(2 * COLLECTIONS.length);
  const acme = {
    account: 'acme',
    collection: 'automations',
    records: 3,
    bytes: automations.reduce((sum, it) => sum + JSON.stringify(it).length, 0),
    newest: automations[0]?.created_at,
    oldest: automations[2]?.created_at,
  };
  expect(rows[0]).toEqual(acme);
  const none = { records: 0, bytes: 0, newest: null, oldest: null };
  expect(rows[1]).toEqual({ ...acme, collection: 'contact-properties', ...none });
  const [head, first, second] = (await folder.call(['accounts', 'stats'])).stdout.split('\n');
  expect(head).toMatch(/^ACCOUNT +COLLECTION +RECORDS +BYTES +NEWEST +OLDEST$/);
  expect(first?.split(/ {2,}/)).toEqual(Object.values(acme).map(String));
  expect(second).toMatch(/^acme +contact-properties +0 +0 +- +-$/);
});

test('are deleted on purpose only, with all that is theirs and nothing else', async () => {
  const all = `account "acme" with ${countedOf({ automations: 3 })}, and 1 active key`;
  const key = (await folder.call(['keys', 'create', '--account', 'other'])).stdout.trim();
  expect(await folder.call(['accounts', 'delete', 'acme'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `rollcall: This would permanently delete ${all}. To delete it, add --yes.\n`,
  });
  expect((await folder.call(['accounts', 'list'])).stdout).toMatch(/^acme +1 +3 /m);
  expect(await folder.call(['accounts', 'delete', 'acme', '--yes'])).toEqual({
    code: 0,
    signal: null,
    stdout: `Deleted ${all}.\n`,
    stderr: '',
  });
  expect(await folder.call(['db', 'check'])).toMatchObject({
    code: 0,
    stdout: `other: ${countedOf({ contactImports: 1 })}\nNo errors found in ${shown}.\n`,
  });
  expect((await folder.call(['keys', 'list'])).stdout).not.toContain('acme');
  expect(await folder.call(['accounts', 'delete', 'acme', '--yes'])).toMatchObject({
    code: 1,
    stderr:
      'rollcall: Account "acme" does not exist. To list the accounts, run: rollcall accounts list --db ' +
      shellWord(shown) +
      '\n',
  });
  const { url } = await folder.serve();
  const ask = (path: string): Promise<Response> => fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask('/contacts/imports')).status).toBe(200);
  expect(await folder.call(['accounts', 'delete', 'other', '--yes'])).toMatchObject({ code: 0 });
  expect((await ask('/contacts/imports')).status).toBe(401);
});

test('statistics of a database with a record whose text is no JSON are an error that says what to do', async () => {
  await alter('UPDATE records SET json = substr(json, 2)');
  expect(await folder.call(['accounts', 'stats'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      `rollcall: ${shown} is damaged (the text of a record is not JSON; rollcall db check lists it). ` +
      'Stop all processes that use it, restore a backup, and check the disk.\n',
  });
});
