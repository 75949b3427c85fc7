/** A rule, and how it is checked. If it fails because the account has changed, it is checked again. */
import { outcomeOfError } from '../report/findings.ts';
import type { Outcome } from '../report/findings.ts';
import type { Target } from './target.ts';

export interface Rule {
  /** The name of the rule for programs, `area.rule`; stable. */
  readonly id: string;
  /** The requirement, for people. */
  readonly title: string;
  /** The ids of rules that come before this one. If one of them has failed, this rule is not checked: it would fail for the same fault. */
  readonly dependsOn?: readonly string[];
  /** Whether the rule is checked with the second account too, if there is one. */
  readonly isForEachAccount?: true;
  /** Checks the rule. @throws Failure if it does not hold, NotChecked if all or part of it could not be checked. */
  readonly check: (target: Target) => Promise<void>;
}

const MAX_ATTEMPTS = 5;

/**
 * @returns the outcome of a rule. A failure counts if the rule has read no records, or if they are the same afterwards. If they
 * change during each attempt, the rule is not checked.
 */
async function attempt(rule: Rule, target: Target): Promise<Outcome> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    target.begin();
    const outcome = await attemptOnce(rule, target);
    if (outcome.outcome !== 'failed' || !(await target.hasChanged())) return outcome;
  }
  return { outcome: 'not_checked', reason: `the account changed during each of ${String(MAX_ATTEMPTS)} attempts` };
}

/** @returns the outcome of a rule for each account: that of the first, unless only the second decides it. */
export async function attemptForEachAccount(rule: Rule, target: Target): Promise<Outcome> {
  const first = await attempt(rule, target);
  if (rule.isForEachAccount !== true || target.otherAccount === undefined || first.outcome === 'failed') return first;
  const second = await attempt(rule, target.otherAccount);
  const isDecided = second.outcome === 'failed' || (second.outcome === 'passed' && first.outcome === 'not_checked');
  return isDecided ? second : first;
}

async function attemptOnce(rule: Rule, target: Target): Promise<Outcome> {
  try {
    await rule.check(target);
    return { outcome: 'passed' };
  } catch (error) {
    return outcomeOfError(error);
  }
}
