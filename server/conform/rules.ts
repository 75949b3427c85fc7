/** All rules, in the order in which they are tried: what others build on comes first. */
import { COLLECTIONS, filterOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import { createAnswers } from './answers.ts';
import { CONDITIONAL_RULES, REQUEST_ID_RULES } from './conditional-rules.ts';
import { CURSOR_RULES } from './cursor-rules.ts';
import { EXAMPLE_RULES } from './example-rules.ts';
import { filterRules } from './filter-rules.ts';
import { LIST_ISOLATION_RULES, LOOKUP_ISOLATION_RULES } from './isolation-rules.ts';
import { KEY_RULES } from './key-rules.ts';
import { LIST_RULES } from './list-rules.ts';
import { LOOKUP_RULES } from './lookup-rules.ts';
import { HEAD_RULES, METHOD_RULES } from './method-rules.ts';
import { PARAMETER_RULES, REQUEST_RULES } from './request-rules.ts';
import type { Rule } from './rule.ts';

const SHARED_RULES: readonly Rule[] = [
  ...REQUEST_RULES,
  ...METHOD_RULES,
  ...KEY_RULES,
  ...CONDITIONAL_RULES,
  ...HEAD_RULES,
  ...REQUEST_ID_RULES,
];

/** What is known of the account that is tested. */
export interface Known {
  /** Whether there is a key of another account. */
  readonly hasTwin: boolean;
  /** Whether it holds the records that rules ask for. */
  readonly isSeeded: boolean;
}

export function rulesOfList(collection: Collection, { hasTwin, isSeeded }: Known): readonly Rule[] {
  return [
    ...LIST_RULES,
    ...CURSOR_RULES,
    ...filterRules(filterOf(collection)),
    ...SHARED_RULES,
    ...PARAMETER_RULES,
    ...(isSeeded ? EXAMPLE_RULES : []),
    ...(hasTwin ? LIST_ISOLATION_RULES : []),
  ];
}

export function rulesOfLookup({ hasTwin, isSeeded }: Known): readonly Rule[] {
  return [
    ...LOOKUP_RULES,
    ...SHARED_RULES,
    ...(isSeeded ? EXAMPLE_RULES : []),
    ...(hasTwin ? LOOKUP_ISOLATION_RULES : []),
  ];
}

/** @returns the id and the title of every rule there is, each once. */
export function allRules(contract: Contract): ReadonlyMap<string, string> {
  const known = { hasTwin: true, isSeeded: true };
  const rules = [
    ...COLLECTIONS.flatMap((it) => rulesOfList(it, known)),
    ...rulesOfLookup(known),
    ...createAnswers(contract).tallies.map((it) => it.rule),
  ];
  return new Map(rules.map(({ id, title }) => [id, title]));
}

/** Whether a rule is one of those named: by their ids, or by what ids begin with before a dot. */
export const isNamed = (rule: string, names: readonly string[]): boolean =>
  names.some((it) => rule === it || rule.startsWith(`${it}.`));
