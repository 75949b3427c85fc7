/** What is said of the end of a list with page numbers, by what its pages state. */
import { expect, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import { startList } from './server.ts';
import type { ListOptions } from './server.ts';

type Body = NonNullable<ListOptions['body']>;
const NOTHING = 'nothing in a page says whether there is another';

test.each<[string, Body, string]>([
  ['nothing', ({ rows }) => ({ items: rows }), NOTHING],
  ['the number of its items', ({ rows }) => ({ items: rows, count: rows.length }), NOTHING],
  ['a total', ({ rows, total }) => ({ items: rows, total }), 'passed'],
  [
    'a number of pages',
    ({ rows, total }, { size }) => ({ items: rows, total_pages: Math.ceil(total / size) }),
    'passed',
  ],
  [
    'a total that is too small',
    ({ rows }) => ({ items: rows, total: 50 }),
    'the stated total, 50, does not tell the end: the list has 84 items',
  ],
  ['a flag', ({ rows, left }) => ({ items: rows, has_more: left > 0 }), 'passed'],
])('a page that states %s', async (_, body, expected) => {
  await using list = await startList({ style: 'page', body });
  const said: string[] = [];
  for await (const result of audit({ profile: { url: list.url }, only: ['end.multiple'] }))
    if (result.rule === 'end.multiple') said.push(result.outcome === 'not_checked' ? result.reason : result.outcome);
  expect(said).toEqual([expected]);
});
