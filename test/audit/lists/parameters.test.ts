/** Where the parameters of a request stand: in the query, in the body of a POST, and the size in a header. */
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { List } from '../../../audit/lists/list.ts';
import { startOf } from '../../../audit/lists/parameters.ts';
import type { Given, Profile } from '../../../audit/lists/profile.ts';
import { boundsOf, openSession } from '../../../audit/lists/session.ts';
import type { Session } from '../../../audit/lists/session.ts';
import { withParam } from '../../../audit/lists/target.ts';
import { afterTest } from '../../support/after-test.ts';
import { show } from '../../support/text.ts';
import { serve } from '../conform/bad-servers.ts';

interface Sent {
  readonly session: Session;
  readonly url: string;
  /** Each request: method, target, type and body. */
  readonly requests: unknown[];
}

async function sentTo(given: Omit<Given, 'url'>, path: string, respond?: RequestListener): Promise<Sent> {
  const requests: unknown[] = [];
  const origin = await serve((req, res) => {
    void text(req).then((body) => {
      requests.push([req.method, req.url, req.headers['content-type'], body]);
      if (respond === undefined) res.end('{}');
      else respond(req, res);
    });
  });
  const url = `${origin}${path}`;
  const session = openSession({ ...given, url }, boundsOf(url));
  afterTest(session.close);
  return { session, url, requests };
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const BODY = { limit: 5, page: { number: 1, of: 'x' }, tags: ['a', 2], none: null, q: '12' };

test.each<[string, Omit<Given, 'url'>, readonly (readonly [string, string])[], unknown[]]>([
  [
    'a body of JSON keeps what is no parameter, and its numbers',
    { method: 'POST', body: BODY, params: { own: '1' } },
    [
      ['limit', '2'],
      ['page.number', '9007199254740993'],
    ],
    [
      'POST',
      '/s?in=url&own=1',
      JSON_TYPE,
      '{"page":{"of":"x","number":9007199254740993},"tags":["a",2],"none":null,"q":"12","limit":2}',
    ],
  ],
  [
    'a form',
    { method: 'POST', body: 'limit=5&ids=1&ids=2' },
    [['cursor', 'a b&c']],
    ['POST', '/s?in=url', FORM_TYPE, 'ids=1&ids=2&limit=5&cursor=a+b%26c'],
  ],
  [
    'names that are those of a prototype are members',
    { method: 'POST' },
    [['__proto__.limit', '2']],
    ['POST', '/s?in=url', JSON_TYPE, '{"__proto__":{"limit":2}}'],
  ],
  [
    'a value that looks like JSON is JSON only if it is',
    { method: 'POST' },
    [
      ['a', '{"k":1}'],
      ['b', '{k'],
      ['c', '007'],
      ['d', '-1.5'],
    ],
    ['POST', '/s?in=url', JSON_TYPE, '{"a":{"k":1},"b":"{k","c":"007","d":-1.5}'],
  ],
])('%s', async (_, given, params, expected) => {
  const { session, url, requests } = await sentTo(given, '/s?in=url');
  const start = startOf({ ...given, url });
  const answer = await session.get(params.reduce((target, [name, value]) => withParam(target, name, value), start));
  expect(requests).toEqual([expected]);
  expect(show(answer.request)).toMatch(/^POST \/s\?in=url/);
});

test('only the URL of the list is posted to: any other path is a GET without a body', async () => {
  const { session, requests } = await sentTo({ method: 'POST', body: { limit: 2 } }, '/s');
  for (const target of ['/s/1', '/s/', '//s', '/other?limit=2']) await session.get(target);
  expect(requests.map((request) => (request as unknown[]).slice(0, 2))).toEqual([
    ['GET', '/s/1'],
    ['GET', '/s/'],
    ['GET', '//s'],
    ['GET', '/other?limit=2'],
  ]);
});

test.each([301, 302, 303, 307, 308])('a POST is not redirected by %d', async (status) => {
  const { session, requests } = await sentTo({ method: 'POST' }, '/s', (_req, res) => {
    res.writeHead(status, { location: '/elsewhere' }).end();
  });
  expect(await session.get('/s')).toMatchObject({ status });
  expect(requests).toHaveLength(1);
});

test('a token that is a string of digits stays one', async () => {
  const page = { items: [{ id: 1 }], next: '17' };
  const { session, url, requests } = await sentTo({ method: 'POST' }, '/s', (_req, res) => {
    res.end(JSON.stringify(page));
  });
  const profile: Profile = { url, method: 'POST', items: 'items', id: 'id', next: { token: 'cursor', from: 'next' } };
  const list = new List(profile, session);
  const first = await list.page(list.first());
  expect(first).toMatchObject({ next: '/s?cursor=17' });
  await list.page('/s?cursor=17');
  expect(requests).toEqual([
    ['POST', '/s', JSON_TYPE, '{}'],
    ['POST', '/s', JSON_TYPE, '{"cursor":"17"}'],
  ]);
});

test('a size in a header stays on the page after a link, which cannot have it', async () => {
  const prefers: unknown[] = [];
  const size = { param: 'Prefer', header: 'Prefer', value: 'odata.maxpagesize={size}' };
  const { session, url } = await sentTo({ size }, '/s', (req, res) => {
    prefers.push([req.url, req.headers['prefer']]);
    res.end(JSON.stringify({ value: [{ id: 1 }], next: '/s?skip=1' }));
  });
  const list = new List({ url, size, items: 'value', id: 'id', next: { url: 'next' } }, session);
  const first = await list.page(list.first(2));
  await list.page('next' in first ? (first.next ?? '') : '');
  await list.page(list.first());
  expect(prefers).toEqual([
    ['/s', 'odata.maxpagesize=2'],
    ['/s?skip=1', 'odata.maxpagesize=2'],
    ['/s', undefined],
  ]);
  expect(show(first.request)).toBe('GET /s (Prefer: odata.maxpagesize=2)');
});

test('items may stand inside of the elements of an array, with the digits of their ids', async () => {
  const body = '{"entry":[{"resource":{"id":9007199254740993}},{"search":{}},{"resource":{"id":2}}]}';
  const { session, url } = await sentTo({}, '/s', (_req, res) => void res.end(body));
  const list = new List({ url, items: 'entry[].resource', id: 'id', next: { link: 'next' } }, session);
  const answer = await session.get('/s');
  expect(list.read(answer)).toMatchObject({ ids: ['9007199254740993', '2'] });
  expect(list.sourcesIn(answer)).toEqual(['{"id":9007199254740993}', '{"id":2}']);
});
