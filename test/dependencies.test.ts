/** The packages that an installation gets. Which folder may import which: `.dependency-cruiser.js`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './support/project.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}
const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest;

// So that `npm audit` of an installation sees what runs.
test.each(['package.json', 'audit/package.json', 'client/package.json'])('%s has exact versions', (path) => {
  const versions = Object.values(manifestOf(path).dependencies);
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.filter((it) => !/^\d+\.\d+\.\d+$/.test(it))).toEqual([]);
});

test('what both packages use has one version', () => {
  expect(manifestOf('package.json').dependencies).toMatchObject(manifestOf('audit/package.json').dependencies);
});

// It is bundled, and still a dependency.
test('the console names the version of lit-html that it contains', () => {
  const version = String(manifestOf('package.json').dependencies['lit-html']);
  expect(readFileSync(join(ROOT, 'built/console.js'), 'utf8')).toContain(
    `/*! Contains lit-html ${version}, BSD-3-Clause:\n`,
  );
});
