/** `rollcall db check` of a file: damage to its structure. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { automation } from '../../../testkit/builders.ts';
import { address, folder, load } from '../../support/own-database.ts';
import { series } from '../../support/series.ts';

test('a file in which a page was overwritten is not sound, and says so', async () => {
  await load('automations', series(2000, automation));
  const page = 4096;
  const pages = readFileSync(address).length / page;
  const db = openSync(address, 'r+');
  for (let at = Math.floor(pages / 2); at < pages; at += 1) writeSync(db, Buffer.alloc(page, 0xa5), 0, page, at * page);
  closeSync(db);
  const ran = await folder.call(['db', 'check']);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/Errors found in \S+ \(\d+ invalid records?\)\. See above\.\n$/);
  expect(ran.stderr).not.toContain('Internal error');
  const exported = await folder.call(['export', 'automations', '--account', 'acme']);
  expect(exported.code).toBe(1);
  expect(exported.stderr).toMatch(/^rollcall: \.\/rollcall\.db is damaged: .*\. Restore a backup\.\n$/);
});
