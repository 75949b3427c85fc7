/** A life of two servers of one store: what they are asked, and what another process changes meanwhile. */
import fc from 'fast-check';
import type { Change } from './changer.ts';
import { request } from './requests.ts';
import type { Request } from './requests.ts';
import { target } from './targets.ts';
import { startServer } from './twins.ts';
import type { Calls } from './twins.ts';
import { changes } from './world.ts';
import type { World } from './world.ts';
import { Tags, targetOf, write } from './writing.ts';

/** Requests on one connection, and how often. */
interface Ask {
  readonly kind: 'ask';
  readonly requests: readonly Request[];
  readonly times: number;
}
interface Changes {
  readonly kind: 'change';
  readonly changes: readonly Change[];
}
/** A request whose read of the store comes before a change, and its answer after that and after another request. */
interface Meanwhile {
  readonly kind: 'meanwhile';
  /** How often it has been asked just before. */
  readonly times: number;
  readonly read: keyof Calls;
  readonly request: Request;
  readonly changes: readonly Change[] | 'its key is revoked';
  readonly other: Request;
}
export interface Life {
  readonly cacheBytes: number;
  readonly targets: readonly string[];
  readonly steps: readonly (Ask | Changes | Meanwhile)[];
}

const ask = fc.record<Ask>({
  kind: fc.constant('ask'),
  requests: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(request) },
    { weight: 1, arbitrary: fc.array(request, { minLength: 2, maxLength: 3 }) },
  ),
  times: fc.constantFrom(1, 2, 6, 9),
});
const meanwhile = fc.record<Meanwhile>({
  kind: fc.constant('meanwhile'),
  times: fc.constantFrom(0, 2, 2),
  read: fc.constantFrom('keys', 'records'),
  request,
  changes: fc.oneof(
    { weight: 3, arbitrary: changes },
    { weight: 1, arbitrary: fc.constant<'its key is revoked'>('its key is revoked') },
  ),
  other: request,
});
export const life: fc.Arbitrary<Life> = fc.record({
  cacheBytes: fc.constantFrom(...[1, 1, 1, 1, 1].map(() => 1_000_000), 5000, 1),
  targets: fc.array(target, { minLength: 1, maxLength: 4 }),
  steps: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: ask },
      { weight: 2, arbitrary: fc.record<Changes>({ kind: fc.constant('change'), changes }) },
      { weight: 2, arbitrary: meanwhile },
    ),
    { minLength: 1, maxLength: 40, size: 'max' },
  ),
});

/** What a life was like. */
export interface Lived {
  /** All that was answered. */
  readonly answers: readonly string[];
  /** How often each server has asked the store. */
  readonly remembering: Calls;
  readonly plain: Calls;
}

/** @throws Error that tells the life so far, where the two servers differ. */
export async function live({ cacheBytes, targets, steps }: Life, world: World): Promise<Lived> {
  const servers = await Promise.all([startServer(world.file, cacheBytes), startServer(world.file, 0)]);
  const [remembering, plain] = servers;
  const tags = new Tags();
  const answers: string[] = [];
  const story = new Story(`A cache of ${String(cacheBytes)} bytes.`);

  const tell = (text: string, expected: string): void => {
    answers.push(expected);
    story.add(`${shown(text)} -> ${statusesIn(expected).join(', ')}`);
  };
  const differ = (text: string, answer: string, ...expected: readonly string[]): Error =>
    new Error([story.text, `${shown(text)} ->`, answer, '*** instead of', ...expected].join('\n'));

  const askBoth = async (...requests: readonly Request[]): Promise<void> => {
    const text = write(requests, targets, tags);
    const [answer, expected] = await Promise.all([remembering.ask(text), plain.ask(text)]);
    if (answer !== expected) throw differ(text, answer, expected);
    tell(text, expected);
    for (const it of requests) tags.learn(targetOf(it, targets), it, expected);
  };
  const askTimes = async (times: number, ...requests: readonly Request[]): Promise<void> => {
    for (let time = 0; time < times; time += 1) await askBoth(...requests);
  };
  const change = async (changes: readonly Change[]): Promise<void> => {
    await world.change(changes);
    for (const it of changes) story.add(`Another process: ${inShort(it)}`);
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
      if (step.kind === 'change') await change(step.changes);
      else if (step.kind === 'meanwhile') await askMeanwhile(step);
      else await askTimes(step.times, ...step.requests);
    }
  } finally {
    await Promise.all(servers.map((it) => it.stop()));
  }
  return { answers, remembering: remembering.calls, plain: plain.calls };
}

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
  if (kind === 'createKey' || kind === 'revokeKey') return `${kind} ${shown(change.key)}`;
  const what = kind === 'load' ? change.records.map((it) => it.json) : change.ids;
  const how = kind === 'load' ? JSON.stringify(change.options) : '';
  return `${kind} ${change.account} ${change.collection} ${what.join(' ')} ${how}`;
}
