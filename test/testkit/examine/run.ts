/**
 * Holds `rollcall examine` to its claim: `npm run test:examine`. Examines a client with single faults, one after the other, and correct
 * clients in several languages and styles. Each fault must be named by its rule first; half of them break one rule alone, and at most one in
 * twenty more than three; each rule is the first that some fault breaks. Of a correct client every rule passes. Arguments choose faults and
 * clients by a part of their names; `--each-rule` takes the first fault of each rule, and no client in Python or Go, as `.ci/run` does. Clients in processes of their own are examined last, two at a time.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import {
  Findings,
  chosenOf,
  findInThreads,
  forEach,
  mistakesOf,
  readChoice,
  shareOf,
} from '../../support/catalogue.ts';
import type { Choice, Found as AnyFound, Share } from '../../support/catalogue.ts';
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
/** These faults are of the program around the client: it is a process of its own. */
const PROCESS_AREA = 'driver.';

/** Whether these faults show depends on when requests come. */
const [TIMED_AREA, MAX_TRIES] = ['retries.', 3];

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
interface Found extends AnyFound {
  /** The rules that were not checked, without those that depend on a rule that failed. */
  readonly unchecked: readonly string[];
  readonly checked: number;
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

/** A request that comes too early may come in time where the machine stands still: such a fault is looked for again. */
async function find(candidate: Candidate): Promise<Found> {
  for (let tries = 1; ; tries += 1) {
    const found = await examineOne(candidate);
    const isTimed = candidate.rule?.startsWith(TIMED_AREA) === true;
    if (found.broken.length > 0 || !isTimed || tries === MAX_TRIES) return found;
  }
}

async function work(share: Share): Promise<void> {
  await forEach(shareOf(WITHIN, share), AT_A_TIME, async (it) => parentPort?.postMessage(await find(it)));
  process.exit(); // Some clients wait for ever.
}

async function main(choice: Choice): Promise<void> {
  const findings = new Findings<Found>();
  using correct = correctCommands(choice.isEachRule ? 'node' : 'all');
  const outside = OUTSIDE(correct.commands);
  for (const it of mistakesOf(
    [...WITHIN, ...outside],
    RULES.map(({ id }) => id),
  ))
    findings.mistaken(it);
  await findInThreads(import.meta.url, { choice, atMost: MAX_THREADS }, findings);
  await forEach(chosenOf(outside, choice), MAX_THREADS, async (it) => {
    findings.add(await examineOne(it));
  });
  for (const { name, rule, unchecked, checked } of findings.all) {
    if (rule === undefined && unchecked.length > 0)
      findings.mistaken(`${name}: these are not checked: ${unchecked.join(', ')}`);
    if (checked !== RULES.length)
      findings.mistaken(`${name}: ${String(checked)} rules instead of ${String(RULES.length)}`);
  }
  findings.end(choice, 'correct clients');
}

// The main thread starts the others, and gives each its share.
await (isMainThread ? main(readChoice()) : work(workerData as Share));
