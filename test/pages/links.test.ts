/** Links of the console, which are requests. */
import { expect, test } from '@jest/globals';
import { alone, changed, hrefOf, neighbours, routeOf, listTarget } from '../../server/pages/assets/console/links.ts';
import { collectionAt, collections } from './collections.ts';

const A = 'a94c20d7-1f6e-4583-bb70-6e8d5c0f3a12';
const query = (text = ''): URLSearchParams => new URLSearchParams(text);

test.each([
  ['#/automations', '/automations', '', undefined],
  ['#/automations?status=enabled&limit=5', '/automations', 'status=enabled&limit=5', undefined],
  [`#/automations/${A}?limit=5`, '/automations', 'limit=5', A],
  [`#/contacts/imports/${A}`, '/contacts/imports', '', A],
  ['#/contacts/imports/a%2Fb', '/contacts/imports', '', 'a/b'],
  ["#/contacts/imports/'%3B%20id", '/contacts/imports', '', "'; id"],
  // Whatever the API says of it.
  ['#/automations?page=2&limit=x&limit=y', '/automations', 'page=2&limit=x&limit=y', undefined],
  ['#/automations?a?b', '/automations', 'a%3Fb=', undefined],
  ['#/automations?%zz', '/automations', '%25zz=', undefined],
])('%s is a route', (hash, path, search, id) => {
  const route = routeOf(hash, collections);
  expect(route?.collection.path).toBe(path);
  expect(route?.query.toString()).toBe(search);
  expect(route?.id).toBe(id);
});

test.each([
  ...['', '#', '#/', '#/nowhere', '#automations', '#/Automations', '#/automations/', '#/automationsandmore'],
  ...['#/automations/a/b', '#/automations/%zz', '#/automations/..', '#/automations/%2e%2e', '#/automations/.'],
  ...['#//elsewhere.example/automations', '#/../automations', '#https://elsewhere.example/automations'],
  '#\n/automations',
])('%j is none, and nothing is asked for', (hash) => {
  expect(routeOf(hash, collections)).toBeUndefined();
});

test('a route and its link are one', () => {
  const hostile = `' " < > & # ? / \\ \u202e \n é 😀`;
  for (const collection of collections) {
    for (const id of [undefined, A, hostile]) {
      const route = { collection, id, query: query(`status=${encodeURIComponent(hostile)}`) };
      const href = hrefOf(route);
      expect(routeOf(href, collections)).toEqual(route);
      // As a browser has it.
      expect(routeOf(new URL(href, 'http://127.0.0.1/').hash, collections)).toEqual(route);
    }
  }
});

test('an id that no URL can hold has a link all the same', () => {
  const href = hrefOf({ collection: collectionAt('/automations'), query: query(), id: 'a\ud800' });
  expect(href).toBe('#/automations/a%EF%BF%BD');
});

test('a request', () => {
  const collection = collectionAt('/contacts/imports');
  expect(listTarget(collection, query())).toBe('/contacts/imports');
  expect(listTarget(collection, query("status='&limit=5"))).toBe('/contacts/imports?status=%27&limit=5');
});

test('another filter begins at the head of the list', () => {
  expect(changed(query(`status=a&limit=5&after=${A}`), { status: 'b' }).toString()).toBe('status=b&limit=5');
  expect(changed(query(`status=a&before=${A}`), { status: undefined }).toString()).toBe('');
});

test.each([
  ['', true, undefined, 'after=2'],
  ['', false, undefined, undefined],
  ['after=0', true, 'before=1', 'after=2'],
  ['after=0', false, 'before=1', undefined],
  ['before=3', true, 'before=1', 'after=2'],
  ['before=3', false, undefined, 'after=2'],
])('the neighbours of a page of %j with has_more %s', (search, hasMore, newer, older) => {
  const found = neighbours(query(search), { ids: ['1', '2'], hasMore });
  expect([found.newer?.toString(), found.older?.toString()]).toEqual([newer, older]);
  expect(neighbours(query(search), { ids: [], hasMore })).toEqual({ newer: undefined, older: undefined });
});

test.each([
  ['1', ['1', '2', '3'], 'status=a&limit=1&before=2'],
  ['2', ['1', '2', '3'], 'status=a&limit=1&before=3'],
  ['3', ['1', '2', '3'], 'status=a&limit=1&after=2'],
  ['1', ['1'], 'status=a&limit=1'],
])('record %s of a page of %j alone', (id, ids, search) => {
  const found = alone(query('status=a&limit=3&after=0'), ids, id, collectionAt('/automations'));
  expect(new Map(found)).toEqual(new Map(query(search)));
});
