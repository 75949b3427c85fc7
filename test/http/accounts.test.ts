/** A key of one account sees nothing of another. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { COLLECTIONS, operationsOf } from '../../contract/collections.ts';
import { build } from '../../testkit/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { Records, TestApp } from '../support/app.ts';
import { get } from '../support/requests.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const some = (): Records => Object.fromEntries(COLLECTIONS.map((it) => [it, [build[it]()]]));
const [ours, theirs] = [some(), some()];
const TARGETS = COLLECTIONS.flatMap((collection) => {
  const { list, get: one } = operationsOf(collection);
  const path = contract.operation(list).route;
  const cursors = ['after', 'before'].map((name) => (id: string) => `${path}?${name}=${id}`);
  const byId = one === undefined ? [] : [(id: string) => contract.operation(one).route.replace(':id', id)];
  return [{ collection, path, targets: [...cursors, ...byId] }];
});

let t: TestApp;
let ask: (target: string, headers?: Record<string, string>) => Promise<Response>;
let theirTag: (target: string) => Promise<string>;
beforeEach(async () => {
  t = await openTestApp(ours);
  await t.put(theirs, { account: 'theirs' });
  const key = await t.keyOf('theirs');
  ask = (target, headers) => get(t, target, headers);
  theirTag = async (target) => String((await get({ ...t, key }, target)).headers['etag']);
});

test.each(TARGETS)('$path lists only its own, also to who sends the tag of another account', async (it) => {
  const own = { object: 'list', has_more: false, data: ours[it.collection] };
  for (const query of ['', '?limit=1']) expect((await ask(it.path + query)).body).toEqual(own);
  const response = await ask(it.path, { 'if-none-match': await theirTag(it.path) });
  expect([response.status, response.body]).toEqual([200, own]);
});

test.each(TARGETS)('$path: an id of another account is that of no item, whatever tag is sent', async (it) => {
  const id = String(theirs[it.collection]?.[0]?.id);
  for (const target of it.targets) {
    const unknown = await ask(target(UNKNOWN));
    for (const match of ['', '*', await theirTag(target(id))]) {
      const foreign = await ask(target(id), { 'if-none-match': match });
      expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    }
  }
});
