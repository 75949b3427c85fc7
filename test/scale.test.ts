/** docs/scale.md is consistent: its estimates follow from its measurements, and the files that it names exist. */
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

test('the estimate follows from the measurements', () => {
  const [REQUESTS, RECORDS, USE, DEEPER] = [100_000, 1e9, 0.6, 20 / 17];
  const cores = (us: number): number => Math.ceil((REQUESTS * us) / 1e6 / USE);
  const serving = [cores(measured('r')), cores(measured('r₁'))];
  const reading = [cores(measured('p') * DEEPER), cores(measured('p₁') * DEEPER)];
  const busy = Math.round((REQUESTS * (measured('t') + 0.5)) / 1000);
  expect({
    cores: computed('Rollcall cores'),
    processes: computed('Rollcall processes (`--workers`), one core each'),
    reading: computed('PostgreSQL cores for reads'),
    replicas: computed('replicas with 16 cores, plus a spare'),
    busy: computed('busy connections, with 0.5 ms network latency'),
    open: computed('open connections'),
    storage: computed('storage per copy'),
    memory: computed('memory for inner index blocks, per copy'),
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
