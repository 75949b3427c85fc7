/** A siege: many attacks upon a server, and what is left of it afterwards. */
import { memoryMb } from '../support/memory.ts';
import { Dice, attackOf } from './attacks.ts';
import { carryOut } from './peer.ts';

export interface Siege {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  readonly attacks: number;
  readonly seed: number;
}
export interface Aftermath {
  readonly statuses: Readonly<Record<string, number>>;
  /** The first of them. */
  readonly faults: readonly string[];
  /** After the first fifth of the attacks, by which everything has been used, and at the end. */
  readonly memoryMb: readonly [number, number];
}

const PEERS = 40;
const MAX_FAULTS = 20;
const ORDINARY = 400;
const FETCH_EVERY = 10;

export async function besiege({ url, key, pid, attacks, seed }: Siege): Promise<Aftermath> {
  const dice = new Dice(seed);
  const target = new URL(url);
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  const one = async (at: number): Promise<void> => {
    const outcome =
      at % FETCH_EVERY === 0 ? await fetched(url, key, dice) : await carryOut(target, attackOf(dice, key));
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
  const answer = await fetch(`${url}/automations?limit=${encodeURIComponent(dice.text(5))}`, { method, headers });
  const text = await answer.text();
  const isExpected = [200, 204, 405, 422, 503].includes(answer.status) && !text.includes('<');
  return { statuses: [answer.status], faults: isExpected ? [] : [`${method}: ${String(answer.status)} ${text}`] };
}

/** @returns the median time of an ordinary request. */
export async function latencyOf(url: string, key: string): Promise<number> {
  const times = await latencies(url, key, ORDINARY);
  return times[times.length >> 1] ?? 0;
}

/** @returns how long ordinary requests take, one after the other, sorted. @throws Error unless each is answered 200. */
export async function latencies(url: string, key: string, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    const answer = await fetch(`${url}/automations?limit=10`, { headers: { authorization: `Bearer ${key}` } });
    await answer.text();
    if (answer.status !== 200)
      throw new Error(
        `An ordinary request is answered ${String(answer.status)}, Retry-After ${String(answer.headers.get('retry-after'))}.`,
      );
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}
