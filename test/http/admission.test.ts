/** How many requests of a turn are admitted, depending on earlier turns. With real requests: `limits.test.ts`. */
import { setImmediate as turn } from 'node:timers/promises';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { createInFlight } from '../../server/http/admission.ts';

let now: number;
/** @returns how many of so many requests of one turn are admitted, each of which takes so long. */
let admit: (count: number, ms?: number) => Promise<number>;

beforeEach(() => {
  now = 0;
  const inFlight = createInFlight(256, () => now);
  admit = async (count, ms = 0) => {
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

test('a burst, once: after a turn that rejects some there is less room, and twice as much after each that rejects none', async () => {
  expect(await admit(300)).toBe(256);
  expect(await admit(300)).toBe(16); // Tried, for the first time.
  expect(await admit(300)).toBe(4);
  expect(await admit(5)).toBe(4);
  for (const room of [4, 8, 16, 32, 64, 128, 256, 256]) expect(await admit(room)).toBe(room);
  expect(await admit(300)).toBe(256);
  expect(await admit(1)).toBe(1);
  expect(await admit(9)).toBe(8);
});

test('sixteen that never pause are admitted again after a second', async () => {
  await admit(300);
  await admit(300);
  for (; now < 999; now += 37) expect(await admit(16)).toBe(4);
  now = 1000;
  expect(await admit(16)).toBe(16);
  for (let at = 0; at < 10; at += 1) expect(await admit(16)).toBe(16);
});

test.each([
  [0.05, 256],
  [0.25, 80],
  [1, 64],
  [100, 64],
])('requests of %d ms: %d in a turn', async (ms, count) => {
  expect(await admit(300, ms)).toBe(count);
});

test('those that wait for their response count in later turns, unless their callers have left', async () => {
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
