/** Rules of the filter of a list. */
import { assertThat, requireRecords } from './assertions.ts';
import { assertPage } from './list-rules.ts';
import type { Rule } from './rule.ts';
import type { Item, Query } from './assertions.ts';
import type { Target } from './target.ts';

// A page size that gives most values more than one page.
const STEP = 3;

/** @param filter the name of the query parameter and of the property that it filters by; `undefined` if there is no filter. */
export function filterRules(filter: string | undefined): readonly Rule[] {
  if (filter === undefined) return [];
  return [
    {
      id: 'list.filter',
      title: 'a filter gives the items that have its value, all of them, in order',
      dependsOn: ['list.limit'],
      check: async (target) => {
        const [items, values] = [await target.items(0), await valuesOf(target, filter)];
        const { max } = target.limits;
        for (const value of values) {
          const expected = having(items, filter, value);
          // Only the newest items of a long list are known; more items with this value may follow them.
          if (!(await target.isWhole()) && expected.length < max) continue;
          await assertPage(target, { [filter]: value, limit: max }, expected.slice(0, max), `those of ${value}`);
        }
        requireValues(target, items, filter, values);
      },
    },
    {
      id: 'list.filter_limit',
      title: 'a filter with a limit, or the default limit: that many items of the value, and has_more of those alone',
      dependsOn: ['list.filter', 'list.has_more'],
      check: async (target) => {
        const [items, values] = [await target.items(0), await valuesOf(target, filter)];
        const { default: limit } = target.limits;
        let isDefaultTested = false;
        for (const value of values) {
          const expected = having(items, filter, value);
          if (expected.length > STEP) {
            await assertPart(target, { [filter]: value, limit: STEP }, expected.slice(0, STEP), true);
          }
          if (expected.length <= limit) continue;
          isDefaultTested = true;
          await assertPart(target, { [filter]: value }, expected.slice(0, limit), true);
        }
        requireRecords(isDefaultTested ? [] : [`${String(limit + 1)} ${target.noun} of one ${filter}`]);
      },
    },
    {
      id: 'list.filter_cursor',
      title: 'a cursor is a position in the whole list: with a filter, whether or not its item matches',
      dependsOn: ['list.filter', 'list.has_more', 'list.before'],
      check: async (target) => {
        const [items, values] = [await target.items(0), await valuesOf(target, filter)];
        const isWhole = await target.isWhole();
        let isTested = false;
        for (const value of values) {
          for (const cursor of cursorsFor(items, filter, value)) {
            isTested = true;
            const position = items.indexOf(cursor);
            const [newer, older] = [
              having(items.slice(0, position), filter, value),
              having(items.slice(position + 1), filter, value),
            ];
            const ofBefore = { [filter]: value, limit: STEP, before: cursor.id };
            await assertPart(target, ofBefore, newer.slice(-STEP), newer.length > STEP);
            if (!isWhole && older.length <= STEP) continue;
            const ofAfter = { [filter]: value, limit: STEP, after: cursor.id };
            await assertPart(target, ofAfter, older.slice(0, STEP), older.length > STEP);
          }
        }
        requireRecords(isTested ? [] : [`${target.noun} of two values of ${filter} between one another`]);
      },
    },
    {
      id: 'list.invalid_filter',
      title: 'an empty filter is rejected, and so is a value that is not in its enum',
      check: async (target) => {
        const known = target.parameter(filter)?.enum ?? [];
        for (const value of ['', ...known.slice(0, 1).flatMap((it) => ['nonsense', it.toUpperCase(), `${it},${it}`])]) {
          const path = target.pathWith({ [filter]: value });
          await target.assertProblem({ path, mentions: [filter] }, 'validation_error');
        }
      },
    },
  ];
}

const having = (items: readonly Item[], filter: string, value: string): readonly Item[] =>
  items.filter((it) => String(it[filter]) === value);

/** @returns the values of the contract's enum; without an enum, the values of the items. */
async function valuesOf(target: Target, filter: string): Promise<readonly string[]> {
  const items = await target.items(0);
  return target.parameter(filter)?.enum ?? [...new Set(items.map((it) => String(it[filter])))];
}

/** @throws Skipped for values that no item has. They test nothing: their page is empty whatever the filter does. */
function requireValues(target: Target, items: readonly Item[], filter: string, values: readonly string[]): void {
  const empty = values.filter((it) => having(items, filter, it).length === 0);
  requireRecords(empty.map((it) => `one of ${target.noun} with ${filter} ${it}`));
}

/** @returns two cursors between the items that have a value: an item with the value and one without. Empty unless both exist. */
function cursorsFor(items: readonly Item[], filter: string, value: string): readonly Item[] {
  const matching = having(items, filter, value);
  const middle = matching[Math.floor(matching.length / 2)];
  if (middle === undefined || matching.length < 3) return [];
  const other = items.slice(items.indexOf(middle)).find((it) => String(it[filter]) !== value);
  return other === undefined ? [] : [middle, other];
}

async function assertPart(target: Target, query: Query, expected: readonly Item[], more: boolean): Promise<void> {
  const { exchange, hasMore } = await assertPage(target, query, expected, 'of this value');
  assertThat(exchange, hasMore === more, `has_more ${String(more)}`, `has_more ${String(hasMore)}`);
}
