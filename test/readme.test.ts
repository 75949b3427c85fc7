/** README and CONTRIBUTING are true: their commands, options, files and folders exist, and the first answer is the one that is given. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openFolder } from './support/cli.ts';
import type { Folder } from './support/cli.ts';

const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const readme = readFileSync(root('README.md'), 'utf8');
const contributing = readFileSync(root('CONTRIBUTING.md'), 'utf8');
const manifest = JSON.parse(readFileSync(root('package.json'), 'utf8')) as { readonly scripts: Record<string, string> };
const all = (pattern: RegExp, text = readme): string[] => [
  ...new Set([...text.matchAll(pattern)].map((it) => it[1] ?? '')),
];

let folder: Folder;
beforeEach(() => {
  folder = openFolder();
});
afterEach(() => {
  folder.remove();
});

describe.each([
  ['README.md', readme],
  ['CONTRIBUTING.md', contributing],
])('%s', (_, text) => {
  test('names npm scripts that exist', () => {
    const named = all(/npm run ([\w:]+)/g, text);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((it) => !(it in manifest.scripts))).toEqual([]);
  });

  test('names files and folders that exist', () => {
    const linked = all(/\]\((?!https?:|#)([^)]+)\)/g, text);
    const mentioned = all(/(?<![\w./@-])((?:test|server|client|generated|\.ci)\/[\w./-]*\w)/g, text);
    const named = [...linked, ...mentioned.filter((it) => !it.startsWith('client/dist'))];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((it) => !existsSync(root(it)))).toEqual([]);
  });
});

test('the tree of "How it fits together" is there', () => {
  const tree = /```text\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const listed = [...tree.matchAll(/^( *)([\w.-]+\/?) /gm)].map(
    (it) => `${it[1] === '' ? '' : 'server/'}${String(it[2])}`,
  );
  expect(listed.length).toBeGreaterThan(8);
  expect(listed.filter((it) => !existsSync(root(it)))).toEqual([]);
});

test('"Where would I change X?" has ten answers, each one folder', () => {
  const section = /## Where would I change X\?\n([\s\S]*?)\n## /.exec(contributing)?.[1] ?? '';
  const answers = [...section.matchAll(/^\| (?!X |-)(.+?) +\| (.+?) +\|$/gm)].map((it) => it[2] ?? '');
  expect(answers).toHaveLength(10);
  const folders = all(/^`([\w/]+)`$/gm, answers.join('\n'));
  expect(folders).toHaveLength(10);
  expect(folders.filter((it) => !statSync(root(it)).isDirectory())).toEqual([]);
});

test('every command and option it names is in the help', async () => {
  const helps = await Promise.all(
    [
      ...[['serve'], ['import'], ['keys'], ['keys', 'create'], ['keys', 'list'], ['accounts'], ['accounts', 'delete']],
      ...[['export'], ['remove'], ['check'], ['backup'], ['conform'], ['demo']],
    ].map(async (it) => (await folder.run([...it, '--help'])).stdout),
  );
  const help = helps.join('\n').replaceAll(/\s+/g, ' '); // It is wrapped to the width of the terminal.
  const options = all(/(?<!NODE_OPTIONS=)(--[a-z][a-z-]+)/g).filter((it) => it !== '--help');
  expect(options.length).toBeGreaterThan(6);
  expect(options.filter((it) => !help.includes(it))).toEqual([]);
  for (const variable of all(/`(ROLLCALL_[A-Z_]+)`/g)) expect(help).toContain(`env: ${variable}`);
});

test('the commands of "Run a server" run as they stand', async () => {
  const commands = all(/^npm run rollcall -- (.+)$/gm).filter((it) => !/^(serve|conform)/.test(it));
  expect(commands).toHaveLength(4);
  for (const command of commands) {
    const words = (command.match(/"[^"]*"|\S+/g) ?? []).map((it) => it.replaceAll('"', ''));
    const argv = words.map((it) => (it.startsWith('server/samples/') ? root(it) : it));
    expect(await folder.run(argv)).toMatchObject({ code: 0 });
  }
});

test('its first answer is the answer of the demo', async () => {
  const [, target = '', answer = ''] = /\$ curl .*127\.0\.0\.1:3000(\S+)'\n(.+)\n/.exec(readme) ?? [];
  const demo = folder.start(['demo', '--port', '0']);
  const [, key = '', url = ''] = await demo.printed(/Bearer (\S+)' '(http:\/\/[^/]+)/);
  const response = await fetch(url + target, { headers: { authorization: `Bearer ${key}` } });
  expect(await response.text()).toBe(answer);
});

const DOCUMENTED = ['README.md', 'client/README.md', 'docs/client.md', 'docs/test-kit.md'];
describe.each(DOCUMENTED)('the code of %s runs as it stands', (file) => {
  const blocks = [...readFileSync(root(file), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map((it) => it[1] ?? '');

  test.each(blocks.map((code) => [/'(rollcall\/testing)'/.exec(code)?.[1] ?? '@rollcall/client', code]))(
    '%s',
    async (_, code) => {
      const demo = folder.start(['demo', '--port', '0']);
      const [, key = '', url = ''] = await demo.printed(/Bearer (\S+)' '(http:\/\/[^/]+)/);
      // The packages from here instead of from a registry, and the demo's address and key.
      const runnable = code
        .replaceAll(
          "'@tanstack/query-core'",
          JSON.stringify(root('node_modules/@tanstack/query-core/build/modern/index.js')),
        )
        .replaceAll("'@rollcall/client/tanstack-query'", JSON.stringify(root('client/tanstack-query.ts')))
        .replaceAll("'@rollcall/client'", JSON.stringify(root('client/index.ts')))
        .replaceAll("'rollcall/testing'", JSON.stringify(root('server/testing/index.ts')))
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
    },
  );
});
