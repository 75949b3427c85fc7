/** `rollcall keys` in a file: the contents of the file and of those beside it. */
import { readFileSync, symlinkSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { create } from '../../support/create-key.ts';
import { address, folder } from '../../support/own-database.ts';

test('of a key only its hash is stored; under another name of the database it is the same key', async () => {
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
  const stored = readFileSync(address);
  expect(stored.includes(id)).toBe(true);
  expect(stored.includes(secret)).toBe(false);
  expect(stored.includes(Buffer.from(secret, 'hex'))).toBe(false);
});
