/** `rollcall keys`: issued once, listed without secrets, revoked at once. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { lastUses } from '../../server/store/sqlite/last-uses.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';

let folder: Folder;
beforeEach(() => {
  folder = openFolder();
});
afterEach(() => {
  folder.remove();
});

async function create(...argv: string[]): Promise<{ id: string; key: string }> {
  const { code, stdout, stderr } = await folder.run(['keys', 'create', '--account', 'acme', ...argv]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^rollcall_[0-9a-f]{40}\n$/);
  const [, id = ''] = /^Key ([0-9a-f]{16}) opens account "acme"\. It is not shown again\.\n/.exec(stderr) ?? [];
  return { id, key: stdout.trim() };
}

test('a key is shown once, and only its hash is stored', async () => {
  const { key } = await create('--label', 'nightly job');
  const secret = key.replace('rollcall_', '');
  const stored = readFileSync(folder.path('rollcall.db'));
  expect(stored.includes(secret)).toBe(false);
  expect(stored.includes(Buffer.from(secret, 'hex'))).toBe(false);
  expect((await create()).key).not.toBe(key);
});

test('an account that is new is said to be', async () => {
  const creation = async (): Promise<string> => (await folder.run(['keys', 'create', '--account', 'typo'])).stderr;
  const created = /^Key [0-9a-f]{16} opens account "typo"\. It is not shown again\.\n/;
  expect((await creation()).replace(created, '')).toBe('Account "typo" is new and empty.\n');
  expect((await creation()).replace(created, '')).toBe('');
  await folder.run(['import', 'automations', '--account', 'loaded']);
  expect((await folder.run(['keys', 'create', '--account', 'loaded'])).stderr).not.toContain('new');
});

test('keys are listed without themselves', async () => {
  const first = await create('--label', 'nightly job');
  const second = await create();
  await folder.run(['keys', 'revoke', first.id]);
  const { code, stdout, stderr } = await folder.run(['keys', 'list']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^ID +ACCOUNT +CREATED +LAST USED +EXPIRES +REVOKED +LABEL$/);
  expect(lines[1]).toMatch(new RegExp(`^${first.id}  acme +${time}  - +- +${time}  nightly job$`));
  expect(lines[2]).toMatch(new RegExp(`^${second.id}  acme +${time}  - +- +-$`));
  expect(stdout).not.toContain('rollcall_');
});

test('a revoked key stops working at once, while the server runs', async () => {
  const { id, key } = await create();
  const { url } = await folder.serve();
  const status = async (): Promise<number> =>
    (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  expect(await folder.run(['keys', 'revoke', id])).toMatchObject({
    code: 0,
    stdout: `Key ${id} of account "acme" is revoked.\n`,
  });
  expect(await status()).toBe(401);
  expect(await folder.run(['keys', 'revoke', id])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(`^Key ${id} of account "acme" was revoked already, at \\S+Z\\.\n$`) as unknown,
  });
});

test('neither waits for another process that writes, and what it did holds once it has ended', async () => {
  const old = await create();
  const { url } = await folder.serve();
  const status = async ({ key }: { key: string }): Promise<number> =>
    (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status(old)).toBe(200);
  const other = new Database(folder.path('rollcall.db'));
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
  const filed = new Database(folder.path('rollcall.db'), { readonly: true });
  expect(filed.prepare('SELECT count(*), count(revoked_at) FROM keys').raw().get()).toEqual([2, 1]);
  filed.close();
  expect([await status(old), await status(fresh)]).toEqual([401, 200]);
});

test('an unknown id is refused', async () => {
  await create();
  expect(await folder.run(['keys', 'revoke', 'nope'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'rollcall: There is no key "nope". See: rollcall keys list\n',
  });
});

test.each([[['list']], [['revoke', 'x']]])('keys %j does not make a database', async (argv) => {
  const ran = await folder.run(['keys', ...argv]);
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toMatch(/^rollcall: \.\/rollcall\.db cannot be opened: .*\. Check its name and its folder\.\n$/);
  expect(existsSync(folder.path('rollcall.db'))).toBe(false);
});

test('no keys yet', async () => {
  await folder.run(['import', 'automations', '--account', 'acme']);
  expect(await folder.run(['keys', 'list'])).toMatchObject({
    code: 0,
    stderr: 'There are no keys yet. Create one: rollcall keys create --account NAME\n',
  });
});

describe('a key that expires', () => {
  test('says when', async () => {
    const ran = await folder.run(['keys', 'create', '--account', 'acme', '--expires', '2999-12-31']);
    expect(ran.stderr).toMatch(
      /^Key \w+ opens account "acme" until 2999-12-31T00:00:00\.000Z\. It is not shown again\.\n/,
    );
    expect((await folder.run(['keys', 'list'])).stdout).toMatch(/ {2}2999-12-31T00:00:00\.000Z {2}-\n$/);
  });

  test('in days has so many times 24 hours', async () => {
    await folder.run(['keys', 'create', '--account', 'acme', '--expires', '90d']);
    const [key] = JSON.parse((await folder.run(['keys', 'list', '--json'])).stdout) as Record<string, string>[];
    const days = (Date.parse(key?.['expiresAt'] ?? '') - Date.parse(key?.['createdAt'] ?? '')) / 86_400_000;
    expect(Math.abs(days - 90)).toBeLessThan(0.001);
  });

  test.each([
    '',
    '0d',
    '-1d',
    '1.5d',
    '90',
    '10000d',
    '2020-01-01',
    '2999-02-29',
    '2999-13-01',
    '2999-12-31T12:00',
    'soon',
  ])('is not made for --expires %j', async (expires) => {
    const ran = await folder.run(['keys', 'create', '--account', 'acme', '--expires', expires]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(
      'It must be days from now, 1d to 9999d, or a date to come such as 2030-12-31 or 2030-12-31T12:00:00Z, in UTC.\n',
    );
    expect(existsSync(folder.path('rollcall.db'))).toBe(false);
  });
});

test('keys are listed as JSON, without themselves', async () => {
  const { id, key } = await create('--label', 'a\u00e9b');
  const { stdout } = await folder.run(['keys', 'list', '--json']);
  expect(JSON.parse(stdout)).toEqual([
    {
      ...{ id, account: 'acme', label: 'a\u00e9b', createdAt: expect.any(String) as unknown },
      ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
    },
  ]);
  expect(stdout).not.toContain(key.replace('rollcall_', ''));
});

describe('the last use of a key', () => {
  type Listed = Record<'id' | 'lastUsedAt', string | null>[];
  const listed = async (): Promise<Listed> =>
    JSON.parse((await folder.run(['keys', 'list', '--json'])).stdout) as Listed;

  test('is listed after a server has stopped, remembered answers too, and goes with the account', async () => {
    const [used, unused] = [await create(), await create()];
    const { url, process, ended } = await folder.serve();
    const ask = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${used.key}` };
      await (await fetch(`${url}/automations`, { headers })).text();
    };
    for (let times = 0; times < 4; times += 1) await ask();
    const before = new Date().toISOString();
    await ask();
    const after = new Date().toISOString();
    expect(existsSync(folder.path('rollcall.db-last-used'))).toBe(false); // Not with each request.
    process.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });

    const keys = await listed();
    expect(keys.find((it) => it.id === unused.id)?.lastUsedAt).toBeNull();
    const at = keys.find((it) => it.id === used.id)?.lastUsedAt ?? '';
    expect(before <= at && at <= after).toBe(true);
    expect((await folder.run(['keys', 'list'])).stdout).toContain(`  ${at}  `);
    const file = readFileSync(folder.path('rollcall.db-last-used'), 'latin1');
    expect(file).toContain(used.id);
    expect(file).not.toContain(used.key.replace('rollcall_', ''));

    expect((await folder.run(['accounts', 'delete', 'acme', '--yes'])).code).toBe(0);
    expect(lastUses(folder.path('rollcall.db'))).toEqual(new Map());
  });

  test('is not worth failing for', async () => {
    await create();
    writeFileSync(folder.path('rollcall.db-last-used'), 'nonsense'.repeat(1000));
    const { code, stdout, stderr } = await folder.run(['keys', 'list', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ lastUsedAt: null }]);
    expect(stderr).toBe(
      'When keys were last used cannot be read: ./rollcall.db-last-used is damaged. ' +
        'Remove it: it holds nothing but when keys were last used.\n',
    );
  });
});

test.each(['a\u001b[31mb', 'a\u009bb', 'a\u202eb', 'a\u2028b'])('the name %j is refused', async (name) => {
  for (const argv of [
    ['--account', name],
    ['--account', 'acme', '--label', name],
  ]) {
    const ran = await folder.run(['keys', 'create', ...argv]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('It must be 1 to 100 characters, without control characters or spaces around it.');
    expect(ran.stderr).not.toContain(name);
  }
});
