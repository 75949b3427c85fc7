/** A rule, and how it runs. A failed rule runs again: if the account changed meanwhile, the server may not be at fault. */
import { Failure, Skipped } from './assertions.ts';
import type { Target } from './target.ts';

export interface Rule {
  /** The name of the rule for programs, `area.rule`; stable. */
  readonly id: string;
  /** The requirement, for people. */
  readonly title: string;
  /** The ids of rules that come before this one. If one of them has failed, this rule is skipped: it would fail for the same fault. */
  readonly dependsOn?: readonly string[];
  /** Tests the rule. @throws Failure if the rule does not hold, Skipped if all or part of it could not be tested. */
  readonly check: (target: Target) => Promise<void>;
}

/** The outcome of a rule. */
export type Outcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly request: string; readonly expected: string; readonly actual: string }
  | {
      readonly outcome: 'skipped';
      readonly reason: string;
      /** The records that the account lacks, if that is the reason. */
      readonly needs?: readonly string[];
    };

const MAX_ATTEMPTS = 5;

/**
 * @returns the outcome of a rule. A failure counts only if the records are the same before and after the attempt. If they
 * changed during each attempt, the rule is skipped.
 */
export async function attempt(rule: Rule, target: Target): Promise<Outcome> {
  let outcome = await attemptOnce(rule, target);
  for (let attempts = 1; outcome.outcome === 'failed'; attempts += 1) {
    if (attempts === MAX_ATTEMPTS) {
      return {
        outcome: 'skipped',
        reason: `the account changed during each of ${String(attempts)} attempts`,
      };
    }
    const before = await target.refresh();
    outcome = await attemptOnce(rule, target);
    if (outcome.outcome === 'failed' && (await target.refresh()) === before) return outcome;
  }
  return outcome;
}

async function attemptOnce(rule: Rule, target: Target): Promise<Outcome> {
  try {
    await rule.check(target);
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof Skipped) {
      const { message: reason, needs } = error;
      return { outcome: 'skipped', reason, ...(needs.length > 0 && { needs }) };
    }
    if (!(error instanceof Failure)) throw error;
    const { request, expected, actual } = error;
    return { outcome: 'failed', request, expected, actual };
  }
}
