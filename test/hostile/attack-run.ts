/** Many attacks on a server. */
import { Dice, attackOf } from './attacks.ts';
import { runAttack } from './peer.ts';

export interface AttackRun {
  readonly url: string;
  readonly key: string;
  readonly attacks: number;
  readonly seed: number;
}
export interface AttackReport {
  readonly statuses: Readonly<Record<string, number>>;
  /** The first of them. */
  readonly faults: readonly string[];
}

const PEERS = 40;
const MAX_FAULTS = 20;
const FETCH_EVERY = 10;

/** Attacks a server, forty at a time. The seed decides which attacks they are. */
export async function runAttacks({ url, key, attacks, seed }: AttackRun): Promise<AttackReport> {
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
  let sent = 0;
  const peer = async (): Promise<void> => {
    while (sent < attacks) await one((sent += 1));
  };
  await Promise.all(Array.from({ length: PEERS }, peer));
  return { statuses, faults };
}

/** By a client library, which sends well-formed requests with odd methods and types. */
async function fetched(url: string, key: string, dice: Dice): Promise<{ statuses: number[]; faults: string[] }> {
  const method = dice.one(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'get']);
  const type = `application/x-${String(dice.below(1_000_000))}; charset=${String(dice.below(1000))}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': type };
  const response = await fetch(`${url}/automations?limit=${encodeURIComponent(dice.text(5))}`, { method, headers });
  const text = await response.text();
  const isJson = text === '' || response.headers.get('content-type') === 'application/json';
  const isExpected = [200, 204, 405, 422, 503].includes(response.status) && isJson;
  return { statuses: [response.status], faults: isExpected ? [] : [`${method}: ${String(response.status)} ${text}`] };
}
