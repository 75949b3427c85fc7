/** Rules of lists: order and limits. */
import { toMicroseconds } from '../contract/timestamp.ts';
import { assertThat } from './assertions.ts';
import { areSame, idsOf } from './rule.ts';
import type { Rule } from './rule.ts';
import type { Item } from './subject.ts';

const LIMITS_REFUSED = ['-1', '1.5', '1e1', '0x10', '+5', '05', ' 5', ''];

/** Newest first, ties by id descending. */
function isOrdered(earlier: Item, later: Item): boolean {
  const [a = 0n, b = 0n] = [toMicroseconds(earlier.created_at), toMicroseconds(later.created_at)];
  return a === b ? earlier.id > later.id : a > b;
}

const theFirst = (count: number, items: readonly Item[]): string =>
  `the first ${String(Math.min(count, items.length))} items`;

export const LIST_RULES: readonly Rule[] = [
  {
    id: 'list.order',
    title: 'newest first by the instant of created_at, ties by id descending',
    check: async (subject) => {
      const items = await subject.items(2);
      for (const [at, item] of items.slice(1).entries()) {
        const before = items[at];
        if (before === undefined || isOrdered(before, item)) continue;
        const { exchange } = await subject.page({ limit: 1, after: before.id });
        assertThat(
          exchange,
          false,
          `${idsOf([before])} (${before.created_at}) before ${idsOf([item])} (${item.created_at}) to be in order`,
        );
      }
    },
  },
  {
    id: 'list.default-limit',
    title: 'without a limit, as many items as its default says',
    check: async (subject) => {
      const count = Number(subject.parameter('limit')?.default);
      const items = await subject.items(1);
      const page = await subject.page();
      assertThat(page.exchange, areSame(page.items, items.slice(0, count)), theFirst(count, items));
    },
  },
  {
    id: 'list.limit',
    title: 'a limit from its minimum to its maximum is obeyed',
    check: async (subject) => {
      const { minimum = 1, maximum = 1 } = subject.parameter('limit') ?? {};
      const items = await subject.items(minimum);
      for (const limit of [minimum, maximum]) {
        const page = await subject.page({ limit });
        assertThat(page.exchange, areSame(page.items, items.slice(0, limit)), theFirst(limit, items));
      }
    },
  },
  {
    id: 'list.limit-refused',
    title: 'a limit out of range or not in plain digits is refused, never clamped',
    check: async (subject) => {
      const { minimum = 1, maximum = 1 } = subject.parameter('limit') ?? {};
      for (const limit of [String(minimum - 1), String(maximum + 1), ...LIMITS_REFUSED]) {
        await subject.assertProblem({ target: subject.target({ limit }) }, 'validation_error', 'limit');
      }
    },
  },
];
