/** `rollcall import --skip-invalid --rejects <file>`: no record is lost. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { automation } from '../../testkit/builders.ts';
import type { Ran } from '../support/cli.ts';
import { CREATED, folder } from '../support/own-database.ts';
import { ndjson, series } from '../support/series.ts';
import { held, load, write } from './importing.ts';

const rejects = (file = 'out.ndjson'): unknown[] =>
  readFileSync(folder.path(file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((it) => JSON.parse(it) as unknown);
const skip = (...files: string[]): Promise<Ran> =>
  load('automations', ...files, '--skip-invalid', '--rejects', 'out.ndjson');
const paused = (): object => ({ ...automation(), status: 'paused' });
const status = [{ where: '/status', what: 'must be one of "enabled", "disabled"' }];

test('others are loaded, and bad records kept with their reasons', async () => {
  const good = series(2, automation);
  const bad = paused();
  write('in', `${ndjson(good.slice(0, 1))}${JSON.stringify(bad)}\n{oops\n${ndjson(good.slice(1))}`);
  const ran = await skip('in');
  expect(ran).toMatchObject({ code: 0, stderr: CREATED });
  expect(ran.stdout).toMatch(/^2 automations loaded .*; wrote 2 invalid records to out\.ndjson\.\n$/);
  const syntax = 'is not JSON: a name in double quotes is expected at line 3, column 2';
  expect(rejects()).toEqual([
    { file: 'in', line: 2, violations: status, record: bad },
    { file: 'in', line: 3, violations: [{ where: 'record', what: syntax }], text: '{oops' },
  ]);
  expect(await held('automations')).toEqual(good);
});

test('a record stands there as it was written, on one line', async () => {
  const text = JSON.stringify(paused(), null, 2).replace('"paused"', '1e400');
  write('in', `[${text.replaceAll('\n', '\r\n')}]`);
  await skip('in');
  const lines = readFileSync(folder.path('out.ndjson'), 'utf8').split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"status": 1e400,');
  expect(rejects()).toMatchObject([{ file: 'in', line: 1, violations: [{ where: '/status' }] }]);
});

test('once they are fixed in place, the file is imported like any other', async () => {
  const [first, second, third] = series(3, automation);
  write('in', `${ndjson([first])}${JSON.stringify({ ...second, status: 'paused' })}\n${JSON.stringify(third)},\n`);
  await skip('in');
  const fixed = readFileSync(folder.path('out.ndjson'), 'utf8')
    .replace('"paused"', '"enabled"')
    .replace(String.raw`\"},"`, String.raw`\"}"`);
  write('fixed', fixed.replace(/,"\}\n$/, '"}\n'));
  expect(await load('automations', 'fixed')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^2 automations loaded into account "acme" in [\d.]+ s; it now has 3 \(previously 1\)\.\n$/,
    ) as unknown,
  });
  expect(await held('automations')).toEqual([first, second, third]);
});

test('a record that is still bad in such a file is named by its line there, and rejected as it was written', async () => {
  const bad = paused();
  write('in', `${JSON.stringify(bad)}\n{oops\n`);
  await skip('in');
  const ran = await load('automations', 'out.ndjson', '--skip-invalid', '--rejects', 'again.ndjson');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const syntax = 'is not JSON: a name in double quotes is expected at character 2';
  expect(rejects('again.ndjson')).toEqual([
    { file: 'out.ndjson', line: 1, violations: status, record: bad },
    { file: 'out.ndjson', line: 2, violations: [{ where: 'record', what: syntax }], text: '{oops' },
  ]);
  expect((await load('automations', 'out.ndjson')).stderr.split('\n').slice(0, 2)).toEqual([
    `out.ndjson:1: /status: ${status[0]?.what ?? ''}`,
    `out.ndjson:2: record: ${syntax}`,
  ]);
});

test('the rejects of a file that is not loaded are neither written nor counted', async () => {
  const bad = [paused(), paused()];
  write('a', ndjson([automation(), bad[0]]));
  write('b', `[${JSON.stringify(paused())},`);
  write('c', ndjson([bad[1], automation()]));
  const ran = await skip('a', 'b', 'c');
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/^b:1: ends before its array does/);
  expect(ran.stdout).toMatch(/^2 automations loaded .*; wrote 2 invalid records to out\.ndjson\.\n$/);
  expect(rejects()).toEqual([
    { file: 'a', line: 2, violations: status, record: bad[0] },
    { file: 'c', line: 1, violations: status, record: bad[1] },
  ]);
});

test.each([
  ['no record is bad', ndjson([automation()]), 0],
  ['no file is loaded', `[${JSON.stringify(paused())},`, 1],
])('no file is left behind where %s', async (_, text, code) => {
  write('in', text);
  expect((await skip('in')).code).toBe(code);
  expect(existsSync(folder.path('out.ndjson'))).toBe(false);
});

test('no file is overwritten, and none left behind where there is no database', async () => {
  const text = ndjson([automation()]);
  write('in', text);
  expect(await load('automations', 'in', '--skip-invalid', '--rejects', 'in')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'rollcall: in is both the --rejects file and an input. Choose another file.\n',
  });
  expect(readFileSync(folder.path('in'), 'utf8')).toBe(text);
  write('not-a-db', 'x'.repeat(4096));
  expect(await skip('in', '--db', 'not-a-db')).toMatchObject({ code: 1 });
  expect(existsSync(folder.path('out.ndjson'))).toBe(false);
});

test('without --rejects, bad records are counted and the first 20 are named', async () => {
  write('in', ndjson([automation(), ...Array.from({ length: 21 }, paused)]));
  const { code, stdout, stderr } = await load('automations', 'in', '--skip-invalid');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1 automation loaded .*; skipped 21 invalid records\.\n$/);
  const lines = Array.from(
    { length: 20 },
    (_, index) => `in:${String(index + 2)}: /status: ${String(status[0]?.what)}\n`,
  );
  expect(stderr).toBe(lines.join('') + CREATED);
});

test('bad rows of CSV have their line and column, and once they are fixed, the file of rejects is imported', async () => {
  const rows = ['id,Name,status,created_at,updated_at,Notes'];
  const good = series(2, automation);
  for (const [index, { id, name, created_at, updated_at }] of good.entries()) {
    rows.push([id, `"${name}"`, index === 0 ? 'enabled' : 'paused', created_at, updated_at, ''].join(','));
  }
  write('in.csv', rows.join('\n'));
  const csv = ['in.csv', '--map', 'name=Name'];
  const notLoaded = 'in.csv: ignored, because no property has this name: column "Notes"\n';
  expect((await load('automations', ...csv)).stderr).toBe(
    `${notLoaded}in.csv:3: /status (column 3 "status", "paused"): ${String(status[0]?.what)}\n` +
      'in.csv: 1 of 2 records is invalid; not loaded\nrollcall: Not all input was loaded. See above.\n',
  );
  write('cells.csv', `id,name,status,created_at,updated_at\n${good[0]?.id ?? ''},,on,${'9'.repeat(50)},""\n`);
  const { stderr } = await load('automations', 'cells.csv');
  expect(stderr.match(/(?<=\(column )[^)]+/g)).toEqual([
    '3 "status", "on"',
    `4 "created_at", "${'9'.repeat(39)}…`,
    '5 "updated_at", empty',
  ]);
  expect(await skip(...csv)).toMatchObject({ code: 0, stderr: notLoaded + CREATED });
  expect(rejects()).toMatchObject([{ file: 'in.csv', line: 3, violations: status, record: { status: 'paused' } }]);
  write('fixed', readFileSync(folder.path('out.ndjson'), 'utf8').replace('"paused"', '"enabled"'));
  expect(await load('automations', 'fixed')).toMatchObject({ code: 0, stderr: '' });
  expect(await held('automations')).toEqual(good.map((record) => ({ ...record, status: 'enabled' })));
});

test('the flag that converts timestamps is named once where it would help, and what it allows where it does not', async () => {
  const all = series(2, automation).map((record) => ({ ...record, created_at: '2026-04-16T13:49:40.678912Z' }));
  write('in', ndjson(all));
  const { code, stderr } = await load('automations', 'in');
  const hint = 'in:1: has an RFC 3339 or Unix timestamp; to convert these, add --timestamps convert\n';
  expect([code, stderr.startsWith(hint), stderr.split('--timestamps').length]).toEqual([1, true, 2]);
  expect(await load('automations', 'in', '--timestamps', 'convert')).toMatchObject({ code: 0, stderr: CREATED });
  for (const created_at of ['2026-04-16T13:49:40', 0.1 + 0.2, null, '2026-02-30 00:00:00+00']) {
    write('bad', ndjson([{ ...automation(), created_at }]));
    const [line = ''] = (await load('automations', 'bad', '--timestamps', 'convert')).stderr.split('\n');
    expect([created_at, line.endsWith(' with an offset, or a Unix timestamp in seconds')]).toEqual([
      created_at,
      created_at === null || created_at === '2026-04-16T13:49:40',
    ]);
  }
  const stored = (await held('automations')) as { created_at: string }[];
  expect(stored.map(({ created_at }) => created_at)).toEqual(Array(2).fill('2026-04-16 13:49:40.678912+00'));
});

test('a mark that joined files leave in the middle is named', async () => {
  const record = JSON.stringify(automation());
  write('in', `${record}\n\uFEFF${record}\n\x1e${record}\n`);
  expect((await load('automations', 'in')).stderr).toContain(
    'in:2: record: is not JSON: a byte order mark (U+FEFF) must be removed at line 2, column 1\n' +
      'in:3: record: is not JSON: a record separator (U+001E) must be removed at line 3, column 1\n',
  );
});
