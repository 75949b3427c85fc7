/** `rollcall/testing`: a real server with the records of a test, which change while it runs. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { COLLECTIONS } from '../../contract/collections.ts';
import { automation, contactImport, contactProperty, startRollcall } from '../../testkit/index.ts';
import type { Collection, Fault, Move, Records, TestServer, TestServerOptions } from '../../testkit/index.ts';
import { afterTest } from '../support/after-test.ts';
import { allocatedBy } from '../support/allocated.ts';
import { expectDeclared } from '../support/declared.ts';
import { ask, start } from '../support/kit.ts';
import { series } from '../support/series.ts';

test('records are served as they are, in the order in which they were built', async () => {
  const records = {
    automations: series(3, automation).map(() => automation()),
    contactProperties: [contactProperty()],
    contactImports: [contactImport(), contactImport()],
  };
  const server = await start(records);
  expect((await ask(server, '/automations')).body.data).toEqual(records.automations);
  expect((await ask(server, '/contact-properties')).body.data).toEqual(records.contactProperties);
  expect((await ask(server, '/contacts/imports')).body.data).toEqual(records.contactImports);
  expect(server.errors).toEqual([]);
});

test('what is printed of a server, its accounts, requests and cues has values, and no methods', async () => {
  const server = await start({ automations: [automation()] });
  server.cue({ when: {}, then: [{ fail: { status: 503 } }] });
  await ask(server, '/automations');
  const printed = inspect(server, { depth: 3 });
  expect(printed).toContain(server.url);
  expect(printed).toContain(server.apiKey);
  expect(printed).toContain('status: 503');
  expect(printed).toContain('fired: 1');
  expect(printed).toContain('errors: []');
  for (const one of [server, server.accounts, server.requests, server.cues])
    expect(inspect(one, { depth: 9 })).not.toMatch(/Getter|Function|Symbol/);
  expect(Reflect.ownKeys({ ...server })).not.toContain(inspect.custom);
});

/** What the first server prepares for all takes ten times as much. */
const MAX_SERVER_BYTES = 3_000_000;

test('what the first server prepares is not prepared again, and servers are independent', async () => {
  const first = await start({ automations: [automation()] });
  await start(); // Code that is compiled at its second run is compiled then.
  const bytes = await allocatedBy(async () => {
    const server = await start();
    expect((await ask(server, '/automations')).body.data).toEqual([]);
  });
  expect(bytes).toBeLessThan(MAX_SERVER_BYTES);
  expect((await ask(first, '/automations')).body.data).toHaveLength(1);
});

test('put adds and replaces, remove removes, reset restores the initial records', async () => {
  const [kept, gone, fresh] = [automation(), automation(), automation({ created_at: '2027-01-01 00:00:00+00' })];
  const server = await start({ automations: [kept, gone] });
  await Promise.all([
    server.put('automations', [fresh]),
    server.put('automations', [{ ...kept, status: 'disabled' }]),
    server.remove('automations', [gone.id.toUpperCase()]),
    server.put('contactProperties', [contactProperty()]), // There were none.
  ]);
  expect((await ask(server, '/automations')).body.data).toEqual([fresh, { ...kept, status: 'disabled' }]);
  server.fail({ status: 503 });
  await server.reset();
  const { status, body } = await ask(server, '/automations');
  expect(status).toBe(200);
  expect(new Set(body.data)).toEqual(new Set([kept, gone]));
  expect((await ask(server, '/contact-properties')).body.data).toEqual([]);
});

describe('a record that does not match the contract is rejected, and named', () => {
  test.each<[Records, string]>([
    [
      { automations: [automation(), automation({ status: 'paused' as 'enabled' })] },
      'automations[1] does not match the contract: /status: must be one of "enabled", "disabled"',
    ],
    [
      { contactProperties: [contactProperty({ type: 'number', fallback_value: -0 })] },
      'contactProperties[0] does not match the contract: /fallback_value: must not be -0, which would become 0',
    ],
  ])('%#', async (records, message) => {
    await expect(startRollcall(records)).rejects.toThrow(new TypeError(message));
    const server = await start({ automations: [automation()] });
    for (const [collection, values] of Object.entries(records)) {
      await expect(server.put(collection as 'automations', values as never)).rejects.toThrow(new TypeError(message));
    }
    expect((await ask(server, '/automations')).body.data).toHaveLength(1);
  });
});

describe('moveImport', () => {
  const zero = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

  test.each(['completed', 'failed'] as const)(
    'moves an import from queued to %s, with counts that grow and add up',
    async (end) => {
      const queued = contactImport({ status: 'queued', completed_at: null, counts: zero });
      const server = await start({ contactImports: [queued] }, { corsOrigins: [] });
      const steps = [queued];
      for (let at = 0; at < 2; at += 1) {
        const now = await server.moveImport(queued.id, { end, total: 1234 });
        const response = await ask(server, `/contacts/imports/${queued.id}`);
        expect(response.body).toEqual(now);
        expectDeclared('getContactImport', response);
        steps.push(now);
      }
      expect(steps.map((it) => it.status)).toEqual(['queued', 'in_progress', end]);
      expect(steps.map((it) => it.completed_at === null)).toEqual([true, true, false]);
      const done = steps.map(({ counts }) => counts.created + counts.updated + counts.skipped + counts.failed);
      expect(done).toEqual(end === 'completed' ? [0, 617, 1234] : [0, 617, 617]);
      await expect(server.moveImport(queued.id)).rejects.toThrow(
        new RangeError(`The contact import ${queued.id} has ended: it is ${end}.`),
      );
    },
  );

  test('moves an import to its end in one step', async () => {
    const queued = contactImport({ status: 'queued' });
    const server = await start({ contactImports: [queued] });
    const ended = await server.moveImport(queued.id, { toEnd: true, end: 'failed', total: 10 });
    expect(ended).toMatchObject({ status: 'failed', counts: { total: 10 } });
    expect((await ask(server, `/contacts/imports/${queued.id}`)).body).toEqual(ended);
  });

  test.each<[string, object, Error]>([
    ['nope', {}, new RangeError('There is no contact import nope.')],
    ['nope', { end: 'done' }, new TypeError('Unknown value of `end` "done". Expected one of: completed, failed.')],
    ['nope', { total: -1 }, new RangeError('`total` must be a whole number from 0 to 9007199254740991.')],
    [
      'nope',
      { totel: 1 },
      new TypeError('Unknown option of `moveImport` "totel". Expected one of: end, total, toEnd.'),
    ],
  ])('rejects %s %j', async (id, move, error) => {
    const server = await start();
    await expect(server.moveImport(id, move as Move)).rejects.toThrow(error);
  });
});

describe('a mistake is an error that changes nothing', () => {
  const UNKNOWN = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
  const record = automation();

  test.each<[string, (server: TestServer) => unknown, Error]>([
    [
      'two records with one id',
      (it) => it.put('automations', [automation(), record, record]),
      new TypeError(`automations[2] has the id of automations[1]: ${record.id}`),
    ],
    [
      'an id that is not there',
      (it) => it.remove('automations', [record.id, UNKNOWN]),
      new RangeError(`There is no record ${UNKNOWN} in automations. No record was removed.`),
    ],
    [
      'a name that is taken',
      (it) => it.account({}, { name: 'account-1' }),
      new RangeError('The account account-1 already exists.'),
    ],
    [
      'a key that is taken',
      (it) => it.account({}, { apiKey: it.apiKey }),
      new RangeError('Another account has this key.'),
    ],
    [
      'a name that is none',
      (it) => it.account({}, { name: 'a b' }),
      new TypeError('The name of an account must be 1 to 100 letters, digits or characters of _.@-.'),
    ],
    [
      'no records',
      (it) => it.account(null as never),
      new TypeError('The records must be an object, such as { automations: [automation()] }.'),
    ],
    [
      'another version of a snapshot',
      (it) => it.restore({ version: 2, accounts: {} } as never),
      new RangeError('The `version` of a snapshot must be 1.'),
    ],
    [
      'a snapshot with too many accounts',
      (server) =>
        server.restore({
          version: 1,
          accounts: Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [at, {}])),
        }),
      new RangeError('A snapshot must have no more than 10000 accounts; this one has 10001.'),
    ],
    [
      'a snapshot with a record that does not match the contract',
      (it) =>
        it.restore({ version: 1, accounts: { other: { automations: [{ ...record, status: 'on' as 'enabled' }] } } }),
      new TypeError('automations[0] does not match the contract: /status: must be one of "enabled", "disabled"'),
    ],
  ])('%s', async (_, mistake, error) => {
    const server = await start({ automations: [record] });
    await expect(Promise.resolve(mistake(server))).rejects.toThrow(error);
    expect((await ask(server, '/automations')).body.data).toEqual([record]);
    expect(server.accounts.map((it) => it.name)).toEqual(['account-1']);
  });

  test.each<[unknown]>([[null], [[automation()]], ['automations']])('startRollcall(%j)', async (records) => {
    const error = new TypeError('The records must be an object, such as { automations: [automation()] }.');
    await expect(startRollcall(records as never)).rejects.toThrow(error);
  });

  test('whatever changes a server after close()', async () => {
    const server = await startRollcall({ automations: [record] });
    await server.close();
    const closed = new Error('The server has been closed.');
    await expect(server.put('automations', [record])).rejects.toThrow(closed);
    await expect(server.account()).rejects.toThrow(closed);
    await expect(server.reset()).rejects.toThrow(closed);
    expect(() => server.snapshot()).toThrow(closed);
    expect(() => {
      server.fail({ status: 503 });
    }).toThrow(closed);
    expect(() => server.cue({ when: {}, then: [{ revokeKey: true }] })).toThrow(closed);
  });
});

test('options may be undefined', async () => {
  const server = await start({ automations: undefined }, { console: undefined, corsOrigins: undefined });
  server.fail({ status: 503, retryAfter: undefined, delayMs: undefined, operation: undefined });
  expect((await ask(server, '/automations')).status).toBe(503);
  const queued = contactImport({ status: 'queued' });
  await server.put('contactImports', [queued]);
  expect(await server.moveImport(queued.id, { end: undefined, total: undefined })).toMatchObject({
    status: 'in_progress',
  });
});

describe('an unknown collection or option is rejected', () => {
  const collections = `Expected one of: ${COLLECTIONS.join(', ')}.`;
  test('a collection', async () => {
    const unknown = new TypeError(`Unknown collection "automation". ${collections}`);
    await expect(start({ automation: [automation()] } as Records)).rejects.toThrow(unknown);
    const server = await start();
    await expect(server.put('automation' as Collection, [])).rejects.toThrow(unknown);
    await expect(server.remove('automation' as Collection, [])).rejects.toThrow(unknown);
    await expect(server.account({ automation: [] } as Records)).rejects.toThrow(unknown);
    await expect(server.put('automations', automation() as never)).rejects.toThrow(
      new TypeError('automations must be a list.'),
    );
  });

  const origins = '`corsOrigins` must be a list of scheme, host and port alone, such as https://app.example, or *.';
  test.each<[object, string]>([
    [{ port: 1 }, 'Unknown server option "port". Expected one of: corsOrigins, console.'],
    [{ console: 'off' }, '`console` must be true or false.'],
    [{ corsOrigins: ['localhost:5173'] }, origins],
    [{ corsOrigins: '*' }, origins],
  ])('%j', async (options, message) => {
    await expect(start({}, options as TestServerOptions)).rejects.toThrow(new TypeError(message));
  });
});

test('the console is at /, unless it is disabled', async () => {
  const statusOf = async ({ url }: { readonly url: string }): Promise<number> =>
    (await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })).status;
  expect(await statusOf(await start({}))).toBe(200);
  expect(await statusOf(await start({}, { console: false }))).toBe(302);
});

test('another account has its own key and records', async () => {
  const [mine, theirs, late] = [automation(), automation(), automation()];
  const queued = contactImport({ status: 'queued' });
  const server = await start({ automations: [mine] });
  const other = await server.account({ automations: [theirs], contactImports: [queued] });
  const asOther = { url: server.url, apiKey: other.apiKey };
  await other.put('automations', [late]);
  await other.moveImport(queued.id);
  expect((await ask(server, '/automations')).body.data).toEqual([mine]);
  expect((await ask(asOther, '/automations')).body.data).toEqual([theirs, late]);
  expect((await ask(server, `/contacts/imports/${queued.id}`)).status).toBe(404);
  expect((await ask(asOther, `/contacts/imports/${queued.id}`)).body).toMatchObject({ status: 'in_progress' });
  await other.remove('automations', [theirs.id]);
  expect((await ask(asOther, '/automations')).body.data).toEqual([late]);
  await server.reset();
  expect((await ask(asOther, '/automations')).body.data).toEqual([theirs]);
  expect((await ask(asOther, `/contacts/imports/${queued.id}`)).body).toEqual(queued);
});

test.each([
  [undefined, '*'],
  [['http://page.example'], 'http://page.example'],
  [['http://other.example'], undefined],
  [[], undefined],
])('scripts of another origin may read responses where corsOrigins is %j: %s', async (corsOrigins, allowed) => {
  const server = await start({}, corsOrigins && { corsOrigins });
  const { headers } = await ask(server, '/automations', { origin: 'http://page.example' });
  expect(headers['access-control-allow-origin']).toBe(allowed);
  const exposed = headers['access-control-expose-headers'];
  if (allowed === '*') expect(exposed).toMatch(/^ETag, X-Request-Id, Retry-After, RateLimit-Limit,/);
});

/** @returns a connection to a server. */
async function opened({ url }: { readonly url: string }): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

describe('under fake timers the server runs in real time', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('more requests complete than may be in flight at once', async () => {
    const server = await start();
    for (let at = 0; at < 15; at += 1) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => ask(server, '/automations')));
      expect(responses.filter((it) => it.status !== 200)).toEqual([]);
    }
  });

  test.each<Fault>([
    { delayMs: 20 },
    { status: 503, delayMs: 20 },
    { body: 'stalled', ms: 20 },
    { body: 'slow', ms: 20 },
  ])('%j proceeds', async (fault) => {
    const server = await start();
    server.fail(fault);
    expect((await ask(server, '/automations')).status).toBe('status' in fault ? fault.status : 200);
  });

  test('an hour of fake time does not cut an open connection', async () => {
    const server = await start();
    const socket = await opened(server);
    await jest.advanceTimersByTimeAsync(3_600_000);
    socket.write('OPTIONS /automations HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 204 /);
  });

  test('close() ends the server', async () => {
    const server = await startRollcall();
    const socket = await opened(server);
    const ended = once(socket.resume(), 'close');
    await server[Symbol.asyncDispose]();
    await ended;
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  });
});

/** @returns the connections that servers of this process accept from now on, until the test has ended. */
function acceptedSockets(): readonly Socket[] {
  const sockets: Socket[] = [];
  const add = (message: unknown): void => {
    sockets.push((message as { readonly socket: Socket }).socket); // As the documentation of Node says.
  };
  subscribe('net.server.socket', add);
  afterTest(() => unsubscribe('net.server.socket', add));
  return sockets;
}

test('close() waits for nothing: neither for a request that was aborted, delayed or half sent, nor for an idle connection', async () => {
  const server = await startRollcall({ automations: [automation(), automation()] });
  const accepted = acceptedSockets();
  server.fail({ delayMs: 600_000 }, 2);
  server.fail({ body: 'stalled', ms: 600_000 });
  const left = new AbortController();
  const aborted = expect(ask(server, '/automations', {}, left.signal)).rejects.toThrow('left');
  const delayed = expect(ask(server, '/automations')).rejects.toThrow('fetch failed');
  while (server.requests.length < 2) await nextTurn();
  const { url, apiKey } = server;
  const response = await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${apiKey}` } });
  const stalled = expect(response.text()).rejects.toThrow('terminated');
  const before = accepted.length;
  const halfSent = await opened(server);
  halfSent.write('GET /automations HTTP/1.1\r\n');
  await opened(server);
  while (accepted.length < before + 2) await nextTurn();
  left.abort(new Error('left'));
  await aborted;

  const closed = server.close();
  // At once: a server that drains waits 0.25 s for connections, a second for half a request, and 10 s for a response.
  expect(accepted.map((socket) => socket.destroyed)).toEqual(accepted.map(() => true));
  await Promise.all([closed, delayed, stalled]);
  expect(server.errors).toEqual([]);
});
