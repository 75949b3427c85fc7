/** docs/har.md: its example prints what it shows, its rules are those that there are, and it is one screen. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { HAR_RULES } from '../../server/conform/har-rules.ts';
import { onlyCodeBelow, textOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';

test('the example of docs/har.md, Check captured traffic, prints what it shows', async () => {
  const [line = '', ...shown] = onlyCodeBelow('docs/har.md', 'Check captured traffic', 'console').split('\n');
  copyFileSync(join(ROOT, 'test/fixtures/capture.har'), folder.path('capture.har'));
  const { code, stdout, stderr } = await folder.run(line.replace('$ rollcall ', '').split(' '));
  const known = shown.join('\n');
  // A collection that is added to the contract is not in the file.
  const printed = stdout.replace(/^(Operations not in the file: )(.*)\.$/m, (_, start: string, ids: string) => {
    const old = ids.split(', ').filter((it) => known.includes(it));
    return `${start}${old.join(', ')}.`;
  });
  expect(printed).toBe(`\n${known}`);
  expect([code, stderr]).toEqual([1, 'rollcall: The traffic in capture.har does not conform to the contract.\n']);
});

test('docs/har.md lists every rule of captured pages, within one screen', () => {
  const text = textOf('docs/har.md');
  const listed = [...text.matchAll(/^\| `(har\.\w+)`/gm)].map(([, it]) => it);
  expect(listed).toEqual(HAR_RULES.map((it) => it.id).filter((it) => it.startsWith('har.')));
  expect(text.split('\n').length).toBeLessThanOrEqual(60);
});
