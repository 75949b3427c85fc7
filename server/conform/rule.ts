/** A rule, and one attempt to run it. A failed rule is run again: a change of the account meanwhile is not a fault of the server. */
import { Failure, Skipped } from './assertions.ts';
import type { Subject } from './target.ts';

export interface Rule {
  /** Names the rule for programs; stable. */
  readonly id: string;
  /** States the rule for people. */
  readonly title: string;
  /** The rules that must not be broken for this one to say something of its own, by their ids; they are tried before it. */
  readonly buildsOn?: readonly string[];
  /** Tests it. @throws Failure where it does not hold, Skipped where it could not be tried, or not all of it. */
  readonly check: (subject: Subject) => Promise<void>;
}

/** What becomes of a rule. */
export type Outcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly request: string; readonly expected: string; readonly actual: string }
  | {
      readonly outcome: 'skipped';
      readonly reason: string;
      /** The records that the account lacks, where that is why. */
      readonly needs?: readonly string[];
    };

const MAX_ATTEMPTS = 5;

/** @returns what becomes of a rule. It has failed if it fails on records that were the same before it and after it. */
export async function attempt(rule: Rule, subject: Subject): Promise<Outcome> {
  let outcome = await attemptOnce(rule, subject);
  for (let attempts = 1; outcome.outcome === 'failed'; attempts += 1) {
    if (attempts === MAX_ATTEMPTS) {
      return {
        outcome: 'skipped',
        reason: `the account changed each of the ${String(attempts)} times that it was tried`,
      };
    }
    const before = await subject.look();
    outcome = await attemptOnce(rule, subject);
    if (outcome.outcome === 'failed' && (await subject.look()) === before) return outcome;
  }
  return outcome;
}

async function attemptOnce(rule: Rule, subject: Subject): Promise<Outcome> {
  try {
    await rule.check(subject);
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
