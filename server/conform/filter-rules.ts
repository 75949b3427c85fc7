/** Rules of the filter of a list. */
import { assertThat } from './assertions.ts';
import { areSame, idsOf } from './rule.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

/** @param filter the name of the query parameter, and of the property it looks at; `undefined` where there is no filter. */
export function filterRules(filter: string | undefined): readonly Rule[] {
  if (filter === undefined) return [];
  return [
    {
      id: 'list.filter',
      title: 'a filter gives the items that have its value, all of them, in order',
      check: async (subject) => {
        for (const value of await valuesOf(subject, filter)) await checkFilter(subject, filter, value);
      },
    },
    {
      id: 'list.filter-refused',
      title: 'an empty filter is refused, and so is a value that is not in its enum',
      check: async (subject) => {
        const known = subject.parameter(filter)?.enum ?? [];
        for (const value of ['', ...known.slice(0, 1).flatMap((it) => ['nonsense', it.toUpperCase()])]) {
          await subject.assertProblem({ target: subject.target({ [filter]: value }) }, 'validation_error', filter);
        }
      },
    },
  ];
}

/** @returns the values that the contract lists; where it lists none, those of the items. */
async function valuesOf(subject: Subject, filter: string): Promise<readonly string[]> {
  const items = await subject.items(1);
  return subject.parameter(filter)?.enum ?? [...new Set(items.map((it) => String(it[filter])))];
}

async function checkFilter(subject: Subject, filter: string, value: string): Promise<void> {
  const limit = subject.parameter('limit')?.maximum ?? 1;
  const expected = (await subject.items(1)).filter((it) => String(it[filter]) === value).slice(0, limit);
  const { exchange, items } = await subject.page({ [filter]: value, limit });
  const stray = items.find((it) => String(it[filter]) !== value);
  assertThat(
    exchange,
    stray === undefined,
    `only items with ${filter} ${value}`,
    `one with ${String(stray?.[filter])}`,
  );
  // Of a long list only the newest items have been seen; more items with this value may follow them.
  const isThere = areSame(items.slice(0, expected.length), expected);
  assertThat(exchange, isThere, `the items with ${filter} ${value}: ${idsOf(expected)}`, idsOf(items));
}
