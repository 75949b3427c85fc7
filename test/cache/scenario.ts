/**
 * A random scenario of two servers of one store, one with a cache: requests, and changes by another process meanwhile. Each
 * scenario has two features, chosen at random, and much of both: faults are where features meet.
 */
import fc from 'fast-check';
import { ENGINE } from '../support/engine.ts';
import type { Change } from './writer-process.ts';
import { Tags, request, targetOf, write } from './requests.ts';
import type { Request } from './requests.ts';
import { target } from './targets.ts';
import { startServer } from './server.ts';
import type { Calls } from './server.ts';
import { CHANGES, START } from './store.ts';
import type { ScenarioStore, Step } from './store.ts';

/** Requests on one connection, and how often. */
interface Send {
  readonly kind: 'send';
  readonly requests: readonly Request[];
  readonly times: number;
}
interface Changes {
  readonly kind: 'change';
  readonly changes: readonly Step[];
}
/** A request that reads the store before a change, and gets its response after that and after another request. */
interface Meanwhile {
  readonly kind: 'meanwhile';
  /** How often it has been sent just before. */
  readonly times: number;
  readonly read: keyof Calls;
  readonly request: Request;
  readonly changes: readonly Step[] | 'its key is revoked';
  readonly other: Request;
}
/** What a scenario has much of; every scenario has requests of every kind. */
const FEATURES = ['limit', 'origins', 'loads', 'revocation', 'expiry', 'removal'] as const;
type Feature = (typeof FEATURES)[number];

export interface Scenario {
  readonly features: readonly Feature[];
  readonly cacheBytes: number;
  readonly limit: number | undefined;
  readonly corsOrigins: readonly string[];
  readonly targets: readonly string[];
  readonly steps: readonly (Send | Changes | Meanwhile)[];
}

const send = fc.record<Send>({
  kind: fc.constant('send'),
  requests: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(request) },
    { weight: 1, arbitrary: fc.array(request, { minLength: 2, maxLength: 3 }) },
  ),
  times: fc.constantFrom(1, 2, 4),
});
const meanwhileOf = (changes: fc.Arbitrary<readonly Step[]>, isRevoking: boolean): fc.Arbitrary<Meanwhile> =>
  fc.record<Meanwhile>({
    kind: fc.constant('meanwhile'),
    times: fc.constantFrom(0, 2, 2),
    read: fc.constantFrom('keys', 'records'),
    request,
    changes: isRevoking ? fc.oneof(changes, fc.constant<'its key is revoked'>('its key is revoked')) : changes,
    other: request,
  });

function scenarioWith(features: readonly Feature[]): fc.Arbitrary<Scenario> {
  const has = (it: Feature): boolean => features.includes(it);
  const kinds = features.filter((it) => it !== 'limit' && it !== 'origins' && it !== 'loads');
  // Every scenario has imports, because each ends what is cached.
  const loads = { weight: has('loads') ? 3 : 1, arbitrary: has('limit') ? CHANGES.loads : CHANGES.versions };
  const windows = has('limit') ? [{ weight: 1, arbitrary: CHANGES.time }] : [];
  const changesOf = (of: readonly (typeof kinds)[number][]): fc.Arbitrary<readonly Step[]> =>
    fc.oneof(loads, ...windows, ...of.map((it) => ({ weight: 3, arbitrary: CHANGES[it] })));
  const change = fc.record<Changes>({ kind: fc.constant('change'), changes: changesOf(kinds) });
  // A request that reads while its account is removed may see a part of it. With a limit, a request that is held back
  // is counted at another time than the same one of the other server.
  const meanwhile = meanwhileOf(changesOf(kinds.filter((it) => it !== 'removal')), has('revocation'));
  return fc.record({
    features: fc.constant(features),
    cacheBytes: fc.constantFrom(...[1, 1, 1, 1, 1].map(() => 1_000_000), 5000, 1),
    limit: has('limit') ? fc.constantFrom(5, 40, 1000) : fc.constant(undefined),
    corsOrigins: has('origins') ? fc.constantFrom(['*'], ['http://x'], ['http://y', 'http://x']) : fc.constant([]),
    targets: fc.array(target, { minLength: 1, maxLength: 4 }),
    steps: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: send },
        { weight: has('limit') ? 4 : 2, arbitrary: change },
        ...(has('limit') ? [] : [{ weight: 3, arbitrary: meanwhile }]),
      ),
      { minLength: 1, maxLength: 40, size: 'max' },
    ),
  });
}

export const scenario: fc.Arbitrary<Scenario> = fc
  .uniqueArray(fc.constantFrom(...FEATURES), { minLength: 2, maxLength: 2 })
  .chain(scenarioWith);

/** The outcome of a scenario. */
export interface Outcome {
  /** All responses. */
  readonly responses: readonly string[];
  /** How often each server has read the store. */
  readonly cached: Calls;
  readonly plain: Calls;
}

/** So many of the latest requests are sent again. */
const AGAIN = 4;

/** The time, for the servers of all scenarios. */
export const clock = { now: START };

/** @throws Error with the scenario so far, where the two servers differ. */
export async function runScenario(
  { features, cacheBytes, limit, corsOrigins, targets, steps }: Scenario,
  store: ScenarioStore,
): Promise<Outcome> {
  clock.now = START;
  const settings = { limit, corsOrigins };
  const servers = await Promise.all([
    startServer(store.address, { cacheBytes, ...settings }),
    startServer(store.address, { cacheBytes: 0, ...settings }),
  ]);
  const [cached, plain] = servers;
  const tags = new Tags();
  const responses: string[] = [];
  const log = new ScenarioLog(
    `Of ${features.join(' and ')}, a cache of ${String(cacheBytes)} bytes: ${JSON.stringify(settings)}`,
  );
  const state = { isOver: false };

  const note = (text: string, expected: string): void => {
    responses.push(expected);
    log.add(`${shown(text)} -> ${statusesIn(expected).join(', ')}`);
  };
  const differ = (text: string, response: string, ...expected: readonly string[]): Error =>
    new Error([log.text, `${shown(text)} ->`, response, '*** instead of', ...expected].join('\n'));

  const sendToBoth = async (...requests: readonly Request[]): Promise<void> => {
    const text = write(requests, targets, tags);
    const [response, expected] = await Promise.all([cached.send(text), plain.send(text)]);
    if (response !== expected) {
      if (limit === undefined || !isLimitedFirst(response, expected)) throw differ(text, response, expected);
      state.isOver = true; // The address was charged by one of them alone.
    }
    note(text, expected);
    for (const it of requests) tags.learn(targetOf(it, targets), it, expected);
  };
  const sendTimes = async (times: number, ...requests: readonly Request[]): Promise<void> => {
    // With a limit one by one: it may count requests that come together in any order.
    const together = limit === undefined ? [requests] : requests.map((it) => [it]);
    for (let time = 0; time < times; time += 1) {
      for (const them of together) if (!state.isOver) await sendToBoth(...them);
    }
  };
  // After a change, the latest requests before it are sent again: that finds stale responses.
  let latest: (readonly Request[])[] = [];
  const sendAgain = async (): Promise<void> => {
    for (const requests of latest) await sendTimes(1, ...requests);
  };
  const change = async (changes: readonly Step[]): Promise<void> => {
    for (const it of changes) if (it.kind === 'time') clock.now += it.ms;
    await store.change(changes.filter((it) => it.kind !== 'time'));
    for (const it of changes)
      log.add(it.kind === 'time' ? `${String(it.ms)} ms pass` : `Another process: ${inShort(it)}`);
  };
  const sendMeanwhile = async ({ times, read, request, changes, other }: Meanwhile): Promise<void> => {
    await sendTimes(times, request);
    const text = write([request], targets, tags);
    const before = await plain.send(text);
    const finish = await cached.sendHeld(read, text);
    log.add(`${shown(text)} -> not yet, but ${read} have been read, if any`);
    try {
      await change(changes === 'its key is revoked' ? [{ kind: 'revokeKey', key: request.key }] : changes);
      await sendToBoth(other);
    } finally {
      await finish();
    }
    const [response, after] = [await finish(), await plain.send(text)];
    if (response !== before && response !== after) throw differ(text, response, before, '*** or', after);
    note(text, response);
    await sendTimes(2, request); // The first fills the cache, which the second may read.
  };

  try {
    for (const step of steps) {
      if (state.isOver) break;
      if (step.kind === 'change') {
        await change(step.changes);
        await sendAgain();
      } else if (step.kind === 'meanwhile') {
        await sendMeanwhile(step);
      } else {
        await sendTimes(step.times, ...step.requests);
        latest = [step.requests, ...latest].slice(0, AGAIN);
      }
    }
  } finally {
    await Promise.all(servers.map((it) => it.stop()));
    await store.remove();
  }
  return { responses, cached: cached.calls, plain: plain.calls };
}

/**
 * Whether a server rejected a request over the limit without checking that its key is still live: one whose store is across
 * a network saves that statement.
 */
const isLimitedFirst = (response: string, expected: string): boolean =>
  ENGINE === 'postgres' &&
  response.startsWith('HTTP/1.1 429 ') &&
  response.includes('RateLimit-Remaining: 0\r\n') &&
  expected.startsWith('HTTP/1.1 401 ') &&
  (expected.includes('invalid_api_key') || expected.includes('invalid_token'));

/** The events of a scenario, a line each; repeated ones are counted. */
class ScenarioLog {
  readonly #lines: [line: string, times: number][];

  constructor(line: string) {
    this.#lines = [[line, 1]];
  }

  add(line: string): void {
    const last = this.#lines.at(-1);
    if (last?.[0] === line) last[1] += 1;
    else this.#lines.push([line, 1]);
  }

  get text(): string {
    return this.#lines.map(([line, times]) => (times === 1 ? line : `${String(times)} x ${line}`)).join('\n');
  }
}

const shown = (text: string): string => JSON.stringify(text).replaceAll(/rollcall_0{39}/g, 'key-');

/** @returns the statuses of responses, in order. */
export const statusesIn = (responses: string): string[] => responses.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];

function inShort(change: Change): string {
  const { kind } = change;
  if (kind === 'removeAccount') return `${kind} ${change.account}`;
  if (kind === 'createKey') return `${kind} ${shown(change.key)} ${change.expiresAt ?? ''}`;
  if (kind === 'revokeKey') return `${kind} ${shown(change.key)}`;
  const what = kind === 'load' ? change.records.map((it) => it.json) : change.ids;
  const how = kind === 'load' ? JSON.stringify(change.options) : '';
  return `${kind} ${change.account} ${change.collection} ${what.join(' ')} ${how}`;
}
