/** What a rule is. */
import type { Subject } from './subject.ts';

export interface Rule {
  /** Names the rule for programs; stable. */
  readonly id: string;
  /** Says the rule to people. */
  readonly title: string;
  /** Tries it. @throws Deviation where it does not hold, Untried where it cannot be tried. */
  readonly check: (subject: Subject) => Promise<void>;
}

/** @returns the ids of items, short enough to be read. */
export const shown = (items: readonly { readonly id: string }[]): string =>
  items.length === 0 ? 'no items' : items.map((it) => it.id.slice(0, 8)).join(' ');

/** Whether two lists hold the same items in the same order. */
export const same = (a: readonly { readonly id: string }[], b: readonly { readonly id: string }[]): boolean =>
  a.length === b.length && a.every((it, at) => it.id === b[at]?.id);
