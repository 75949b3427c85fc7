/** What is said of many bad values that fail for one cause. */
import { expect, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import type { Finding } from '../../../audit/rules/rule.ts';
import type { Declared } from './fault.ts';
import { startList } from './server.ts';
import type { ListOptions } from './server.ts';

type Bad = NonNullable<ListOptions['bad']>;

/** @returns the findings of a rule that fails. */
async function findingsOf(rule: string, options: ListOptions, declared: Declared = {}): Promise<readonly Finding[]> {
  await using list = await startList(options);
  for await (const result of audit({ profile: { ...declared, url: list.url }, only: [rule] }))
    if (result.rule === rule && result.outcome === 'failed') return result.findings;
  return [];
}

const crashing =
  (part: 'cursor' | 'number' | 'size'): Bad =>
  (of) =>
    of === part || (part === 'cursor' && of === 'damaged') ? 'crash' : undefined;

test.each<[string, ListOptions, RegExp]>([
  ['cursor.error', { style: 'token', bad: crashing('cursor') }, /^\d+ of \d+ invalid cursors returned 500$/],
  ['position.error', { style: 'page', bad: crashing('number') }, /^\d+ of \d+ invalid positions returned 500$/],
  ['size.error', { style: 'id', bad: crashing('size') }, /^\d+ of \d+ invalid page sizes returned 500$/],
])('%s says how many of how many, and shows three', async (rule, options, said) => {
  const findings = await findingsOf(rule, options);
  expect(findings).toHaveLength(3);
  expect(findings[0]?.actual).toMatch(said);
  for (const { actual, request } of findings.slice(1)) expect(actual).toBe(`${request} returned 500`);
  expect(new Set(findings.map(({ request }) => request)).size).toBe(3);
});

test('one bad cursor alone is named', async () => {
  const bad: Bad = (part, value) => (part !== 'size' && value === '!' ? 'crash' : undefined);
  const findings = await findingsOf('cursor.error', { style: 'token', bad });
  expect(findings.map(({ actual, request }) => actual === `${request} returned 500`)).toEqual([true]);
});

test('sizes that are not rejected, though they should be, are one line', async () => {
  const size = { param: 'limit', max: 50, above: 'reject', invalid: 'reject' } as const;
  const findings = await findingsOf('size.not-rejected', { style: 'token', bad: () => 'ignore' }, { size });
  expect(findings).toHaveLength(3);
  expect(findings[0]?.actual).toMatch(/^(\d+) of \1 such page sizes were not rejected$/);
});
