/** The collections of the client derive from the operations of any contract. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { OPERATIONS } from '../../generated/operations.ts';

const facts = (path: string): object => ({ path, query: [], defaults: {}, maximums: { limit: 7 } });
const { listContactImports, getContactImport } = OPERATIONS;
// As `npm run generate` would write them for another contract.
jest.unstable_mockModule('../../generated/operations.ts', () => ({
  OPERATIONS: {
    listContactImports,
    getContactImport,
    listSegments: facts('/segments'),
    getSegment: facts('/segments/{id}'),
    listContactTags: facts('/contacts/tags'),
    listSegmentMembers: facts('/segments/{id}/members'),
    getReport: facts('/report'),
  },
}));
const { createClient } = await import('../../client/index.ts');

interface Collection {
  list(options?: object): AsyncIterable<unknown> & PromiseLike<unknown>;
  get(id: string): Promise<unknown>;
}

const requests: string[] = [];
beforeEach(() => {
  requests.length = 0;
});

const item = { id: 'a b' };
const client = createClient({
  baseUrl: 'http://api.test/v1/',
  apiKey: 'k',
  fetch: (url) => {
    requests.push(url);
    const isList = !url.includes('%20') || url.includes('?');
    return Promise.resolve(Response.json(isList ? { object: 'list', has_more: false, data: [item] } : item));
  },
}) as unknown as Readonly<Record<string, Collection>>; // The types still derive from the real generated types.

test('each list has its name, and `get` if the contract has the path of an item', () => {
  const methods = Object.entries(client).map(([name, it]) => [name, typeof it === 'function' ? '' : Object.keys(it)]);
  expect(Object.fromEntries(methods)).toEqual({
    contactImports: ['list', 'get', 'waitUntilEnded'],
    segments: ['list', 'get'],
    contactTags: ['list'],
    GET: '',
  });
});

test('they request their own paths, with filter, cursor and limit', async () => {
  const { segments, contactTags } = client;
  expect(await segments?.list({ kind: 'x&y', after: 'a', limit: 5, max: 1 })).toMatchObject({ data: [item] });
  const walked: unknown[] = [];
  for await (const it of contactTags?.list({ before: 'b' }) ?? []) walked.push(it);
  expect(walked).toEqual([item]);
  expect(await segments?.get(item.id)).toEqual(item);
  expect(requests).toEqual([
    'http://api.test/v1/segments?kind=x%26y&after=a&limit=5',
    'http://api.test/v1/contacts/tags?before=b',
    'http://api.test/v1/segments/a%20b',
  ]);
});

test('if `max` is finite, their pages are as large as their own contract permits', async () => {
  for (const options of [{ max: 9 }, { max: 5 }, { limit: 9, max: 9 }, { max: Infinity }]) {
    for await (const it of client['segments']?.list(options) ?? []) expect(it).toEqual(item);
  }
  const queries = ['?limit=7', '?limit=5', '?limit=9', ''];
  expect(requests).toEqual(queries.map((it) => `http://api.test/v1/segments${it}`));
});
