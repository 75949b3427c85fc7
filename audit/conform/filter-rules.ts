/** Rules of the filter of a list. */
import { counted } from '../../contract/wording.ts';
import { NotChecked, forEach, requireRecords } from '../rules/rule.ts';
import { assertThat } from './session.ts';
import type { Query } from './listing.ts';
import type { Item } from './records.ts';
import type { Rule } from './rule.ts';
import { sample } from './sample.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, oddFilterValues, wildFilterValues } from './values.ts';

// A page size at which most values have more than one page.
const STEP = 3;
// How many items must have a value, with another one between them.
const INTERLEAVED = 3;
// The cursors of a value: places in the whole list.
const CURSORS = 1;

export const FILTER_RULES: readonly Rule[] = [
  {
    id: 'list.filter',
    title: 'a filter returns all items with its value and no others, in order',
    dependsOn: ['list.limit'],
    isForEachAccount: true,
    check: async (target) => {
      const filter = filterOf(target);
      const [items, values] = [await target.items(0), valuesOf(target, filter)];
      const { max } = target.limits;
      const isWhole = await target.isWhole();
      await forEach(values, async (value) => {
        const expected = having(items, filter, value);
        const { exchange, items: actual } = await target.page({ [filter]: value, limit: max });
        const other = actual.find((it) => it[filter] !== value);
        assertThat(
          exchange,
          other === undefined,
          `only items with ${filter} ${value}`,
          `${String(other?.id)} has ${String(other?.[filter])}`,
        );
        // Of a long list only the newest items are known: more items with this value may follow them.
        const known = isWhole ? actual : actual.slice(0, expected.length);
        const wrong = target.comparison.differenceOfItems(expected.slice(0, max), known);
        assertThat(
          exchange,
          wrong === undefined,
          `${counted(expected.length, 'items')} with ${value}`,
          wrong?.actual,
          wrong?.difference,
        );
      });
      const missing = values.filter((it) => !items.some((item) => item[filter] === it));
      const what = `with ${filter} ${missing.join(', ')}`;
      requireRecords(missing.length === 0, { of: target.noun, count: missing.length, what });
    },
  },
  {
    id: 'list.filter_limit',
    title: 'with a filter, the limit, or the default limit, counts matching items only',
    dependsOn: ['list.filter', 'list.has_more', 'list.default_limit'],
    check: async (target) => {
      const filter = filterOf(target);
      const [items, values] = [await target.items(0), valuesOf(target, filter)];
      const { default: limit } = target.limits;
      const checked: string[] = [];
      await forEach(values, async (value) => {
        const expected = having(items, filter, value);
        const of = (count: number): string => `the first ${counted(count, 'items')} with ${value}`;
        if (expected.length > STEP)
          await target.assertPage({ [filter]: value, limit: STEP }, expected.slice(0, STEP), of(STEP), true);
        if (expected.length <= limit) return;
        checked.push(value);
        const usual = `${of(limit)}, the default limit`;
        await target.assertPage({ [filter]: value }, expected.slice(0, limit), usual, true);
      });
      requireRecords(checked.length > 0, { of: target.noun, count: limit + 1, what: `with the same ${filter}` });
    },
  },
  {
    id: 'list.filter_cursor',
    title: 'with a filter, a cursor is a position in the unfiltered list, whether or not its item matches',
    dependsOn: ['list.filter', 'list.filter_limit', 'list.before'],
    check: async (target) => {
      const filter = filterOf(target);
      const items = await target.items(0);
      const isWhole = await target.isWhole();
      const checked: string[] = [];
      await forEach(valuesOf(target, filter), async (value) => {
        for (const [at, cursor] of cursorsFor(target, items, filter, value).entries()) {
          checked.push(value);
          const [newer, older] = around(items, cursor, filter, value);
          // The default limit is used for the last one.
          const limit = at === CURSORS ? target.limits.default : STEP;
          const query: Query = { [filter]: value, ...(at < CURSORS && { limit }) };
          const [before, after] = [newer.slice(-limit), older.slice(0, limit)];
          const of = `items with ${value} directly`;
          await target.assertPage(
            { ...query, before: cursor.id },
            before,
            `the ${of} before the cursor`,
            newer.length > limit,
          );
          if (!isWhole && older.length <= limit) continue;
          await target.assertPage(
            { ...query, after: cursor.id },
            after,
            `the ${of} after the cursor`,
            older.length > limit,
          );
        }
      });
      const what = `with two interleaved values of ${filter}`;
      requireRecords(checked.length > 0, { of: target.noun, count: INTERLEAVED + 1, what });
    },
  },
  {
    id: 'list.filter_end',
    title: 'with a filter, `has_more` is false on the last page of any size, in both directions',
    dependsOn: ['list.filter', 'list.filter_limit', 'list.filter_cursor', 'list.has_more', 'list.end'],
    check: async (target) => {
      const filter = filterOf(target);
      const { max } = target.limits;
      const items = await target.items(1);
      const isWhole = await target.isWhole();
      const checked: string[] = [];
      const values = isWhole ? valuesOf(target, filter) : rarestOf(target, items, filter);
      await forEach(values, async (value) => {
        const all = isWhole ? having(items, filter, value) : await shortList(target, filter, value);
        const [first] = all ?? [];
        if (all === undefined || first === undefined) return;
        checked.push(value);
        const ends: (readonly [Query, readonly Item[]])[] = [[{ limit: 1, before: first.id }, []]];
        const size = 1 + target.random(STEP);
        if (size < all.length) {
          ends.push([{ limit: size, after: all.at(-size - 1)?.id ?? '' }, all.slice(-size)]);
          ends.push([{ limit: size, before: all.at(size)?.id ?? '' }, all.slice(0, size)]);
        }
        if (all.length <= max) ends.push([{ limit: all.length }, all]);
        await forEach(ends, ([query, expected]) =>
          target.assertPage(
            { [filter]: value, ...query },
            expected,
            `the last items with ${value} in this direction`,
            false,
          ),
        );
      });
      if (checked.length === 0 && !isWhole)
        throw new NotChecked(`no value of ${filter} has fewer items than were read (--max-items)`);
      const what = `with ${filter} ${values.join(' or ')}`;
      requireRecords(checked.length > 0, { of: target.noun, count: 1, what });
    },
  },
  {
    id: 'list.invalid_filter',
    title: 'a filter that is empty or not exactly an allowed value is rejected',
    check: async (target) => {
      const filter = filterOf(target);
      const known = valuesOf(target, filter);
      const [first = ''] = known;
      const foreign = target
        .otherLists()
        .flatMap((it) => it.parameter(filter)?.enum ?? [])
        .filter((it) => !known.includes(it));
      const capitalized = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
      const values = [
        '',
        'nonsense',
        first.toUpperCase(),
        capitalized,
        `${first} `,
        `${first},${first}`,
        first.slice(0, -1),
        ...wildFilterValues(first),
      ];
      const odd = [...oddFilterValues(first), ...words(known)];
      const queries = [...values, ...foreign.slice(0, 1), ...inTurn(target, filter, odd)].map((value) =>
        new URLSearchParams({ [filter]: value }).toString(),
      );
      const [item] = await target.items(0);
      const beside = new URLSearchParams({ [filter]: 'nonsense', after: item?.id ?? UNKNOWN_ID }).toString();
      await forEach([...queries, filter, beside], (query) =>
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
  const lists = [target, ...target.otherLists()].filter((it) => it.parameter(filter) !== undefined);
  const ids = lists.map((it) => it.operation.id).sort();
  return target.shareOf(values, { at: ids.indexOf(target.operation.id), of: ids.length });
}

/** @returns values of several words, written in other ways. */
const words = (values: readonly string[]): readonly string[] =>
  values
    .filter((it) => it.includes('_'))
    .flatMap((it) => [
      it.replaceAll('_', '-'),
      it.replaceAll('_', ' '),
      it.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    ]);

/** @returns the values of the filter in the contract. */
const valuesOf = (target: Target, filter: string): readonly string[] => target.parameter(filter)?.enum ?? [];

const having = (items: readonly Item[], filter: string, value: string): readonly Item[] =>
  items.filter((it) => it[filter] === value);

/** @returns the items of a value before and after the item of the cursor. */
function around(
  items: readonly Item[],
  cursor: Item,
  filter: string,
  value: string,
): readonly [readonly Item[], readonly Item[]] {
  const at = items.indexOf(cursor);
  return [having(items.slice(0, at), filter, value), having(items.slice(at + 1), filter, value)];
}

/** @returns items between those of a value: some of another value, then one of the value itself. */
function cursorsFor(target: Target, items: readonly Item[], filter: string, value: string): readonly Item[] {
  const places = items.flatMap((it, at) => (it[filter] === value ? [at] : []));
  const [from = 0, to = 0] = [places[0], places.at(-1)];
  const between = items.slice(from, to + 1);
  const others = between.filter((it) => it[filter] !== value);
  if (others.length === 0 || places.length < INTERLEAVED) return [];
  return [...sample(others, CURSORS, target.random), ...having(between.slice(1, -1), filter, value).slice(-1)];
}

/** @returns the value that the fewest of the newest items of a long list have. */
function rarestOf(target: Target, items: readonly Item[], filter: string): readonly string[] {
  const counts = valuesOf(target, filter).map((value) => ({ value, count: having(items, filter, value).length }));
  return counts
    .sort((a, b) => a.count - b.count)
    .slice(0, 1)
    .map((it) => it.value);
}

/** @returns all items of a value, if they end within the items that may be read; `undefined` if they do not. */
async function shortList(target: Target, filter: string, value: string): Promise<readonly Item[] | undefined> {
  const limit = target.limits.max;
  const maximum = (await target.items(0)).length;
  const all: Item[] = [];
  for (let query: Query = { [filter]: value, limit }; all.length < maximum;) {
    const { items, hasMore } = await target.page(query);
    all.push(...items);
    const last = items.at(-1);
    if (!hasMore || last === undefined) return all;
    query = { ...query, after: last.id };
  }
  return undefined;
}
