/** The code of docs/examine.md and docs/test-kit.md that needs curl or Python: it runs as it stands, and prints what the pages show. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { RULES } from '../../testkit/examine/rules.ts';
import type { Result } from '../../audit/rules/rule.ts';
import { codeBelow, onlyCodeBelow, textOf } from '../../test/support/docs.ts';
import { folder } from '../../test/support/own-folder.ts';
import { ROOT } from '../../test/support/project.ts';
import { openShell } from '../../test/support/shell.ts';

const PAGE = 'docs/examine.md';
const DRIVER = onlyCodeBelow(PAGE, 'Write a driver', 'python');
/** @returns the words of a command of the page after `rollcall`. */
const words = (line: string): readonly string[] =>
  line
    .replace(/^.*?rollcall /, '')
    .trim()
    .split(' ');

test('docs/examine.md, Write a driver: of the driver every rule passes, except the one that the page names', async () => {
  writeFileSync(folder.path('driver.py'), DRIVER);
  const [name, ...others] = words(onlyCodeBelow(PAGE, 'Run it'));
  const { stdout, code } = await folder.run([String(name), '--json', '--parallel', '4', ...others]);
  const { results } = JSON.parse(stdout) as { readonly results: readonly Result[] };
  expect(results.map((it) => it.rule)).toEqual(RULES.map((it) => it.id));
  const notPassed = results.filter((it) => it.outcome !== 'passed');
  expect(notPassed).toMatchObject([{ rule: 'retries.resume', outcome: 'not_checked' }]);
  expect(code).toBe(0);
});

test('docs/examine.md, Run it: the mistake that it describes is found, as it shows', async () => {
  const [before, after] = ['if not page["has_more"]:', 'if True:'];
  for (const it of [before, after]) expect(textOf(PAGE)).toContain(`\`${it}\``);
  writeFileSync(folder.path('driver.py'), DRIVER.replace(before, after));
  const [line = '', ...shown] = onlyCodeBelow(PAGE, 'Run it', 'console').split('\n');
  const { stdout, stderr, code } = await folder.run(words(line));
  expect(stdout.replace(/^Ran the command .*\n/m, '')).toBe(
    shown.join('\n').replaceAll('node_modules/rollcall/docs', join(ROOT, 'docs')),
  );
  expect(stderr).toBe('rollcall: The client breaks 1 rule.\n');
  expect(code).toBe(1);
});

describe('docs/test-kit.md, Other languages:', () => {
  const [command = '', calls = ''] = codeBelow('docs/test-kit.md', 'Other languages');

  test('the command starts what the calls of curl control', async () => {
    const words = command.trim().split(' ').slice(1);
    const demo = folder.start([...words, '--port', '0', '--control-port', '0']);
    const [line] = await demo.printed(/^.*\n/);
    const { url, control, ...printed } = JSON.parse(line) as { url: string; control: { url: string; key: string } };
    expect(Object.keys(printed)).toEqual(['key', 'records']);
    const { sh } = openShell(folder);
    const shown = sh(
      `export http_proxy=http://127.0.0.1:9\n${calls}`
        .replaceAll('http://127.0.0.1:3000', url)
        .replaceAll('http://127.0.0.1:3001', control.url),
    );
    const [account, cue, failed, log] = shown.split(/(?<=\})(?=\{)/).map((it) => JSON.parse(it) as unknown);
    expect(account).toEqual({ name: 'test-1', apiKey: 'key-1' });
    expect(cue).toMatchObject({ number: 1, when: { nth: 3 }, then: [{ revokeKey: true }], fired: 0 });
    expect(failed).toMatchObject({ statusCode: 429, name: 'rate_limit_exceeded' });
    expect(log).toMatchObject({ count: 1, data: [{ path: '/automations', status: 429, cues: [] }] });
    const response = await fetch(`${control.url}/accounts`, { headers: { authorization: `Bearer ${control.key}` } });
    expect(await response.json()).toEqual({ data: [{ name: 'demo', apiKey: 'test-key' }] });
  });

  test('the example in Python runs, and leaves nothing behind', () => {
    const { sh } = openShell(folder);
    writeFileSync(folder.path('example.py'), codeBelow('docs/test-kit.md', 'Other languages', 'python').at(-1) ?? '');
    sh('python3 example.py');
    expect(readdirSync(folder.path('.')).toSorted()).toEqual(['.bin', 'example.py']);
  });
});
