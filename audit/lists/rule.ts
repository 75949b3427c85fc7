/** A rule of lists: what everybody wants of one, why, and what to change. */
import type { Requirement } from '../rules/rule.ts';
import type { Audited } from './audited.ts';

export interface Rule extends Requirement {
  /** What happens to the users of a list that breaks it. */
  readonly why: string;
  /** What usually breaks it, and what to do. */
  readonly change: string;
  /** What is a note, and when the rule is not checked, for the page of rules. */
  readonly notes?: string;
  /** @throws Failure if it does not hold, Noted if somebody may want to know, NotChecked if it could not be checked. */
  readonly check: (audited: Audited) => Promise<void>;
}
