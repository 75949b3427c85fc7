/**
 * A life of two servers of one store: what they are asked, and what another process changes meanwhile. Each has two features,
 * chosen at random, and much of both: faults are where features meet.
 */
import fc from 'fast-check';
import { ENGINE } from '../support/engine.ts';
import type { Change } from './writer-process.ts';
import { request } from './requests.ts';
import type { Request } from './requests.ts';
import { target } from './targets.ts';
import { startServer } from './server.ts';
import type { Calls } from './server.ts';
import { CHANGES, START } from './store.ts';
import type { Step, World } from './store.ts';
import { Tags, targetOf, write } from './writing.ts';

/** Requests on one connection, and how often. */
interface Ask {
  readonly kind: 'ask';
  readonly requests: readonly Request[];
  readonly times: number;
}
interface Changes {
  readonly kind: 'change';
  readonly changes: readonly Step[];
}
/** A request whose read of the store comes before a change, and its answer after that and after another request. */
interface Meanwhile {
  readonly kind: 'meanwhile';
  /** How often it has been asked just before. */
  readonly times: number;
  readonly read: keyof Calls;
  readonly request: Request;
  readonly changes: readonly Step[] | 'its key is revoked';
  readonly other: Request;
}
/** What a life has much of; requests are of every kind in all. */
const FEATURES = ['limit', 'origins', 'loads', 'revocation', 'expiry', 'removal'] as const;
type Feature = (typeof FEATURES)[number];

export interface Life {
  readonly features: readonly Feature[];
  readonly cacheBytes: number;
  readonly limit: number | undefined;
  readonly corsOrigins: readonly string[];
  readonly targets: readonly string[];
  readonly steps: readonly (Ask | Changes | Meanwhile)[];
}

const ask = fc.record<Ask>({
  kind: fc.constant('ask'),
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

function lifeWith(features: readonly Feature[]): fc.Arbitrary<Life> {
  const has = (it: Feature): boolean => features.includes(it);
  const kinds = features.filter((it) => it !== 'limit' && it !== 'origins' && it !== 'loads');
  // Loads come in all, because what is cached ends with each.
  const loads = { weight: has('loads') ? 3 : 1, arbitrary: has('limit') ? CHANGES.loads : CHANGES.versions };
  const windows = has('limit') ? [{ weight: 1, arbitrary: CHANGES.time }] : [];
  const changesOf = (of: readonly (typeof kinds)[number][]): fc.Arbitrary<readonly Step[]> =>
    fc.oneof(loads, ...windows, ...of.map((it) => ({ weight: 3, arbitrary: CHANGES[it] })));
  const change = fc.record<Changes>({ kind: fc.constant('change'), changes: changesOf(kinds) });
  // A request that is answered while its account is removed may see a part of it. With a limit, a request that is held back
  // was counted at another time than the same one of the other server.
  const meanwhile = meanwhileOf(changesOf(kinds.filter((it) => it !== 'removal')), has('revocation'));
  return fc.record({
    features: fc.constant(features),
    cacheBytes: fc.constantFrom(...[1, 1, 1, 1, 1].map(() => 1_000_000), 5000, 1),
    limit: has('limit') ? fc.constantFrom(5, 40, 1000) : fc.constant(undefined),
    corsOrigins: has('origins') ? fc.constantFrom(['*'], ['http://x'], ['http://y', 'http://x']) : fc.constant([]),
    targets: fc.array(target, { minLength: 1, maxLength: 4 }),
    steps: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: ask },
        { weight: has('limit') ? 4 : 2, arbitrary: change },
        ...(has('limit') ? [] : [{ weight: 3, arbitrary: meanwhile }]),
      ),
      { minLength: 1, maxLength: 40, size: 'max' },
    ),
  });
}

export const life: fc.Arbitrary<Life> = fc
  .uniqueArray(fc.constantFrom(...FEATURES), { minLength: 2, maxLength: 2 })
  .chain(lifeWith);

/** What a life was like. */
export interface Lived {
  /** All that was answered. */
  readonly answers: readonly string[];
  /** How often each server has asked the store. */
  readonly remembering: Calls;
  readonly plain: Calls;
}

/** So many of the latest requests are asked for again. */
const AGAIN = 4;

/** What the servers of all lives take for the time. */
export const clock = { now: START };

/** @throws Error that tells the life so far, where the two servers differ. */
export async function live(
  { features, cacheBytes, limit, corsOrigins, targets, steps }: Life,
  world: World,
): Promise<Lived> {
  clock.now = START;
  const settings = { limit, corsOrigins };
  const servers = await Promise.all([
    startServer(world.address, { cacheBytes, ...settings }),
    startServer(world.address, { cacheBytes: 0, ...settings }),
  ]);
  const [remembering, plain] = servers;
  const tags = new Tags();
  const answers: string[] = [];
  const story = new Story(
    `Of ${features.join(' and ')}, a cache of ${String(cacheBytes)} bytes: ${JSON.stringify(settings)}`,
  );
  const state = { isOver: false };

  const tell = (text: string, expected: string): void => {
    answers.push(expected);
    story.add(`${shown(text)} -> ${statusesIn(expected).join(', ')}`);
  };
  const differ = (text: string, answer: string, ...expected: readonly string[]): Error =>
    new Error([story.text, `${shown(text)} ->`, answer, '*** instead of', ...expected].join('\n'));

  const askBoth = async (...requests: readonly Request[]): Promise<void> => {
    const text = write(requests, targets, tags);
    const [answer, expected] = await Promise.all([remembering.ask(text), plain.ask(text)]);
    if (answer !== expected) {
      if (limit === undefined || !isLimitedFirst(answer, expected)) throw differ(text, answer, expected);
      state.isOver = true; // The address was charged by one of them alone.
    }
    tell(text, expected);
    for (const it of requests) tags.learn(targetOf(it, targets), it, expected);
  };
  const askTimes = async (times: number, ...requests: readonly Request[]): Promise<void> => {
    // With a limit one by one: it need not count requests that come together in their order.
    const together = limit === undefined ? [requests] : requests.map((it) => [it]);
    for (let time = 0; time < times; time += 1) {
      for (const them of together) if (!state.isOver) await askBoth(...them);
    }
  };
  // Who looks for faults asks again after a change, for what was asked before it.
  let latest: (readonly Request[])[] = [];
  const askAgain = async (): Promise<void> => {
    for (const requests of latest) await askTimes(1, ...requests);
  };
  const change = async (changes: readonly Step[]): Promise<void> => {
    for (const it of changes) if (it.kind === 'time') clock.now += it.ms;
    await world.change(changes.filter((it) => it.kind !== 'time'));
    for (const it of changes)
      story.add(it.kind === 'time' ? `${String(it.ms)} ms pass` : `Another process: ${inShort(it)}`);
  };
  const askMeanwhile = async ({ times, read, request, changes, other }: Meanwhile): Promise<void> => {
    await askTimes(times, request);
    const text = write([request], targets, tags);
    const before = await plain.ask(text);
    const finish = await remembering.askHeld(read, text);
    story.add(`${shown(text)} -> not yet, but ${read} have been read, if any`);
    try {
      await change(changes === 'its key is revoked' ? [{ kind: 'revokeKey', key: request.key }] : changes);
      await askBoth(other);
    } finally {
      await finish();
    }
    const [answer, after] = [await finish(), await plain.ask(text)];
    if (answer !== before && answer !== after) throw differ(text, answer, before, '*** or', after);
    tell(text, answer);
    await askTimes(2, request); // The first brings what the second may be answered from.
  };

  try {
    for (const step of steps) {
      if (state.isOver) break;
      if (step.kind === 'change') {
        await change(step.changes);
        await askAgain();
      } else if (step.kind === 'meanwhile') {
        await askMeanwhile(step);
      } else {
        await askTimes(step.times, ...step.requests);
        latest = [step.requests, ...latest].slice(0, AGAIN);
      }
    }
  } finally {
    await Promise.all(servers.map((it) => it.stop()));
    await world.remove();
  }
  return { answers, remembering: remembering.calls, plain: plain.calls };
}

/**
 * Whether an account without requests left was told so before its key was found to be live no more: a server whose store is
 * across a network does not ask that then.
 */
const isLimitedFirst = (answer: string, expected: string): boolean =>
  ENGINE === 'postgres' &&
  answer.startsWith('HTTP/1.1 429 ') &&
  answer.includes('RateLimit-Remaining: 0\r\n') &&
  expected.startsWith('HTTP/1.1 401 ') &&
  (expected.includes('invalid_api_key') || expected.includes('invalid_token'));

/** What happened, a line each; what happened again is counted. */
class Story {
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

/** @returns the statuses of answers, in order. */
export const statusesIn = (answers: string): string[] => answers.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];

function inShort(change: Change): string {
  const { kind } = change;
  if (kind === 'removeAccount') return `${kind} ${change.account}`;
  if (kind === 'createKey') return `${kind} ${shown(change.key)} ${change.expiresAt ?? ''}`;
  if (kind === 'revokeKey') return `${kind} ${shown(change.key)}`;
  const what = kind === 'load' ? change.records.map((it) => it.json) : change.ids;
  const how = kind === 'load' ? JSON.stringify(change.options) : '';
  return `${kind} ${change.account} ${change.collection} ${what.join(' ')} ${how}`;
}
