/** The rule of random requests: it finds faults in combinations that no other rule tests. */
import { forEach } from '../rules/rule.ts';
import type { Query } from './listing.ts';
import type { ContractRule } from './contract-rule.ts';
import type { Target } from './target.ts';

/** The forms of the requests; the rest of each is random. */
const FORMS = [
  { cursor: undefined, isDefault: true, isFiltered: false },
  { cursor: 'after', isDefault: false, isFiltered: true },
  { cursor: 'before', isDefault: false, isFiltered: false },
  { cursor: undefined, isDefault: true, isFiltered: true },
  { cursor: 'after', isDefault: true, isFiltered: false },
] as const;

export const SAMPLE_RULES: readonly ContractRule[] = [
  {
    id: 'list.sampled',
    title:
      'random requests have the response that the rules above demand: limits, positions and filters together, and the requests of other rules with HEAD, the other key, slashes, a body or headers',
    change:
      'Check and answer every request in one place: the same for HEAD, for every account, with any slashes, body and headers. Apply filter, cursor and limit in this order.',
    dependsOn: [
      ...['list.pagination', 'list.limit', 'list.after', 'list.before', 'list.has_more', 'list.default_limit'],
      ...['list.filter', 'list.filter_limit', 'list.filter_cursor', 'get.found'],
    ],
    isForEachAccount: true,
    check: async (target) => {
      if (target.list !== undefined) return target.assertCrossed();
      await target.items(2);
      // The earlier rules check only the first account, so the second account gets more of these requests.
      const forms = target.otherAccount === undefined ? FORMS : FORMS.slice(1, 3);
      await forEach(forms, async (form) => {
        await target.assertPage(await queryOf(target, form), true);
      });
      await target.assertCrossed();
    },
  },
];

const SMALL = 10;
const FIRST_BEFORE = 2;

/** @returns a query at random. */
async function queryOf(target: Target, { cursor, isDefault, isFiltered }: (typeof FORMS)[number]): Promise<Query> {
  const { random, limits, filter } = target;
  const items = await target.items(2);
  const values = filter === undefined || !isFiltered ? [] : (target.parameter(filter)?.enum ?? []);
  const value = values[random(values.length)];
  // Before the first items there is no page to end.
  const first = cursor === 'before' ? Math.min(FIRST_BEFORE, items.length - 1) : 0;
  const query: Query = {
    ...(filter !== undefined && value !== undefined && { [filter]: value }),
    ...(cursor !== undefined && { [cursor]: items[first + random(items.length - first)]?.id ?? '' }),
  };
  if (isDefault) return query;
  // The limit ends before the items do: otherwise a limit that is ignored, and a page from the other end, are right by chance.
  const { length } = (await target.expected({ ...query, limit: SMALL + limits.min })).items;
  return { ...query, limit: limits.min + random(Math.max(1, Math.min(SMALL, length - limits.min))) };
}
