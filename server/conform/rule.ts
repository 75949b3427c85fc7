/** What a rule is, and what rules have in common. */
import type { Subject } from './subject.ts';

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
