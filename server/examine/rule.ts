/** A rule for clients, and how it is checked. */
import { Failure, NotChecked } from '../report/findings.ts';
import type { Finding } from '../report/findings.ts';
import type { Run } from './client.ts';
import type { Scenario } from './scenario.ts';
import type { Contract } from '../contract/document.ts';

/** What a rule checks. */
export interface Examined {
  readonly contract: Contract;
  /** @returns the run of a scenario. @throws NotChecked if the client does not support its task. */
  readonly run: (scenario: Scenario) => Promise<Run>;
}

export interface Rule {
  /** The name of the rule for programs, `area.rule`; stable. */
  readonly id: string;
  /** The requirement, for people. */
  readonly title: string;
  /** Why it matters: what happens to the users of a client that breaks it. */
  readonly reason: string;
  /** The ids of other rules. If one of them has failed, this rule is not checked: it would fail for the same fault. */
  readonly dependsOn?: readonly string[];
  /** @throws Failure if the rule does not hold, NotChecked if it could not be checked. */
  readonly check: (examined: Examined) => Promise<void>;
}

/**
 * Checks every scenario, side by side.
 * @throws Failure with the findings of all scenarios; NotChecked if none failed and the client supports none of the tasks.
 */
export async function forEachRun(
  { run }: Pick<Examined, 'run'>,
  scenarios: readonly Scenario[],
  check: (run: Run, index: number) => void,
): Promise<void> {
  const outcomes = await Promise.allSettled(
    scenarios.map(async (it, index) => {
      check(await run(it), index);
    }),
  );
  const findings: Finding[] = [];
  const unsupported: NotChecked[] = [];
  for (const it of outcomes) {
    if (it.status === 'fulfilled') continue;
    if (it.reason instanceof Failure) findings.push(...it.reason.findings);
    else if (it.reason instanceof NotChecked) unsupported.push(it.reason);
    else throw it.reason;
  }
  const [first, ...others] = findings;
  if (first !== undefined) throw new Failure(first, ...others);
  const [reason] = unsupported;
  if (reason !== undefined && unsupported.length === scenarios.length) throw reason;
}
