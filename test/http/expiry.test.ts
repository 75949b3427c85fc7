/** A key that expires is dead at its instant, however often it was shown before. */
import { afterEach, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import { schemaHashes } from '../../server/contract/schema.ts';
import { keyHash } from '../../server/store/keys.ts';
import { openStore, openWriter } from '../../server/store/sqlite/open.ts';
import { automation } from '../../server/testing/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import { openFolder } from '../support/cli.ts';
import '../support/slow.ts';

const EXPIRES = '2030-06-01T12:00:00.000Z';
const AT = Date.parse(EXPIRES);
const KEY = { id: 'k', account: 'main', label: '', createdAt: '2026-01-01T00:00:00.000Z', expiresAt: EXPIRES };

const clock = jest.spyOn(Date, 'now');
afterEach(() => {
  clock.mockReset();
});

test('it opens its account until then, and no longer', async () => {
  const { app, writer, key: other } = await openTestApp({ automations: [automation()] });
  await writer.createKey(KEY, keyHash('expiring'));
  const get = (key: string): Promise<Response> =>
    Promise.resolve(request(app).get('/automations').set('authorization', `Bearer ${key}`));

  clock.mockReturnValue(AT - 1);
  for (let times = 0; times < 4; times += 1) expect((await get('expiring')).status).toBe(200);
  clock.mockReturnValue(AT);
  const rejected = await get('expiring');
  expect(rejected.status).toBe(401);
  expect(rejected.body).toEqual({
    statusCode: 401,
    name: 'invalid_api_key',
    message: 'This API key is unknown, has been revoked or has expired.',
  });
  expect((await get(other)).status).toBe(200);
  // A clock that was set back by mistake, and forth again.
  clock.mockReturnValue(AT - 1);
  for (let times = 0; times < 4; times += 1) expect((await get('expiring')).status).toBe(200);
  clock.mockReturnValue(AT);
  expect((await get('expiring')).status).toBe(401);
});

test('the revision of a file is another one from that instant on, and once', async () => {
  const folder = openFolder();
  const file = folder.path('rollcall.db');
  const writer = openWriter(file);
  await writer.createKey(KEY, keyHash('expiring'));
  await writer.createKey({ ...KEY, id: 'l', expiresAt: '2031-01-01T00:00:00.000Z' }, keyHash('later'));
  await writer.close();
  clock.mockReturnValue(AT - 1);
  const store = openStore(file, schemaHashes(contract));
  const next = (): Promise<unknown> => new Promise(setImmediate); // Another state.
  const before = store.revision();
  await next();
  expect(store.revision()).toBe(before);
  await next();
  clock.mockReturnValue(AT);
  const after = store.revision();
  expect(after).not.toBe(before);
  expect(store.authenticate(keyHash('expiring'))).toBeUndefined();
  expect(store.authenticate(keyHash('later'))).toBeDefined();
  await next();
  expect(store.revision()).toBe(after);
  await store.close();
  folder.remove();
});
