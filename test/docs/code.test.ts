/** Every block of TypeScript in README.md, client/README.md and docs/*.md runs as it stands, against the demo. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { afterFile } from '../support/after-test.ts';
import { openFolder } from '../support/cli.ts';
import { PAGES, blocksOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';

// The packages from here instead of from a registry.
const MODULES = {
  "'@tanstack/query-core'": 'node_modules/@tanstack/query-core/build/modern/index.js',
  "'@rollcall/client/tanstack-query'": 'client/tanstack-query.ts',
  "'@rollcall/client'": 'client/index.ts',
  "'rollcall/testing'": 'server/testing/index.ts',
};

const blocks = PAGES.flatMap(blocksOf).filter((it) => it.language === 'ts');

let demo: { readonly url: string; readonly key: string };
beforeAll(async () => {
  const shared = openFolder();
  afterFile(shared.remove);
  const [line] = await shared.start(['demo', '--port', '0', '--json']).printed(/^.*\n/);
  demo = JSON.parse(line) as typeof demo;
});

test('there are such blocks', () => {
  expect(blocks.length).toBeGreaterThan(8);
});

test.each(blocks)('$page, $heading runs', ({ code }) => {
  const runnable = Object.entries(MODULES)
    .reduce((text, [name, path]) => text.replaceAll(name, JSON.stringify(join(ROOT, path))), code)
    .replaceAll('http://127.0.0.1:3000', demo.url)
    .replaceAll('rollcall_…', demo.key);
  writeFileSync(folder.path('example.mts'), runnable);
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const argv = ['--no-warnings', folder.path('example.mts')];
  const { status, stderr, stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const tests = code.match(/^test\(/gm)?.length ?? 0;
  if (tests > 0) expect(stdout).toMatch(new RegExp(`^\\S pass ${String(tests)}$`, 'm'));
  else expect(stdout).not.toBe('');
});
