/** All rules, in the order in which they run (rules that others depend on first), and the targets that they run against. */
import { COLLECTIONS, filterOf, operationsOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import { AUTH_RULES, LIST_ISOLATION_RULES, GET_ISOLATION_RULES } from './auth-rules.ts';
import { EXAMPLE_RULES } from './example-rules.ts';
import { filterRules } from './filter-rules.ts';
import { GET_RULES } from './get-rules.ts';
import { HTTP_RULES } from './http-rules.ts';
import { LIST_RULES } from './list-rules.ts';
import { PARAMETER_RULES, REQUEST_RULES } from './request-rules.ts';
import { createResponseChecks } from './response-rules.ts';
import type { Rule } from './rule.ts';
import { Target } from './target.ts';
import type { Parts } from './target.ts';

const SHARED_RULES: readonly Rule[] = [...REQUEST_RULES, ...AUTH_RULES, ...HTTP_RULES];

/** The properties of a run that decide which rules it has. */
interface Setup {
  /** Whether there is a key of another account. */
  readonly hasOtherAccount: boolean;
  /** Whether the account holds the records that rules need. */
  readonly isSeeded: boolean;
}

function rulesOfList(collection: Collection, { hasOtherAccount, isSeeded }: Setup): readonly Rule[] {
  return [
    ...LIST_RULES,
    ...filterRules(filterOf(collection)),
    ...SHARED_RULES,
    ...PARAMETER_RULES,
    ...(isSeeded ? EXAMPLE_RULES : []),
    ...(hasOtherAccount ? LIST_ISOLATION_RULES : []),
  ];
}

function rulesOfGet({ hasOtherAccount, isSeeded }: Setup): readonly Rule[] {
  return [
    ...GET_RULES,
    ...SHARED_RULES,
    ...(isSeeded ? EXAMPLE_RULES : []),
    ...(hasOtherAccount ? GET_ISOLATION_RULES : []),
  ];
}

/** @returns the title of every rule by its id. */
export function allRules(contract: Contract): ReadonlyMap<string, string> {
  const setup = { hasOtherAccount: true, isSeeded: true };
  const rules = [
    ...COLLECTIONS.flatMap((it) => rulesOfList(it, setup)),
    ...rulesOfGet(setup),
    ...createResponseChecks(contract).tallies.map((it) => it.rule),
  ];
  return new Map(rules.map(({ id, title }) => [id, title]));
}

/** Whether a rule is among those named by their ids or areas. */
export const isNamed = (rule: string, names: readonly string[]): boolean =>
  names.some((it) => rule === it || rule.startsWith(`${it}.`));

interface TargetWithRules {
  readonly target: Target;
  readonly rules: readonly Rule[];
}

/** @returns the targets of a run in order, with their rules: each list, then the operation that retrieves its items. */
export function targetsOf(parts: Omit<Parts, 'key'>, isSeeded: boolean): readonly TargetWithRules[] {
  const { key, key2 } = parts.session.server;
  const other = key2 === undefined ? undefined : targetsOfAccount({ ...parts, key: key2 });
  const setup = { hasOtherAccount: other !== undefined, isSeeded };
  return [...targetsOfAccount({ ...parts, key }, other)].flatMap(
    ([collection, { list, get }]): readonly TargetWithRules[] => {
      const ofList = { target: list, rules: rulesOfList(collection, setup) };
      return get === undefined ? [ofList] : [ofList, { target: get, rules: rulesOfGet(setup) }];
    },
  );
}

type Targets = ReadonlyMap<Collection, { readonly list: Target; readonly get: Target | undefined }>;

/** @param other the targets of the other account. */
function targetsOfAccount(parts: Parts, other?: Targets): Targets {
  const targets = new Map<Collection, { readonly list: Target; readonly get: Target | undefined }>();
  for (const collection of COLLECTIONS) {
    const otherLists = (): readonly Target[] =>
      [...targets].filter(([it]) => it !== collection).map(([, it]) => it.list);
    const { list: listId, get: getId } = operationsOf(collection);
    const counterpart = other?.get(collection);
    const list = new Target(parts, collection, listId, { otherLists, otherAccount: counterpart?.list });
    const get = getId && new Target(parts, collection, getId, { list, otherLists, otherAccount: counterpart?.get });
    targets.set(collection, { list, get });
  }
  return targets;
}
