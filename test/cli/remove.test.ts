/** `rollcall remove`: removes the given records, and no others. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { allowed } from '../../contract/wording.ts';
import { automation } from '../../testkit/builders.ts';
import { afterTest } from '../support/after-test.ts';
import { contract } from '../support/app.ts';
import type { Ran } from '../support/cli.ts';
import { ENGINE } from '../support/engine.ts';
import { folder, held, load } from '../support/own-database.ts';
import { series } from '../support/series.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const records = series(4, automation);
const [A = '', B = '', C = '', D = ''] = records.map((it) => it.id);
const REMOVE = ['remove', 'automations', '--account', 'acme'];

beforeEach(async () => {
  for (const account of ['acme', 'other']) await load('automations', records, { account });
});

const remove = (ids: readonly string[], input = ''): Promise<Ran> => folder.call([...REMOVE, ...ids], { input });
const idsOf = async (account: string): Promise<unknown[]> =>
  (await held('automations', account)).map((it) => (JSON.parse(it) as { id: unknown }).id);

test('ids may be in upper case, twice and unknown', async () => {
  expect(await remove([A.toUpperCase(), A, UNKNOWN, C])).toEqual({
    code: 0,
    signal: null,
    stdout: '2 automations removed from account "acme".\n',
    stderr: `${UNKNOWN}: not found in account "acme"\n`,
  });
  expect([await idsOf('acme'), await idsOf('other')]).toEqual([[B, D], [A, B, C, D]]); // prettier-ignore
});

test('it leaves no connection open', async () => {
  const [connect, end] = [jest.spyOn(pg.Client.prototype, 'connect'), jest.spyOn(pg.Client.prototype, 'end')];
  afterTest(() => {
    connect.mockRestore();
    end.mockRestore();
  });
  expect(await remove([A, B])).toMatchObject({ code: 0, stdout: '2 automations removed from account "acme".\n' });
  expect(connect).toHaveBeenCalledTimes(ENGINE === 'sqlite' ? 0 : 1);
  // A pool that nobody closes keeps an idle connection, and with it the process, for 10 s.
  expect(end).toHaveBeenCalledTimes(connect.mock.calls.length);
});

test('ids come from standard input, one a line', async () => {
  const removed = (count: number): object => ({
    ...{ code: 0, stderr: '', stdout: `${String(count)} automations removed from account "acme".\n` },
  });
  expect(await remove(['-'], `${A}\r\n\n  ${B}\n${D}`)).toMatchObject(removed(3));
  expect(await idsOf('acme')).toEqual([C]);
  expect(await remove(['-'])).toMatchObject(removed(0));
});

test('a malformed id, and input that is not text, remove nothing', async () => {
  for (const [id, shown] of [
    ['x', 'x'],
    ['', ''],
    [A.replaceAll('-', ''), A.replaceAll('-', '')],
    ['\u001b[31m', '\\u001b[31m'],
    ['y'.repeat(1000), 'y'.repeat(100)],
  ] as const) {
    expect(await remove([A, id])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `rollcall: "${shown}" is not a valid id: it must be ${allowed(contract.schemas.ItemId)}. Nothing was removed.\n`,
    });
  }
  expect(await folder.call([...REMOVE, '-'], { input: Buffer.from(`${A}\n\xff\n`, 'latin1') })).toMatchObject({
    code: 1,
    stderr: 'rollcall: standard input is not UTF-8 text; nothing was removed.\n',
  });
  expect(await idsOf('acme')).toEqual([A, B, C, D]);
});
