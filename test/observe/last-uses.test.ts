/** Uses of keys are stored once a minute, and never during a request. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Account } from '../../server/contract/types.ts';
import type { Failure, Observer } from '../../server/http/events.ts';
import { recordLastUses } from '../../server/observe/last-uses.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const url = 'http://127.0.0.1:3000';

beforeEach(() => {
  jest.useFakeTimers({ now: START });
});
afterEach(() => {
  jest.useRealTimers();
});

interface Recording {
  readonly recorder: Observer;
  readonly use: (keyId: string) => void;
  /** The uses of each write. */
  readonly written: Record<string, number>[];
  readonly failures: Failure[];
  breakDown: boolean;
}

function start(): Recording {
  const it: Recording = {
    recorder: recordLastUses(
      (uses) => {
        if (it.breakDown) throw new Error('injected');
        it.written.push(Object.fromEntries(uses));
      },
      (failure) => it.failures.push(failure),
    ),
    use: (keyId) => it.recorder.used?.({ account: 1 as Account, accountName: 'acme', keyId }),
    ...{ written: [], failures: [], breakDown: false },
  };
  it.recorder.lifecycle?.({ state: 'listening', url });
  return it;
}

test('once a minute, each with its last use, and those of the last minute at the stop', async () => {
  const { recorder, use, written } = start();
  use('a');
  use('b');
  await jest.advanceTimersByTimeAsync(30_000);
  use('a');
  await jest.advanceTimersByTimeAsync(29_999);
  expect(written).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(written).toEqual([{ a: START + 30_000, b: START }]);
  await jest.advanceTimersByTimeAsync(600_000);
  expect(written).toHaveLength(1); // No key was used.
  use('b');
  recorder.lifecycle?.({ state: 'stopping', url });
  expect(written).toHaveLength(1);
  recorder.lifecycle?.({ state: 'stopped', url });
  expect(written.slice(1)).toEqual([{ b: START + 660_000 }]);
  expect(jest.getTimerCount()).toBe(0);
});

test('a thousand at once at most, except at the stop', async () => {
  const { recorder, use, written } = start();
  for (let key = 0; key < 3500; key += 1) use(String(key));
  await jest.advanceTimersByTimeAsync(120_000);
  expect(written.map((it) => Object.keys(it).length)).toEqual([1000, 1000]);
  recorder.lifecycle?.({ state: 'stopped', url });
  expect(Object.keys(Object.assign({}, ...written) as object)).toHaveLength(3500);
});

test('a write that fails is reported once, and tried again until it succeeds', async () => {
  const it = start();
  it.breakDown = true;
  it.use('a');
  await jest.advanceTimersByTimeAsync(180_000);
  it.use('b');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(it.failures).toEqual([
    { id: undefined, error: new Error('The last-used times of keys could not be stored: injected') },
  ]);
  it.breakDown = false;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(it.written).toEqual([{ a: START, b: START + 180_000 }]);
  it.breakDown = true;
  it.use('a');
  await jest.advanceTimersByTimeAsync(120_000);
  expect(it.failures).toHaveLength(2);
});
