/** Fault injection: every fault, the requests it applies to, and invalid faults. */
import { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { automation, startRollcall } from '../../testkit/index.ts';
import type { Fault, TestServer } from '../../testkit/index.ts';
import type { ProblemName } from '../../contract/types.ts';
import { createFaultQueue } from '../../testkit/faults.ts';
import { afterFile, afterTest } from '../support/after-test.ts';
import { contract } from '../support/app.ts';
import { expectDeclared } from '../support/declared.ts';
import { ask, start } from '../support/kit.ts';
import { exchange } from '../support/raw.ts';

const NAMES = contract.schemas.ProblemName.enum as ProblemName[];
const RECORDS = { automations: [automation(), automation()] };

let server: TestServer;
beforeAll(async () => {
  server = await startRollcall(RECORDS, { corsOrigins: [] });
  afterFile(() => server.close());
});
afterEach(async () => {
  await server.reset();
  expect(server.errors).toEqual([]);
});

describe('an error of the contract', () => {
  test.each(NAMES)('%s, by name', async (error) => {
    server.fail({ error });
    const response = await ask(server, '/automations');
    const status = contract.problemStatus[error];
    expect(response).toMatchObject({ status, body: { statusCode: status, name: error } });
    expectDeclared('listAutomations', response);
    expect((await ask(server, '/automations')).status).toBe(200);
  });

  test.each<[Fault, number, string | undefined]>([
    [{ status: 429 }, 429, '1'],
    [{ status: 429, retryAfter: 7 }, 429, '7'],
    [{ error: 'service_unavailable', retryAfter: 86_400 }, 503, '86400'],
    [{ status: 500 }, 500, undefined],
  ])('%j', async (fault, status, retryAfter) => {
    server.fail(fault, 2);
    for (let at = 0; at < 2; at += 1) {
      const response = await ask(server, '/automations');
      expect(response.status).toBe(status);
      expect(response.headers['retry-after']).toBe(retryAfter);
    }
    expect((await ask(server, '/automations')).status).toBe(200);
  });

  test('is the response of its operation, with the message of the contract’s example', async () => {
    server.fail({ error: 'invalid_api_key' });
    const { headers, body } = await ask(server, '/automations');
    expect(headers['www-authenticate']).toBe('Bearer realm="rollcall", error="invalid_token"');
    expect(body).toMatchObject({ message: 'This API key is unknown, has been revoked or has expired.' });
  });
});

describe('a fault applies', () => {
  test('to requests of its operation, in the order in which faults were added', async () => {
    server.fail({ status: 503, operation: 'getContactImport' });
    server.fail({ status: 429 });
    server.fail({ status: 500, operation: 'listAutomations' }, Infinity);
    const path = '/contacts/imports/00000000-0000-4000-8000-000000000000';
    const statuses = [];
    for (const it of ['/automations', '/automations', path, path, '//automations?limit=1', '/contact-properties']) {
      statuses.push((await ask(server, it)).status);
    }
    expect(statuses).toEqual([429, 500, 503, 404, 500, 200]);
    await server.reset();
    expect((await ask(server, '/automations')).status).toBe(200);
  });

  test('not to a preflight of a browser', async () => {
    const server = await start();
    server.fail({ status: 503 });
    const preflight = await fetch(`${server.url}/automations`, {
      method: 'OPTIONS',
      headers: { origin: 'http://page.example', 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    expect((await ask(server, '/automations')).status).toBe(503);
  });
});

test('a thousand faults can wait, and no more', () => {
  const queue = createFaultQueue(contract);
  const add = (): void => {
    queue.add({ status: 500 }, 1);
  };
  for (let count = 0; count < 1000; count += 1) add();
  expect(add).toThrow(new RangeError('No more than 1000 faults can be pending.'));
  queue.take(undefined);
  expect(add).not.toThrow();
});

/** @returns all that one request receives until the connection ends. */
const textOf = ({ url, apiKey }: TestServer, method = 'GET'): Promise<string> =>
  exchange(
    url,
    `${method} /automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`,
  );

const bodyOf = (text: string): string => text.split('\r\n\r\n', 2)[1] ?? '';

describe('a response that is late or broken', () => {
  test('delayMs delays the first byte, also of an error', async () => {
    server.fail({ delayMs: 80 });
    server.fail({ status: 500, delayMs: 80 });
    for (const status of ['200', '500']) {
      const sent = performance.now();
      expect(await textOf(server)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(performance.now() - sent).toBeGreaterThanOrEqual(79); // No machine is too slow for that.
    }
  });

  test('a cut body ends in the middle, after the regular headers', async () => {
    const whole = bodyOf(await textOf(server));
    server.fail({ body: 'cut' });
    const got = await textOf(server);
    expect(got).toContain(`Content-Length: ${String(whole.length)}\r\n`);
    expect(bodyOf(got)).toBe(whole.slice(0, Math.floor(whole.length / 2)));
    server.fail({ body: 'cut' });
    await expect(ask(server, '/automations')).rejects.toThrow('terminated');
  });

  test('a malformed body has the length of its header, and is not JSON', async () => {
    server.fail({ body: 'malformed' });
    const whole = await textOf(server);
    expect(whole).toMatch(/^HTTP\/1.1 200 /);
    const text = bodyOf(whole);
    expect(whole).toContain(`Content-Length: ${String(text.length)}\r\n`);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  test.each([
    ['stalled', 2],
    ['slow', 10],
  ] as const)('a %s body is complete, is written in %i pieces, and takes its time', async (body, pieces) => {
    const whole = bodyOf(await textOf(server));
    server.fail({ body, ms: 90 });
    const write = jest.spyOn(ServerResponse.prototype, 'write'); // What the client receives may have been merged.
    afterTest(() => {
      write.mockRestore();
    });
    const sent = performance.now();
    expect(bodyOf(await textOf(server))).toBe(whole);
    expect(performance.now() - sent).toBeGreaterThanOrEqual(80); // Each timer may be a little early.
    const written = write.mock.calls.map(([piece]) => String(piece));
    expect([written.length, written.join('')]).toEqual([pieces, whole]);
  });

  test.each<Fault>([{ body: 'cut' }, { body: 'malformed' }, { body: 'slow', ms: 50 }])(
    '%j does not change a response without a body',
    async (fault) => {
      const { etag = '' } = (await ask(server, '/automations')).headers;
      server.fail(fault, 2);
      expect(bodyOf(await textOf(server, 'HEAD'))).toBe('');
      const headers = { authorization: `Bearer ${server.apiKey}`, 'if-none-match': etag };
      expect((await fetch(`${server.url}/automations`, { headers })).status).toBe(304);
      expect((await ask(server, '/automations')).body.data).toHaveLength(2);
    },
  );

  test('disconnect sends no response', async () => {
    server.fail({ disconnect: true });
    await expect(ask(server, '/automations')).rejects.toThrow('fetch failed');
    expect((await ask(server, '/automations')).status).toBe(200);
  });

  test.each<Fault>([{ delayMs: 50 }, { status: 503, delayMs: 50 }, { body: 'slow', ms: 450 }])(
    '%j: a client that disconnects causes no error',
    async (fault) => {
      server.fail(fault, 2);
      const left = new AbortController();
      const call = ask(server, '/automations', {}, left.signal).catch(() => undefined);
      while (server.requests.length < 1) await nextTurn();
      left.abort();
      await call;
      await ask(server, '/automations'); // Timers of one duration fire in order: that of the first request has fired too.
      expect(server.errors).toEqual([]);
    },
  );
});

describe('an invalid fault is rejected', () => {
  const range = '`retryAfter` must be a whole number from 1 to 86400.';
  const delay = '`delayMs` must be milliseconds from 0 to 2147483647.';
  const one = 'A fault must have one of error, status, body, disconnect, delayMs.';
  const shape = 'A fault must be an object, such as { "status": 503 }.';
  const statuses = 'Expected one of: 401, 404, 405, 422, 429, 500, 503.';
  const errors = Object.keys(contract.problemStatus).join(', ');
  const operations = contract.operations.map((it) => it.id).join(', ');
  test.each<[unknown, typeof TypeError, string]>([
    [undefined, TypeError, shape],
    [[], TypeError, shape],
    [{}, TypeError, one],
    [{ status: 503, body: 'cut' }, TypeError, one],
    [{ status: 418 }, RangeError, `No error has status 418. ${statuses}`],
    [{ status: '503' }, RangeError, `No error has status 503. ${statuses}`],
    [
      { status: 401 },
      TypeError,
      "401 is the status of several errors. Set a name, such as { error: 'missing_api_key' }.",
    ],
    [{ error: 'teapot' }, TypeError, `Unknown error "teapot". Expected one of: ${errors}.`],
    [{ status: 429, retryAfter: 0 }, RangeError, range],
    [{ status: 429, retryAfter: 1.5 }, RangeError, range],
    [{ status: 503, retryAfter: 86_401 }, RangeError, range],
    [{ status: 503, retryAfter: '1' }, TypeError, range],
    [{ status: 500, retryAfter: 1 }, TypeError, 'application_error does not support `retryAfter`.'],
    [{ delayMs: -1 }, RangeError, delay],
    [{ delayMs: Infinity }, RangeError, delay],
    [{ delayMs: NaN }, RangeError, delay],
    [{ delayMs: '1' }, TypeError, delay],
    [{ body: 'torn' }, TypeError, 'Unknown body fault "torn". Expected one of: cut, malformed, stalled, slow.'],
    [{ body: 'slow' }, TypeError, '`ms` must be milliseconds from 0 to 2147483647.'],
    [{ body: 'cut', ms: 1 }, TypeError, 'The body fault cut does not support `ms`.'],
    [{ disconnect: false }, TypeError, '`disconnect` must be true.'],
    [{ status: 503, times: 2 }, TypeError, '`times` is the second argument, as in `fail({ status: 503 }, 2)`.'],
    [
      { disconnect: true, after: 1 },
      TypeError,
      'Unknown property of a fault with `disconnect` "after". Expected one of: disconnect, operation, delayMs.',
    ],
    [
      { status: 503, operation: 'listContacts' },
      TypeError,
      `Unknown operation "listContacts". Expected one of: ${operations}.`,
    ],
  ])('%j', async (fault, kind, message) => {
    expect(() => {
      server.fail(fault as Fault);
    }).toThrow(new kind(message));
    expect((await ask(server, '/automations')).status).toBe(200);
  });

  test.each([0, -1, 1.5, NaN, -Infinity, '2'])('%p times', async (times) => {
    expect(() => {
      server.fail({ status: 503 }, times as number);
    }).toThrow(new RangeError('`times` must be a whole number of 1 or more, or Infinity.'));
    expect((await ask(server, '/automations')).status).toBe(200);
  });
});
