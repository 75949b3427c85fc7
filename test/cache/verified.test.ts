/** A store across a network: one read for each response, which asks whether the key is live. */
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import type { RequestListener } from 'node:http';
import type { Account } from '../../contract/types.ts';
import { compose } from '../../server/compose.ts';
import type { Observer } from '../../server/http/events.ts';
import { createPipeline } from '../../server/http/pipeline.ts';
import { createRateLimits } from '../../server/http/rate-limits.ts';
import type { RateLimits } from '../../server/http/rate-limits.ts';
import { withCallers } from '../../server/store/postgres/authenticated-callers.ts';
import { KeyNotLive, StoreUnavailable } from '../../server/store/store.ts';
import { contactImport } from '../../testkit/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const PATH = '/contacts/imports';
const record = contactImport();

let t: TestApp;
let app: RequestListener;
/** What the store has been asked. */
let asked: string[];
let broken: Error | undefined;
/** The accounts of requests. */
let seen: (string | undefined)[];
/** The next read waits. */
let held: Record<'isAsked' | 'isReleased', PromiseWithResolvers<undefined>> | undefined;

beforeEach(async () => {
  t = await openTestApp({ contactImports: [record] });
  [asked, seen] = [[], []];
  [broken, held] = [undefined, undefined];
  app = appWith();
});

/** The application over the store of `t`, as if that were across a network. */
function appWith(rateLimits?: RateLimits): RequestListener {
  const reads = async <T>(what: string, read: () => T): Promise<Awaited<T>> => {
    asked.push(what);
    if (broken !== undefined) throw broken;
    if (held !== undefined) {
      const { isAsked, isReleased } = held;
      held = undefined;
      isAsked.resolve(undefined);
      await isReleased.promise;
    }
    return await read();
  };
  const verify = async (hash: Buffer, account: Account): Promise<void> => {
    if ((await t.store.authenticate(hash))?.account !== account) throw new KeyNotLive();
  };
  const store = withCallers({
    close: () => undefined,
    probe: () => Promise.resolve(true),
    authenticate: (hash) => reads('authenticate', () => t.store.authenticate(hash)),
    list: (...query) => reads('list', () => t.store.list(...query)),
    get: (...query) => reads('get', () => t.store.get(...query)),
    readerOf: (hash) => ({
      list: (...query) => reads('list of the key', () => verify(hash, query[0]).then(() => t.store.list(...query))),
      get: (...query) => reads('get of the key', () => verify(hash, query[0]).then(() => t.store.get(...query))),
    }),
  });
  const observer: Observer = { completed: (it) => seen.push(it.account) };
  return createPipeline(compose({ contract, store, cacheBytes: 1000, rateLimits, observer }));
}
/** A response, whose body is of a list, of an item or of an error. */
type Answer = Omit<Response, 'body'> & { readonly body: { data: readonly { id: string }[]; id: string; name: string } };

const ask = async (target: string, key = t.key, headers: Record<string, string> = {}): Promise<Answer> => {
  asked = [];
  return request(app)
    .get(target)
    .set({ Authorization: `Bearer ${key}`, ...headers });
};

test('from the second time on, an answer is one read and the same bytes', async () => {
  const whole = await ask(PATH);
  expect(asked).toEqual(['authenticate', 'list of the key']);
  const short = await ask(PATH);
  expect(asked).toEqual(['list of the key']);
  const { 'x-request-id': id, date: _, ...headers } = short.headers as Record<string, string>;
  expect(headers).toEqual(Object.fromEntries(Object.keys(headers).map((it) => [it, whole.headers[it] as unknown])));
  expect(id).not.toBe(whole.headers['x-request-id']);
  expect([short.status, short.text]).toEqual([200, whole.text]);
  expect(seen).toEqual(['main', 'main']);
});

test('what was judged by its shape is not judged again: another id, and a get by id', async () => {
  await t.put({ contactImports: [contactImport()] });
  const [first = '', second = ''] = (await ask(PATH)).body.data.map(({ id }) => id);
  for (const target of [`${PATH}/${first}`, `${PATH}?after=${first}`]) await ask(target);
  expect((await ask(`${PATH}/${second}`)).body.id).toBe(second);
  expect(asked).toEqual(['get of the key']);
  expect((await ask(`${PATH}?after=${second}`)).body.data).toEqual([]);
  expect(asked).toEqual(['list of the key']);
});

test('what was changed is answered at once, and a tag still means nothing has', async () => {
  const { etag } = (await ask(PATH)).headers as { etag: string };
  expect((await ask(PATH, t.key, { 'If-None-Match': etag })).status).toBe(304);
  expect(asked).toEqual(['list of the key']);
  await t.put({ contactImports: [contactImport()] });
  const changed = await ask(PATH, t.key, { 'If-None-Match': etag });
  expect([changed.status, changed.body.data.length]).toEqual([200, 2]);
});

test('a key that is revoked opens nothing any more, and is asked for once each time', async () => {
  await ask(PATH);
  await t.writer.revokeKey('key-1', new Date().toISOString());
  const rejected = await ask(PATH);
  expect([rejected.status, rejected.body.name]).toEqual([401, 'invalid_api_key']);
  expect(asked).toEqual(['list of the key']);
  for (const target of [PATH, `${PATH}/${record.id}`, `${PATH}?limit=0`, PATH]) {
    expect((await ask(target)).status).toBe(401);
    expect(asked).toEqual(['authenticate']);
  }
});

test('another key reads its own account', async () => {
  await ask(PATH);
  const other = await t.keyOf('other');
  for (let time = 0; time < 2; time += 1) expect((await ask(PATH, other)).body.data).toEqual([]);
  expect(asked).toEqual(['list of the key']);
  expect((await ask(PATH)).body.data).toHaveLength(1);
});

test('an error is one read too', async () => {
  await ask(`${PATH}/${record.id}`);
  const unknown = await ask(`${PATH}/00000000-0000-4000-8000-000000000000`);
  expect([unknown.status, unknown.body.name]).toEqual([404, 'not_found']);
  expect(asked).toEqual(['get of the key']);
  await ask(`${PATH}?after=00000000-0000-4000-8000-000000000000`);
  expect(asked).toEqual(['list of the key']);
  expect((await ask(`${PATH}/nope`)).status).toBe(422);
  expect((await ask(`${PATH}/${record.id}`, 'nope')).status).toBe(401);
});

test('a store that cannot answer is not asked twice', async () => {
  await ask(PATH);
  broken = new StoreUnavailable('gone');
  const response = await ask(PATH);
  expect([response.status, response.body.name]).toEqual([503, 'service_unavailable']);
  expect(asked).toEqual(['list of the key']);
});

describe('with a rate limit', () => {
  const remainingOf = ({ headers }: Answer): unknown => (headers as Record<string, unknown>)['ratelimit-remaining'];

  test('each request counts once for its account', async () => {
    app = appWith(createRateLimits({ requests: 9, seconds: 3600 }));
    const unknown = `${PATH}?after=00000000-0000-4000-8000-000000000000`;
    const remaining: unknown[] = [];
    for (const target of [PATH, PATH, unknown, `${PATH}?limit=0`, `${PATH}?limit=2`, `${PATH}?limit=2`, PATH]) {
      remaining.push(remainingOf(await ask(target)));
    }
    expect(remaining).toEqual(['8', '7', '6', '5', '4', '3', '2']);
  });

  test('one over it is rejected without a read, whatever it asks for', async () => {
    app = appWith(createRateLimits({ requests: 2, seconds: 3600 }));
    for (const left of ['1', '0']) expect(remainingOf(await ask(PATH))).toBe(left);
    for (const target of [PATH, `${PATH}?limit=7`, `${PATH}?limit=0`, `${PATH}/${record.id}`, '/automations']) {
      const rejected = await ask(target);
      expect([rejected.status, rejected.body.name, remainingOf(rejected)]).toEqual([429, 'rate_limit_exceeded', '0']);
      expect(asked).toEqual([]);
    }
    // Also of a key that was revoked a moment ago: who is over the limit costs nothing.
    await t.writer.revokeKey('key-1', new Date().toISOString());
    expect((await ask(PATH)).status).toBe(429);
    expect([asked, seen.at(-1)]).toEqual([[], 'main']);
  });

  test('a key that is revoked while it is asked with gets its request back, in its own window alone', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    app = appWith(createRateLimits({ requests: 9, seconds: 60 }));
    const other = await t.keyOf('main');
    const remaining = async (key: string): Promise<unknown> => remainingOf(await ask(PATH, key));
    expect([await remaining(t.key), await remaining(other)]).toEqual(['8', '7']);
    const [isAsked, isReleased] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    held = { isAsked, isReleased };
    const late = ask(PATH);
    await isAsked.promise;
    // The request was counted; of the next window it is none.
    clock.mockReturnValue(60_000);
    await t.writer.revokeKey('key-1', new Date().toISOString());
    isReleased.resolve(undefined);
    expect([(await late).status, remainingOf(await late)]).toEqual([401, '8']);
    expect(await remaining(other)).toBe('8');
    expect(await remaining(other)).toBe('7');
    clock.mockRestore();
  });
});
