/**
 * Injects faults into the responses of Rollcall, one after the other, and tests that `conform` finds each: `npm run test:conform`.
 * The first rule that fails must be the one that the fault names. At least half of the faults break one rule only, and at most one in
 * twenty breaks more than three. For each rule and each operation that it is checked for, there is a fault that breaks it first.
 * Differences that the contract allows break no rule, and leave none unchecked. The server is the model of the contract in memory; `--served`
 * starts Rollcall, and crosses the requests of every run. Arguments select faults by a part of their names; `--each-rule` selects the first
 * fault of each rule and all differences; `--seeds N` tries each with N seeds.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { EVERY_RESPONSE } from '../../../audit/conform/conform.ts';
import type { Result } from '../../../audit/conform/conform.ts';
import { createResponseChecks } from '../../../audit/conform/response-rules.ts';
import { allRules, targetsOf } from '../../../audit/conform/rules.ts';
import { createRandom } from '../../../audit/conform/sample.ts';
import { BOUNDS, openCheckedSession } from '../../../audit/conform/checked-session.ts';
import { Untestable } from '../../../audit/session/session.ts';
import { loadContract } from '../../../contract/document.ts';
import { shown } from '../../support/text.ts';
import { Findings, findInThreads, isWhole, mistakesOf, readChoice, shareOf } from '../../support/catalogue.ts';
import type { Choice, Found as AnyFound, Share } from '../../support/catalogue.ts';
import { DIFFERENCES } from './differences.ts';
import { FAULTS } from './faults.ts';
import type { Change } from './proxy.ts';
import { openServer, judged } from './server.ts';

const MAX_THREADS = 4;
const MANY = 2400;

const contract = loadContract();
const ALL: readonly (Change & { readonly name: string; readonly rule?: string })[] = [
  ...Object.entries(DIFFERENCES).map(([name, change]) => ({ ...change, name: `allowed: ${name}` })),
  ...FAULTS,
];

/** What `conform` found of a fault. */
interface Found extends AnyFound {
  /** Of each operation, the first rule that failed. */
  readonly firsts: readonly (readonly [operation: string, rule: string])[];
}

async function work(share: Share): Promise<void> {
  const isServed = share.choice.isServed === true;
  await using server = await openServer(isServed);

  /** @returns the failures of a run; what it leaves unchecked is one for a difference that is allowed. */
  const failuresOf = async (change: Change, seed: number, rule: string | undefined): Promise<readonly Failed[]> => {
    const isAllowed = rule === undefined;
    // What the rules find themselves, no crossed request has to. What these find by chance, they find among so many.
    const crossing =
      rule === 'list.sampled' ? { crossed: MANY, requests: MANY * 2 } : { ...(!isAllowed && { crossed: 0 }) };
    const failures: Failed[] = [];
    try {
      for await (const result of judged(server, change, { seed, ...crossing })) {
        if (result.outcome === 'failed') failures.push(result);
        else if (isAllowed && result.outcome === 'not_checked') failures.push(unchecked(result));
      }
    } catch (error) {
      if (!(error instanceof Untestable) || failures.length === 0) throw error;
    }
    return failures;
  };

  for (const { name, rule, ...change } of shareOf(ALL, share)) {
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
  for (const it of mistakesOf(ALL, allRules(contract).keys())) findings.mistaken(it);
  await findInThreads(import.meta.url, { choice, atMost: MAX_THREADS }, findings);
  if (isWhole(choice)) for (const it of uncovered(findings.all)) findings.mistaken(it);
  findings.end(choice, 'allowed differences');
}

// The main thread starts the others, and gives each its share.
await (isMainThread ? main(readChoice()) : work(workerData as Share));
