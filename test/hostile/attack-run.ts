/** Many attacks on a server, and what they cost it. */
import { setTimeout } from 'node:timers/promises';

import { cpuNs, median } from '../support/cpu.ts';
import { memoryMb } from '../support/memory.ts';
import { Dice, attackOf } from './attacks.ts';
import { runAttack } from './peer.ts';

export interface AttackRun {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  readonly attacks: number;
  readonly seed: number;
}
export interface AttackReport {
  readonly statuses: Readonly<Record<string, number>>;
  /** The first of them. */
  readonly faults: readonly string[];
  /** After the first fifth of the attacks, when all code has run, and at the end. */
  readonly memoryMb: readonly [number, number];
}

const PEERS = 40;
const MAX_FAULTS = 20;
/** Ordinary requests in a turn. */
const ORDINARY = 200;
const TURNS = 15;
/** A second in which a server works for less than this is quiet: its timers of a second have passed too. */
const QUIET_NS = 20e6;
const MAX_SECONDS = 60;
const UNAVAILABLE = 503;
const FETCH_EVERY = 10;
/** How often a server may be busy again after it was quiet. */
const MAX_BUSY = 5;

export async function runAttacks({ url, key, pid, attacks, seed }: AttackRun): Promise<AttackReport> {
  const dice = new Dice(seed);
  const target = new URL(url);
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  const one = async (at: number): Promise<void> => {
    const outcome =
      at % FETCH_EVERY === 0 ? await fetched(url, key, dice) : await runAttack(target, attackOf(dice, key));
    for (const it of outcome.statuses) statuses[it] = (statuses[it] ?? 0) + 1;
    if (faults.length < MAX_FAULTS) faults.push(...outcome.faults);
  };
  const round = async (count: number): Promise<void> => {
    let at = 0;
    const peer = async (): Promise<void> => {
      while (at < count) await one((at += 1));
    };
    await Promise.all(Array.from({ length: PEERS }, peer));
  };
  await round(Math.ceil(attacks / 5));
  const early = memoryMb(pid);
  await round(Math.floor((attacks * 4) / 5));
  return { statuses, faults, memoryMb: [early, memoryMb(pid)] };
}

/** By a client library, which sends well-formed requests with odd methods and types. */
async function fetched(url: string, key: string, dice: Dice): Promise<{ statuses: number[]; faults: string[] }> {
  const method = dice.one(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'get']);
  const type = `application/x-${String(dice.below(1_000_000))}; charset=${String(dice.below(1000))}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': type };
  const response = await fetch(`${url}/automations?limit=${encodeURIComponent(dice.text(5))}`, { method, headers });
  const text = await response.text();
  const isExpected = [200, 204, 405, 422, 503].includes(response.status) && !text.includes('<');
  return { statuses: [response.status], faults: isExpected ? [] : [`${method}: ${String(response.status)} ${text}`] };
}

/** @returns once a server has nothing left to do, such as sockets to close. @throws Error after a minute. */
export async function untilQuiet(pid: number): Promise<void> {
  for (let second = 0; second < MAX_SECONDS; second += 1) {
    const before = cpuNs(pid);
    await setTimeout(1000);
    if (cpuNs(pid) - before < QUIET_NS) return;
  }
  throw new Error('The server does not become quiet.');
}

/** A server that ordinary requests are sent to. */
export interface Target {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
}

/**
 * @param control a server without attacks: the two take turns, so that a busy machine slows both.
 * @returns how many times as much CPU an ordinary request costs the target: the median of the turns.
 */
export async function cpuRatio(target: Target, control: Target): Promise<number> {
  await untilQuiet(target.pid);
  const ratios: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [first, second] = turn % 2 === 0 ? [target, control] : [control, target];
    const costs = new Map([[first, await quietCostOf(first)]]);
    costs.set(second, await quietCostOf(second));
    ratios.push((costs.get(target) ?? NaN) / (costs.get(control) ?? NaN));
  }
  return median(ratios);
}

/** A server rejects a request because it has too much to do. */
class Busy extends Error {}

/**
 * Like `costOf`. Measures again, once the server is quiet, where it was busy: the kernel may deliver late what slow peers have sent.
 * @throws Error if it is busy `MAX_BUSY` times, or does not respond 200.
 */
export async function quietCostOf(target: Target, count?: number): Promise<number> {
  for (let busy = 1; ; busy += 1) {
    try {
      return await costOf(target, count);
    } catch (error) {
      if (!(error instanceof Busy) || busy === MAX_BUSY) throw error;
      await untilQuiet(target.pid);
    }
  }
}

/** @returns the CPU time of an ordinary request, in µs. @throws Error unless each is a 200. */
export async function costOf({ url, key, pid }: Target, count = ORDINARY): Promise<number> {
  const before = cpuNs(pid);
  for (let at = 0; at < count; at += 1) {
    const response = await fetch(`${url}/automations?limit=10`, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    if (response.status === 200) continue;
    const retryAfter = String(response.headers.get('retry-after'));
    const Problem = response.status === UNAVAILABLE ? Busy : Error;
    throw new Problem(`An ordinary request ends with ${String(response.status)}, Retry-After ${retryAfter}.`);
  }
  return (cpuNs(pid) - before) / 1000 / count;
}
