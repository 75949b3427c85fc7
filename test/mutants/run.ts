/**
 * Puts single faults in front of Rollcall, one after the other, and tests that `conform` finds them: `npm run test:e2e -- mutants`.
 * Each fault must be named by its rule first, and break three rules at most; with what is allowed it must find nothing.
 * Arguments choose faults by what is in their names.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { RESPONSE_MUTANTS } from './response-mutants.ts';
import { DIFFERENCES } from './differences.ts';
import { openJudge } from './judge.ts';
import type { MutantResult } from './judge.ts';
import { LIST_MUTANTS } from './list-mutants.ts';
import { REQUEST_MUTANTS } from './request-mutants.ts';

const MIN_MUTANTS = 40;
const MAX_THREADS = 4;

const MUTANTS = [...LIST_MUTANTS, ...RESPONSE_MUTANTS, ...REQUEST_MUTANTS];
const ALLOWED = Object.entries(DIFFERENCES).map(([name, change]) => ({ ...change, name: `allowed: ${name}` }));
const FAULTS = [...ALLOWED, ...MUTANTS];

/** The share of a thread. */
interface Share {
  readonly first: number;
  readonly step: number;
  readonly names: readonly string[];
}

async function work({ first, step, names }: Share): Promise<void> {
  await using judge = await openJudge();
  const chosen = FAULTS.filter(({ name }) => names.length === 0 || names.some((it) => name.includes(it)));
  for (let at = first; at < chosen.length; at += step) {
    const fault = chosen[at];
    if (fault !== undefined) parentPort?.postMessage(await judge.judge(fault));
  }
  for (const error of judge.errors()) {
    parentPort?.postMessage({ isRight: false, line: `  ✗ a server failed: ${String(error)}` } satisfies MutantResult);
  }
}

async function main(names: readonly string[]): Promise<void> {
  const started = performance.now();
  const wrong: string[] = [];
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const threads = Math.min(availableParallelism(), MAX_THREADS);
  await Promise.all(
    Array.from({ length: threads }, async (_, first) => {
      const worker = new Worker(new URL(import.meta.url), {
        workerData: { first, step: threads, names } satisfies Share,
      });
      worker.on('message', ({ isRight, line }: MutantResult) => {
        if (isRight) say(line);
        else wrong.push(line);
      });
      await once(worker, 'exit');
    }),
  );
  const known = new Set(FAULTS.map((it) => it.name));
  if (known.size < FAULTS.length) wrong.push('  ✗ two faults have one name.');
  if (MUTANTS.length < MIN_MUTANTS) wrong.push(`  ✗ at least ${String(MIN_MUTANTS)} mutants are needed.`);
  wrong.forEach(say);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const result = wrong.length === 0 ? 'each is found by its rule' : `${String(wrong.length)} are not as they should be`;
  say(`${String(MUTANTS.length)} faults and ${String(ALLOWED.length)} allowed differences in ${seconds} s: ${result}.`);
  if (wrong.length > 0) process.exitCode = 1;
}

// The main thread starts the others, and gives each its share.
await (isMainThread ? main(process.argv.slice(2)) : work(workerData as Share));
