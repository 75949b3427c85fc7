/** A key that expires is dead at its instant, however often it was shown before. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { schemaHashes } from '../../contract/schema.ts';
import { keyHash } from '../../server/store/keys.ts';
import { openStore, openWriter } from '../../server/store/sqlite/open.ts';
import { automation } from '../../testkit/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import { file } from '../support/own-folder.ts';
import { get } from '../support/requests.ts';

const EXPIRES = '2030-06-01T12:00:00.000Z';
const AT = Date.parse(EXPIRES);
const KEY = { id: 'k', account: 'main', label: '', createdAt: '2026-01-01T00:00:00.000Z', expiresAt: EXPIRES };

const clock = jest.spyOn(Date, 'now');
afterEach(() => {
  clock.mockReset();
});

test('it opens its account until then, and no longer', async () => {
  const t = await openTestApp({ automations: [automation()] });
  await t.writer.createKey(KEY, keyHash('expiring'));
  const statusAt = async (now: number, key = 'expiring'): Promise<number> => {
    clock.mockReturnValue(now);
    return (await get({ ...t, key }, '/automations')).status;
  };
  // Once more after a clock that was set back by mistake, and forth again.
  for (let round = 0; round < 2; round += 1) {
    for (let times = 0; times < 4; times += 1) expect(await statusAt(AT - 1)).toBe(200);
    expect(await statusAt(AT)).toBe(401);
    expect(await statusAt(AT, t.key)).toBe(200);
  }
});

test('the revision of a file is another one from that instant on, and once', async () => {
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
});
