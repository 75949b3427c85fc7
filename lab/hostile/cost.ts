/** What an ordinary request costs a server that is attacked, in CPU. */
import { setTimeout } from 'node:timers/promises';
import { cpuNs, median } from '../support/measure.ts';

/** Ordinary requests in a turn. */
const REQUESTS = 200;
const TURNS = 15;
/** A second in which a server works for less than this is quiet: its timers of a second have passed too. */
const QUIET_NS = 20e6;
const MAX_SECONDS = 600;

/** A server that ordinary requests are sent to. */
export interface Target {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
}

/**
 * @param control a server without attacks: the two take turns, so that a busy machine slows both.
 * @returns how many times as much CPU an ordinary request costs the target: the median of the turns.
 * @throws Error if a response is neither 200 nor 503, or a server does not become quiet.
 */
export async function cpuRatio(target: Target, control: Target): Promise<number> {
  const ratios: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [first, second] = turn % 2 === 0 ? [target, control] : [control, target];
    const costs = new Map([[first, await costOf(first)]]);
    costs.set(second, await costOf(second));
    ratios.push((costs.get(target) ?? NaN) / (costs.get(control) ?? NaN));
  }
  return median(ratios);
}

/** @returns the CPU time of so many requests. Measures again where the kernel delivers late what slow peers have sent. */
async function costOf({ url, key, pid }: Target): Promise<number> {
  for (;;) {
    await untilQuiet(pid);
    const before = cpuNs(pid);
    let served = 0;
    while (served < REQUESTS) {
      const response = await fetch(`${url}/automations?limit=10`, { headers: { authorization: `Bearer ${key}` } });
      await response.text();
      if (response.status === 503) break;
      if (response.status !== 200) throw new Error(`An ordinary request ends with ${String(response.status)}.`);
      served += 1;
    }
    if (served === REQUESTS) return cpuNs(pid) - before;
  }
}

/** @returns once a server has nothing left to do, such as sockets to close. */
async function untilQuiet(pid: number): Promise<void> {
  for (let second = 0; second < MAX_SECONDS; second += 1) {
    const before = cpuNs(pid);
    await setTimeout(1000);
    if (cpuNs(pid) - before < QUIET_NS) return;
  }
  throw new Error('The server does not become quiet.');
}
