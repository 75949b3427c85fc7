/**
 * Injects faults into the responses of Rollcall, one after the other, and tests that `conform` finds each: `npm run test:conform`.
 * The first rule that fails must be the one that the fault names. At least half of the faults break one rule only, and at most one in
 * twenty breaks more than three. For each rule and each operation that it is checked for, there is a fault that breaks it first.
 * Differences that the contract allows break no rule, and leave none unchecked. Arguments select faults by a part of their names; `--each-rule`
 * selects the first fault of each rule and all differences, as `.ci/run` does; `--seeds N` tries each with N seeds.
 */
import { hash } from 'node:crypto';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { EVERY_RESPONSE, conform } from '../../../audit/conform/conform.ts';
import type { Result } from '../../../audit/conform/conform.ts';
import { createResponseChecks } from '../../../audit/conform/response-rules.ts';
import { allRules, targetsOf } from '../../../audit/conform/rules.ts';
import { createRandom } from '../../../audit/conform/sample.ts';
import { BOUNDS, openCheckedSession } from '../../../audit/conform/checked-session.ts';
import type { Known } from '../../../audit/conform/model.ts';
import { Untestable } from '../../../audit/session/session.ts';
import type { Transport } from '../../../audit/session/session.ts';
import { loadContract } from '../../../contract/document.ts';
import { startRollcall } from '../../../testkit/index.ts';
import type { Records } from '../../../testkit/index.ts';
import { recordsOf, seeded } from '../conform/records.ts';
import { createModelServer } from '../../support/model-server.ts';
import { shown } from '../../support/text.ts';
import { Findings, findInThreads, isWhole, mistakesOf, readChoice, shareOf } from '../../support/catalogue.ts';
import type { Choice, Found as AnyFound, Share } from '../../support/catalogue.ts';
import { BODY_FAULTS } from './body-faults.ts';
import { CHANCE_FAULTS } from './chance-faults.ts';
import { DIFFERENCES } from './differences.ts';
import { ACCOUNT_FAULTS } from './account-faults.ts';
import { ANSWER_FAULTS } from './answer-faults.ts';
import { LIST_MUTANTS } from './list-mutants.ts';
import { inMemory } from './memory.ts';
import { AUTOMATIONS, IMPORTS, PROPERTIES } from './mutant.ts';
import { CONTEXT_FAULTS } from './context-faults.ts';
import { CROSSED_FAULTS } from './crossed-faults.ts';
import { CURSOR_FAULTS } from './cursor-faults.ts';
import { PAGINATION_FAULTS } from './pagination-faults.ts';
import { instantOf, isTie } from './pages.ts';
import { PARAMETER_FAULTS } from './parameter-faults.ts';
import { startProxy } from './proxy.ts';
import type { Change, Item, Lists } from './proxy.ts';
import { INSTANT_FAULTS } from './instant-faults.ts';
import { RECORD_FAULTS } from './record-faults.ts';
import { ERROR_FAULTS } from './error-faults.ts';
import { HTTP_FAULTS } from './http-faults.ts';
import { KEY_FAULTS } from './key-faults.ts';
import { PATH_FAULTS } from './path-faults.ts';
import { QUERY_FAULTS } from './query-faults.ts';
import { REPLICA_FAULTS } from './replica-faults.ts';
import { REQUEST_MUTANTS } from './request-mutants.ts';
import { RESPONSE_MUTANTS } from './response-mutants.ts';
import { SCHEME_FAULTS } from './scheme-faults.ts';
import { VALUE_FAULTS } from './value-faults.ts';

const MAX_THREADS = 4;
// The machine may be busy.
const REQUEST_MS = 60_000;

const contract = loadContract();
const MUTANTS = [
  ...LIST_MUTANTS,
  ...RESPONSE_MUTANTS,
  ...REQUEST_MUTANTS,
  ...PAGINATION_FAULTS,
  ...CURSOR_FAULTS,
  ...PARAMETER_FAULTS,
  ...ACCOUNT_FAULTS,
  ...RECORD_FAULTS,
  ...PATH_FAULTS,
  ...HTTP_FAULTS,
  ...BODY_FAULTS,
  ...KEY_FAULTS,
  ...REPLICA_FAULTS,
  ...ERROR_FAULTS,
  ...VALUE_FAULTS,
  ...INSTANT_FAULTS,
  ...CHANCE_FAULTS,
  ...SCHEME_FAULTS,
  ...QUERY_FAULTS,
  ...ANSWER_FAULTS,
  ...CONTEXT_FAULTS,
  ...CROSSED_FAULTS,
];
const FAULTS: readonly (Change & { readonly name: string; readonly rule?: string })[] = [
  ...Object.entries(DIFFERENCES).map(([name, change]) => ({ ...change, name: `allowed: ${name}` })),
  ...MUTANTS,
];

/** What `conform` found of a fault. */
interface Found extends AnyFound {
  /** Of each operation, the first rule that failed. */
  readonly firsts: readonly (readonly [operation: string, rule: string])[];
}

/** Starts a server with two accounts, or makes one in memory. */
async function openServer(isServed: boolean): Promise<Opened> {
  const [records, others] = [seeded(recordsOf('own'), contract), recordsOf('other', 30)];
  const lists = [listsOf(records), listsOf(others)] as const;
  if (!isServed) {
    const keys = [keyOf('own'), keyOf('other')] as const;
    const accounts = keys.map((key, at) => [key, knownOf(lists[at] ?? new Map())] as const);
    const model = createModelServer(contract, new Map(accounts));
    const transportOf: Opened['through'] = (change) => {
      const transport = inMemory(model, keys, lists, change);
      return Promise.resolve({ url: 'http://localhost', transport, [Symbol.asyncDispose]: () => Promise.resolve() });
    };
    return { keys, through: transportOf, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const server = await startRollcall(records);
  const keys = [server.apiKey, (await server.account(others)).apiKey] as const;
  return {
    keys,
    through: (change) => startProxy(server.url, keys, lists, change),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      if (server.errors.length > 0) throw new Error(`the server failed: ${server.errors.map(String).join(', ')}`);
    },
  };
}

/** A server with two accounts. */
interface Opened extends AsyncDisposable {
  readonly keys: readonly [string, string];
  /** @returns how it is reached through a change. */
  readonly through: (
    change: Change,
  ) => Promise<{ readonly url: string; readonly transport?: Transport } & AsyncDisposable>;
}

/** @returns a key in the form of those that Rollcall creates. */
const keyOf = (account: string): string => `rollcall_${hash('sha1', account)}`;
const knownOf = (lists: Lists): ReadonlyMap<string, Known> =>
  new Map([...lists].map(([path, items]) => [path, { items, isWhole: true }]));

async function work(share: Share): Promise<void> {
  await using server = await openServer(share.choice.isServed === true);
  const [key, otherKey] = server.keys;

  /** @returns the failures of a run; what it leaves unchecked is one for a difference that is allowed. */
  const failuresOf = async (change: Change, seed: number, rule: string | undefined): Promise<readonly Failed[]> => {
    const isAllowed = rule === undefined;
    const isCrossed = isAllowed || rule === 'list.sampled';
    await using reached = await server.through(change);
    const failures: Failed[] = [];
    const { url, transport } = reached;
    // What the rules find themselves, no crossed request has to.
    const crossed = isCrossed || share.choice.isServed === true ? undefined : 0;
    const options = { isSeeded: true, requestMs: REQUEST_MS, seed, transport, crossed };
    try {
      for await (const result of conform(contract, { url, key, otherKey }, options)) {
        if (result.outcome === 'failed') failures.push(result);
        else if (isAllowed && result.outcome === 'not_checked') failures.push(unchecked(result));
      }
    } catch (error) {
      if (!(error instanceof Untestable) || failures.length === 0) throw error;
    }
    return failures;
  };

  for (const { name, rule, ...change } of shareOf(FAULTS, share)) {
    for (let seed = 1; seed <= share.choice.seeds; seed += 1)
      parentPort?.postMessage(
        foundOf(seed === 1 ? name : `${name}, seed ${String(seed)}`, rule, await failuresOf(change, seed, rule)),
      );
  }
}

/** @returns what a run has found of a fault. */
function foundOf(name: string, rule: string | undefined, failures: readonly Failed[]): Found {
  const broken = [...new Set(failures.map((it) => it.rule))];
  const firsts = [...Map.groupBy(failures, (it) => it.operation)].flatMap(([operation, [it]]) =>
    it === undefined ? [] : [[operation, it.rule] as const],
  );
  const details = failures.slice(0, 1).map(({ findings: [{ request, expected, actual, difference = '' }] }) => {
    return [request, `expected ${expected}`, `actual   ${actual}`, difference].map((it) => `\n      ${it}`).join('');
  });
  return { name, rule, broken, firsts, details: details.join('') };
}

type Failed = Extract<Result, { outcome: 'failed' }>;
const unchecked = ({ reason, ...result }: Extract<Result, { outcome: 'not_checked' }>): Failed => ({
  ...{ ...result, outcome: 'failed', change: '' },
  findings: [{ request: shown(''), expected: shown('that it is checked'), actual: reason }],
});

const listsOf = (records: Records): Lists =>
  new Map([
    [AUTOMATIONS, inOrder(records.automations)],
    [PROPERTIES, inOrder(records.contactProperties)],
    [IMPORTS, inOrder(records.contactImports)],
  ]);

/** As the contract orders them. */
function inOrder(records: readonly { readonly id: string; readonly created_at: string }[] = []): readonly Item[] {
  const isOlder = (a: Item, b: Item): boolean => (isTie(a, b) ? a.id < b.id : instantOf(a) < instantOf(b));
  return records.map((it): Item => ({ ...it })).sort((a, b) => (isOlder(a, b) ? 1 : -1));
}

/** @returns a line for each rule and operation for which no fault is first. */
function uncovered(all: readonly Found[]): readonly string[] {
  const server = { url: 'http://127.0.0.1:1', key: 'own', otherKey: 'other' };
  const session = openCheckedSession(server, BOUNDS, () => undefined);
  const checks = createResponseChecks(contract);
  const parts = {
    contract,
    session,
    checks,
    maxItems: 1,
    random: createRandom(1),
    rotation: 0,
    isKeyAllowedInUrl: false,
    isSeeded: true,
    crossed: 0,
  };
  const targets = targetsOf(parts).flatMap(({ target, rules }) => rules.map((it) => `${target.operation.id} ${it.id}`));
  session.close();
  const claimed = [...targets, ...checks.tallies.map((it) => `${EVERY_RESPONSE} ${it.rule.id}`)];
  const covered = new Set(all.flatMap((it) => it.firsts.map((pair) => pair.join(' '))));
  return claimed.filter((it) => !covered.has(it)).map((it) => `no fault is first found by ${it}.`);
}

async function main(choice: Choice): Promise<void> {
  const findings = new Findings<Found>();
  for (const it of mistakesOf(FAULTS, allRules(contract).keys())) findings.mistaken(it);
  await findInThreads(import.meta.url, { choice, atMost: MAX_THREADS }, findings);
  if (isWhole(choice)) for (const it of uncovered(findings.all)) findings.mistaken(it);
  findings.end(choice, 'allowed differences');
}

// The main thread starts the others, and gives each its share.
await (isMainThread ? main(readChoice()) : work(workerData as Share));
