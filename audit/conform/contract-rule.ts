/** A rule, and how it is checked. If it fails because the account has changed, it is checked again. */
import { attempt } from '../rules/runner.ts';
import type { Outcome, Requirement } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Target } from './target.ts';

/** The rules that it depends on come before it. */
export interface ContractRule extends Requirement {
  /** What to change where it fails. */
  readonly change: string;
  /** Whether the rule is checked with the second account too, if there is one. */
  readonly isForEachAccount?: true;
  /** Checks the rule. @throws Failure if it does not hold, NotChecked if all or part of it could not be checked. */
  readonly check: (target: Target) => Promise<void>;
}

/** What to change where a request returns another response each time, whatever the rule is about. */
const UNSTEADY = say`Sent again, the same request returned another response. Look for what differs between the two: one of several servers or workers, a cache, a connection, an error that comes by chance.`;

/** @returns the outcome of a rule for each account: that of the first, unless only the second decides it. */
export async function attemptForEachAccount(rule: ContractRule, target: Target): Promise<Outcome<Text>> {
  const outcomeFor = async (account: Target): Promise<Outcome<Text>> => {
    const outcome = await attempt(() => rule.check(account), account);
    if (outcome.outcome !== 'failed') return outcome;
    const [first, ...others] = outcome.findings;
    if (first.change !== undefined || (await account.isSteady(first.request))) return outcome;
    return { outcome: 'failed', findings: [{ ...first, change: UNSTEADY }, ...others] };
  };
  const first = await outcomeFor(target);
  if (rule.isForEachAccount !== true || target.otherAccount === undefined || first.outcome === 'failed') return first;
  const second = await outcomeFor(target.otherAccount);
  const isDecided = second.outcome === 'failed' || (second.outcome === 'passed' && first.outcome === 'not_checked');
  return isDecided ? second : first;
}
