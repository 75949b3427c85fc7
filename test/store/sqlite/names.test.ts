/** A database has one name: SQLite keeps a log for each, so that a key revoked by another name would go on working. */
import { linkSync, readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mountPointsIn } from '../../../server/store/sqlite/names.ts';
import { folder } from '../../support/own-folder.ts';

describe('a database with a hard link', () => {
  const FAULT =
    'b.db has 2 names (hard links). SQLite keeps a log for each name, so changes under one are lost under the other. ' +
    'Stop all processes that use it, copy it (cp), and use the copy.';
  beforeEach(async () => {
    await folder.call(['keys', 'create', '--account', 'acme', '--db', 'a.db']);
    linkSync(folder.path('a.db'), folder.path('b.db'));
  });

  test.each([
    [['serve', '--port', '0']],
    [['serve', '--create', '--port', '0', '--workers', '2']],
    [['keys', 'create', '--account', 'acme']],
    [['keys', 'revoke', 'x']],
    [['import', 'automations', '--account', 'acme']],
    [['remove', 'automations', '4e6bfa81-0dbf-4f6b-ae37-211071cced1d', '--account', 'acme']],
    [['accounts', 'delete', 'acme', '--yes']],
    [['db', 'upgrade']],
  ])('is rejected by %j', async (words) => {
    expect(await folder.call([...words, '--db', 'b.db'])).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `rollcall: ${FAULT}\n`,
    });
    expect(readdirSync(folder.path('.')).toSorted()).toEqual(['a.db', 'b.db']);
  });

  test.each([
    [['keys', 'list', '--db', 'b.db']],
    [['accounts', 'list', '--db', 'b.db']],
    [['export', 'automations', '--account', 'acme', '--db', 'b.db']],
    [['db', 'check', '--db', 'b.db']],
    [['db', 'backup', 'c.db', '--db', 'b.db']],
    [['db', 'copy', 'b.db', 'c.db']],
  ])('is read by %j, with a warning', async (words) => {
    expect(await folder.call(words)).toMatchObject({ code: 0, stderr: `WARNING: ${FAULT}\n` });
  });

  test('is rejected as the target of a copy', async () => {
    await folder.call(['keys', 'create', '--account', 'acme', '--db', 'c.db']);
    expect(await folder.call(['db', 'copy', 'c.db', 'b.db'])).toMatchObject({
      code: 1,
      stderr: `rollcall: ${FAULT}\n`,
    });
  });
});

test('mount points are read as the kernel writes them', () => {
  const mountinfo = [
    '22 27 0:21 / /proc rw,nosuid shared:12 - proc proc rw',
    '36 35 98:0 /mnt1/a.db /data/my\\040\\303\\274\\134.db rw,noatime master:1 - ext3 /dev/root rw,errors=continue',
    '37 35 98:0 / /ü rw - ext3 /dev/root rw',
    '',
  ].join('\n');
  const points = mountPointsIn(Buffer.from(mountinfo).toString('latin1'));
  expect([...points].filter((it) => it !== '')).toEqual(['/proc', '/data/my ü\\.db', '/ü']);
});
