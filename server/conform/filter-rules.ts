/** Rules of the filter of a list. */
import { assertThat, demandRecords } from './assertions.ts';
import { assertPage } from './list-rules.ts';
import type { Rule } from './rule.ts';
import type { Item, Query } from './assertions.ts';
import type { Subject } from './target.ts';

// A page size that leaves most values more than one page.
const STEP = 3;

/** @param filter the name of the query parameter, and of the property it looks at; `undefined` where there is no filter. */
export function filterRules(filter: string | undefined): readonly Rule[] {
  if (filter === undefined) return [];
  return [
    {
      id: 'list.filter',
      title: 'a filter gives the items that have its value, all of them, in order',
      buildsOn: ['list.limit'],
      check: async (subject) => {
        const [items, values] = [await subject.items(0), await valuesOf(subject, filter)];
        const { max } = subject.limits;
        for (const value of values) {
          const expected = having(items, filter, value);
          // Of a long list only the newest items have been seen; more items with this value may follow them.
          if (!(await subject.isWhole()) && expected.length < max) continue;
          await assertPage(subject, { [filter]: value, limit: max }, expected.slice(0, max), `those of ${value}`);
        }
        demandValues(subject, items, filter, values);
      },
    },
    {
      id: 'list.filter-limit',
      title: 'a filter with a limit, or the default limit: that many items of the value, and has_more of those alone',
      buildsOn: ['list.filter', 'list.has-more'],
      check: async (subject) => {
        const [items, values] = [await subject.items(0), await valuesOf(subject, filter)];
        const { usual } = subject.limits;
        let isDefaultTried = false;
        for (const value of values) {
          const expected = having(items, filter, value);
          if (expected.length > STEP) {
            await assertPart(subject, { [filter]: value, limit: STEP }, expected.slice(0, STEP), true);
          }
          if (expected.length <= usual) continue;
          isDefaultTried = true;
          await assertPart(subject, { [filter]: value }, expected.slice(0, usual), true);
        }
        demandRecords(isDefaultTried ? [] : [`${String(usual + 1)} ${subject.noun} of one ${filter}`]);
      },
    },
    {
      id: 'list.filter-cursor',
      title: 'a cursor is a position in the whole list: with a filter, whether or not its item matches',
      buildsOn: ['list.filter', 'list.has-more', 'list.before'],
      check: async (subject) => {
        const [items, values] = [await subject.items(0), await valuesOf(subject, filter)];
        const isWhole = await subject.isWhole();
        let isTried = false;
        for (const value of values) {
          for (const cursor of cursorsFor(items, filter, value)) {
            isTried = true;
            const at = items.indexOf(cursor);
            const [newer, older] = [
              having(items.slice(0, at), filter, value),
              having(items.slice(at + 1), filter, value),
            ];
            const ofBefore = { [filter]: value, limit: STEP, before: cursor.id };
            await assertPart(subject, ofBefore, newer.slice(-STEP), newer.length > STEP);
            if (!isWhole && older.length <= STEP) continue;
            const ofAfter = { [filter]: value, limit: STEP, after: cursor.id };
            await assertPart(subject, ofAfter, older.slice(0, STEP), older.length > STEP);
          }
        }
        demandRecords(isTried ? [] : [`${subject.noun} of two values of ${filter} between one another`]);
      },
    },
    {
      id: 'list.filter-refused',
      title: 'an empty filter is refused, and so is a value that is not in its enum',
      check: async (subject) => {
        const known = subject.parameter(filter)?.enum ?? [];
        for (const value of ['', ...known.slice(0, 1).flatMap((it) => ['nonsense', it.toUpperCase(), `${it},${it}`])]) {
          const target = subject.target({ [filter]: value });
          await subject.assertProblem({ target, mentions: [filter] }, 'validation_error');
        }
      },
    },
  ];
}

const having = (items: readonly Item[], filter: string, value: string): readonly Item[] =>
  items.filter((it) => String(it[filter]) === value);

/** @returns the values that the contract lists; where it lists none, those of the items. */
async function valuesOf(subject: Subject, filter: string): Promise<readonly string[]> {
  const items = await subject.items(0);
  return subject.parameter(filter)?.enum ?? [...new Set(items.map((it) => String(it[filter])))];
}

/** A value that no item has is filtered by nothing: an empty page is right whatever the filter does. */
function demandValues(subject: Subject, items: readonly Item[], filter: string, values: readonly string[]): void {
  const empty = values.filter((it) => having(items, filter, it).length === 0);
  demandRecords(empty.map((it) => `one of ${subject.noun} with ${filter} ${it}`));
}

/** @returns items between those of a value: one that has it, and one that has not, as far as there are. */
function cursorsFor(items: readonly Item[], filter: string, value: string): readonly Item[] {
  const matching = having(items, filter, value);
  const middle = matching[Math.floor(matching.length / 2)];
  if (middle === undefined || matching.length < 3) return [];
  const stranger = items.slice(items.indexOf(middle)).find((it) => String(it[filter]) !== value);
  return stranger === undefined ? [] : [middle, stranger];
}

async function assertPart(subject: Subject, query: Query, expected: readonly Item[], more: boolean): Promise<void> {
  const { exchange, hasMore } = await assertPage(subject, query, expected, 'of this value');
  assertThat(exchange, hasMore === more, `has_more ${String(more)}`, `has_more ${String(hasMore)}`);
}
