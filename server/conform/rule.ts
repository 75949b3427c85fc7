/** What a rule is, and what rules have in common. */
import type { Subject } from './subject.ts';

export interface Rule {
  /** Names the rule for programs; stable. */
  readonly id: string;
  /** States the rule for people. */
  readonly title: string;
  /** Tests it. @throws Failure where it does not hold, Skipped where the account's records do not suffice. */
  readonly check: (subject: Subject) => Promise<void>;
}

/** An id that no implementation hands out. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Of how many items a rule looks up each. */
export const MAX_LOOKUPS = 5;

interface Identified {
  readonly id: string;
}

/** @returns the ids of items, shortened to be readable. */
export const idsOf = (items: readonly Identified[]): string =>
  items.length === 0 ? 'no items' : items.map((it) => it.id.slice(0, 8)).join(' ');

/** Whether two lists hold the same items in the same order. */
export const areSame = (a: readonly Identified[], b: readonly Identified[]): boolean =>
  a.length === b.length && a.every((it, at) => it.id === b[at]?.id);
