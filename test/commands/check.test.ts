/** `rollcall check`: what is stored is what was loaded, in a sound file. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openWriter } from '../../server/store/sqlite/open.ts';
import { JSON_OF_STORED, addChecksumFunction } from '../../server/store/sqlite/checksum.ts';
import { automation, contactImport } from '../../server/testing/builders.ts';
import { contract } from '../support/app.ts';
import { contractWith } from '../support/contract.ts';
import { series } from '../support/series.ts';
import { loadInto } from '../support/store.ts';
import { file, folder } from '../support/own-folder.ts';

async function load(
  collection: 'automations' | 'contactImports',
  records: readonly object[],
  of = contract,
): Promise<void> {
  const writer = openWriter(file);
  await loadInto(writer, collection, records, { contract: of, account: 'acme' });
  await writer.close();
}
/** Alters what is stored, its checksums too: as if it had been loaded like that. */
const alter = (sql: string): void => {
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  addChecksumFunction(db);
  db.exec(`UPDATE records SET stored = ${JSON_OF_STORED}`);
  db.exec(sql);
  db.exec('UPDATE records SET stored = with_checksum(account, collection, stored)');
  db.close();
};

test('a sound database is said to be, with what it holds', async () => {
  await load('automations', series(450, automation));
  await load('contactImports', [contactImport()]);
  await folder.run(['keys', 'create', '--account', 'other']);
  expect(await folder.run(['check'])).toEqual({
    code: 0,
    signal: null,
    stdout:
      'acme: 450 automations, 0 contact properties, 1 contact imports\n' +
      'other: 0 automations, 0 contact properties, 0 contact imports\n' +
      './rollcall.db is sound.\n',
    stderr: '',
  });
  const json = await folder.run(['check', '--json']);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toEqual({
    ok: true,
    accounts: [
      { name: 'acme', records: { automations: 450, 'contact-properties': 0, 'contact-imports': 1 } },
      { name: 'other', records: { automations: 0, 'contact-properties': 0, 'contact-imports': 0 } },
    ],
    faults: [],
    badRecords: 0,
  });
});

const ALTERED =
  './rollcall.db is damaged (a record of the automations of acme is not what was written; rollcall check names it). ' +
  'Stop what uses it, put a backup in its place, and check the disk.';

describe('a record that is not as it was loaded', () => {
  const record = automation();
  const line = `acme: automations: ${record.id}: `;
  test.each([
    ['its text', `UPDATE records SET stored = stored || ' '`, 'its text is not the one it was loaded with'],
    [
      'its place',
      `UPDATE records SET created_us = created_us + 1`,
      'its place in the list is not the one it was loaded with',
    ],
    ['its filter', `UPDATE records SET filter = 'disabled'`, 'its filter is not the one it was loaded with'],
    ['JSON', `UPDATE records SET stored = substr(stored, 2)`, 'record: is not JSON'],
    [
      'the contract',
      `UPDATE records SET stored = replace(stored, '"enabled"', '"paused"')`,
      '/status: must be one of "enabled", "disabled"',
    ],
  ])('%s', async (_, sql, fault) => {
    await load('automations', [record]);
    alter(sql);
    expect(await folder.run(['check'])).toEqual({
      code: 1,
      signal: null,
      stdout: 'acme: 1 automations, 0 contact properties, 0 contact imports\n',
      stderr: `${line}${fault}\nrollcall: ./rollcall.db is not sound: 1 records are bad; see above.\n`,
    });
    const { code, stdout } = await folder.run(['check', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, faults: [line + fault], badRecords: 1 });
  });

  test('its bytes', async () => {
    await load('automations', series(450, automation));
    await load('contactImports', [contactImport()]);
    new Database(file).exec(`UPDATE records SET stored = replace(stored, '"enabled"', '"disabled"')`).close();
    const { code, stderr } = await folder.run(['check']);
    expect(code).toBe(1);
    expect(stderr.match(/^acme: automations: \S+: its text is not what was written$/gm)).toHaveLength(20);
    expect(stderr).toContain('450 records are bad');
    const exported = await folder.run(['export', 'automations', '--account', 'acme']);
    expect(exported).toMatchObject({ code: 1, stdout: '', stderr: `rollcall: ${ALTERED}\n` });
    expect(await folder.run(['upgrade'])).toMatchObject({ code: 1, stdout: '', stderr: `rollcall: ${ALTERED}\n` });
    expect(await folder.run(['export', 'contact-imports', '--account', 'acme'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('is named up to the twentieth, and counted to the last', async () => {
    await load('automations', series(450, automation));
    alter(`UPDATE records SET stored = '{}'`);
    const { code, stderr } = await folder.run(['check']);
    expect(code).toBe(1);
    expect(stderr.match(/^acme: automations: /gm)).toHaveLength(20);
    expect(stderr).toContain('450 records are bad');
  });
});

test('records without their account are found', async () => {
  await load('automations', [automation()]);
  alter('DELETE FROM accounts');
  expect(await folder.run(['check'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^there are records without their accounts\n/) as unknown,
  });
});

test('records of another contract are found', async () => {
  await load(
    'automations',
    [automation()],
    contractWith(({ Id: it }) => Object.assign(it, { maxLength: 40 })),
  );
  expect(await folder.run(['check'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The automations in .* must be checked again\. Run: rollcall upgrade /) as unknown,
  });
});

test('a file in which a page was overwritten is not sound, and says so', async () => {
  await load('automations', series(2000, automation));
  const page = 4096;
  const pages = readFileSync(file).length / page;
  const db = openSync(file, 'r+');
  for (let at = Math.floor(pages / 2); at < pages; at += 1) writeSync(db, Buffer.alloc(page, 0xa5), 0, page, at * page);
  closeSync(db);
  const ran = await folder.run(['check']);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/ is not sound: .* see above\.\n$/);
  expect(ran.stderr).not.toContain('fault of Rollcall');
  const exported = await folder.run(['export', 'automations', '--account', 'acme']);
  expect(exported.code).toBe(1);
  expect(exported.stderr).toMatch(/^rollcall: \.\/rollcall\.db is damaged: .*\. Restore a backup\.\n$/);
});

test('nothing is made or migrated', async () => {
  expect(await folder.run(['check'])).toMatchObject({ code: 1, stdout: '' });
  await load('automations', [automation()]);
  const db = new Database(file);
  db.pragma('user_version = 2');
  db.close();
  expect(await folder.run(['check'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'rollcall: ./rollcall.db was written by an older Rollcall. Back it up, then run: rollcall upgrade --db ./rollcall.db\n',
  });
});
