/** Tries a rule; where it fails, again: what changed in the account meanwhile is no fault of the server. */
import { Failure, Skipped } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

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
