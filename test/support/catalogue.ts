/**
 * Runs a catalogue of faults that a judge must find: all of them, those with certain names, or one for each rule; with how many random seeds;
 * in several threads; and what is said of what it found.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

// How many rules a single fault may break: half of the faults, and all but one in twenty.
const [USUALLY_BROKEN, SELDOM_BROKEN, SELDOM] = [1, 3, 0.05];

export interface Choice {
  /** Parts of names; all if there is none. */
  readonly names: readonly string[];
  /** Whether of the faults that one rule must find, only the first is taken. */
  readonly isEachRule: boolean;
  /** Whether of the faults that are one in other lists, only one is taken. */
  readonly isEachFault?: boolean;
  /** How many seeds each candidate is tried with, from 1 on. */
  readonly seeds: number;
  /** Whether the server listens on a port, where it is otherwise one in memory. */
  readonly isServed?: boolean;
}

/** @returns the choice that the arguments of this process make: `[--each-rule] [--each-fault] [--seeds N] [--served] [NAME...]`. @throws RangeError if N is no whole number of 1 or more. */
export function readChoice(): Choice {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'each-rule': { type: 'boolean', default: false },
      'each-fault': { type: 'boolean', default: false },
      seeds: { type: 'string', default: '1' },
      served: { type: 'boolean', default: false },
    },
  });
  const seeds = Number(values.seeds);
  if (!Number.isInteger(seeds) || seeds < 1)
    throw new RangeError(`--seeds takes a whole number of 1 or more, not ${values.seeds}.`);
  const { 'each-rule': isEachRule, 'each-fault': isEachFault, served: isServed } = values;
  return { names: positionals, isEachRule, isEachFault, seeds, isServed };
}

/** What a judge is tried with. */
interface Candidate {
  readonly name: string;
  /** The rule that must be named first; `undefined` if the candidate has no fault. */
  readonly rule?: string | undefined;
  /** The fault, if others are the same one in other lists. */
  readonly fault?: string;
}

/** @returns the candidates of a choice, in their order. All that have no fault are among those for each rule: nothing else tells what one of them shows. */
export function chosenOf<T extends Candidate>(
  candidates: readonly T[],
  { names, isEachRule, isEachFault = false }: Pick<Choice, 'names' | 'isEachRule' | 'isEachFault'>,
): readonly T[] {
  const named = candidates.filter(({ name }) => names.length === 0 || names.some((it) => name.includes(it)));
  const rules = new Set<string>();
  const taken = isEachFault ? oneOfEach(named) : named;
  return taken.filter(({ rule }) => !isEachRule || rule === undefined || rules.size < rules.add(rule).size);
}

/** @returns one list of each fault, the next one for each, so that they differ, and everything that has no fault. */
function oneOfEach<T extends Candidate>(candidates: readonly T[]): readonly T[] {
  const groups = Map.groupBy(candidates, ({ name, rule, fault = name }) => (rule === undefined ? name : fault));
  const chosen = new Set([...groups.values()].map((same, at) => same[at % same.length]));
  return candidates.filter((candidate) => chosen.has(candidate));
}

/** Whether a choice takes everything, so that what no fault breaks first can be told. */
export const isWhole = ({ names, isEachRule, isEachFault = false }: Choice): boolean =>
  names.length === 0 && !isEachRule && !isEachFault;

/** @returns what is wrong with a set of candidates: rules that no fault is for, so that nothing shows whether they work, and equal names. */
export function mistakesOf(candidates: readonly Candidate[], rules: Iterable<string>): readonly string[] {
  const tried = new Set(candidates.map(({ rule }) => rule));
  const isTwice = new Set(candidates.map(({ name }) => name)).size < candidates.length;
  return [
    ...[...rules].filter((rule) => !tried.has(rule)).map((rule) => `no fault is for ${rule}.`),
    ...(isTwice ? ['two candidates have one name.'] : []),
  ];
}

/** The share of a thread. */
export interface Share {
  readonly first: number;
  readonly step: number;
  readonly choice: Choice;
}

/** @returns the candidates of a share. */
export const shareOf = <T extends Candidate>(candidates: readonly T[], { first, step, choice }: Share): readonly T[] =>
  chosenOf(candidates, choice).filter((_, at) => at % step === first);

/** Starts a module in threads, at most so many, each with its share, and adds what they find. */
export async function findInThreads(
  module: string,
  { choice, atMost }: { readonly choice: Choice; readonly atMost: number },
  findings: { readonly add: (found: never) => void; readonly mistaken: (text: string) => void },
): Promise<void> {
  const step = Math.min(availableParallelism(), atMost);
  await Promise.all(
    Array.from({ length: step }, async (_, first) => {
      const worker = new Worker(new URL(module), { workerData: { first, step, choice } satisfies Share });
      worker.on('message', (found: unknown) => {
        findings.add(found as never); // Only the module knows what it sends.
      });
      worker.on('error', (error) => {
        findings.mistaken(`a thread has failed: ${String(error)}`);
      });
      await once(worker, 'exit');
    }),
  );
}

/** Does something with each of some things, some at a time. */
export async function forEach<T>(all: readonly T[], atATime: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const one = async (): Promise<void> => {
    for (const it of left) await work(it);
  };
  await Promise.all(Array.from({ length: atATime }, one));
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
export const medianOf = (counts: readonly number[]): number =>
  counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;

/** What a judge found of a candidate. */
export interface Found extends Required<Omit<Candidate, 'fault'>> {
  /** The rules that failed, in their order. */
  readonly broken: readonly string[];
  /** The first finding, for people. */
  readonly details: string;
}

/** What a judge has found of each candidate, and what it should not have, or not missed. */
export class Findings<F extends Found> {
  readonly all: F[] = [];
  readonly #mistakes: string[] = [];
  readonly #started = performance.now();

  add(found: F): void {
    this.all.push(found);
    const { name, rule, broken, details } = found;
    const what = broken.length === 0 ? 'nothing' : broken.join(', ');
    if (broken[0] === rule) say(`  ✓ ${name}: ${what}`);
    else this.mistaken(`${name}: ${rule ?? 'nothing'} must be found, but it is ${what}${details}`);
  }

  mistaken(text: string): void {
    say(`  ✗ ${text}`);
    this.#mistakes.push(text);
  }

  /** Says all that is wrong once more, and how many were found. @param others what the candidates without a fault are called. */
  end(choice: Choice, others: string): void {
    const faults = this.all.filter(({ rule }) => rule !== undefined);
    const median = medianOf(faults.map(({ broken }) => broken.length));
    const many = faults.filter(({ broken }) => broken.length > SELDOM_BROKEN);
    if (isWhole(choice)) {
      if (median > USUALLY_BROKEN) this.mistaken(`half of the faults break ${String(median)} rules or more.`);
      if (many.length > faults.length * SELDOM)
        this.mistaken(`${String(many.length)} faults break more than ${String(SELDOM_BROKEN)} rules.`);
    }
    if (many.length > 0) say(`\nFaults that break more than ${String(SELDOM_BROKEN)} rules:`);
    for (const { name, broken } of many) say(`  ${String(broken.length).padStart(3)}  ${name}`);
    for (const text of this.#mistakes) say(`  ✗ ${text}`);
    const { seeds } = choice;
    const found = faults.filter(({ broken }) => broken.length > 0).length;
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(0);
    const wrong = this.#mistakes.length;
    say(
      `${String(faults.length / seeds)} faults${seeds > 1 ? ` x ${String(seeds)} seeds` : ''}, ${String(found)} found (median ${String(median)} rules, ${String(many.length)} with more than ${String(SELDOM_BROKEN)}), and ` +
        `${String(this.all.length - faults.length)} ${others} in ${seconds} s: ${wrong === 0 ? 'each as it should be' : `${String(wrong)} are not as they should be`}.`,
    );
    if (wrong > 0) process.exitCode = 1;
  }
}
