/** A server that remembers answers is, byte for byte, one that does not, whatever it is asked and whatever changes meanwhile. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { openFolder } from '../support/cli.ts';
import { ENGINE } from '../support/engine.ts';
import { clock, life, live, statusesIn } from './scenario.ts';
import type { Lived } from './scenario.ts';
import { startOtherProcess } from './other-process.ts';
import { createWorlds } from './store.ts';
import type { World } from './store.ts';

/** How many, however long they take; one on PostgreSQL takes a second. */
const LIVES = Number(process.env['ROLLCALL_CACHE_TEST_LIVES'] ?? (ENGINE === 'sqlite' ? 40 : 10));
/** The same lives come again. */
const SEED = Number(process.env['ROLLCALL_CACHE_TEST_SEED'] ?? 1);
/** How long to look for a shorter life with the same fault. */
const SHRINK_MS = 4000;
const ROUND = 10;
/** One takes no longer, however busy the machine is. */
const LIFE_MS = 10_000;
/** Of so many, some have asked for what is rarely asked for. */
const MANY_LIVES = 60;

const folder = openFolder();
const other = startOtherProcess();
let worldOf: () => Promise<World>;
beforeAll(async () => {
  worldOf = await createWorlds(folder, other);
  jest.spyOn(Date, 'now').mockImplementation(() => clock.now);
});
afterAll(async () => {
  await other.stop();
  folder.remove();
});

test(
  'random lives of two servers are the same',
  async () => {
    const lived: Lived[] = [];
    let deadline = Infinity;
    const property = fc.asyncProperty(life, async (it) => {
      if (performance.now() > deadline) return;
      try {
        lived.push(await live(it, await worldOf()));
      } catch (error) {
        deadline = Math.min(deadline, performance.now() + SHRINK_MS);
        throw error;
      }
    });
    // In rounds, because fast-check cannot be given one time to find a fault and another to shrink it.
    for (let seed = SEED; lived.length < LIVES; seed += 1) {
      const { failed, numShrinks, errorInstance } = await fc.check(property, { seed, numRuns: ROUND });
      if (!failed) continue;
      const which = `ROLLCALL_CACHE_TEST_SEED=${String(seed)}, made shorter ${String(numShrinks)} times`;
      throw new Error(`They differ: ${which}.`, { cause: errorInstance });
    }

    const sum = (count: (of: Lived) => number): number => lived.reduce((total, it) => total + count(it), 0);
    const statuses = new Set(lived.flatMap(({ answers }) => answers.flatMap(statusesIn)));
    const rare = lived.length < MANY_LIVES ? [] : ['204', '405', '422', '429'];
    expect([...statuses]).toEqual(expect.arrayContaining(['200', '304', '401', '404', ...rare]));
    // It did remember. How much depends on the lives, of which there are few in a short time.
    expect(sum((it) => it.remembering.keys)).toBeLessThan(sum((it) => it.plain.keys));
    // Across a network every response is read.
    if (ENGINE === 'sqlite') {
      expect(sum((it) => it.remembering.records)).toBeLessThan(sum((it) => it.plain.records));
    }
  },
  60_000 + LIVES * LIFE_MS,
);
