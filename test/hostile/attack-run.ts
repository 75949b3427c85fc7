/** Many attacks on a server. */
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
const FETCH_EVERY = 10;

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
