/** All rules, in the order in which they run (rules that others depend on first), and the targets that they run against. */
import { COLLECTIONS, filterOf, operationsOf } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Contract } from '../../contract/document.ts';
import { AUTH_RULES } from './auth-rules.ts';
import { CURSOR_RULES } from './cursor-rules.ts';
import { EXAMPLE_RULES } from './example-rules.ts';
import { FILTER_RULES } from './filter-rules.ts';
import { GET_RULES } from './get-rules.ts';
import { HTTP_RULES } from './http-rules.ts';
import { GET_ISOLATION_RULES, LIST_ISOLATION_RULES } from './isolation-rules.ts';
import { LIST_RULES } from './list-rules.ts';
import { PARAMETER_RULES, REQUEST_RULES } from './request-rules.ts';
import { createResponseChecks } from './response-rules.ts';
import type { ContractRule } from './contract-rule.ts';
import { SAMPLE_RULES } from './sample-rules.ts';
import { Target } from './target.ts';
import type { Parts } from './target.ts';

// The example rules require the records of the examples, the isolation rules those of a second account. Without them, these
// rules are reported as not checked.
const OF_EACH: readonly ContractRule[] = [...AUTH_RULES, ...HTTP_RULES, ...EXAMPLE_RULES];
const OF_LISTS: readonly ContractRule[] = [
  ...[...CURSOR_RULES, ...REQUEST_RULES, ...PARAMETER_RULES],
  ...[...OF_EACH, ...LIST_ISOLATION_RULES, ...SAMPLE_RULES],
];
const OF_GETS: readonly ContractRule[] = [
  ...[...GET_RULES, ...REQUEST_RULES, ...OF_EACH],
  ...[...GET_ISOLATION_RULES, ...SAMPLE_RULES],
];

/** Without an operation, every other rule would fail for the same reason. */
const EXISTS: ContractRule = {
  id: 'operation.exists',
  title: 'the operation returns 200: the list, or its first item',
  change:
    'Route the path of the contract to a handler. If there is one, look up its error with this list or record in the server log.',
  check: async (target) => {
    await target.plain();
  },
};

const behindExists = (rules: readonly ContractRule[]): readonly ContractRule[] => [
  EXISTS,
  ...rules.map((rule) => ({ ...rule, dependsOn: [EXISTS.id, ...(rule.dependsOn ?? [])] })),
];

const rulesOfList = (collection: Collection): readonly ContractRule[] =>
  behindExists([...LIST_RULES, ...(filterOf(collection) === undefined ? [] : FILTER_RULES), ...OF_LISTS]);
const RULES_OF_GET = behindExists(OF_GETS);

/** @returns every rule by its id: what it wants, and what to change where it fails. */
export function allRules(contract: Contract): ReadonlyMap<string, Pick<ContractRule, 'id' | 'title' | 'change'>> {
  const rules = [
    ...behindExists([...LIST_RULES, ...FILTER_RULES, ...OF_LISTS]),
    ...RULES_OF_GET,
    ...createResponseChecks(contract).tallies.map(({ rule }) => rule),
  ];
  return new Map(rules.map((rule) => [rule.id, rule]));
}

// How many items of a list of the second account are read: more than a page.
const OTHER_ITEMS = 200;

interface TargetWithRules {
  readonly target: Target;
  readonly rules: readonly ContractRule[];
}

/** @returns the targets of a run in order, with their rules: each list, then the operation that retrieves its items. */
export function targetsOf(parts: Omit<Parts, 'key'>): readonly TargetWithRules[] {
  const { key, otherKey } = parts.session.server;
  const other =
    otherKey === undefined
      ? undefined
      : targetsOfAccount({ ...parts, crossed: 0, key: otherKey, maxItems: Math.min(parts.maxItems, OTHER_ITEMS) });
  return [...targetsOfAccount({ ...parts, key }, other)].flatMap(
    ([collection, { list, get }]): readonly TargetWithRules[] => {
      const ofList = { target: list, rules: rulesOfList(collection) };
      return get === undefined ? [ofList] : [ofList, { target: get, rules: RULES_OF_GET }];
    },
  );
}

type Targets = ReadonlyMap<Collection, { readonly list: Target; readonly get: Target | undefined }>;

/** @param other the targets of the other account. */
function targetsOfAccount(parts: Parts, other?: Targets): Targets {
  const targets = new Map<Collection, { readonly list: Target; readonly get: Target | undefined }>();
  const gets = COLLECTIONS.filter((collection) => operationsOf(collection).get !== undefined);
  const all = COLLECTIONS.map(operationsOf).flatMap(({ list, get }) => [list, ...(get === undefined ? [] : [get])]);
  const positionOf = <T>(value: T, values: readonly T[]): { index: number; count: number } => ({
    index: values.indexOf(value),
    count: values.length,
  });
  for (const collection of COLLECTIONS) {
    const otherLists = (): readonly Target[] =>
      [...targets].filter(([key]) => key !== collection).map(([, { list }]) => list);
    const { list: listId, get: getId } = operationsOf(collection);
    const counterpart = other?.get(collection);
    const shared = { otherLists, positionOfAll: positionOf(listId, all) };
    const list = new Target(parts, collection, listId, {
      ...shared,
      otherAccount: counterpart?.list,
      position: positionOf(collection, COLLECTIONS),
    });
    const ofGet = { list, otherLists, otherAccount: counterpart?.get, position: positionOf(collection, gets) };
    const get = getId && new Target(parts, collection, getId, { ...ofGet, positionOfAll: positionOf(getId, all) });
    targets.set(collection, { list, get });
  }
  return targets;
}
