/** A rule for clients, and how it is checked. */
import { Failure, NotChecked } from '../../audit/rules/rule.ts';
import type { RequireRule } from '../../audit/rules/runner.ts';
import type { Finding, Requirement } from '../../audit/rules/rule.ts';
import { own, say } from '../../audit/rules/text.ts';
import type { Text } from '../../audit/rules/text.ts';
import type { Run } from './client.ts';
import { assertEvery } from './judge.ts';
import type { Scenario } from './scenario.ts';
import type { Contract } from '../../contract/document.ts';

/** What a rule checks. */
export interface Examined {
  readonly contract: Contract;
  /** @returns the run of a scenario. @throws NotChecked if the client does not support its task. */
  readonly run: (scenario: Scenario) => Promise<Run>;
  readonly requireRule: RequireRule;
  /** @returns the runs of all rules but those with `isOfEveryRun`, which are checked before. */
  readonly everyRun: () => Promise<readonly Run[]>;
}

export interface Rule extends Requirement {
  /** Why it matters: what happens to the users of a client that breaks it. */
  readonly reason: string;
  /** Whether it judges the runs of all other rules. No rule may depend on it. */
  readonly isOfEveryRun?: true;
  /** @throws Failure if the rule does not hold, NotChecked if it could not be checked. */
  readonly check: (examined: Examined) => Promise<void>;
}

/** A scenario of a rule, and how its run is judged. */
export interface Case {
  readonly scenario: Scenario;
  readonly check: (run: Run) => void;
  /** Another rule that fails for the same fault: the case is left out if it has failed. */
  readonly unlessFailed?: string | undefined;
}

/**
 * Checks every case, side by side.
 * @throws Failure with the findings of all cases. If none failed, NotChecked if none could be checked, or one was left out because another
 *   rule has failed; rules that depend on this one are checked all the same.
 */
export async function forEachCase({ run, requireRule }: Examined, cases: readonly Case[]): Promise<void> {
  const outcomes = await Promise.allSettled(
    cases.map(async ({ scenario, check, unlessFailed }) => {
      if (unlessFailed !== undefined) await requireRule(unlessFailed);
      check(await run(scenario));
    }),
  );
  const findings: Finding<Text>[] = [];
  const notChecked: NotChecked[] = [];
  for (const it of outcomes) {
    if (it.status === 'fulfilled') continue;
    if (it.reason instanceof Failure) findings.push(...it.reason.findings);
    else if (it.reason instanceof NotChecked) notChecked.push(it.reason);
    else throw it.reason;
  }
  const [first, ...others] = findings;
  if (first !== undefined) throw new Failure(first, ...others);
  const [reason] = notChecked;
  if (reason !== undefined && notChecked.length === cases.length) throw reason;
  const cause = notChecked.find((it) => it.cause !== undefined)?.cause;
  if (cause !== undefined)
    throw new NotChecked(say`a part of it depends on ${own(cause)}, which failed`, undefined, cause);
}

/** Checks the runs of scenarios in the same way. @throws like `forEachCase`. */
export const forEachRun = (
  examined: Examined,
  scenarios: readonly Scenario[],
  check: (run: Run, index: number) => void,
): Promise<void> =>
  forEachCase(
    examined,
    scenarios.map((scenario, index) => ({
      scenario,
      check: (run) => {
        check(run, index);
      },
    })),
  );

/** @returns the check that the client prints each of these ids of a list once. */
export const everyItemOf =
  (scenario: Scenario, ids: readonly string[]): Rule['check'] =>
  (examined) =>
    forEachRun(examined, [scenario], (run) => {
      assertEvery(run, ids);
    });
