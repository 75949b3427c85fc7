/** Rules of the filter of a list. */
import { forEach, requireRecords } from '../rules/rule.ts';
import { besideOthers } from './cases.ts';
import { requireEnd } from './list-rules.ts';
import type { Query } from './listing.ts';
import type { Item } from './records.ts';
import type { ContractRule } from './contract-rule.ts';
import { sample } from './sample.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, oddFilterValues, wildFilterValues } from './values.ts';

// A page size at which most values have more than one page.
const STEP = 3;
// How many items must have a value, with another one between them.
const INTERLEAVED = 3;

export const FILTER_RULES: readonly ContractRule[] = [
  {
    id: 'list.filter',
    title: 'a filter returns all items with its value and no others, in order',
    change:
      'Compare the filter with the property of each item, for the account of the key, before the limit is applied.',
    dependsOn: ['list.limit'],
    isForEachAccount: true,
    check: async (target) => {
      const values = await matchesOf(target);
      await forEach(values, ({ query }) => target.assertPage({ ...query, limit: target.limits.max }));
      const missing = values.filter(({ items }) => items.length === 0).map(({ value }) => value);
      const what = `with ${filterOf(target)} ${missing.join(', ')}`;
      requireRecords(missing.length === 0, { of: target.noun, count: missing.length, what });
    },
  },
  {
    id: 'list.filter_limit',
    title: 'with a filter, the limit, or the default limit, counts matching items only',
    change: 'Filter before the limit is applied (WHERE, then LIMIT), not the page that was read.',
    dependsOn: ['list.filter', 'list.has_more', 'list.default_limit'],
    check: async (target) => {
      const { default: limit } = target.limits;
      const values = await matchesOf(target);
      const queriesOf = (count: number): readonly Query[] =>
        values.filter(({ items }) => items.length > count).map(({ query }) => query);
      const usual = queriesOf(limit);
      const queries = [...queriesOf(STEP).map((query) => ({ ...query, limit: STEP })), ...usual];
      await forEach(queries, (query) => target.assertPage(query, true));
      const what = `with the same ${filterOf(target)}`;
      requireRecords(usual.length > 0, { of: target.noun, count: limit + 1, what });
    },
  },
  {
    id: 'list.filter_cursor',
    title: 'with a filter, a cursor is a position in the unfiltered list, whether or not its item matches',
    change:
      'Find the cursor among all items of the account, without the filter, and then apply the filter to the items around it.',
    dependsOn: ['list.filter', 'list.filter_limit', 'list.before'],
    check: async (target) => {
      const all = await target.items(0);
      const { min, max } = target.limits;
      const queries = (await matchesOf(target)).flatMap(({ query, items }, at): readonly Query[] => {
        const [first, other, last] = cursorsAmong(all, items, target);
        if (first === undefined || other === undefined || last === undefined) return [];
        // Around the item of another value, pages of a few. From those of the value itself at the ends, of the default and the maximum.
        // And a third page, as clients reach it.
        const [few, usual, greatest] = [
          { ...query, limit: at % 2 === 0 ? STEP : min },
          query,
          { ...query, limit: max },
        ];
        const [behind, ahead] = at % 2 === 0 ? [usual, greatest] : [greatest, usual];
        const third = items
          .slice(2 * STEP - 1, 2 * STEP)
          .map(({ id }): Query => ({ ...query, limit: STEP, after: id }));
        return [...around(few, other), { ...behind, after: first.id }, { ...ahead, before: last.id }, ...third];
      });
      await forEach(queries, (query) => target.assertPage(query, true));
      const what = `with two interleaved values of ${filterOf(target)}`;
      requireRecords(queries.length > 0, { of: target.noun, count: INTERLEAVED + 1, what });
    },
  },
  {
    id: 'list.filter_end',
    title: 'with a filter, `has_more` is false on the last page of any size, in both directions',
    change: 'Read one matching item more than the limit, with the same filter, in the same direction.',
    dependsOn: ['list.filter', 'list.filter_limit', 'list.filter_cursor', 'list.has_more', 'list.end'],
    check: async (target) => {
      const values = (await matchesOf(target)).filter(({ items }) => items.length > 0);
      const idAt = (items: readonly Item[], at: number): string => items.at(at)?.id ?? '';
      const { max } = target.limits;
      const queries = values.flatMap(({ query, items }, at): readonly Query[] => {
        const limit = 1 + target.random(STEP);
        const ends: readonly Query[] = [
          { after: idAt(items, -limit - 1), limit },
          { before: idAt(items, limit), limit },
        ];
        return [
          { limit: 1, before: idAt(items, 0) },
          ...(limit < items.length ? ends : []),
          ...(items.length <= max ? [{ limit: at % 2 === 0 ? items.length : max }] : []),
        ].map((rest) => ({ ...query, ...rest }));
      });
      await forEach(queries, (query) => target.assertPage(query, true));
      await requireEnd(target);
      const what = `with a known ${filterOf(target)}`;
      requireRecords(queries.length > 0, { of: target.noun, count: 1, what });
    },
  },
  {
    id: 'list.invalid_filter',
    title: 'a filter that is empty or not exactly an allowed value is rejected',
    change: 'Compare the string of the filter exactly with the allowed values, and reject everything else.',
    check: async (target) => {
      const filter = filterOf(target);
      const known = valuesOf(target, filter);
      const [first = ''] = known;
      const foreign = target
        .otherLists()
        .flatMap((list) => list.parameter(filter)?.enum ?? [])
        .filter((value) => !known.includes(value));
      const capitalized = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
      const values = [
        ...['', first.toUpperCase(), `${first} `, `${first},${first}`, first.slice(0, -1), 'true'],
        ...[...wildFilterValues(first), ...inTurn(target, filter, oddFilterValues(first)), ...words(known)],
      ];
      const encoded = (value: string): string => new URLSearchParams({ [filter]: value }).toString();
      const raw = inTurn(target, filter, [`${first}%ff`, `%25${hexOf(first)}${first.slice(1)}`]);
      const queries = [...values.map(encoded), filter, ...raw.map((value) => `${filter}=${value}`)];
      const plain = ['nonsense', ...foreign.slice(0, 1)].map(encoded);
      const [item] = await target.items(0);
      const beside = [
        { [filter]: 'canceled', before: UNKNOWN_ID },
        { [filter]: capitalized, after: item?.id ?? UNKNOWN_ID },
        { [filter]: 'active', after: item?.id ?? UNKNOWN_ID },
      ].map((query) => new URLSearchParams(query).toString());
      await forEach([...plain, ...beside, ...(await besideOthers(target, queries))], (query) =>
        target.assertProblem({ path: `${target.path()}?${query}`, mentions: [filter] }, 'validation_error'),
      );
    },
  },
];

/** @returns the name of the filter. */
function filterOf({ filter }: Target): string {
  if (filter === undefined) throw new Error('The list has no filter.');
  return filter;
}

/** @returns the share of a list in values that the lists with this filter reject in turn. */
function inTurn(target: Target, filter: string, values: readonly string[]): readonly string[] {
  const lists = [target, ...target.otherLists()].filter((list) => list.parameter(filter) !== undefined);
  const ids = lists.map((list) => list.operation.id).sort();
  return target.shareOf(values, { index: ids.indexOf(target.operation.id), count: ids.length });
}

/** @returns the code of the first character, as in an escape. */
const hexOf = (text: string): string => text.charCodeAt(0).toString(16);

/** @returns values of several words, written in other ways. */
const words = (values: readonly string[]): readonly string[] =>
  values
    .filter((value) => value.includes('_'))
    .flatMap((value) => [
      value.replaceAll('_', '-'),
      value.replaceAll('_', ' '),
      value.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    ]);

/** @returns the values of the filter in the contract. */
const valuesOf = (target: Target, filter: string): readonly string[] => target.parameter(filter)?.enum ?? [];

/** A value of the filter, and the items that have it. */
interface Matches {
  readonly value: string;
  readonly query: Query;
  readonly items: readonly Item[];
}

async function matchesOf(target: Target): Promise<readonly Matches[]> {
  const filter = filterOf(target);
  const items = await target.items(0);
  return valuesOf(target, filter).map((value) => ({
    value,
    query: { [filter]: value },
    items: items.filter((item) => item[filter] === value),
  }));
}

const around = (query: Query, { id }: Item): readonly Query[] => [
  { ...query, before: id },
  { ...query, after: id },
];

/** @returns the first item of a value, an item of another value in the third quarter of its items, and its last item but one. */
function cursorsAmong(all: readonly Item[], items: readonly Item[], { random }: Target): readonly Item[] {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined || items.length < INTERLEAVED) return [];
  const own = new Set(items);
  const others = all.slice(all.indexOf(first), all.indexOf(last)).filter((item) => !own.has(item));
  const late = others.slice(Math.floor(others.length / 2), Math.ceil((others.length * 3) / 4));
  return others.length === 0 ? [] : [first, ...sample(late, 1, random), ...items.slice(-2, -1)];
}
