/** A record of a list without retrieval is found by its id alone, whatever its position. */
import { expect, test } from '@jest/globals';
import { find } from '../../server/pages/assets/console/session.ts';

const ALL = ['a', 'b', 'c'].map((id) => ({ id }));

/** A list of the contract. */
function list(items: readonly { id: string }[]): (query: URLSearchParams) => Promise<{ id: string }[]> {
  return (query) => {
    const limit = Number(query.get('limit'));
    const cursor = query.get('after') ?? query.get('before');
    const at = items.findIndex((it) => it.id === cursor?.toLowerCase());
    if (cursor !== null && at === -1) return Promise.reject(new Error('404'));
    if (query.has('before')) return Promise.resolve(items.slice(Math.max(0, at - limit), at));
    return Promise.resolve(items.slice(at + 1, at + 1 + limit));
  };
}

test.each([
  ['a', 'limit=1&before=b'],
  ['b', 'limit=1&before=c'],
  ['B', 'limit=1&before=c'],
  ['c', 'limit=1&after=b'],
])('%s', async (id, query) => {
  const found = await find(id, 1, list(ALL));
  expect(found?.item).toEqual({ id: id.toLowerCase() });
  expect(found?.query.toString()).toBe(query);
});

test('the only one there is', async () => {
  const found = await find('a', 1, list([{ id: 'a' }]));
  expect([found?.item, found?.query.toString()]).toEqual([{ id: 'a' }, 'limit=1']);
});

test('one there is not', async () => {
  await expect(find('d', 1, list(ALL))).rejects.toThrow('404');
});

test('a list that moves meanwhile', async () => {
  let asked = 0;
  const found = await find('b', 1, (query) => list((asked += 1) === 1 ? ALL : [{ id: 'a' }, { id: 'c' }])(query));
  expect(found).toBeUndefined();
});
