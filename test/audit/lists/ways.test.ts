/** The next page by each way that needs more than one value of a response. */
import { expect, test } from '@jest/globals';
import { List } from '../../../audit/lists/list.ts';
import type { Way } from '../../../audit/lists/profile.ts';
import { openSession } from '../../../audit/lists/session.ts';
import { serve } from '../conform/bad-servers.ts';

const BOUNDS = { requestMs: 1000, runMs: 10_000, waitMs: 1000, requests: 10 };

test.each<[string, Way, object, string, string | undefined]>([
  [
    'several tokens, those that are there',
    { tokens: { a: 'continue.a', b: 'continue.b', c: 'continue.c' } },
    { continue: { a: '1', b: 2 } },
    '?limit=2&c=old',
    '/?limit=2&a=1&b=2',
  ],
  ['several tokens: none is the end', { tokens: { a: 'continue.a' } }, {}, '?a=1', undefined],
  ['the token that was sent is no end', { token: 'c', from: 'next' }, { next: 'x' }, '?c=x', '/?c=x'],
  ['with `same`, it is', { token: 'c', from: 'next', end: 'same' }, { next: 'x' }, '?c=x', undefined],
  ['a declared end', { token: 'c', from: 'next', end: 0 }, { next: 0 }, '?c=x', undefined],
  [
    'a path behind a base',
    { url: '_links.next', base: '_links.base' },
    { _links: { next: '/b?c=1', base: 'http://127.0.0.1/a' } },
    '',
    '/a/b?c=1',
  ],
  [
    'an object as a token is JSON',
    { token: 'start', from: 'last' },
    { last: { id: 7 } },
    '?limit=2',
    `/?limit=2&start=${encodeURIComponent('{"id":7}')}`,
  ],
  ['an empty object is no token', { token: 'start', from: 'last' }, { last: {} }, '', undefined],
  ['a path without a base', { url: '_links.next', base: '_links.base' }, { _links: { next: '/b?c=1' } }, '', '/b?c=1'],
])('%s', async (_, next, body, query, expected) => {
  const url = await serve((_req, res) => void res.end(JSON.stringify({ ...body, items: [{ id: 1 }] })));
  const session = openSession({ url }, BOUNDS);
  const list = new List({ url, items: 'items', id: 'id', next }, session);
  expect(await list.page(`/${query}`)).toMatchObject({ ids: ['1'], next: expected });
  session.close();
});
