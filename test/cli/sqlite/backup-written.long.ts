/**
 * Writing to a backup. It has no log, so that it can be read where nothing can be written. It gets one from the first
 * command that changes it. A command that is refused, and one that only reads or serves it, leave each byte as it was.
 */
import { once } from 'node:events';
import { chmodSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { CliError } from '../../../command/command-errors.ts';
import { schemaHashes } from '../../../contract/schema.ts';
import { openInspector, openWriter, sqliteDatabase } from '../../../server/store/sqlite/open.ts';
import { automation, contactImport } from '../../../testkit/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { isRoot } from '../../support/as-nobody.ts';
import { countedOf } from '../../support/collections.ts';
import { contractWith } from '../../support/contract.ts';
import { folder } from '../../support/own-folder.ts';
import { ndjson, series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';

const RECORDS = series(3, automation);
const NEW = ndjson([automation()]);
const IMPORT = ['import', 'automations', '--account', 'acme'];
const BUSY = 'Another process is writing to the database. Try again. Nothing was changed.\n';

let key: string;
let copy: string;
const backUp = async (): Promise<void> => {
  expect(await folder.call(['db', 'backup', 'copy.db'])).toMatchObject({ code: 0 });
};
beforeEach(async () => {
  key = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
  await folder.call(IMPORT, { input: ndjson(RECORDS) });
  await folder.call([...IMPORT.slice(0, -1), 'other'], { input: NEW });
  copy = folder.path('copy.db');
});

/** @returns the names of the files, and the content of the backup. */
const state = (): unknown => [readdirSync(folder.path('.')).toSorted(), readFileSync(copy, 'base64')];
const journalMode = (): unknown => {
  const db = new Database(copy, { readonly: true });
  afterTest(() => db.close());
  return db.pragma('journal_mode', { simple: true });
};
/** Changes the original. */
const alter = (sql: string): void => {
  new Database(folder.path('rollcall.db')).exec(sql).close();
};

describe('a command that is refused changes nothing:', () => {
  const ID = '4e6bfa81-0dbf-4f6b-ae37-211071cced1d';
  test.each<[readonly string[], string, string?]>([
    [['keys', 'revoke', '83e7cf73'], 'Key "83e7cf73" does not exist.'],
    [['accounts', 'delete', 'nobody', '--yes'], 'Account "nobody" does not exist.'],
    [['accounts', 'delete', 'acme'], 'This would permanently delete account "acme"'],
    [['remove', 'automations', '4e6bfa81', '--account', 'acme'], '"4e6bfa81" is not a valid id'],
    [IMPORT, '1 of 2 records is invalid; not loaded\n', `${NEW}{}\n`],
    [IMPORT, 'standard input has no records; not loaded', ''],
    [[...IMPORT, '--replace'], 'has_more', '{"object":"list","has_more":true,"data":[]}'],
    [['keys', 'create', '--account', 'acme', '--wait', '0'], BUSY],
    [[...IMPORT, '--wait', '0'], 'Another process is writing to the database. Try again. Not loaded\n', NEW],
    [['remove', 'automations', ID, '--account', 'acme', '--wait', '0'], BUSY],
    [['db', 'upgrade', '--wait', '0'], BUSY],
  ])('%j: %s', async (argv, message, input = '') => {
    await backUp();
    const before = state();
    if (argv.includes('--wait')) {
      const other = new Database(copy);
      afterTest(() => other.close());
      other.exec('BEGIN IMMEDIATE');
    }
    const { code, stdout, stderr } = await folder.call([...argv, '--db', 'copy.db'], { input });
    const said = argv[0] === 'import' ? 'Nothing was loaded into account "acme".\n' : '';
    expect([code, stdout, stderr]).toEqual([1, said, expect.stringContaining(message)]);
    expect(state()).toEqual(before);
  });

  test('a removal of an account that has gone, or that holds something else by now', async () => {
    await backUp();
    const before = state();
    const writer = openWriter(copy);
    expect(await writer.removeAccount('nobody')).toBe(false);
    const disagree = (): never => {
      throw new CliError('It holds something else.');
    };
    await expect(writer.removeAccount('acme', disagree)).rejects.toThrow(new CliError('It holds something else.'));
    expect(await writer.revokeKey('83e7cf73', '')).toBeUndefined();
    await writer.close();
    expect(state()).toEqual(before);
  });

  (isRoot ? test.skip : test)(
    `a write to a folder that cannot be written any more${isRoot ? ' (not run: root can write to any)' : ''}`,
    async () => {
      await backUp();
      const before = state();
      const writer = openWriter(copy);
      chmodSync(folder.path('.'), 0o555);
      afterTest(() => {
        chmodSync(folder.path('.'), 0o700);
      });
      const written = writer.createKey({ id: 'a', account: 'acme', label: '', createdAt: '' }, Buffer.of(1));
      await expect(written).rejects.toMatchObject({
        name: 'StoreError',
        message:
          `${copy} cannot be written (no file can be created next to it). ` +
          'Grant this user write access to the file and its folder, and try again.',
      });
      await writer.close();
      expect(state()).toEqual(before);
    },
  );

  test('a copy to a database with accounts', async () => {
    await backUp();
    const before = state();
    const { code, stderr } = await folder.call(['db', 'copy', 'rollcall.db', 'copy.db']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The target already has an account, "acme".')]);
    expect(state()).toEqual(before);
  });

  test.each([[[]], [['--replace']]])('an import beside records of another contract: %j', async (options) => {
    alter("UPDATE collections SET fingerprint = 'other'");
    await backUp();
    const before = state();
    const { code, stderr } = await folder.call([...IMPORT, ...options, '--db', 'copy.db'], { input: NEW });
    expect([code, stderr]).toEqual([1, expect.stringContaining('were checked against another version')]);
    expect(state()).toEqual(before);
  });

  test.each([
    ['of the current tables', ''],
    ['of older tables', '; DELETE FROM collections WHERE id = 2'],
  ])('an upgrade %s, where the last record cannot be kept', async (_, older) => {
    const sql = `UPDATE records SET json = '{}' WHERE created_us = (SELECT min(created_us) FROM records)${older}`;
    alter(`UPDATE collections SET fingerprint = 'other'; UPDATE records SET json = json || ' '; ${sql}`);
    await backUp();
    const before = state();
    const { code, stdout, stderr } = await folder.call(['db', 'upgrade', '--db', 'copy.db']);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/of 4 records (is|are) invalid/)]);
    expect(state()).toEqual(before);
  });

  test('serve, where the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    afterTest(() => taken.close());
    await once(taken, 'listening');
    await backUp();
    const before = state();
    const port = String((taken.address() as AddressInfo).port); // It listens on a port.
    const { code, stderr } = await folder.run(['serve', '--port', port, '--db', 'copy.db']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is already in use')]);
    expect(state()).toEqual(before);
  });

  test('without room for a log', async () => {
    await backUp();
    const before = state();
    const ran = await folder.run(['keys', 'create', '--account', 'acme', '--db', 'copy.db'], { setUp: 'ulimit -f 8' });
    expect(ran).toEqual({
      ...{ code: 1, signal: null, stdout: '' },
      stderr:
        'rollcall: No space left to write copy.db, or temporary files in SQLITE_TMPDIR, TMPDIR or /var/tmp ' +
        '(no file can be created next to it). Unfinished changes were rolled back. Free up space and try again.\n',
    });
    expect(state()).toEqual(before);
  });

  test('while it is read as a whole, until that ends', async () => {
    await backUp();
    const before = state();
    const create = ['keys', 'create', '--account', 'acme', '--db', 'copy.db', '--wait', '0'];
    const inspector = openInspector(copy);
    expect(inspector.accounts()).toHaveLength(2);
    expect(await folder.call(create)).toMatchObject({ code: 1, stderr: `rollcall: ${BUSY}` });
    expect(state()).toEqual(before);
    await inspector.close();
    expect(await folder.call(create)).toMatchObject({ code: 0 });
  });
});

test('a key that is revoked already changes nothing either', async () => {
  await folder.call(['keys', 'revoke', key]);
  await backUp();
  const before = state();
  expect(await folder.call(['keys', 'revoke', key, '--db', 'copy.db'])).toMatchObject({ code: 0, stderr: '' });
  expect(state()).toEqual(before);
});

test('what reads and serves it changes nothing; the first write gives it a log, and its servers go on', async () => {
  await backUp();
  const before = state();
  for (const argv of [
    ['db', 'check'],
    ['accounts', 'list'],
    ['export', 'automations', '--account', 'acme'],
  ]) {
    expect(await folder.call([...argv, '--db', 'copy.db'])).toMatchObject({ code: 0, stderr: '' });
  }
  const first = await folder.serve(['--db', 'copy.db']);
  const page = async (url: string, opened = key): Promise<unknown> => {
    const response = await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${opened}` } });
    return response.status === 200 ? ((await response.json()) as { data: unknown }).data : response.status;
  };
  expect(await page(first.url)).toEqual(RECORDS);
  first.process.kill('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
  expect(state()).toEqual(before);

  const server = await folder.serve(['--db', 'copy.db', '--workers', '2']);
  expect(await page(server.url)).toEqual(RECORDS);
  const added = automation();
  await folder.call([...IMPORT, '--db', 'copy.db', '--replace'], { input: JSON.stringify(added) });
  const { stdout } = await folder.call(['keys', 'create', '--account', 'acme', '--db', 'copy.db']);
  expect([await page(server.url), await page(server.url, stdout.trim())]).toEqual([[added], [added]]);
  await folder.call(['keys', 'revoke', key, '--db', 'copy.db']);
  expect(await page(server.url)).toBe(401);
  expect(journalMode()).toBe('wal');
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  expect(await folder.call(['db', 'check', '--db', 'copy.db'])).toMatchObject({ code: 0, stderr: '' });
});

test('an upgrade changes all of its records', async () => {
  const older = contractWith(({ ContactImport }) => {
    ContactImport.properties = Object.fromEntries(Object.entries(ContactImport.properties).reverse());
  });
  const writer = await sqliteDatabase(folder.path('rollcall.db')).openWriter();
  const records = series(600, contactImport);
  await loadInto(writer, 'contactImports', records, { contract: older, account: 'acme' });
  await writer.close();
  await backUp();
  expect(await folder.call(['db', 'upgrade', '--db', 'copy.db'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(`^${countedOf({ automations: 4, contactImports: 600 })} checked in .* s; 600 records changed\\.\n$`),
    ) as unknown,
  });
  const store = await sqliteDatabase(copy).openStore(schemaHashes(contract));
  afterTest(() => store.close());
  const { stdout } = await folder.call(['export', 'contact-imports', '--account', 'acme', '--db', 'copy.db']);
  expect(stdout).toBe(ndjson(records));
  expect(journalMode()).toBe('wal');
});
