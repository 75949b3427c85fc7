/** docs/examine-rules.md describes every rule. */
import { expect, test } from '@jest/globals';
import { RULES } from '../../testkit/examine/rules.ts';
import { textOf } from '../support/docs.ts';

test('docs/examine-rules.md describes every rule, with an anchor', () => {
  const lines = textOf('docs/examine-rules.md').split('\n');
  const described = lines.filter((it) => it.startsWith('- '));
  expect(described).toEqual(RULES.map(({ id, title, reason }) => `- <a id="${id}"></a>\`${id}\`: ${title}. ${reason}`));
  const areas = [...new Set(RULES.map((it) => it.id.replace(/\..*/, '')))];
  expect(lines.filter((it) => it.startsWith('## '))).toEqual(areas.map((it) => `## ${it}`));
});
