/** docs/examine.md and docs/examine-rules.md: the driver is correct, the commands print what the page shows, and every rule is described. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { RULES } from '../../server/examine/rules.ts';
import type { Result } from '../../server/report/findings.ts';
import { onlyCodeBelow, textOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';

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

test('docs/examine-rules.md describes every rule, with an anchor', () => {
  const lines = textOf('docs/examine-rules.md').split('\n');
  const described = lines.filter((it) => it.startsWith('- '));
  expect(described).toEqual(RULES.map(({ id, title, reason }) => `- <a id="${id}"></a>\`${id}\`: ${title}. ${reason}`));
  const areas = [...new Set(RULES.map((it) => it.id.replace(/\..*/, '')))];
  expect(lines.filter((it) => it.startsWith('## '))).toEqual(areas.map((it) => `## ${it}`));
});
