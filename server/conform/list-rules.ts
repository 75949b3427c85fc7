/** Rules of lists: pagination, order, limits and cursors. */
import { counted } from '../contract/counted.ts';
import { toMicroseconds } from '../contract/timestamp.ts';
import { MALFORMED_IDS, UNKNOWN_ID, assertThat, demandRecords, difference, idsOf } from './assertions.ts';
import type { Item, Page, Query } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './target.ts';

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

/** Shows two items that are out of order by a request whose answer is the second of them. */
async function failOrder(subject: Subject, earlier: Item, later: Item): Promise<void> {
  const { exchange } = await subject.page({ limit: 1, after: earlier.id });
  const [a, b] = [earlier, later].map((it) => `${idsOf([it])} (${it.created_at})`);
  assertThat(exchange, false, `what follows ${String(a)} in order`, String(b));
}

// A page size that divides few lists evenly, and how far a list is walked in such pages.
const STEP = 7;
const MAX_STEPS = 20;

const CURSORS = ['after', 'before'] as const;
const idAt = (items: readonly Item[], at: number): string => items.at(at)?.id ?? '';

/** @throws Failure unless a page has this `has_more`. */
async function assertMore(subject: Subject, query: Query, more: boolean): Promise<void> {
  const { exchange, hasMore } = await subject.page(query);
  assertThat(exchange, hasMore === more, `has_more ${String(more)}`, `has_more ${String(hasMore)}`);
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
  {
    id: 'list.after',
    title: 'a walk with after gives every item once, in order',
    buildsOn: ['list.limit'],
    check: async (subject) => {
      const items = await subject.items(STEP + 1);
      const isWhole = await subject.isWhole();
      for (let at = STEP; at < items.length && at <= STEP * MAX_STEPS; at += STEP) {
        const query = { limit: STEP, after: idAt(items, at - 1) };
        await assertPage(subject, query, items.slice(at, at + STEP), 'the items that follow');
      }
      const { max } = subject.limits;
      for (const at of [Math.floor(items.length / 2), items.length - 1 - STEP]) {
        const query = { limit: STEP, after: idAt(items, at - 1) };
        if (at > 0) await assertPage(subject, query, items.slice(at, at + STEP), 'the items that follow');
      }
      if (isWhole) await assertPage(subject, { limit: max, after: idAt(items, -1) }, [], 'nothing after the last');
    },
  },
  {
    id: 'list.before',
    title: 'before gives the page that ends right before its item, newest first',
    buildsOn: ['list.limit'],
    check: async (subject) => {
      const items = await subject.items(STEP + 2);
      const { max } = subject.limits;
      const start = Math.min(items.length, STEP * MAX_STEPS) - 1;
      for (let at = start; at > 0; at -= STEP) await assertBefore(subject, items, at, STEP);
      for (let at = items.length - 1; at > 0; at -= max) await assertBefore(subject, items, at, max);
      await assertPage(subject, { limit: STEP, before: idAt(items, 0) }, [], 'nothing before the first');
    },
  },
  {
    id: 'list.has-more',
    title: 'has_more says whether more items exist in the direction of travel',
    check: async (subject) => {
      const items = await subject.items(3);
      const { max } = subject.limits;
      const isWhole = await subject.isWhole();
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
      for (const [query, more] of [...cases, ...(isWhole ? ofTheEnd : [])]) await assertMore(subject, query, more);
      if (isWhole && items.length <= max) {
        await assertMore(subject, { limit: items.length }, false);
        await assertMore(subject, { limit: items.length - 1 }, true);
      }
    },
  },
  {
    id: 'list.default-limit',
    title: 'without a limit, as many items as its default says; also with a cursor',
    buildsOn: ['list.limit', 'list.after', 'list.before'],
    check: async (subject) => {
      const { usual } = subject.limits;
      const items = await subject.items(usual + 3);
      const what = counted(usual, 'items');
      await assertPage(subject, {}, items.slice(0, usual), `the first ${what}`);
      await assertPage(subject, { after: items[1]?.id ?? '' }, items.slice(2, usual + 2), `the next ${what}`);
      await assertPage(
        subject,
        { before: items[usual + 2]?.id ?? '' },
        items.slice(2, usual + 2),
        `the ${what} before`,
      );
    },
  },
  {
    id: 'list.cursor-case',
    title: 'a cursor is accepted in upper case too',
    check: async (subject) => {
      const items = (await subject.items(3)).slice(0, 3);
      const id = items.map((it) => it.id).find((it) => it !== it.toUpperCase());
      demandRecords(id === undefined ? [`one of ${subject.noun} with a letter in its id`] : []);
      for (const name of CURSORS) {
        const [lower, upper] = [
          await subject.page({ limit: 2, [name]: id ?? '' }),
          await subject.page({ limit: 2, [name]: id?.toUpperCase() ?? '' }),
        ];
        const wrong = difference(lower.items, upper.items);
        assertThat(upper.exchange, wrong === undefined, `the page of it in lower case: ${idsOf(lower.items)}`, wrong);
      }
    },
  },
  {
    id: 'list.cursor-unknown',
    title: 'an unknown cursor is 404 not_found',
    check: async (subject) => {
      for (const name of CURSORS) {
        await subject.assertProblem({ target: subject.target({ [name]: UNKNOWN_ID }) }, 'not_found');
        await subject.assertProblem({ target: subject.target({ limit: 1, [name]: UNKNOWN_ID }) }, 'not_found');
      }
    },
  },
  {
    id: 'list.cursor-foreign',
    title: 'the id of an item of another collection is an unknown cursor',
    buildsOn: ['list.cursor-unknown'],
    check: async (subject) => {
      const own = new Set((await subject.items(0)).map((it) => it.id));
      const foreign = (await Promise.all(subject.others().map((it) => it.items(0))))
        .flat()
        .find((it) => !own.has(it.id));
      demandRecords(foreign === undefined ? [`a record that is not one of ${subject.noun}`] : []);
      for (const name of CURSORS) {
        await subject.assertProblem({ target: subject.target({ [name]: foreign?.id ?? '' }) }, 'not_found');
      }
    },
  },
  {
    id: 'list.cursor-malformed',
    title: 'a cursor that is not a UUID is refused',
    check: async (subject) => {
      for (const name of CURSORS) {
        for (const value of ['', ...MALFORMED_IDS]) {
          await subject.assertProblem(
            { target: subject.target({ [name]: value }), mentions: [name] },
            'validation_error',
          );
        }
      }
    },
  },
  {
    id: 'list.cursor-both',
    title: 'both cursors at once are refused',
    check: async (subject) => {
      const [first = { id: UNKNOWN_ID }] = await subject.items(0);
      for (const id of [UNKNOWN_ID, first.id]) {
        const target = subject.target({ after: id, before: id });
        await subject.assertProblem({ target, mentions: CURSORS }, 'validation_error');
      }
    },
  },
];

async function assertBefore(subject: Subject, items: readonly Item[], at: number, limit: number): Promise<void> {
  const expected = items.slice(Math.max(0, at - limit), at);
  await assertPage(subject, { limit, before: idAt(items, at) }, expected, 'the items right before it');
}
