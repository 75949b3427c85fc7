/** `rollcall keys` in a file: the contents of the file and of those beside it. */
import { once } from 'node:events';
import { readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { automation } from '../../../server/testing/builders.ts';
import { create } from '../../support/create-key.ts';
import { holdWrites } from '../../support/hold.ts';
import { address, folder, load } from '../../support/own-database.ts';

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

const DAMAGED = `is damaged (file is not a database). Remove it: it holds nothing but when keys were last used.`;

describe('a file of last uses that is damaged', () => {
  const sidecar = (): string => `${address}-last-used`;
  beforeEach(async () => {
    await load('automations', [automation()]);
    writeFileSync(sidecar(), 'nonsense'.repeat(1000));
  });

  test('stops no command that reads or writes the database', async () => {
    const { id } = await create();
    const list = await folder.call(['keys', 'list', '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject([{ lastUsedAt: null }]);
    expect(list).toMatchObject({
      code: 0,
      stderr: `When keys were last used cannot be read: ${sidecar()} ${DAMAGED}\n`,
    });
    expect(await folder.call(['keys', 'revoke', id])).toMatchObject({ code: 0, stderr: '' });
    const copied = await folder.call(['copy', 'rollcall.db', 'two.db']);
    expect(copied).toMatchObject({
      code: 0,
      stderr: `When keys were last used cannot be read: ${sidecar()} ${DAMAGED}\n`,
    });
    expect(await folder.call(['accounts', 'delete', 'acme', '--yes'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Deleted account "acme" with /) as unknown,
      stderr: `When keys were last used cannot be forgotten: ${sidecar()} ${DAMAGED}\n`,
    });
  });

  test('stops no server: requests succeed, and it is logged once', async () => {
    const { key } = await create();
    const { url, process, ended } = await folder.serve();
    expect((await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    process.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((it) => JSON.parse(it) as unknown),
    ).toMatchObject([
      {
        event: 'failed',
        error: { message: `When keys were last used could not be written down: ${sidecar()} ${DAMAGED}` },
      },
    ]);
  });

  test('is found by `check`', async () => {
    expect(await folder.call(['check'])).toMatchObject({
      code: 1,
      stderr: `${sidecar()} ${DAMAGED}\nrollcall: ./rollcall.db is not sound: 0 records are bad; see above.\n`,
    });
    rmSync(sidecar());
    expect(await folder.call(['check'])).toMatchObject({ code: 0, stderr: '' });
  });
});

test('under two names of the database, a key that is revoked while another process writes is dead once the command has ended', async () => {
  const { id, key } = await create();
  symlinkSync(address, folder.path('link.db'));
  const { url } = await folder.serve(['--db', 'link.db']);
  const status = async (): Promise<number> =>
    (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  const release = await holdWrites(address);
  const revoke = folder.start(['keys', 'revoke', id]);
  await once(revoke.process.stderr, 'data');
  expect(await status()).toBe(200);
  await release();
  expect(await revoke.ended).toMatchObject({ code: 0, stdout: `Key ${id} of account "acme" is revoked.\n` });
  expect(await status()).toBe(401);
  expect(readdirSync(folder.path('.')).filter((it) => it.includes('pending'))).toEqual([]);
});
