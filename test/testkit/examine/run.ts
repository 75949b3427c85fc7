/**
 * Holds `rollcall examine` to its claim: `npm run test:examine`. Examines a client with single faults, one after the other, and correct
 * clients in several languages and styles. Each fault must be named by its rule first; half of them break one rule alone, and at most one in
 * twenty more than three; each rule is the first that some fault breaks. Of a correct client every rule passes. Arguments choose faults and
 * clients by a part of their names; `--every N` takes every Nth, and none that needs Python or Go, as `.ci/run` does. Clients in processes of their own are examined last, two at a time.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { chosenOf, isWhole, readChoice } from '../../support/choice.ts';
import type { Choice } from '../../support/choice.ts';
import { loadContract } from '../../../contract/document.ts';
import { examine } from '../../../testkit/examine/examine.ts';
import type { ClientOptions } from '../../../testkit/examine/client.ts';
import { RULES } from '../../../testkit/examine/rules.ts';
import { correctCommands } from './correct.ts';
import { FAULTS } from './faults.ts';
import { inProcess } from './in-process.ts';
import { VARIANTS } from './variants.ts';

const MAX_THREADS = 2;
// A client within this process mostly waits.
const AT_A_TIME = 8;
const PARALLEL = 8;
// Longer than any correct client takes, on a busy machine too. What hangs takes as long.
const [TIME_LIMIT_MS, HANGING_MS] = [120_000, 10_000];
// A correct client always ends. The machine may be busy, or stand still for a while.
const CORRECT_MS = 600_000;
// How many rules a single fault may break: half of the faults, and all but one in twenty.
const [USUALLY_BROKEN, SELDOM_BROKEN, SELDOM] = [1, 3, 0.05];
/** These faults are of the program around the client: it is a process of its own. */
const PROCESS_AREA = 'driver.';

/** A client need not retry. */
const DOES_NOT_RETRY = 'the client retries no later page after 429, 500, 503 or a closed connection';

/** A client, and the rule that must fail first; `undefined` if it is correct. */
interface Candidate {
  readonly name: string;
  readonly rule: string | undefined;
  /** Whether the client supports a part of the tasks. */
  readonly isPartial?: boolean;
  readonly options: Pick<ClientOptions, 'command' | 'runCommand' | 'timeLimitMs'>;
}
/** What `examine` found. */
interface Found {
  readonly name: string;
  readonly rule: string | undefined;
  /** The rules that failed, in their order. */
  readonly broken: readonly string[];
  /** The rules that were not checked, without those that depend on a rule that failed. */
  readonly unchecked: readonly string[];
  readonly checked: number;
  /** The first finding, for people. */
  readonly details: string;
}
/** The share of a thread. */
interface Share {
  readonly first: number;
  readonly step: number;
  readonly choice: Choice;
}

const contract = loadContract();
const driver = [process.execPath, new URL('driver.ts', import.meta.url).pathname];

/** The clients that run within a thread. */
const WITHIN: readonly Candidate[] = [
  ...VARIANTS.map((it) => ({ ...it, name: `correct: ${it.name}`, rule: undefined })),
  ...FAULTS.filter(({ rule }) => !rule.startsWith(PROCESS_AREA)).map((it) => ({ ...it, isPartial: false })),
].map(({ name, rule, isPartial, inject }) => ({
  name,
  rule,
  isPartial,
  options: { command: [], runCommand: inProcess(inject), timeLimitMs: rule === undefined ? CORRECT_MS : TIME_LIMIT_MS },
}));
/** The clients that are processes of their own. */
const OUTSIDE = (commands: readonly (readonly [name: string, command: readonly string[]])[]): readonly Candidate[] => [
  ...commands.map(([name, command]) => ({
    name: `correct: ${name}`,
    rule: undefined,
    options: { command, timeLimitMs: CORRECT_MS },
  })),
  ...FAULTS.filter(({ rule }) => rule.startsWith(PROCESS_AREA)).map(({ name, rule }) => ({
    name,
    rule,
    options: { command: [...driver, '--fault', name], timeLimitMs: HANGING_MS },
  })),
];

async function examineOne({ name, rule, isPartial = false, options }: Candidate): Promise<Found> {
  const [broken, unchecked]: [string[], string[]] = [[], []];
  let details = '';
  let checked = 0;
  const { signal } = new AbortController();
  for await (const it of examine(contract, { ...options, env: process.env, parallel: PARALLEL, signal })) {
    checked += 1;
    if (
      it.outcome === 'not_checked' &&
      !isPartial &&
      it.reason !== DOES_NOT_RETRY &&
      !it.reason.startsWith('it depends on ')
    )
      unchecked.push(it.rule);
    if (it.outcome !== 'failed') continue;
    broken.push(it.rule);
    const [{ request, exchanges = [], expected, actual, difference = '' }] = it.findings;
    const lines = [request, ...exchanges, `expected ${expected}`, `actual   ${actual}`, difference];
    if (rule === undefined || broken.length === 1) details += lines.map((line) => `\n      ${line}`).join('');
  }
  return { name, rule, broken, unchecked, checked, details };
}

/** Examines clients, some at a time. */
async function examineAll(
  candidates: readonly Candidate[],
  atATime: number,
  found: (found: Found) => void,
): Promise<void> {
  const left = candidates.values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const it of left) found(await examineOne(it));
    }),
  );
}

async function work({ first, step, choice }: Share): Promise<void> {
  const chosen = chosenOf(WITHIN, choice).filter((_, at) => at % step === first);
  await examineAll(chosen, AT_A_TIME, (found) => parentPort?.postMessage(found));
  process.exit(); // Some clients wait for ever.
}

async function main(choice: Choice): Promise<void> {
  const started = performance.now();
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const all: Found[] = [];
  const wrong: string[] = [];
  const mistaken = (text: string): void => {
    say(text);
    wrong.push(text);
  };
  const report = (found: Found): void => {
    all.push(found);
    const { name, rule, broken, unchecked, checked, details } = found;
    const what = broken.length === 0 ? 'nothing' : broken.join(', ');
    if (rule === undefined && unchecked.length > 0)
      mistaken(`  ✗ ${name}: these are not checked: ${unchecked.join(', ')}`);
    if (checked !== RULES.length) mistaken(`  ✗ ${name}: ${String(checked)} rules instead of ${String(RULES.length)}`);
    if (broken[0] === rule) say(`  ✓ ${name}: ${what}`);
    else mistaken(`  ✗ ${name}: ${rule ?? 'nothing'} must be found, but it is ${what}${details}`);
  };
  const step = Math.min(availableParallelism(), MAX_THREADS);
  await Promise.all(
    Array.from({ length: step }, async (_, first) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { first, step, choice } satisfies Share });
      worker.on('message', report);
      worker.on('error', (error) => wrong.push(`  ✗ a thread has failed: ${String(error)}`));
      await once(worker, 'exit');
    }),
  );
  using correct = correctCommands(choice.every === 1 ? 'all' : 'node');
  await examineAll(chosenOf(OUTSIDE(correct.commands), choice), step, report);

  const faults = all.filter((it) => it.rule !== undefined);
  const counts = faults.map((it) => it.broken.length).sort((a, b) => a - b);
  const median = counts[Math.floor(counts.length / 2)] ?? 0;
  const many = faults.filter((it) => it.broken.length > SELDOM_BROKEN);
  if (many.length > 0) say(`\nFaults that break more than ${String(SELDOM_BROKEN)} rules:`);
  for (const { name, broken } of many) say(`  ${String(broken.length).padStart(3)}  ${name}`);
  if (isWhole(choice)) {
    if (median > USUALLY_BROKEN) wrong.push(`  ✗ half of the faults break ${String(median)} rules or more.`);
    if (many.length > counts.length * SELDOM) {
      wrong.push(`  ✗ ${String(many.length)} faults break more than ${String(SELDOM_BROKEN)} rules.`);
    }
    const firsts = new Set(faults.map(({ broken }) => broken[0]));
    for (const { id } of RULES) if (!firsts.has(id)) wrong.push(`  ✗ no fault is first found by ${id}.`);
  }
  wrong.forEach(say);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const found = faults.filter((it) => it.broken.length > 0).length;
  say(
    `${String(faults.length)} faults, ${String(found)} found (median ${String(median)} rules, ${String(many.length)} with more than ${String(SELDOM_BROKEN)}), and ` +
      `${String(all.length - faults.length)} correct clients in ${seconds} s: ${wrong.length === 0 ? 'each as it should be' : `${String(wrong.length)} are not as they should be`}.`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}

// The main thread starts the others, and gives each its share.
await (isMainThread ? main(readChoice()) : work(workerData as Share));
