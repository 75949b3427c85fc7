/**
 * Puts single faults in front of Rollcall, one after the other, and tests that `conform` finds them: `npm run test:e2e -- mutants`.
 * Each fault must be named by its rule first, and break three rules at most; with what is allowed it must find nothing.
 * Arguments choose faults by what is in their names.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { conform } from '../../server/conform/conform.ts';
import type { Result } from '../../server/conform/conform.ts';
import { allRules } from '../../server/conform/rules.ts';
import { loadContract } from '../../server/contract/document.ts';
import { startRollcall } from '../../server/testing/index.ts';
import type { Records } from '../../server/testing/index.ts';
import { recordsOf, seeded } from '../conform/records.ts';
import { BODY_FAULTS } from './body-faults.ts';
import { DIFFERENCES } from './differences.ts';
import { ERROR_FAULTS } from './error-faults.ts';
import { HTTP_FAULTS } from './http-faults.ts';
import { KEY_FAULTS } from './key-faults.ts';
import { LIST_MUTANTS } from './list-mutants.ts';
import { AUTOMATIONS, IMPORTS, PROPERTIES } from './mutant.ts';
import { PATH_FAULTS } from './path-faults.ts';
import { startProxy } from './proxy.ts';
import type { Change, Item, Lists } from './proxy.ts';
import { REPLICA_FAULTS } from './replica-faults.ts';
import { REQUEST_MUTANTS } from './request-mutants.ts';
import { RESPONSE_MUTANTS } from './response-mutants.ts';

const MAX_THREADS = 4;
const MAX_BROKEN = 3;
// The machine may be busy.
const REQUEST_MS = 60_000;

const contract = loadContract();
const MUTANTS = [
  ...LIST_MUTANTS,
  ...RESPONSE_MUTANTS,
  ...REQUEST_MUTANTS,
  ...PATH_FAULTS,
  ...HTTP_FAULTS,
  ...BODY_FAULTS,
  ...KEY_FAULTS,
  ...REPLICA_FAULTS,
  ...ERROR_FAULTS,
];
const FAULTS: readonly (Change & { readonly name: string; readonly rule?: string })[] = [
  ...Object.entries(DIFFERENCES).map(([name, change]) => ({ ...change, name: `allowed: ${name}` })),
  ...MUTANTS,
];

/** The share of a thread. */
interface Share {
  readonly first: number;
  readonly step: number;
  readonly names: readonly string[];
}
/** Of a fault: whether it is named as it must be, and a line to print. */
interface Judged {
  readonly isRight: boolean;
  readonly line: string;
}

async function work({ first, step, names }: Share): Promise<void> {
  const records = seeded(recordsOf('own'), contract);
  await using server = await startRollcall(records);
  const others = recordsOf('other', 30);
  const other = await server.account(others);
  const lists = [listsOf(records), listsOf(others)] as const;

  /** @returns the first result of each rule that is broken. */
  const brokenBy = async (change: Change): Promise<readonly (Result & { readonly outcome: 'failed' })[]> => {
    await using proxy = await startProxy(server.url, [server.apiKey, other.apiKey], lists, change);
    const broken = new Map<string, Result & { readonly outcome: 'failed' }>();
    const target = { url: proxy.url, key: server.apiKey, key2: other.apiKey };
    for await (const result of conform(contract, target, { isSeeded: true, requestMs: REQUEST_MS })) {
      if (result.outcome === 'failed' && !broken.has(result.rule)) broken.set(result.rule, result);
    }
    return [...broken.values()];
  };

  const tell = (judged: Judged): void => parentPort?.postMessage(judged);
  const chosen = FAULTS.filter(({ name }) => names.length === 0 || names.some((it) => name.includes(it)));
  for (const { name, rule, ...change } of chosen.filter((_, at) => at % step === first)) {
    const broken = await brokenBy(change);
    const isRight = broken[0]?.rule === rule && broken.length <= MAX_BROKEN;
    const found = broken.length === 0 ? 'nothing' : broken.map((it) => it.rule).join(', ');
    const details = broken.slice(0, 1).map((it) => {
      return `\n      ${it.request}\n      expected ${it.expected}\n      actual   ${it.actual}`;
    });
    const line = `  ✗ ${name}: ${rule ?? 'nothing'} must be found, but it is ${found}${details.join('')}`;
    tell({ isRight, line: isRight ? `  ✓ ${name}: ${found}` : line });
  }
  for (const error of server.errors) tell({ isRight: false, line: `  ✗ the server failed: ${String(error)}` });
}

const listsOf = (records: Records): Lists =>
  new Map([
    [AUTOMATIONS, inOrder(records.automations)],
    [PROPERTIES, inOrder(records.contactProperties)],
    [IMPORTS, inOrder(records.contactImports)],
  ]);

/** As the contract orders them. Their instants are written alike. */
function inOrder(records: readonly { readonly id: string; readonly created_at: string }[] = []): readonly Item[] {
  return records.map((it) => ({ ...it })).sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
}

async function main(names: readonly string[]): Promise<void> {
  const started = performance.now();
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const wrong = [...allRules(contract).keys()]
    .filter((rule) => !MUTANTS.some((it) => it.rule === rule))
    .map((rule) => `  ✗ ${rule} has no mutant.`);
  if (new Set(FAULTS.map((it) => it.name)).size < FAULTS.length) wrong.push('  ✗ two faults have one name.');
  const step = Math.min(availableParallelism(), MAX_THREADS);
  await Promise.all(
    Array.from({ length: step }, async (_, first) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { first, step, names } satisfies Share });
      worker.on('message', ({ isRight, line }: Judged) => {
        if (isRight) say(line);
        else wrong.push(line);
      });
      await once(worker, 'exit');
    }),
  );
  wrong.forEach(say);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const result = wrong.length === 0 ? 'each is found by its rule' : `${String(wrong.length)} are not as they should be`;
  const allowed = FAULTS.length - MUTANTS.length;
  say(`${String(MUTANTS.length)} faults and ${String(allowed)} allowed differences in ${seconds} s: ${result}.`);
  if (wrong.length > 0) process.exitCode = 1;
}

// The main thread starts the others, and gives each its share.
await (isMainThread ? main(process.argv.slice(2)) : work(workerData as Share));
