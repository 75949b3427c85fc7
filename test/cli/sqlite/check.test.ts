/** `rollcall check` of a file: it is sound, and its records are what was written. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { automation, contactImport } from '../../../server/testing/builders.ts';
import { address, folder, load } from '../../support/own-database.ts';
import { series } from '../../support/series.ts';

const ALTERED =
  './rollcall.db is damaged (a record of the automations of acme does not match its checksum; rollcall check lists it). ' +
  'Stop all processes that use it, restore a backup, and check the disk.';

test('records whose bytes were changed are found, and are not read', async () => {
  await load('automations', series(450, automation));
  await load('contactImports', [contactImport()]);
  new Database(address).exec(`UPDATE records SET stored = replace(stored, '"enabled"', '"disabled"')`).close();
  const { code, stderr } = await folder.call(['check']);
  expect(code).toBe(1);
  expect(stderr.match(/^acme: automations: \S+: the stored text does not match its checksum$/gm)).toHaveLength(20);
  expect(stderr).toContain('450 invalid records');
  const exported = await folder.call(['export', 'automations', '--account', 'acme']);
  expect(exported).toMatchObject({ code: 1, stdout: '', stderr: `rollcall: ${ALTERED}\n` });
  expect(await folder.call(['upgrade'])).toMatchObject({ code: 1, stdout: '', stderr: `rollcall: ${ALTERED}\n` });
  expect(await folder.call(['export', 'contact-imports', '--account', 'acme'])).toMatchObject({ code: 0, stderr: '' });
});

test('a file in which a page was overwritten is not sound, and says so', async () => {
  await load('automations', series(2000, automation));
  const page = 4096;
  const pages = readFileSync(address).length / page;
  const db = openSync(address, 'r+');
  for (let at = Math.floor(pages / 2); at < pages; at += 1) writeSync(db, Buffer.alloc(page, 0xa5), 0, page, at * page);
  closeSync(db);
  const ran = await folder.call(['check']);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/Errors found in \S+ \(\d+ invalid records?\)\. See above\.\n$/);
  expect(ran.stderr).not.toContain('Internal error');
  const exported = await folder.call(['export', 'automations', '--account', 'acme']);
  expect(exported.code).toBe(1);
  expect(exported.stderr).toMatch(/^rollcall: \.\/rollcall\.db is damaged: .*\. Restore a backup\.\n$/);
});
