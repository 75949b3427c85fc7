/** The recipes of docs/operations.md work as they stand: upgrade, rollback, rotation of a key. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openFolder } from './support/cli.ts';
import type { Folder } from './support/cli.ts';

const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const page = readFileSync(root('docs/operations.md'), 'utf8');

/** @returns the blocks of commands below a heading. */
function recipes(heading: string): readonly string[] {
  const section = new RegExp(`\n## ${heading}\n(.*?)(?=\n## |$)`, 's').exec(page)?.[1] ?? '';
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map((it) => it[1] ?? '');
}

let folder: Folder;
let sh: (script: string) => string;
beforeEach(() => {
  folder = openFolder();
  mkdirSync(folder.path('bin'));
  const program = (name: string, script: string): void => {
    writeFileSync(folder.path(`bin/${name}`), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  program('rollcall', `exec "${process.execPath}" "${root('server/main.ts')}" "$@"`);
  for (const name of ['npm', 'systemctl']) program(name, `echo "${name} $*" >> "${folder.path('told')}"`);
  const env = { ...process.env, PATH: `${folder.path('bin')}:${String(process.env['PATH'])}` };
  sh = (script) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], {
      cwd: folder.path('.'),
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stdout + stderr);
    return stdout;
  };
});
afterEach(() => {
  folder.remove();
});

test('an upgrade keeps the records, and the way back leads to those of before', () => {
  const [upgrade = '', rollback = '', ...others] = recipes('Upgrade and rollback');
  expect(others).toEqual([]);
  const samples = (name: string): string => `"${root(`server/samples/${name}`)}" --account acme --db rollcall.db`;
  sh(`rollcall import automations ${samples('automations.json')}`);
  const before = sh('rollcall export automations --account acme --db rollcall.db');
  expect(before.split('\n').length).toBeGreaterThan(10);

  sh(upgrade);
  expect(sh('rollcall export automations --account acme --db rollcall.db')).toBe(before);

  sh('echo [] | rollcall import automations --replace --allow-empty --account acme --db rollcall.db');
  const db = new Database(folder.path('rollcall.db'));
  db.pragma('user_version = 1000'); // As a later version might leave it.
  db.close();
  expect(() => sh('rollcall check --db rollcall.db')).toThrow('was written by a newer Rollcall');
  sh(rollback);
  expect(sh('rollcall export automations --account acme --db rollcall.db')).toBe(before);
  expect(readFileSync(folder.path('told'), 'utf8').split('\n')).toEqual([
    'npm install --global rollcall@latest',
    'systemctl restart rollcall',
    'systemctl stop rollcall',
    'npm install --global rollcall@0.1.0',
    'systemctl start rollcall',
    '',
  ]);
});

test('a key is rotated while the server runs', async () => {
  const [commands = '', ...others] = recipes('Rotating a key');
  expect(others).toEqual([]);
  const [create = '', list = '', revoke = ''] = commands.split('\n');
  const first = sh('rollcall keys create --account acme --db rollcall.db').trim();
  const { url } = await folder.serve();
  const status = async (key: string): Promise<number> =>
    (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;

  const second = sh(create).trim();
  expect([await status(first), await status(second)]).toEqual([200, 200]);
  const [, oldest = '', newest = ''] = sh(list).split('\n');
  expect(newest).toContain('from December');
  const id = oldest.split(' ')[0] ?? '';
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  sh(revoke.replace('0123456789abcdef', id));
  expect([await status(first), await status(second)]).toEqual([401, 200]);
});

test('the files it names are there', () => {
  const linked = [...page.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map((it) => it[1] ?? '');
  expect(linked.length).toBeGreaterThan(1);
  expect(linked.filter((it) => !existsSync(root(`docs/${it}`)))).toEqual([]);
});

test('every fault has its test', () => {
  const section = /\n## Faults and what happens\n(.*?)\n## /s.exec(page)?.[1] ?? '';
  const [, , ...rows] = section.split('\n').filter((it) => it.startsWith('|'));
  expect(rows.length).toBeGreaterThan(10);
  const testsOf = (row: string): string[] => row.match(/(?<=`)test\/[^`]+(?=`[^|]*\|$)/g) ?? [];
  expect(rows.filter((it) => testsOf(it).length === 0)).toEqual([]);
  expect(rows.flatMap(testsOf).filter((it) => !existsSync(root(it)))).toEqual([]);
});
