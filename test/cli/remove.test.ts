/** `rollcall remove`: removes the given records, and no others. */
import { once } from 'node:events';
import { beforeEach, expect, test } from '@jest/globals';
import { allowed } from '../../server/contract/wording.ts';
import { automation } from '../../server/testing/builders.ts';
import { contract } from '../support/app.ts';
import type { Ran, RunOptions } from '../support/cli.ts';
import { folder, load } from '../support/own-database.ts';
import { series } from '../support/series.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const records = series(4, automation);
const [A = '', B = '', C = '', D = ''] = records.map((it) => it.id);

beforeEach(async () => {
  for (const account of ['acme', 'other']) await load('automations', records, { account });
});

const remove = (ids: readonly string[], options?: RunOptions): Promise<Ran> =>
  folder.call(['remove', 'automations', '--account', 'acme', ...ids], options);
/** @returns the ids that an account has, newest first. */
async function held(account: string): Promise<string[]> {
  const { stdout } = await folder.call(['export', 'automations', '--account', account]);
  return [...stdout.matchAll(/^\{"id":"([^"]+)"/gm)].map((it) => it[1] ?? '');
}

test('ids may be in upper case, twice and unknown', async () => {
  expect(await remove([A.toUpperCase(), A, UNKNOWN, C])).toEqual({
    code: 0,
    signal: null,
    stdout: '2 automations removed from account "acme".\n',
    stderr: `${UNKNOWN}: account "acme" has no such record\n`,
  });
  expect(await held('acme')).toEqual([B, D]);
  expect(await held('other')).toEqual([A, B, C, D]);
});

test('it ends with the last line, and leaves no connection open', async () => {
  const { process: child, ended } = folder.start(['remove', 'automations', '--account', 'acme', A, B]);
  const done = once(child.stdout, 'data').then(() => performance.now());
  expect(await ended).toMatchObject({ code: 0, stdout: '2 automations removed from account "acme".\n' });
  // A pool that nobody closes keeps an idle connection, and with it the process, for 10 s.
  expect(performance.now() - (await done)).toBeLessThan(5000);
});

test('ids come from standard input, one a line', async () => {
  expect(await remove(['-'], { input: `${A}\r\n\n  ${B}\n${D}` })).toMatchObject({
    code: 0,
    stdout: '3 automations removed from account "acme".\n',
    stderr: '',
  });
  expect(await held('acme')).toEqual([C]);
  expect(await remove(['-'])).toMatchObject({ code: 0, stdout: '0 automations removed from account "acme".\n' });
});

test.each([
  ['x', 'x'],
  ['', ''],
  [A.replaceAll('-', ''), A.replaceAll('-', '')],
  ['\u001b[31m', '\\u001b[31m'],
  ['y'.repeat(1000), 'y'.repeat(100)],
])('a malformed id, %j, removes nothing', async (id, shown) => {
  expect(await remove([A, id])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `rollcall: "${shown}" is not an id: it must be ${allowed(contract.schemas.AnyCaseId)}. Nothing was removed.\n`,
  });
  expect(await held('acme')).toEqual([A, B, C, D]);
});

test('input that is not text is rejected', async () => {
  const { process: child, ended } = folder.start(['remove', 'automations', '--account', 'acme', '-']);
  child.stdin.end(Buffer.from([0xff, 0x0a]));
  expect(await ended).toMatchObject({
    code: 1,
    stderr: 'rollcall: standard input is not UTF-8 text; nothing was removed.\n',
  });
});

test('ids, account and collection are needed', async () => {
  expect(await remove([])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing required argument 'ids'") as unknown,
  });
  expect(await folder.call(['remove', 'automations', A])).toMatchObject({ code: 2 });
  expect(await folder.call(['remove', 'things', A, '--account', 'acme'])).toMatchObject({ code: 2 });
});
