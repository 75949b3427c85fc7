/** Every block of TypeScript in README.md, client/README.md and docs/*.md runs as it stands, against the demo. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
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

test('there are such blocks', () => {
  expect(blocks.length).toBeGreaterThan(8);
});

describe.each(blocks)('$page, $heading', ({ code }) => {
  test('runs', async () => {
    const demo = folder.start(['demo', '--port', '0', '--json']);
    const [line] = await demo.printed(/^.*\n/);
    const { url, key } = JSON.parse(line) as { readonly url: string; readonly key: string };
    const runnable = Object.entries(MODULES)
      .reduce((text, [name, path]) => text.replaceAll(name, JSON.stringify(join(ROOT, path))), code)
      .replaceAll('http://127.0.0.1:3000', url)
      .replaceAll('rollcall_…', key);
    writeFileSync(folder.path('example.mts'), runnable);
    const { NODE_OPTIONS: _options, ...env } = process.env;
    const { status, stderr, stdout } = spawnSync(process.execPath, ['--no-warnings', folder.path('example.mts')], {
      encoding: 'utf8',
      env,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const tests = code.match(/^test\(/gm)?.length ?? 0;
    if (tests > 0) expect(stdout).toMatch(new RegExp(`^\\S pass ${String(tests)}$`, 'm'));
    else expect(stdout).not.toBe('');
  });
});
