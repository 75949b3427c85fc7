/** All rules, in the order in which they run (rules that others depend on first), and the targets that they run against. */
import { COLLECTIONS, filterOf, operationsOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import { KEY_RULES, LIST_ISOLATION_RULES, LOOKUP_ISOLATION_RULES } from './auth-rules.ts';
import { EXAMPLE_RULES } from './example-rules.ts';
import { filterRules } from './filter-rules.ts';
import { LOOKUP_RULES } from './get-rules.ts';
import { HTTP_RULES } from './http-rules.ts';
import { LIST_RULES } from './list-rules.ts';
import { PARAMETER_RULES, REQUEST_RULES } from './request-rules.ts';
import { createAnswers } from './response-rules.ts';
import type { Rule } from './rule.ts';
import { Subject } from './target.ts';
import type { Parts } from './target.ts';

const SHARED_RULES: readonly Rule[] = [...REQUEST_RULES, ...KEY_RULES, ...HTTP_RULES];

/** What is known of the account that is tested. */
interface Known {
  /** Whether there is a key of another account. */
  readonly hasTwin: boolean;
  /** Whether it holds the records that rules ask for. */
  readonly isSeeded: boolean;
}

function rulesOfList(collection: Collection, { hasTwin, isSeeded }: Known): readonly Rule[] {
  return [
    ...LIST_RULES,
    ...filterRules(filterOf(collection)),
    ...SHARED_RULES,
    ...PARAMETER_RULES,
    ...(isSeeded ? EXAMPLE_RULES : []),
    ...(hasTwin ? LIST_ISOLATION_RULES : []),
  ];
}

function rulesOfLookup({ hasTwin, isSeeded }: Known): readonly Rule[] {
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

interface Tested {
  readonly subject: Subject;
  readonly rules: readonly Rule[];
}

/** @returns what is tested, in order: each list, and after it the lookup of its items. */
export function subjectsOf(parts: Omit<Parts, 'key'>, isSeeded: boolean): readonly Tested[] {
  const { key, key2 } = parts.session.server;
  const foreign = key2 === undefined ? undefined : accountOf({ ...parts, key: key2 });
  const known = { hasTwin: foreign !== undefined, isSeeded };
  return [...accountOf({ ...parts, key }, foreign)].flatMap(([collection, { list, lookup }]): readonly Tested[] => {
    const ofList = { subject: list, rules: rulesOfList(collection, known) };
    return lookup === undefined ? [ofList] : [ofList, { subject: lookup, rules: rulesOfLookup(known) }];
  });
}

interface Pair {
  readonly list: Subject;
  readonly lookup: Subject | undefined;
}

/** @param twins the same of another account. */
function accountOf(parts: Parts, twins?: ReadonlyMap<Collection, Pair>): ReadonlyMap<Collection, Pair> {
  const pairs = new Map<Collection, Pair>();
  for (const collection of COLLECTIONS) {
    const others = (): readonly Subject[] => [...pairs].filter(([it]) => it !== collection).map(([, it]) => it.list);
    const { list: listId, lookup: lookupId } = operationsOf(collection);
    const twin = twins?.get(collection);
    const list = new Subject(parts, collection, listId, { others, twin: twin?.list });
    const lookup = lookupId && new Subject(parts, collection, lookupId, { list, others, twin: twin?.lookup });
    pairs.set(collection, { list, lookup });
  }
  return pairs;
}
