/** `rollcall keys` in a file: the contents of the file and of those beside it. */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { automation } from '../../../server/testing/builders.ts';
import { create } from '../../support/create-key.ts';
import { address, folder, load } from '../../support/own-database.ts';

test('of a key only its hash is stored, and when it was last used; under another name of the database it is the same key', async () => {
  const { id, key } = await create('--label', 'nightly job');
  const secret = key.replace('rollcall_', '');
  symlinkSync(address, folder.path('link.db'));
  const { url, process, ended } = await folder.serve(['--db', 'link.db']);
  const status = async (): Promise<number> =>
    (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  expect(await folder.call(['keys', 'revoke', id])).toMatchObject({ code: 0, stderr: '' });
  expect(await status()).toBe(401);
  process.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  for (const file of [address, `${address}-last-used`]) {
    const stored = readFileSync(file);
    expect(stored.includes(id)).toBe(true);
    expect(stored.includes(secret)).toBe(false);
    expect(stored.includes(Buffer.from(secret, 'hex'))).toBe(false);
  }
});

describe('a file of last uses that is damaged', () => {
  const sidecar = (): string => `${address}-last-used`;
  const damaged = (): string =>
    `${sidecar()} is damaged (file is not a database). Delete it: it contains only the last-used times of keys.`;
  const cannot = (be: string): string => `The last-used times of keys cannot be ${be}: ${damaged()}\n`;
  beforeEach(async () => {
    await load('automations', [automation()]);
    writeFileSync(sidecar(), 'nonsense'.repeat(1000));
  });

  test('stops no command that reads or writes the database', async () => {
    const { id } = await create();
    const list = await folder.call(['keys', 'list', '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject([{ lastUsedAt: null }]);
    expect(list).toMatchObject({ code: 0, stderr: cannot('read') });
    for (const [argv, stderr] of [
      [['keys', 'revoke', id], ''],
      [['copy', 'rollcall.db', 'two.db'], cannot('read')],
      [['accounts', 'delete', 'acme', '--yes'], cannot('deleted')],
    ] as const) {
      expect(await folder.call(argv)).toMatchObject({ code: 0, stderr });
    }
    expect((await folder.call(['accounts', 'list', '--json'])).stdout).toBe('[]\n');
  });

  test('stops no server: requests succeed, and it is logged once', async () => {
    const { key } = await create();
    const { url, process, ended } = await folder.serve();
    expect((await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    process.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    const message = `The last-used times of keys could not be stored: ${damaged()}`;
    expect(JSON.parse(stderr)).toMatchObject({ event: 'failed', error: { message } }); // One line.
  });

  test('is found by `check`', async () => {
    expect(await folder.call(['check'])).toMatchObject({
      code: 1,
      stderr: `${damaged()}\nrollcall: Errors found in ./rollcall.db (0 invalid records). See above.\n`,
    });
    rmSync(sidecar());
    expect(await folder.call(['check'])).toMatchObject({ code: 0, stderr: '' });
  });
});
