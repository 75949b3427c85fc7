/** The files of a tier do not depend on the folder of the clone, whose name may have spaces and characters of patterns. */
import { globSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { afterFile } from '../support/after-test.ts';
import { ROOT, copyProject, must } from '../support/project.ts';

const CONFIGURATIONS = ['jest.config.js', ...globSync(['test/tiers/*.js', 'lab/*/jest.config.js'], { cwd: ROOT })];

let copy: string;
beforeAll(() => {
  copy = copyProject('Rollcall é (1) [a-c] {d,e} +5 $6 ^7 #8 %41 ');
  afterFile(() => {
    rmSync(copy, { recursive: true });
  });
});

function filesOf(folder: string, configuration: string): readonly string[] {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const listed = must(folder, 'node', ...jest, '--config', configuration, '--listTests');
  return listed
    .trim()
    .split('\n')
    .map((file) => relative(folder, file))
    .toSorted();
}

test.each(CONFIGURATIONS)('%s', (configuration) => {
  const files = filesOf(ROOT, configuration);
  expect(files).not.toEqual(['']);
  expect(filesOf(copy, configuration)).toEqual(files);
  expect(new Set(files.map((it) => it.split('/')[0])).size).toBe(1); // Of test or of lab.
});
