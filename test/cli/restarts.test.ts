/** When a worker that has ended is started again, and when the service gives up. */
import { expect, test } from '@jest/globals';
import { createRestartPolicy } from '../../cli/workers.ts';
import type { End } from '../../cli/workers.ts';

const end = (number: number, how: Partial<End> = {}): End => ({
  ...{ number, code: null, signal: null, servedMs: undefined },
  ...how,
});
const killed = (number: number, servedMs?: number): End => end(number, { signal: 'SIGKILL', servedMs });
const failed = (number: number, code = 1): End => end(number, { code });

test('a worker that is killed is started again, however often, after pauses that grow up to 30 s', () => {
  const { ended } = createRestartPolicy();
  const pauses = Array.from({ length: 12 }, () => ended(killed(1)));
  const expected = [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000];
  expect(pauses).toEqual(expected.map((pauseMs) => ({ pauseMs })));
});

test('pauses grow for each worker on its own, and start over after it has served for 30 s', () => {
  const { ended } = createRestartPolicy();
  expect([ended(killed(1)), ended(killed(1, 29_999)), ended(killed(2))]).toEqual(
    [100, 200, 100].map((pauseMs) => ({ pauseMs })),
  );
  expect([ended(killed(1, 30_000)), ended(killed(1))]).toEqual([100, 200].map((pauseMs) => ({ pauseMs })));
});

test('five workers in a row that end by themselves before they listen are a crash loop', () => {
  const { ended } = createRestartPolicy();
  expect([1, 2, 1, 2].map((number) => ended(failed(number)))).toEqual(
    [100, 100, 200, 200].map((pauseMs) => ({ pauseMs })),
  );
  expect(ended(failed(2, 0))).toEqual({ failedStarts: 5 });
});

test('one that listens breaks the row', () => {
  const { ended, listening } = createRestartPolicy();
  for (let at = 0; at < 4; at += 1) ended(failed(1));
  listening();
  for (let at = 0; at < 4; at += 1) expect(ended(failed(1))).toHaveProperty('pauseMs');
  expect(ended(failed(1))).toEqual({ failedStarts: 5 });
});

test.each([
  ['one that is killed before it listens', killed(1)],
  ['one that ends by itself after it has listened', end(1, { code: 1, servedMs: 5 })],
])('%s neither counts nor breaks the row', (_, other) => {
  const { ended } = createRestartPolicy();
  for (let at = 0; at < 4; at += 1) expect(ended(failed(2))).toHaveProperty('pauseMs');
  for (let at = 0; at < 10; at += 1) expect(ended(other)).toHaveProperty('pauseMs');
  expect(ended(failed(2))).toEqual({ failedStarts: 5 });
});

test.each([
  ['has drained', { code: 0, servedMs: 5 }],
  ['gets SIGTERM before it listens to it', { signal: 'SIGTERM' }],
  ['gets SIGINT before it listens to it', { signal: 'SIGINT' }],
  ['gets SIGHUP before it listens to it', { signal: 'SIGHUP' }],
] as const)('a worker that was told to stop and %s is replaced at once, and nothing is counted', (_, how) => {
  const { ended } = createRestartPolicy();
  for (let at = 0; at < 10; at += 1) expect(ended(end(1, how))).toEqual({ pauseMs: 0 });
  expect(ended(killed(1))).toEqual({ pauseMs: 100 });
});
