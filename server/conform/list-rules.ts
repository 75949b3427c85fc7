/** Rules of lists: order, pages, cursors, limits, filters. */
import { toMicroseconds } from '../contract/timestamp.ts';
import { demand } from './deviation.ts';
import { same, shown } from './rules.ts';
import type { Rule } from './rules.ts';
import type { Item, Subject } from './subject.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
// A page size that divides nothing, and how many of its pages a walk is followed for.
const STEP = 3;
const MAX_STEPS = 20;

const LIMITS_REFUSED = ['-1', '1.5', '1e1', '0x10', '+5', '05', ' 5', ''];

/** Newest first, ties by id descending. */
function isOrdered(earlier: Item, later: Item): boolean {
  const [a = 0n, b = 0n] = [toMicroseconds(earlier.created_at), toMicroseconds(later.created_at)];
  return a === b ? earlier.id > later.id : a > b;
}

export const LIST_RULES: readonly Rule[] = [
  {
    id: 'list.order',
    title: 'newest first by the instant of created_at, ties by id descending',
    check: async (subject) => {
      const items = await subject.atLeast(2);
      for (const [at, item] of items.slice(1).entries()) {
        const before = items[at];
        if (before === undefined || isOrdered(before, item)) continue;
        const { answer } = await subject.page({ limit: 1, after: before.id });
        demand(
          answer,
          false,
          `${shown([before])} (${before.created_at}) before ${shown([item])} (${item.created_at}) to be in order`,
        );
      }
    },
  },
  {
    id: 'list.default-limit',
    title: 'without a limit, as many items as its default says',
    check: async (subject) => {
      const count = Number(subject.parameter('limit')?.default);
      const items = await subject.atLeast(1);
      const page = await subject.page();
      demand(
        page.answer,
        same(page.items, items.slice(0, count)),
        `the first ${String(Math.min(count, items.length))} items`,
      );
    },
  },
  {
    id: 'list.limit',
    title: 'a limit from its minimum to its maximum is obeyed',
    check: async (subject) => {
      const { minimum = 1, maximum = 1 } = subject.parameter('limit') ?? {};
      const items = await subject.atLeast(minimum);
      for (const limit of [minimum, maximum]) {
        const page = await subject.page({ limit });
        demand(
          page.answer,
          same(page.items, items.slice(0, limit)),
          `the first ${String(Math.min(limit, items.length))} items`,
        );
      }
    },
  },
  {
    id: 'list.limit-refused',
    title: 'a limit out of range or not in plain digits is refused, never clamped',
    check: async (subject) => {
      const { minimum = 1, maximum = 1 } = subject.parameter('limit') ?? {};
      for (const limit of [String(minimum - 1), String(maximum + 1), ...LIMITS_REFUSED]) {
        await subject.refused({ target: subject.target({ limit }) }, 'validation_error', 'limit');
      }
    },
  },
  {
    id: 'list.after',
    title: 'a walk with after gives every item once, in order',
    check: async (subject) => {
      const items = await subject.atLeast(STEP + 1);
      for (let at = STEP; at < items.length && at <= STEP * MAX_STEPS; at += STEP) {
        const { answer, items: came } = await subject.page({ limit: STEP, after: items[at - 1]?.id ?? '' });
        const expected = items.slice(at, at + STEP);
        demand(
          answer,
          same(came.slice(0, expected.length), expected),
          `the items that follow: ${shown(expected)}`,
          shown(came),
        );
      }
    },
  },
  {
    id: 'list.before',
    title: 'before gives the page that ends right before its item, newest first',
    check: async (subject) => {
      const items = await subject.atLeast(STEP + 2);
      for (let at = Math.min(items.length, STEP * MAX_STEPS) - 1; at > 0; at -= STEP) {
        const { answer, items: came } = await subject.page({ limit: STEP, before: items[at]?.id ?? '' });
        const expected = items.slice(Math.max(0, at - STEP), at);
        demand(answer, same(came, expected), `the items right before it: ${shown(expected)}`, shown(came));
      }
    },
  },
  {
    id: 'list.has-more',
    title: 'has_more says whether more items exist in the direction of travel',
    check: async (subject) => {
      const items = await subject.atLeast(2);
      const last = items.length - 1;
      const asks: [query: Record<string, string | number>, more: boolean][] = [
        [{ limit: 1 }, true],
        [
          { limit: 1, after: items[last - 1]?.id ?? '' },
          (await subject.page({ limit: 1, after: items[last]?.id ?? '' })).items.length > 0,
        ],
        [{ limit: 1, before: items[1]?.id ?? '' }, false],
        [{ limit: 1, before: items[last]?.id ?? '' }, last > 1],
      ];
      for (const [query, more] of asks) {
        const { answer, hasMore } = await subject.page(query);
        demand(answer, hasMore === more, `has_more ${String(more)}`, `has_more ${String(hasMore)}`);
      }
    },
  },
  {
    id: 'list.cursor-unknown',
    title: 'an unknown cursor is 404 not_found',
    check: async (subject) => {
      for (const name of ['after', 'before']) {
        await subject.refused({ target: subject.target({ [name]: UNKNOWN_ID }) }, 'not_found');
      }
    },
  },
  {
    id: 'list.cursor-malformed',
    title: 'a cursor that is no UUID is refused; upper case is one',
    check: async (subject) => {
      for (const name of ['after', 'before']) {
        for (const value of ['', 'x', UNKNOWN_ID.slice(1), `urn:uuid:${UNKNOWN_ID}`]) {
          await subject.refused({ target: subject.target({ [name]: value }) }, 'validation_error', name);
        }
      }
      const [first] = await subject.atLeast(1);
      const id = first?.id ?? '';
      const [lower, upper] = [await subject.page({ after: id }), await subject.page({ after: id.toUpperCase() })];
      demand(upper.answer, same(lower.items, upper.items), 'the page of the id in lower case');
    },
  },
  {
    id: 'list.cursor-both',
    title: 'both cursors at once are refused',
    check: async (subject) => {
      const target = subject.target({ after: UNKNOWN_ID, before: UNKNOWN_ID });
      await subject.refused({ target }, 'validation_error');
    },
  },
  {
    id: 'list.filter',
    title: 'a filter gives the items of its status, all of them, in order',
    check: async (subject) => {
      for (const status of subject.parameter('status')?.enum ?? []) await checkFilter(subject, status);
    },
  },
  {
    id: 'list.filter-refused',
    title: 'a filter by an unknown status is refused',
    check: async (subject) => {
      for (const status of ['nonsense', '', subject.parameter('status')?.enum?.[0]?.toUpperCase() ?? 'X']) {
        await subject.refused({ target: subject.target({ status }) }, 'validation_error', 'status');
      }
    },
  },
];

async function checkFilter(subject: Subject, status: string): Promise<void> {
  const limit = subject.parameter('limit')?.maximum ?? 1;
  const expected = (await subject.atLeast(1)).filter((it) => it.status === status).slice(0, limit);
  const { answer, items: came } = await subject.page({ status, limit });
  const stray = came.find((it) => it.status !== status);
  demand(answer, stray === undefined, `only items that are ${status}`, `one that is ${String(stray?.status)}`);
  // Of a long list only the newest items have been seen; there may be more of this status after them.
  const isThere = same(came.slice(0, expected.length), expected);
  demand(answer, isThere, `the items that are ${status}: ${shown(expected)}`, shown(came));
}
