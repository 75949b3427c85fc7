/** How many requests of a turn are let in, by what became of those before. Of real ones: `limits.test.ts`. */
import { setImmediate as turn } from 'node:timers/promises';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { createInFlight } from '../../server/http/admission.ts';

let now: number;
/** @returns how many of so many requests of one turn are let in, each of which takes so long. */
let letIn: (count: number, ms?: number) => Promise<number>;

beforeEach(() => {
  now = 0;
  const inFlight = createInFlight(256, () => now);
  letIn = async (count, ms = 0) => {
    let admitted = 0;
    for (let at = 0; at < count; at += 1) {
      const res = new ServerResponse(new IncomingMessage(new Socket()));
      if (!inFlight.enter(res)) continue;
      admitted += 1;
      now += ms;
      res.end();
    }
    await turn();
    return admitted;
  };
});

test('a burst, once: after a turn that refuses some there is less room, and twice as much after each that refuses none', async () => {
  expect(await letIn(300)).toBe(256);
  expect(await letIn(300)).toBe(16); // Tried, for the first time.
  expect(await letIn(300)).toBe(4);
  expect(await letIn(5)).toBe(4);
  for (const room of [4, 8, 16, 32, 64, 128, 256, 256]) expect(await letIn(room)).toBe(room);
  expect(await letIn(300)).toBe(256);
  expect(await letIn(1)).toBe(1);
  expect(await letIn(9)).toBe(8);
});

test('sixteen that never pause are let in again after a second', async () => {
  await letIn(300);
  await letIn(300);
  for (; now < 999; now += 37) expect(await letIn(16)).toBe(4);
  now = 1000;
  expect(await letIn(16)).toBe(16);
  for (let at = 0; at < 10; at += 1) expect(await letIn(16)).toBe(16);
});

test.each([
  [0.05, 256],
  [0.25, 80],
  [1, 64],
  [100, 64],
])('requests of %d ms: %d in a turn', async (ms, count) => {
  expect(await letIn(300, ms)).toBe(count);
});

test('those that wait for their answer count in later turns, unless their callers have left', async () => {
  const inFlight = createInFlight(2, () => now);
  const [first, second, third] = Array.from(
    { length: 3 },
    () => new ServerResponse(new IncomingMessage(new Socket())),
  ) as [ServerResponse, ServerResponse, ServerResponse]; // As many.
  expect([inFlight.enter(first), inFlight.enter(second)]).toEqual([true, true]);
  await turn();
  expect(inFlight.enter(third)).toBe(false);
  await turn();
  first.destroy();
  second.destroy();
  expect(inFlight.enter(third)).toBe(true);
});
