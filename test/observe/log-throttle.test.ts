/** Failures of one kind: the first at once, then one a second with the count of the others, and the last at the stop. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Observer } from '../../server/http/events.ts';
import { createLog, throttle } from '../../server/observe/log.ts';
import type { ThrottledFailure } from '../../server/observe/log.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const gone = new Error('gone');
const broken = new Error('broken');
const stopped = { state: 'stopped', url: 'http://127.0.0.1:3000' } as const;

function start(): { logged: ThrottledFailure[]; observer: Observer; fail: (error: unknown, id: string) => void } {
  const logged: ThrottledFailure[] = [];
  const observer = throttle((it) => logged.push(it));
  return { logged, observer, fail: (error, id) => observer.failed?.({ error, id }) };
}

test('the first at once, then the last of each second while they go on', () => {
  const { logged, fail } = start();
  for (const id of ['1', '2', '3', '4']) fail(gone, id);
  fail(broken, '5');
  fail(new TypeError('gone'), '6');
  expect(logged.map((it) => it.id)).toEqual(['1', '5', '6']);
  jest.advanceTimersByTime(999);
  expect(logged).toHaveLength(3);
  jest.advanceTimersByTime(1);
  expect(logged.slice(3)).toEqual([{ error: gone, id: '4', suppressed: 2 }]);
  fail(gone, '7');
  jest.advanceTimersByTime(1000);
  expect(logged.slice(4)).toEqual([{ error: gone, id: '7' }]); // None was suppressed.
  jest.advanceTimersByTime(1000);
  expect(jest.getTimerCount()).toBe(0); // The window is over, so the next is a first one.
  fail(gone, '8');
  expect(logged.slice(5)).toEqual([{ error: gone, id: '8' }]);
});

test('failures that are held back are logged when the server has stopped', () => {
  const { logged, observer, fail } = start();
  for (const id of ['1', '2', '3']) fail(gone, id);
  observer.lifecycle?.({ ...stopped, state: 'stopping' });
  expect(logged).toHaveLength(1);
  observer.lifecycle?.(stopped);
  expect(logged.slice(1)).toEqual([{ error: gone, id: '3', suppressed: 1 }]);
  expect(jest.getTimerCount()).toBe(0);
});

test('kinds are bounded: all beyond a hundred count as one', () => {
  const { logged, fail } = start();
  for (let at = 0; at < 1000; at += 1) fail(new Error(String(at)), String(at));
  expect(logged).toHaveLength(101);
  expect(jest.getTimerCount()).toBe(101);
  jest.advanceTimersByTime(1000);
  expect(logged.slice(101)).toEqual([{ error: new Error('999'), id: '999', suppressed: 898 }]);
});

test.each([
  ['json', /"event":"failed","error":\{.*"message":"gone".*\},"id":"3","suppressed":1\}$/],
  ['text', /^\S+Z failed: 3 \(1 similar suppressed\)$/],
] as const)('the log says how many were suppressed, as %s', (format, line) => {
  for (const hasRequests of [true, false]) {
    const lines: string[] = [];
    const log = createLog(format, hasRequests, (it) => lines.push(it));
    for (const id of ['1', '2', '3']) log.failed?.({ error: gone, id });
    log.lifecycle?.(stopped);
    expect(lines.filter((it) => it.includes('failed') && line.test(it))).toHaveLength(1);
    expect(lines.filter((it) => it.includes('failed'))).toHaveLength(2);
    expect(lines.some((it) => it.includes('127.0.0.1'))).toBe(hasRequests);
  }
});
