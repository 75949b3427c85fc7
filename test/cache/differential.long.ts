/** A server with caches responds, byte for byte, like one without, whatever it is sent and whatever changes meanwhile. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { openFolder } from '../support/cli.ts';
import { ENGINE } from '../support/engine.ts';
import { clock, runScenario, scenario, statusesIn } from './scenario.ts';
import type { Outcome } from './scenario.ts';
import { startOtherProcess } from './other-process.ts';
import { createStores } from './store.ts';
import type { ScenarioStore } from './store.ts';

/** How many, however long they take; one on PostgreSQL takes a second. */
const SCENARIOS = Number(process.env['ROLLCALL_CACHE_TEST_SCENARIOS'] ?? (ENGINE === 'sqlite' ? 30 : 10));
/** The same seed makes the same scenarios. */
const SEED = Number(process.env['ROLLCALL_CACHE_TEST_SEED'] ?? 1);
/** How long to search for a shorter scenario with the same fault. */
const SHRINK_MS = 4000;
const ROUND = 10;
/** The most that one may take on a busy machine. */
const SCENARIO_MS = 10_000;
/** So many have rare requests among them. */
const MANY_SCENARIOS = 60;

const folder = openFolder();
const other = startOtherProcess();
let createStore: () => Promise<ScenarioStore>;
beforeAll(async () => {
  createStore = await createStores(folder, other);
  jest.spyOn(Date, 'now').mockImplementation(() => clock.now);
});
afterAll(async () => {
  await other.stop();
  folder.remove();
});

test(
  'random scenarios have the same responses with caches and without',
  async () => {
    const outcomes: Outcome[] = [];
    let deadline = Infinity;
    const property = fc.asyncProperty(scenario, async (it) => {
      if (performance.now() > deadline) return;
      try {
        outcomes.push(await runScenario(it, await createStore()));
      } catch (error) {
        deadline = Math.min(deadline, performance.now() + SHRINK_MS);
        throw error;
      }
    });
    // In rounds, because fast-check cannot be given one time to find a fault and another to shrink it.
    for (let seed = SEED; outcomes.length < SCENARIOS; seed += 1) {
      const { failed, numShrinks, errorInstance } = await fc.check(property, { seed, numRuns: ROUND });
      if (!failed) continue;
      const which = `ROLLCALL_CACHE_TEST_SEED=${String(seed)}, made shorter ${String(numShrinks)} times`;
      throw new Error(`They differ: ${which}.`, { cause: errorInstance });
    }

    const sum = (count: (of: Outcome) => number): number => outcomes.reduce((total, it) => total + count(it), 0);
    const statuses = new Set(outcomes.flatMap(({ responses }) => responses.flatMap(statusesIn)));
    const rare = outcomes.length < MANY_SCENARIOS ? [] : ['204', '405', '422', '429'];
    expect([...statuses]).toEqual(expect.arrayContaining(['200', '304', '401', '404', ...rare]));
    // The cache was used. How much depends on the scenarios, of which there are few in a short time.
    // PostgreSQL reads for every response, and each read verifies the key.
    if (ENGINE === 'sqlite') {
      expect(sum((it) => it.cached.keys)).toBeLessThan(sum((it) => it.plain.keys));
      expect(sum((it) => it.cached.records)).toBeLessThan(sum((it) => it.plain.records));
    }
  },
  600_000 + SCENARIOS * SCENARIO_MS,
);
