/** A rule, and how it is run. A failed rule is run again: a change of the account meanwhile is not a fault of the server. */
import { Failure, Skipped } from './assertions.ts';
import type { Target } from './target.ts';

export interface Rule {
  /** The name of the rule for programs, `area.rule`; stable. */
  readonly id: string;
  /** What the rule demands, for people. */
  readonly title: string;
  /** The ids of the rules without which this one would fail for their faults; they run before it. */
  readonly dependsOn?: readonly string[];
  /** Tests the rule. @throws Failure if it does not hold, Skipped if it, or a part of it, could not be tested. */
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

/** @returns the outcome of a rule. It has failed if it fails on records that are the same before and after it. */
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
