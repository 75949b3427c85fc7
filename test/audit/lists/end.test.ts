/** What is said of the end of a list with page numbers, by what its pages state. */
import { expect, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import { startList } from './server.ts';
import type { ListOptions } from './server.ts';

type Body = NonNullable<ListOptions['body']>;
const NOTHING = 'no page shows whether it is the last one';

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
    'the stated total is 50, but the list has 84 items',
  ],
  [
    'a number of pages of another size',
    ({ rows, total }) => ({ items: rows, total_pages: Math.ceil(total / 10) }),
    '`total_pages` is 9, but 84 items are on 2 pages',
  ],
  [
    'a next page that is an error',
    ({ rows, left }) => ({ items: rows, next: left > 0 ? '/v1/items?page=2' : null }),
    'only the stated next page shows the end, and it fails',
  ],
  ['a flag', ({ rows, left }) => ({ items: rows, has_more: left > 0 }), 'passed'],
])('a page that states %s', async (_, body, expected) => {
  await using list = await startList({ style: 'page', body });
  const said: string[] = [];
  for await (const result of audit({ profile: { url: list.url }, only: ['end.multiple'] }))
    if (result.rule === 'end.multiple') said.push(result.outcome === 'not_checked' ? result.reason : result.outcome);
  expect(said).toEqual([expected]);
});
