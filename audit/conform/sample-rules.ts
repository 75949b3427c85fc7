/** The rule of random requests: it finds faults in combinations that no other rule tests. */
import { forEach } from '../rules/rule.ts';
import type { Query } from './listing.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';

/** The forms of the requests; the rest of each is random. */
const FORMS = [
  { cursor: undefined, isDefault: true, isFiltered: false },
  { cursor: 'after', isDefault: false, isFiltered: true },
  { cursor: 'before', isDefault: false, isFiltered: false },
  { cursor: undefined, isDefault: true, isFiltered: true },
  { cursor: 'after', isDefault: true, isFiltered: false },
] as const;

export const SAMPLE_RULES: readonly Rule[] = [
  {
    id: 'list.sampled',
    title: 'random combinations of limit, position and filter return the matching part of the list',
    dependsOn: [
      ...['list.pagination', 'list.limit', 'list.after', 'list.before', 'list.has_more', 'list.default_limit'],
      ...['list.filter', 'list.filter_limit', 'list.filter_cursor'],
    ],
    isForEachAccount: true,
    check: async (target) => {
      await target.items(2);
      const isWhole = await target.isWhole();
      // The earlier rules check only the first account, so the second account gets more of these requests.
      const forms = target.otherAccount === undefined ? FORMS : FORMS.slice(1, 3);
      await forEach(forms, (form) => assertRandom(target, form, isWhole));
    },
  },
];

const SMALL = 10;
const FIRST_BEFORE = 2;

/** Makes a request at random. @throws Failure unless the response has the items that the list has there. */
async function assertRandom(
  target: Target,
  { cursor: name, isDefault, isFiltered }: (typeof FORMS)[number],
  isWhole: boolean,
): Promise<void> {
  const { random, limits, filter } = target;
  const items = await target.items(2);
  const values = filter === undefined || !isFiltered ? [] : (target.parameter(filter)?.enum ?? []);
  const value = values[random(values.length)];
  // Before the first items there is no page to end.
  const first = name === 'before' ? Math.min(FIRST_BEFORE, items.length - 1) : 0;
  const at = first + random(items.length - first);
  const there = name === undefined ? items : name === 'after' ? items.slice(at + 1) : items.slice(0, at);
  const matching = there.filter((it) => filter === undefined || value === undefined || it[filter] === value);
  // The limit ends before the items do: otherwise a limit that is ignored, and a page from the other end, are right by chance.
  const span = Math.max(1, Math.min(SMALL, matching.length - limits.min));
  const limit = isDefault ? limits.default : limits.min + random(span);
  const expected = name === 'before' ? matching.slice(-limit) : matching.slice(0, limit);
  // Items beyond those that were read are unknown.
  if (name !== 'before' && !isWhole && matching.length <= limit) return;
  const query: Query = {
    ...(filter !== undefined && value !== undefined && { [filter]: value }),
    ...(name !== undefined && { [name]: items[at]?.id ?? '' }),
    ...(!isDefault && { limit }),
  };
  await target.assertPage(query, expected, 'the matching part of the list', matching.length > limit);
}
