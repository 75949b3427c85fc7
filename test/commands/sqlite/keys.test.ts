/** `rollcall keys` in a file: what is in it, and that nobody waits for who writes to it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { create } from '../../support/create-key.ts';
import { address, folder } from '../../support/own-database.ts';

test('of a key only its hash is stored, and when it was last used', async () => {
  const { id, key } = await create('--label', 'nightly job');
  const secret = key.replace('rollcall_', '');
  const { url, process, ended } = await folder.serve();
  expect((await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  process.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  for (const file of [address, `${address}-last-used`]) {
    const stored = readFileSync(file);
    expect(stored.includes(id)).toBe(true);
    expect(stored.includes(secret)).toBe(false);
    expect(stored.includes(Buffer.from(secret, 'hex'))).toBe(false);
  }
});

test('neither creating nor revoking one waits for another process that writes, and what it did holds once it has ended', async () => {
  const old = await create();
  const { url } = await folder.serve();
  const status = async ({ key }: { key: string }): Promise<number> =>
    (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status(old)).toBe(200);
  const other = new Database(address);
  other.exec('BEGIN IMMEDIATE');
  const fresh = await create();
  const revoked = await folder.run(['keys', 'revoke', old.id]);
  expect(revoked).toMatchObject({ code: 0, stdout: `Key ${old.id} of account "acme" is revoked.\n`, stderr: '' });
  expect([await status(old), await status(fresh)]).toEqual([401, 200]);
  const list = await folder.run(['keys', 'list', '--json']);
  expect(JSON.parse(list.stdout)).toMatchObject([
    { id: old.id, revokedAt: expect.any(String) as unknown },
    { id: fresh.id, revokedAt: null },
  ]);
  expect(other.prepare('SELECT id, revoked_at FROM keys').raw().all()).toEqual([[old.id, null]]);
  other.exec('ROLLBACK');
  other.close();

  await folder.run(['keys', 'list']);
  const filed = new Database(address, { readonly: true });
  expect(filed.prepare('SELECT count(*), count(revoked_at) FROM keys').raw().get()).toEqual([2, 1]);
  filed.close();
  expect([await status(old), await status(fresh)]).toEqual([401, 200]);
});

test('when keys were last used is not worth failing for', async () => {
  await create();
  writeFileSync(`${address}-last-used`, 'nonsense'.repeat(1000));
  const { code, stdout, stderr } = await folder.run(['keys', 'list', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ lastUsedAt: null }]);
  expect(stderr).toBe(
    'When keys were last used cannot be read: ./rollcall.db-last-used is damaged. ' +
      'Remove it: it holds nothing but when keys were last used.\n',
  );
});
