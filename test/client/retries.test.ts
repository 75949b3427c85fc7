/** When a call is tried again, how long it pauses, and how long it takes in all: in virtual time. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { TimeoutError } from '../../client/index.ts';
import type { ApiError } from '../../client/index.ts';
import { contactImport } from '../../testkit/index.ts';
import { start } from '../support/kit.ts';
import { counted, failure, hang, hangForGood, problem, request } from '../support/scripted-client.ts';
import { requests, resetRequests, scripted, watch } from '../support/scripted-client.ts';

const RECORD = contactImport();
const good = (): Response => Response.json(RECORD);
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('retries', () => {
  test.each([{ status: 429 }, { status: 503 }, { disconnect: true }] as const)(
    'after %j of a real server',
    async (it) => {
      const server = await start({ contactImports: [RECORD] });
      server.fail(it);
      expect(await counted(server).contactImports.get(RECORD.id)).toEqual(RECORD);
      expect(requests).toBe(2);
    },
  );

  test.each([429, 500, 502, 503, 504])('after %i, at most three times', async (status) => {
    jest.useFakeTimers();
    const call = failure(scripted([problem(status)]).contactImports.get('x'));
    await jest.runAllTimersAsync();
    expect(await call).toMatchObject({ status });
    expect(requests).toBe(4);
  });

  test.each([400, 401, 404, 422, 501])('but not after %i', async (status) => {
    expect(await failure(scripted([problem(status)]).contactImports.get('x'))).toMatchObject({ status });
    expect(requests).toBe(1);
  });

  test('pauses grow, and jitter shortens them by at most half', async () => {
    jest.useFakeTimers();
    for (const [chance, pauses] of [
      [0, [250, 500, 1000]],
      [1, [125, 250, 500]],
    ] as const) {
      resetRequests();
      jest.spyOn(Math, 'random').mockReturnValue(chance);
      const call = failure(scripted([problem(503)]).contactImports.get('x'));
      for (const [at, pause] of pauses.entries()) {
        await jest.advanceTimersByTimeAsync(pause - 1);
        expect(requests).toBe(at + 1);
        await jest.advanceTimersByTimeAsync(1);
        expect(requests).toBe(at + 2);
      }
      await call;
    }
  });

  test('pauses grow up to ten seconds', async () => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const pauses: number[] = [];
    const onRetry = ({ pauseMs }: { readonly pauseMs: number }): void => void pauses.push(pauseMs);
    const client = scripted([problem(503)], { onRetry, retry: { retries: 8, totalMs: Infinity } });
    const call = failure(client.contactImports.get('x'));
    await jest.runAllTimersAsync();
    await call;
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  const NOW = Date.UTC(2026, 3, 16, 12, 0, 0);
  test.each([
    ['0', 0],
    ['7', 7],
    ['Thu, 16 Apr 2026 12:00:09 GMT', 9],
    ['soon', undefined],
  ])('Retry-After: %j is a pause of %p seconds', async (value, seconds) => {
    jest.useFakeTimers({ now: NOW });
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const pauses: number[] = [];
    const client = scripted([problem(429, { 'retry-after': value }), good], {
      onRetry: ({ pauseMs }) => void pauses.push(pauseMs),
      retry: { totalMs: Infinity },
    });
    const call = watch(client.contactImports.get('x'));
    await jest.runAllTimersAsync();
    expect([call.now, pauses]).toEqual(['fulfilled', [seconds === undefined ? 250 : seconds * 1000]]);
    jest.setSystemTime(NOW);
    const { retryAfter } = (await failure(
      scripted([problem(429, { 'retry-after': value })], { retry: false }).contactImports.get('x'),
    )) as ApiError;
    expect(retryAfter).toBe(seconds);
  });

  test('a Retry-After beyond the total limit is not awaited', async () => {
    const error = await failure(scripted([problem(503, { 'retry-after': '61' })]).contactImports.get('x'));
    expect(error).toMatchObject({ status: 503, retryAfter: 61 });
    expect(requests).toBe(1);
  });

  test('the total limit includes all attempts', async () => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const call = failure(scripted([problem(503)], { retry: { retries: 100, totalMs: 2000 } }).contactImports.get('x'));
    await jest.advanceTimersByTimeAsync(2001);
    expect(await call).toMatchObject({ status: 503 });
    expect(requests).toBe(4); // At 0, 250, 750 and 1750 ms.
  });

  test('by default an attempt may take half a minute, and all of them a minute', async () => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const call = watch(scripted([], { fetch: hang }).contactImports.get('x')); // Requests at 0 and 30250 ms.
    await jest.advanceTimersByTimeAsync(30_249);
    expect(requests).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(requests).toBe(2);
    await jest.advanceTimersByTimeAsync(29_749);
    expect(call.now).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.now).toMatchObject({
      name: 'TimeoutError',
      message: `No response arrived within 60000 ms in total. (${request()})`,
    });
  });

  test.each([
    ['', hang],
    [', and of one that does not end when it is aborted', hangForGood],
  ])('the total limit aborts the request in flight%s', async (_, fetch) => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const client = scripted([], { timeoutMs: 800, retry: { totalMs: 1000 }, fetch });
    const call = watch(client.contactImports.get('x')); // Requests at 0 and 925 ms.
    await jest.advanceTimersByTimeAsync(999);
    expect(call.now).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.now).toBeInstanceOf(TimeoutError);
    expect(call.now).toMatchObject({ message: `No response arrived within 1000 ms in total. (${request()})` });
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each([{ retry: false }, { retry: { retries: 0 } }] as const)(
    'one try may take longer than a minute with %j, if its timeout says so',
    async (options) => {
      jest.useFakeTimers();
      const call = watch(scripted([], { timeoutMs: 120_000, ...options, fetch: hang }).contactImports.get('x'));
      await jest.advanceTimersByTimeAsync(119_999);
      expect(call.now).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(call.now).toMatchObject({
        name: 'TimeoutError',
        message: `No response arrived within 120000 ms. (${request()})`,
      });
    },
  );

  test('time limits beyond the maximum of a timer mean no limit', async () => {
    jest.useFakeTimers();
    const endless = { timeoutMs: Infinity, retry: { totalMs: Infinity } };
    const hanging = watch(scripted([], { ...endless, fetch: hang }).contactImports.get('x'));
    const month = 30 * 24 * 3600;
    const pausing = watch(scripted([problem(503, { 'retry-after': String(month) })], endless).contactImports.get('x'));
    await jest.advanceTimersByTimeAsync(24 * 3600 * 1000);
    expect([hanging.now, pausing.now, requests]).toEqual([undefined, undefined, 2]);
  });
});
