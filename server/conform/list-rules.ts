/** Rules of lists: the walk that others build on, order and limits. */
import { counted } from '../contract/wording.ts';
import { toMicroseconds } from '../contract/timestamp.ts';
import { assertThat, demandRecords } from './assertions.ts';
import { difference, idsOf } from './items.ts';
import type { Rule } from './rule.ts';
import type { Item, Page, Query } from './items.ts';
import type { Subject } from './subject.ts';

const LIMITS_REFUSED = ['-1', '1.5', '1e1', '0x10', '+5', '05', ' 5', 'x', ''];
// Between the bounds; those beyond the contract's are left out.
const MIDDLE_LIMITS = [2, 3, 25, 51, 99];

const instant = ({ created_at }: Item): bigint => toMicroseconds(created_at) ?? 0n;

/** Every two neighbours of a list. */
const neighbours = (items: readonly Item[]): (readonly [Item, Item])[] =>
  items.slice(1).flatMap((later, at): (readonly [Item, Item])[] => {
    const earlier = items[at];
    return earlier === undefined ? [] : [[earlier, later]];
  });

/** Requests a page. @throws Failure unless it holds exactly these items. */
export async function assertPage(
  subject: Subject,
  query: Query,
  expected: readonly Item[],
  what: string,
): Promise<Page> {
  const page = await subject.page(query);
  const wrong = difference(expected, page.items);
  assertThat(page.exchange, wrong === undefined, `${what}: ${idsOf(expected)}`, wrong);
  return page;
}

export const LIST_RULES: readonly Rule[] = [
  {
    id: 'list.walk',
    title:
      'from the newest item on each page follows the one before: no item twice, none passed over, whatever the limit',
    check: async (subject) => {
      await subject.pages();
    },
  },
  {
    id: 'list.order',
    title: 'newest first by the instant of created_at',
    check: async (subject) => {
      for (const [earlier, later] of neighbours(await subject.items(2))) {
        if (instant(earlier) < instant(later)) await failOrder(subject, earlier, later);
      }
    },
  },
  {
    id: 'list.ties',
    title: 'items of the same instant by id, descending',
    check: async (subject) => {
      const ties = neighbours(await subject.items(2)).filter(([a, b]) => instant(a) === instant(b));
      for (const [earlier, later] of ties) if (earlier.id <= later.id) await failOrder(subject, earlier, later);
      demandRecords(ties.length === 0 ? [`two ${subject.noun} of the same instant`] : []);
    },
  },
  {
    id: 'list.limit',
    title: 'a limit from its minimum to its maximum is obeyed',
    check: async (subject) => {
      const { min, max } = subject.limits;
      const items = await subject.items(min);
      for (const limit of [min, ...MIDDLE_LIMITS.filter((it) => it > min && it < max), max]) {
        await assertPage(subject, { limit }, items.slice(0, limit), `the first ${counted(limit, 'items')}`);
      }
      demandRecords(items.length > max ? [] : [`${counted(max + 1, subject.noun)} (it has ${String(items.length)})`]);
    },
  },
  {
    id: 'list.limit-refused',
    title: 'a limit out of range or not in plain digits is refused, never clamped',
    check: async (subject) => {
      const { min, max } = subject.limits;
      for (const limit of [String(min - 1), String(max + 1), String(max * 1000), ...LIMITS_REFUSED]) {
        await subject.assertProblem({ target: subject.target({ limit }), mentions: ['limit'] }, 'validation_error');
      }
    },
  },
];

/** Shows two items that are out of order by a request whose answer is the second of them. */
async function failOrder(subject: Subject, earlier: Item, later: Item): Promise<void> {
  const { exchange } = await subject.page({ limit: 1, after: earlier.id });
  const [a, b] = [earlier, later].map((it) => `${idsOf([it])} (${it.created_at})`);
  assertThat(exchange, false, `what follows ${String(a)} in order`, String(b));
}
