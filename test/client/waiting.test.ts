/** Abort signals of calls, the wait for an import, and that nothing of either remains. */
import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { TimeoutError } from '../../client/index.ts';
import type { RollcallClient } from '../../client/index.ts';
import { contactImport } from '../../testkit/index.ts';
import { start } from '../support/kit.ts';
import { counted, failure, hang, hangForGood, problem } from '../support/scripted-client.ts';
import { requests, scripted, watch } from '../support/scripted-client.ts';

const RECORD = contactImport();
const good = (): Response => Response.json(RECORD);
afterEach(() => {
  jest.useRealTimers();
});

describe('aborting', () => {
  const reason = new Error('enough');

  test('before the call sends no request', async () => {
    expect(await failure(scripted([good]).contactImports.get('x', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(requests).toBe(0);
  });

  test('during a request ends it', async () => {
    const server = await start();
    server.fail({ delayMs: 600_000 });
    const controller = new AbortController();
    const call = failure(counted(server).contactImports.get(RECORD.id, { signal: controller.signal }));
    while (server.requests.length === 0) await new Promise(setImmediate);
    controller.abort(reason);
    expect(await call).toBe(reason);
  });

  test('during a request tells `fetch` the reason', async () => {
    const controller = new AbortController();
    let signal: AbortSignal | null | undefined;
    const fetch = (_url: string, init: RequestInit): Promise<Response> => {
      ({ signal } = init);
      controller.abort(reason);
      return new Promise(() => undefined);
    };
    await failure(scripted([], { fetch }).contactImports.get('x', { signal: controller.signal }));
    expect(signal?.reason).toBe(reason);
  });

  test('of a page ends it', async () => {
    const list = scripted([good]).contactImports.list({ signal: AbortSignal.abort(reason) });
    expect(await failure(Promise.resolve(list))).toBe(reason);
  });
});

describe('neither a timer nor a listener on the signal remains after', () => {
  type Ask = (client: RollcallClient, options: { signal: AbortSignal }) => PromiseLike<unknown>;
  const list = (): Response => Response.json({ object: 'list', has_more: true, data: [RECORD] });
  const status = (value: string) => (): Response => Response.json({ ...RECORD, status: value });
  const get: Ask = ({ contactImports }, options) => contactImports.get('x', options);
  const wait: Ask = ({ contactImports }, options) => contactImports.waitUntilEnded('x', options);
  const lateWait: Ask = ({ contactImports }, options) =>
    contactImports.waitUntilEnded('x', { ...options, timeoutMs: 1 });
  const leaveLoop: Ask = async ({ contactImports }, options) => {
    for await (const _ of contactImports.list(options)) return;
  };
  const ownFetch: Ask = ({ GET }, options) =>
    GET('/automations', { ...options, fetch: () => Promise.resolve(Response.json({})) });
  const check = (signal: AbortSignal): void => {
    expect(jest.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  };

  test.each<[string, (() => Response | Promise<Response>)[], Ask]>([
    ['a call that is tried again', [problem(503), good], get],
    ['a call that fails', [problem(404)], get],
    ['a call that is late', [hangForGood], get],
    ['a page', [list], ({ contactImports }, options) => contactImports.list(options)],
    ['a loop that is left', [list], leaveLoop],
    ['a wait', [status('queued'), status('completed')], wait],
    ['a wait that is late', [status('queued')], lateWait],
    ['GET', [problem(503), list], ({ GET }, options) => GET('/automations', options)],
    ['GET with a fetch of its own', [], ownFetch],
  ])('%s', async (_, responses, ask) => {
    jest.useFakeTimers();
    const { signal } = new AbortController();
    const call = watch(ask(scripted(responses), { signal }));
    await jest.runAllTimersAsync();
    expect(call.now).toBeDefined();
    check(signal);
  });

  test.each<[string, () => Response | Promise<Response>, Ask]>([
    ['request', hangForGood, get],
    ['pause', problem(503), get],
    ['wait', status('queued'), wait],
  ])('a %s that is aborted', async (_, response, ask) => {
    jest.useFakeTimers();
    const controller = new AbortController();
    const call = watch(ask(scripted([response]), { signal: controller.signal }));
    await jest.advanceTimersByTimeAsync(0);
    controller.abort('enough');
    await jest.advanceTimersByTimeAsync(0);
    expect(call.now).toBe('enough');
    check(controller.signal);
  });
});

describe('waitUntilEnded', () => {
  const zero = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const queued = contactImport({ status: 'queued', completed_at: null, counts: zero });

  test.each(['completed', 'failed'] as const)('follows an import until it has %s', async (end) => {
    const server = await start({ contactImports: [queued] });
    const seen: string[] = [];
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    const done = { yet: false };
    const waiting = counted(server)
      .contactImports.waitUntilEnded(queued.id, {
        onProgress: ({ status }) => {
          seen.push(status);
          if (status !== end) void server.moveImport(queued.id, { end });
        },
      })
      .finally(() => (done.yet = true));
    while (!done.yet) {
      await new Promise((resolve) => setImmediate(resolve)); // The network takes real time, the pauses do not.
      jest.advanceTimersByTime(50);
    }
    expect(await waiting).toMatchObject({ id: queued.id, status: end });
    expect(seen).toEqual(['queued', 'in_progress', end]);
  });

  test('sends conditional requests with growing pauses while nothing changes', async () => {
    jest.useFakeTimers();
    const asked: { at: number; match: string | null }[] = [];
    const start = Date.now();
    const client = scripted([], {
      fetch: (_url, { headers }) => {
        asked.push({ at: Date.now() - start, match: new Headers(headers).get('if-none-match') });
        const isFirst = asked.length === 1;
        const init = { headers: { etag: '"one"' } };
        return Promise.resolve(isFirst ? Response.json(queued, init) : new Response(null, { ...init, status: 304 }));
      },
    });
    const progress: unknown[] = [];
    const options = { timeoutMs: 60_000, onProgress: (it: unknown) => progress.push(it) };
    const call = failure(client.contactImports.waitUntilEnded(queued.id, options));
    await jest.runAllTimersAsync();
    expect(await call).toMatchObject({
      name: 'TimeoutError',
      message: 'The contact import did not end within 60000 ms.',
    });
    expect(progress).toEqual([queued]);
    expect(asked.map((it) => it.match)).toEqual([null, ...Array<string>(asked.length - 1).fill('"one"')]);
    const pauses = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    expect(pauses.slice(0, 4)).toEqual([500, 750, 1125, 1687]);
    expect(Math.max(...pauses)).toBe(15_000);
  });

  test.each([
    ['as briefly as at first after each change', {}, [500, 750, 1125, 500, 750]],
    ['for `pollMs`, whether or not something has changed', { pollMs: 40 }, [40, 40, 40, 40, 40]],
  ])('pauses %s', async (_, options, expected) => {
    jest.useFakeTimers();
    const asked: number[] = [];
    const init = { headers: { etag: '"one"' } };
    const unchanged = (): Response => new Response(null, { ...init, status: 304 });
    const is = (status: string) => (): Response => Response.json({ ...queued, status }, init);
    const responses = [is('queued'), unchanged, unchanged, is('in_progress'), unchanged, is('completed')];
    const client = scripted(
      responses.map((respond) => () => {
        asked.push(Date.now());
        return respond();
      }),
    );
    const call = watch(client.contactImports.waitUntilEnded(queued.id, options));
    await jest.runAllTimersAsync();
    expect(call.now).toBe('fulfilled');
    const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    expect(pauses).toEqual(expected);
  });

  test('ends the pause at its time limit', async () => {
    jest.useFakeTimers();
    const call = watch(
      scripted([() => Response.json(queued)]).contactImports.waitUntilEnded(queued.id, { timeoutMs: 1000 }),
    );
    await jest.advanceTimersByTimeAsync(999);
    expect([call.now, requests]).toEqual([undefined, 2]); // At 0 and 500 ms; the next would be at 1250.
    await jest.advanceTimersByTimeAsync(1);
    expect(call.now).toBeInstanceOf(TimeoutError);
    expect(call.now).toMatchObject({ message: 'The contact import did not end within 1000 ms.' });
    expect([requests, jest.getTimerCount()]).toEqual([2, 0]);
  });

  test('aborts the request in flight at its time limit', async () => {
    jest.useFakeTimers();
    const aborted: unknown[] = [];
    const client = scripted([], {
      fetch: (url, init) => {
        init.signal?.addEventListener('abort', () => aborted.push(Date.now()));
        return hang(url, init);
      },
    });
    const end = Date.now() + 1000;
    const call = watch(client.contactImports.waitUntilEnded(queued.id, { timeoutMs: 1000 }));
    await jest.advanceTimersByTimeAsync(999);
    expect(call.now).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.now).toMatchObject({
      name: 'TimeoutError',
      message: 'The contact import did not end within 1000 ms.',
    });
    expect([requests, aborted, jest.getTimerCount()]).toEqual([1, [end], 0]);
  });

  test('rejects like get', async () => {
    const call = scripted([problem(404)]).contactImports.waitUntilEnded('x');
    expect(await failure(call)).toMatchObject({ name: 'service_unavailable', status: 404 });
  });
});
