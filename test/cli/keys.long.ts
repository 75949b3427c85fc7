/** `rollcall keys`: issued once, listed without secrets, revoked at once. */
import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { shellWord } from '../../server/store/address.ts';
import { create } from '../support/create-key.ts';
import { codeBelow } from '../support/docs.ts';
import { CREATED, folder, shown } from '../support/own-database.ts';
import { openShell } from '../support/shell.ts';

type Listed = Record<'id' | 'createdAt', string> & Record<'expiresAt' | 'revokedAt', string | null>;
const listed = async (): Promise<Listed[]> =>
  JSON.parse((await folder.call(['keys', 'list', '--json'])).stdout) as Listed[];

test('a database and an account that are new are said to be', async () => {
  const creation = async (account: string): Promise<string> =>
    (await folder.call(['keys', 'create', '--account', account])).stderr;
  const created = /^Created key [0-9a-f]{16} for account "typo"\. The key is not shown again\.\n/;
  expect((await creation('typo')).replace(created, '')).toBe(
    `${CREATED}Created account "typo", which has no records.\n`,
  );
  expect((await creation('typo')).replace(created, '')).toBe('');
  await folder.call(['import', 'automations', '--account', 'loaded', '--allow-empty']);
  expect(await creation('loaded')).not.toContain('new');
});

describe('a key that cannot be printed is revoked, and the command fails:', () => {
  const lost = (reason: string, before = ''): unknown =>
    expect.stringMatching(
      new RegExp(`^${before}rollcall: Key [0-9a-f]{16} could not be printed: ${reason}\\. It has been revoked\\.\n$`),
    );
  const ENOSPC = 'no space left on device';
  const expectRevoked = async (): Promise<void> => {
    expect(await listed()).toMatchObject([{ account: 'acme', revokedAt: expect.any(String) }]);
  };
  const argv = ['keys', 'create', '--account', 'acme'];

  (existsSync('/dev/full') ? test : test.skip)('a full disk', async () => {
    expect(await folder.run(argv, { setUp: 'exec > /dev/full' })).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: lost(
        ENOSPC,
        `rollcall: The output is incomplete: ${ENOSPC}. Free up space, or write the output elsewhere.\n`,
      ),
    });
    await expectRevoked();
  });

  test('a pipe that nobody reads any more', async () => {
    const running = folder.start(argv);
    running.process.stdout.destroy();
    expect(await running.ended).toEqual({ code: 1, signal: null, stdout: '', stderr: lost('broken pipe') });
    await expectRevoked();
  });

  test('unless it cannot be revoked either, which is said', async () => {
    const injected = `const { toISOString } = Date.prototype; let calls = 0;
      Date.prototype.toISOString = function () {
        calls += 1;
        if (calls > 1) throw new Error('injected');
        return toISOString.call(this);
      };`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(injected)}` };
    const running = folder.start(argv, env);
    running.process.stdout.destroy();
    expect(await running.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^rollcall: Key \w{16} could not be printed: broken pipe\. It is still active, because it could not be revoked: injected\n$/,
      ) as unknown,
    });
  });
});

test('keys are listed without themselves, in columns and as JSON', async () => {
  const [first, second] = [await create('--label', 'nightly job'), await create('--label', 'a\u00e9b')];
  expect(second.key).not.toBe(first.key);
  await folder.call(['keys', 'revoke', first.id]);
  const [table, json] = [await folder.call(['keys', 'list']), await folder.call(['keys', 'list', '--json'])];
  const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
  const lines = table.stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^ID +ACCOUNT +CREATED +EXPIRES +REVOKED +LABEL$/);
  expect(lines[1]).toMatch(new RegExp(`^${first.id}  acme +${time}  - +${time}  nightly job$`));
  expect(lines[2]).toMatch(new RegExp(`^${second.id}  acme +${time}  - +- +aéb$`));
  const key = { account: 'acme', createdAt: expect.any(String) as unknown, expiresAt: null };
  expect(JSON.parse(json.stdout)).toEqual([
    { ...key, id: first.id, label: 'nightly job', revokedAt: expect.any(String) },
    { ...key, id: second.id, label: 'a\u00e9b', revokedAt: null },
  ]);
  for (const { code, stdout, stderr } of [table, json]) {
    expect([code, stderr]).toEqual([0, '']);
    for (const { key: secret } of [first, second]) expect(stdout).not.toContain(secret.replace('rollcall_', ''));
  }
});

test('a revoked key stops working at once, while the server runs', async () => {
  const { id, key } = await create();
  const { url } = await folder.serve();
  const status = async (): Promise<number> =>
    (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  const revoke = ['keys', 'revoke', id];
  expect(await folder.call(revoke)).toMatchObject({ code: 0, stdout: `Key ${id} of account "acme" was revoked.\n` });
  expect(await status()).toBe(401);
  const already = expect.stringMatching(`^Key ${id} of account "acme" was already revoked at \\S+Z\\.\n$`) as unknown;
  expect(await folder.call(revoke)).toMatchObject({ code: 0, stdout: already });
});

test('an unknown id is an error; that there are no keys is said', async () => {
  await folder.call(['import', 'automations', '--account', 'acme', '--allow-empty']);
  expect(await folder.call(['keys', 'revoke', 'nope'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'rollcall: Key "nope" does not exist. To list the keys, run: rollcall keys list --db ' + shellWord(shown) + '\n',
  });
  expect(await folder.call(['keys', 'list'])).toMatchObject({
    code: 0,
    stderr: 'No keys yet. To create one, run: rollcall keys create --account <account> --db ' + shellWord(shown) + '\n',
  });
});

test('a key that expires says when; in days it has so many times 24 hours', async () => {
  const creation = ['keys', 'create', '--account', 'acme', '--expires'];
  expect((await folder.call([...creation, '2999-12-31'])).stderr).toMatch(
    /^Created key \w+ for account "acme", valid until 2999-12-31T00:00:00\.000Z. The key is not shown again\.\n/,
  );
  expect((await folder.call(['keys', 'list'])).stdout).toMatch(/ {2}2999-12-31T00:00:00\.000Z {2}-\n$/);
  await folder.call([...creation, '90d']);
  const [, key] = await listed();
  const days = (Date.parse(key?.expiresAt ?? '') - Date.parse(key?.createdAt ?? '')) / 86_400_000;
  expect(Math.abs(days - 90)).toBeLessThan(0.001);
});

test('the command of docs/running.md finds the last use of a key in the log', async () => {
  const [{ id, key }, other] = [await create(), await create()];
  const { url, process, ended } = await folder.serve(['--log', 'json']);
  for (const [path, by] of [
    ['/automations', key],
    ['/contact-properties', key],
    ['/contacts/imports', other.key],
  ]) {
    await (await fetch(`${url}${String(path)}`, { headers: { authorization: `Bearer ${String(by)}` } })).text();
  }
  process.kill('SIGTERM');
  writeFileSync(folder.path('rollcall.log'), (await ended).stderr);
  const [, grep = ''] = codeBelow('docs/running.md', 'API keys');
  const command = grep.replace('0123456789abcdef', id);
  expect(JSON.parse(openShell(folder).sh(command))).toMatchObject({ keyId: id, path: '/contact-properties' });
});
