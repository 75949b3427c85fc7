/** Cues: what happens at a certain request of an account. `cues-model.long.ts` holds many of them against a model. */
import { describe, expect, test } from '@jest/globals';
import { COLLECTIONS } from '../../contract/collections.ts';
import { automation, contactImport } from '../../testkit/index.ts';
import type { CueOptions, Snapshot, TestAccount } from '../../testkit/index.ts';
import { contract } from '../support/app.ts';
import { ask, start } from '../support/kit.ts';
import { until } from '../support/processes.ts';
import { series } from '../support/series.ts';

const FAIL = { fail: { status: 503 } } as const;
const NO_RECORDS = Object.fromEntries(COLLECTIONS.map((it) => [it, []]));
const OPERATIONS = contract.operations.map((it) => it.id).join(', ');
const records = series(6, automation);
const [first, second] = records as [(typeof records)[0], (typeof records)[0]];

/** @returns the statuses of requests, one after the other. */
async function statuses(of: { readonly url: string; readonly apiKey: string }, ...paths: string[]): Promise<number[]> {
  const all: number[] = [];
  for (const path of paths) all.push((await ask(of, path)).status);
  return all;
}

test('fires from the n-th request of its operation on, so many times', async () => {
  const server = await start({ automations: records });
  const cue = server.cue({ when: { operation: 'listAutomations', nth: 2 }, then: [FAIL], times: 2 });
  const paths = ['/automations', '/contact-properties', '/automations?limit=1', '/automations', '/automations'];
  expect(await statuses(server, ...paths)).toEqual([200, 200, 503, 503, 200]);
  expect(cue).toEqual({
    ...{ number: 1, when: { operation: 'listAutomations', nth: 2 }, then: [FAIL], at: 'before', times: 2 },
    ...{ fired: 2, errors: [] },
  });
  expect(server.cues).toEqual([cue]);
  expect(server.requests.map((it) => it.cues)).toEqual([[], [], [1], [1], []]);
});

test.each(['after', 'before'])('fires at a cursor in `%s`, whatever its case', async (direction) => {
  const server = await start({ automations: records });
  server.cue({ when: { cursor: second.id.toUpperCase() }, then: [FAIL] });
  const page = `/automations?${direction}=`;
  expect(await statuses(server, '/automations', page + first.id, page + second.id, page + second.id)).toEqual([
    ...[200, 200, 503, 200],
  ]);
});

test('changes records in the order given, before the response', async () => {
  const server = await start({ automations: [first] });
  const queued = contactImport({ status: 'queued' });
  server.cue({
    when: {},
    then: [
      { remove: { collection: 'automations', ids: [first.id] } },
      { put: { collection: 'automations', records: [second] } },
      { put: { collection: 'contactImports', records: [queued] } },
      { moveImport: { id: queued.id, toEnd: true } },
    ],
  });
  expect((await ask(server, '/automations')).body.data).toEqual([second]);
  expect((await ask(server, `/contacts/imports/${queued.id}`)).body).toMatchObject({ status: 'completed' });
});

test('or after it, and before the next request', async () => {
  const server = await start({ automations: [first, second] });
  server.cue({ when: {}, then: [{ remove: { collection: 'automations', ids: [first.id] } }, FAIL], at: 'after' });
  expect((await ask(server, '/automations')).body.data).toEqual([first, second]);
  expect((await ask(server, '/automations')).status).toBe(503);
  expect((await ask(server, '/automations')).body.data).toEqual([second]);
});

test.each([
  [{ disconnect: true }, 'fetch failed'],
  [{ body: 'cut' }, 'terminated'],
] as const)('or after it was cut: %j', async (fault, message) => {
  const server = await start({ automations: [first, second] });
  server.cue({ when: {}, then: [{ fail: fault }] });
  const cue = server.cue({ when: {}, then: [{ remove: { collection: 'automations', ids: [first.id] } }], at: 'after' });
  await expect(ask(server, '/automations')).rejects.toThrow(message);
  expect((await ask(server, '/automations')).body.data).toEqual([second]);
  expect(cue).toMatchObject({ fired: 1, errors: [] });
});

test('or after its client has left', async () => {
  const server = await start({ automations: [first, second] });
  server.cue({ when: {}, then: [{ fail: { delayMs: 600_000 } }] });
  server.cue({ when: {}, then: [{ remove: { collection: 'automations', ids: [first.id] } }], at: 'after' });
  const client = new AbortController();
  const asked = ask(server, '/automations', {}, client.signal);
  await until(() => server.requests.length === 1);
  client.abort();
  await expect(asked).rejects.toThrow('aborted');
  await until(async () => (await ask(server, '/automations')).body.data.length === 1); // Or the test takes too long.
});

test('revokes the key, which a reset makes live again', async () => {
  const server = await start({ automations: [first] });
  server.cue({ when: { nth: 2 }, then: [{ revokeKey: true }] });
  const path = '/automations';
  expect(await statuses(server, path, path, path)).toEqual([200, 401, 401]);
  await server.reset();
  expect([server.cues, server.requests]).toEqual([[], []]);
  expect((await ask(server, path)).body.data).toEqual([first]);
});

test('an action that fails is told, and the others happen', async () => {
  const server = await start({ automations: [first] });
  const cue = server.cue({
    when: {},
    then: [{ moveImport: { id: second.id } }, { remove: { collection: 'automations', ids: [first.id] } }],
    times: Infinity,
  });
  expect((await ask(server, '/automations')).body.data).toEqual([]);
  expect(cue.errors).toEqual([`There is no contact import ${second.id}.`]);
  for (let at = 0; at < 20; at += 1) await ask(server, '/automations');
  expect(cue.fired).toBe(21);
  expect(cue.errors).toHaveLength(10);
});

describe('an account', () => {
  test('does not meet with faults, cues and requests of another', async () => {
    const server = await start({ automations: [first] });
    const [a, b] = [await server.account({}, { name: 'a' }), await server.account({}, { name: 'b', apiKey: 'b-key' })];
    const of = ({ apiKey }: TestAccount): { url: string; apiKey: string } => ({ url: server.url, apiKey });
    a.fail({ status: 500 });
    a.cue({ when: { nth: 2 }, then: [FAIL] });
    expect(await statuses(of(b), '/automations', '/automations')).toEqual([200, 200]);
    expect(await statuses(of(a), '/automations', '/automations')).toEqual([500, 503]);
    expect(b.apiKey).toBe('b-key');
    expect([a.requests.length, b.requests.length, server.requests.length]).toEqual([2, 2, 4]);
    a.clearRequests();
    expect([a.requests.length, b.requests.length, server.requests.length]).toEqual([0, 2, 4]);
    server.clearRequests();
    expect([b.requests.length, server.requests.length]).toEqual([2, 0]);
  });

  test('meets with its own faults first, then with those of the server', async () => {
    const server = await start();
    const account = await server.account();
    const of = { url: server.url, apiKey: account.apiKey };
    server.fail({ status: 500 });
    account.fail({ status: 503 });
    account.fail({ status: 429 });
    account.clearFaults();
    account.fail({ status: 429 });
    expect(await statuses(of, '/automations', '/automations', '/automations')).toEqual([429, 500, 200]);
    server.fail({ status: 500 });
    server.clearFaults();
    expect(await statuses({ ...of, apiKey: 'unknown' }, '/automations')).toEqual([401]);
  });

  test('is deleted with its key', async () => {
    const server = await start();
    const account = await server.account({ automations: [first] }, { name: 'gone' });
    await account.delete();
    expect(await statuses({ url: server.url, apiKey: account.apiKey }, '/automations')).toEqual([401]);
    await expect(account.put('automations', [second])).rejects.toThrow(
      new RangeError('The account gone has been deleted.'),
    );
    expect(server.accounts.map((it) => it.name)).toEqual(['account-1']);
  });
});

test('of two snapshots that are restored at once, one is there', async () => {
  const server = await start();
  const of = (start: string): Snapshot => ({
    version: 1,
    accounts: Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${start}${String(at)}`, {}])),
  });
  await Promise.all([server.restore(of('a')), server.restore(of('b')), server.reset()]);
  expect(Object.keys(server.snapshot().accounts)).toEqual(['b0', 'b1', 'b2', 'b3', 'b4']);
});

test('a snapshot has accounts and records, and restores them', async () => {
  const server = await start({ automations: [first] });
  const other = await server.account({ automations: [second] }, { name: 'other' });
  const snapshot = server.snapshot();
  expect(snapshot).toEqual({
    version: 1,
    accounts: {
      'account-1': { ...NO_RECORDS, automations: [first] },
      other: { ...NO_RECORDS, automations: [second] },
    },
  });
  await other.delete();
  const third = await server.account({}, { name: 'third' });
  await server.put('automations', [second]);
  server.fail({ status: 503 });
  await server.restore(snapshot);
  expect(server.snapshot()).toEqual(snapshot);
  expect((await ask(server, '/automations')).body.data).toEqual([first]);
  expect(await statuses({ url: server.url, apiKey: third.apiKey }, '/automations')).toEqual([401]);
  const again = server.accounts.find((it) => it.name === 'other');
  expect(again?.apiKey).not.toBe(other.apiKey);
  await server.remove('automations', [first.id]);
  await server.reset();
  expect(server.snapshot()).toEqual(snapshot);
});

describe('a cue is rejected', () => {
  test.each<[unknown, Error]>([
    [{ then: [FAIL] }, new TypeError('`when` must be an object, such as { operation: "listAutomations", nth: 2 }.')],
    [{ when: {} }, new TypeError('`then` must be a list.')],
    [{ when: {}, then: [] }, new TypeError('`then` must have at least one action.')],
    [
      { when: {}, then: [FAIL], until: 3 },
      new TypeError('Unknown cue property "until". Expected one of: when, then, at, times.'),
    ],
    [
      { when: { method: 'GET' }, then: [FAIL] },
      new TypeError('Unknown property of `when` "method". Expected one of: operation, cursor, nth.'),
    ],
    [
      { when: { operation: 'list' }, then: [FAIL] },
      new TypeError(`Unknown operation "list". Expected one of: ${OPERATIONS}.`),
    ],
    [
      { when: { nth: 0 }, then: [FAIL] },
      new RangeError(`\`nth\` must be a whole number from 1 to ${String(Number.MAX_SAFE_INTEGER)}.`),
    ],
    [{ when: { cursor: 1 }, then: [FAIL] }, new TypeError('`cursor` must be the id of a record.')],
    [
      { when: {}, then: [FAIL], at: 'now' },
      new TypeError('Unknown value of `at` "now". Expected one of: before, after.'),
    ],
    [{ when: {}, then: [FAIL], times: 0 }, new RangeError('`times` must be a whole number of 1 or more, or Infinity.')],
    [
      { when: {}, then: [{ fail: { status: 418 } }] },
      new RangeError('No error has status 418. Expected one of: 401, 404, 405, 422, 429, 500, 503.'),
    ],
    [
      { when: {}, then: [{ stop: true }] },
      new TypeError('Unknown action "stop". Expected one of: put, remove, moveImport, revokeKey, fail.'),
    ],
    [
      { when: {}, then: [{}] },
      new TypeError('An action must have exactly one of put, remove, moveImport, revokeKey, fail.'),
    ],
    [
      { when: {}, then: [{ revokeKey: true, remove: {} }] },
      new TypeError('An action must have exactly one of put, remove, moveImport, revokeKey, fail.'),
    ],
    [
      { when: {}, then: [{ put: { collection: 'automations', records: [{}] } }] },
      new TypeError(
        'automations[0] does not match the contract: /id: is missing; /name: is missing; /status: is missing; /created_at: is missing; /updated_at: is missing',
      ),
    ],
    [{ when: {}, then: Array(101).fill(FAIL) }, new RangeError('`then` must have no more than 100 entries.')],
  ])('%j', async (cue, error) => {
    const server = await start();
    expect(() => server.cue(cue as CueOptions)).toThrow(error);
    expect(server.cues).toEqual([]);
  });

  test('as the thousand and first', async () => {
    const server = await start();
    for (let at = 0; at < 1000; at += 1) server.cue({ when: {}, then: [FAIL] });
    expect(() => server.cue({ when: {}, then: [FAIL] })).toThrow(
      new RangeError('An account can have no more than 1000 cues.'),
    );
    server.clearCues();
    expect(server.cue({ when: {}, then: [FAIL] }).number).toBe(1);
  });
});
