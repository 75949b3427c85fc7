/** docs/scale.md is true to itself: what it computes follows from what it says was measured, and what it names is there. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const page = readFileSync(root('docs/scale.md'), 'utf8');
const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

/** @returns the first number of a text. */
const numberIn = (text = ''): number => Number(/[\d,]+(\.\d+)?/.exec(text)?.[0].replaceAll(',', ''));
/** @returns the figure with this sign, in its unit. */
const measured = (sign: string): number => numberIn(rows.find(([, , cell]) => cell === `\`${sign}\``)?.[3]);
/** @returns both results in the row of this name. */
const computed = (name: string): number[] => (rows.find(([, cell]) => cell === name) ?? []).slice(3, 5).map(numberIn);

test('the figures for a million accounts follow from the measured ones', () => {
  const [REQUESTS, RECORDS, USE, DEEPER] = [100_000, 1e9, 0.6, 20 / 17];
  const cores = (us: number): number => Math.ceil((REQUESTS * us) / 1e6 / USE);
  const serving = [cores(measured('r')), cores(measured('r₁'))];
  const reading = [cores(measured('p') * DEEPER), cores(measured('p₁') * DEEPER)];
  const busy = Math.round((REQUESTS * (measured('t') + 0.5)) / 1000);
  expect({
    cores: computed('cores of Rollcall'),
    processes: computed('processes (`--workers`), one each'),
    reading: computed('cores of PostgreSQL that read'),
    replicas: computed('replicas of 16 cores, and a spare'),
    busy: computed('busy connections, 0.5 ms away'),
    open: computed('open connections'),
    storage: computed('storage of each copy'),
    memory: computed('memory for inner blocks, each copy'),
  }).toEqual({
    cores: serving,
    processes: serving,
    reading,
    replicas: reading.map((it) => Math.ceil(it / 16) + 1),
    busy: [busy, 2 * busy],
    open: serving.map((it) => it * measured('c')),
    storage: Array(2).fill((RECORDS * measured('b')) / 1e9),
    memory: Array(2).fill((RECORDS * measured('i')) / 1e9),
  });
});

test('what it names is there', () => {
  const named = [...page.matchAll(/`((?:server|test)\/[\w/.-]+)`/g)].map((it) => it[1] ?? '');
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((it) => !existsSync(root(it)))).toEqual([]);
  // test/docs/links.test.ts has the names.
  expect(page).toMatch(/`npm run bench -- scale/);
});
