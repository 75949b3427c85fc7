/** Rules of lists: pagination, order, limits and cursors. */
import { counted } from '../contract/wording.ts';
import { toMicroseconds } from '../contract/timestamp.ts';
import { MALFORMED_IDS, UNKNOWN_ID, assertThat, requireRecords, difference, idsOf } from './assertions.ts';
import type { Item, Page, Query } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';

const INVALID_LIMITS = ['-1', '1.5', '1e1', '0x10', '+5', '05', ' 5', 'x', ''];
// Limits between the bounds; those outside the contract's bounds are left out.
const MIDDLE_LIMITS = [2, 3, 25, 51, 99];

const instant = ({ created_at }: Item): bigint => toMicroseconds(created_at) ?? 0n;

/** @returns every pair of adjacent items. */
const adjacent = (items: readonly Item[]): (readonly [Item, Item])[] =>
  items.slice(1).flatMap((later, at): (readonly [Item, Item])[] => {
    const earlier = items[at];
    return earlier === undefined ? [] : [[earlier, later]];
  });

/** Requests a page. @throws Failure unless it holds exactly these items. */
export async function assertPage(target: Target, query: Query, expected: readonly Item[], what: string): Promise<Page> {
  const page = await target.page(query);
  const wrong = difference(expected, page.items);
  assertThat(page.exchange, wrong === undefined, `${what}: ${idsOf(expected)}`, wrong);
  return page;
}

/** Reports two items that are out of order, with a request that has the second one as its response. */
async function failOrder(target: Target, earlier: Item, later: Item): Promise<void> {
  const { exchange } = await target.page({ limit: 1, after: earlier.id });
  const [a, b] = [earlier, later].map((it) => `${idsOf([it])} (${it.created_at})`);
  assertThat(exchange, false, `what follows ${String(a)} in order`, String(b));
}

// A page size that divides few lists evenly, and the maximum number of such pages.
const STEP = 7;
const MAX_STEPS = 20;

const CURSORS = ['after', 'before'] as const;
const idAt = (items: readonly Item[], at: number): string => items.at(at)?.id ?? '';

/** @throws Failure unless a page has this `has_more`. */
async function assertMore(target: Target, query: Query, more: boolean): Promise<void> {
  const { exchange, hasMore } = await target.page(query);
  assertThat(exchange, hasMore === more, `has_more ${String(more)}`, `has_more ${String(hasMore)}`);
}

export const LIST_RULES: readonly Rule[] = [
  {
    id: 'list.pagination',
    title: 'pages follow one another from the newest item on: no item twice, none left out, whatever the limit',
    check: async (target) => {
      await target.pages();
    },
  },
  {
    id: 'list.order',
    title: 'newest first by the instant of created_at',
    check: async (target) => {
      for (const [earlier, later] of adjacent(await target.items(2))) {
        if (instant(earlier) < instant(later)) await failOrder(target, earlier, later);
      }
    },
  },
  {
    id: 'list.ties',
    title: 'items of the same instant by id, descending',
    check: async (target) => {
      const ties = adjacent(await target.items(2)).filter(([a, b]) => instant(a) === instant(b));
      for (const [earlier, later] of ties) if (earlier.id <= later.id) await failOrder(target, earlier, later);
      requireRecords(ties.length === 0 ? [`two ${target.noun} of the same instant`] : []);
    },
  },
  {
    id: 'list.limit',
    title: 'a limit from its minimum to its maximum is obeyed',
    check: async (target) => {
      const { min, max } = target.limits;
      const items = await target.items(min);
      for (const limit of [min, ...MIDDLE_LIMITS.filter((it) => it > min && it < max), max]) {
        await assertPage(target, { limit }, items.slice(0, limit), `the first ${counted(limit, 'items')}`);
      }
      requireRecords(items.length > max ? [] : [`${counted(max + 1, target.noun)} (it has ${String(items.length)})`]);
    },
  },
  {
    id: 'list.invalid_limit',
    title: 'a limit out of range or not in plain digits is rejected, never clamped',
    check: async (target) => {
      const { min, max } = target.limits;
      for (const limit of [String(min - 1), String(max + 1), String(max * 1000), ...INVALID_LIMITS]) {
        await target.assertProblem({ path: target.pathWith({ limit }), mentions: ['limit'] }, 'validation_error');
      }
    },
  },
  {
    id: 'list.after',
    title: 'paging with after gives every item once, in order',
    dependsOn: ['list.limit'],
    check: async (target) => {
      const items = await target.items(STEP + 1);
      const isWhole = await target.isWhole();
      for (let position = STEP; position < items.length && position <= STEP * MAX_STEPS; position += STEP) {
        const query = { limit: STEP, after: idAt(items, position - 1) };
        await assertPage(target, query, items.slice(position, position + STEP), 'the items that follow');
      }
      const { max } = target.limits;
      for (const position of [Math.floor(items.length / 2), items.length - 1 - STEP]) {
        const query = { limit: STEP, after: idAt(items, position - 1) };
        if (position > 0)
          await assertPage(target, query, items.slice(position, position + STEP), 'the items that follow');
      }
      if (isWhole) await assertPage(target, { limit: max, after: idAt(items, -1) }, [], 'nothing after the last');
    },
  },
  {
    id: 'list.before',
    title: 'before gives the page that ends right before its item, newest first',
    dependsOn: ['list.limit'],
    check: async (target) => {
      const items = await target.items(STEP + 2);
      const { max } = target.limits;
      const start = Math.min(items.length, STEP * MAX_STEPS) - 1;
      for (let position = start; position > 0; position -= STEP) await assertBefore(target, items, position, STEP);
      for (let position = items.length - 1; position > 0; position -= max)
        await assertBefore(target, items, position, max);
      await assertPage(target, { limit: STEP, before: idAt(items, 0) }, [], 'nothing before the first');
    },
  },
  {
    id: 'list.has_more',
    title: 'has_more says whether more items exist in the direction of travel',
    check: async (target) => {
      const items = await target.items(3);
      const { max } = target.limits;
      const isWhole = await target.isWhole();
      const cases: [query: Query, more: boolean][] = [
        [{ limit: 1 }, true],
        [{ limit: 1, after: idAt(items, 0) }, true],
        [{ limit: 1, before: idAt(items, 1) }, false],
        [{ limit: 1, before: idAt(items, 2) }, true],
        [{ limit: 2, before: idAt(items, 2) }, false],
        [{ limit: max, before: idAt(items, 1) }, false],
        [{ limit: 1, before: idAt(items, 0) }, false],
        [{ limit: 1, before: idAt(items, -1) }, true],
      ];
      const ofTheEnd: typeof cases = [
        [{ limit: 1, after: idAt(items, -1) }, false],
        [{ limit: 1, after: idAt(items, -2) }, false],
        [{ limit: 1, after: idAt(items, -3) }, true],
        [{ limit: max, after: idAt(items, -3) }, false],
      ];
      for (const [query, more] of [...cases, ...(isWhole ? ofTheEnd : [])]) await assertMore(target, query, more);
      if (isWhole && items.length <= max) {
        await assertMore(target, { limit: items.length }, false);
        await assertMore(target, { limit: items.length - 1 }, true);
      }
    },
  },
  {
    id: 'list.default_limit',
    title: 'without a limit, as many items as its default says; also with a cursor',
    dependsOn: ['list.limit', 'list.after', 'list.before'],
    check: async (target) => {
      const { default: limit } = target.limits;
      const items = await target.items(limit + 3);
      const what = counted(limit, 'items');
      await assertPage(target, {}, items.slice(0, limit), `the first ${what}`);
      await assertPage(target, { after: items[1]?.id ?? '' }, items.slice(2, limit + 2), `the next ${what}`);
      await assertPage(target, { before: items[limit + 2]?.id ?? '' }, items.slice(2, limit + 2), `the ${what} before`);
    },
  },
  {
    id: 'list.cursor_case',
    title: 'a cursor is accepted in upper case too',
    check: async (target) => {
      const items = (await target.items(3)).slice(0, 3);
      const id = items.map((it) => it.id).find((it) => it !== it.toUpperCase());
      requireRecords(id === undefined ? [`one of ${target.noun} with a letter in its id`] : []);
      for (const name of CURSORS) {
        const [lower, upper] = [
          await target.page({ limit: 2, [name]: id ?? '' }),
          await target.page({ limit: 2, [name]: id?.toUpperCase() ?? '' }),
        ];
        const wrong = difference(lower.items, upper.items);
        assertThat(upper.exchange, wrong === undefined, `the page of it in lower case: ${idsOf(lower.items)}`, wrong);
      }
    },
  },
  {
    id: 'list.unknown_cursor',
    title: 'an unknown cursor is 404 not_found',
    check: async (target) => {
      for (const name of CURSORS) {
        await target.assertProblem({ path: target.pathWith({ [name]: UNKNOWN_ID }) }, 'not_found');
        await target.assertProblem({ path: target.pathWith({ limit: 1, [name]: UNKNOWN_ID }) }, 'not_found');
      }
    },
  },
  {
    id: 'list.foreign_cursor',
    title: 'the id of an item of another collection is an unknown cursor',
    dependsOn: ['list.unknown_cursor'],
    check: async (target) => {
      const own = new Set((await target.items(0)).map((it) => it.id));
      const foreign = (await Promise.all(target.otherLists().map((it) => it.items(0))))
        .flat()
        .find((it) => !own.has(it.id));
      requireRecords(foreign === undefined ? [`a record that is not one of ${target.noun}`] : []);
      for (const name of CURSORS) {
        await target.assertProblem({ path: target.pathWith({ [name]: foreign?.id ?? '' }) }, 'not_found');
      }
    },
  },
  {
    id: 'list.malformed_cursor',
    title: 'a cursor that is not a UUID is rejected',
    check: async (target) => {
      for (const name of CURSORS) {
        for (const value of ['', ...MALFORMED_IDS]) {
          await target.assertProblem(
            { path: target.pathWith({ [name]: value }), mentions: [name] },
            'validation_error',
          );
        }
      }
    },
  },
  {
    id: 'list.conflicting_cursors',
    title: 'both cursors at once are rejected',
    check: async (target) => {
      const [first = { id: UNKNOWN_ID }] = await target.items(0);
      for (const id of [UNKNOWN_ID, first.id]) {
        const path = target.pathWith({ after: id, before: id });
        await target.assertProblem({ path, mentions: CURSORS }, 'validation_error');
      }
    },
  },
];

async function assertBefore(target: Target, items: readonly Item[], position: number, limit: number): Promise<void> {
  const expected = items.slice(Math.max(0, position - limit), position);
  await assertPage(target, { limit, before: idAt(items, position) }, expected, 'the items right before it');
}
