/** What a rule of lists is. */
import type { Requirement } from '../rules/rule.ts';
import type { Asked, Audited } from './audited.ts';
import type { CommandName } from './commands.ts';
import { flagOf } from './commands.ts';
import type { Given } from './profile.ts';

/** A rule of lists: what must hold, why, and what to change. */
export interface Rule extends Requirement {
  /** What happens to the users of a list that breaks it. */
  readonly why: string;
  /** What usually breaks it, and what to do. */
  readonly change: string;
  /** What switches the rule on; it is always on if undefined. */
  readonly on?: {
    /** The key and the option, for people. */
    readonly by: string;
    readonly isDeclaredIn: (given: Given, asked: Asked) => boolean;
  };
  /** Whether it changes the list. Then it is checked once. */
  readonly changes?: true;
  /** What is a note, for the page of rules; why the rule was not checked is in the report. */
  readonly notes?: string;
  /** @throws Failure if it does not hold, Noted if it may be intended, NotChecked if it could not be checked. */
  readonly check: (audited: Audited) => Promise<void>;
}

/** @returns what switches a rule on that needs a command. */
export const withCommand = (name: CommandName): NonNullable<Rule['on']> => ({
  by: `\`${flagOf(name)}\``,
  isDeclaredIn: (_, { commands }) => commands?.[name] !== undefined,
});
