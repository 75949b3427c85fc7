/** Rules of cursors: walks in both directions, and cursors that are refused. */
import { assertThat } from './assertions.ts';
import { UNKNOWN_ID, areSame, idsOf } from './rule.ts';
import type { Rule } from './rule.ts';
import type { Query } from './subject.ts';

// A page size that divides few lists evenly, and the number of its pages up to which a walk is followed.
const STEP = 3;
const MAX_STEPS = 20;

const CURSORS = ['after', 'before'] as const;

export const CURSOR_RULES: readonly Rule[] = [
  {
    id: 'list.after',
    title: 'a walk with after gives every item once, in order',
    check: async (subject) => {
      const items = await subject.items(STEP + 1);
      for (let at = STEP; at < items.length && at <= STEP * MAX_STEPS; at += STEP) {
        const page = await subject.page({ limit: STEP, after: items[at - 1]?.id ?? '' });
        const expected = items.slice(at, at + STEP);
        const isNext = areSame(page.items.slice(0, expected.length), expected);
        assertThat(page.exchange, isNext, `the items that follow: ${idsOf(expected)}`, idsOf(page.items));
      }
    },
  },
  {
    id: 'list.before',
    title: 'before gives the page that ends right before its item, newest first',
    check: async (subject) => {
      const items = await subject.items(STEP + 2);
      for (let at = Math.min(items.length, STEP * MAX_STEPS) - 1; at > 0; at -= STEP) {
        const page = await subject.page({ limit: STEP, before: items[at]?.id ?? '' });
        const expected = items.slice(Math.max(0, at - STEP), at);
        const isNext = areSame(page.items, expected);
        assertThat(page.exchange, isNext, `the items right before it: ${idsOf(expected)}`, idsOf(page.items));
      }
    },
  },
  {
    id: 'list.has-more',
    title: 'has_more says whether more items exist in the direction of travel',
    check: async (subject) => {
      const items = await subject.items(2);
      const last = items.length - 1;
      const cases: [query: Query, more: boolean][] = [
        [{ limit: 1 }, true],
        [
          { limit: 1, after: items[last - 1]?.id ?? '' },
          (await subject.page({ limit: 1, after: items[last]?.id ?? '' })).items.length > 0,
        ],
        [{ limit: 1, before: items[1]?.id ?? '' }, false],
        [{ limit: 1, before: items[last]?.id ?? '' }, last > 1],
      ];
      for (const [query, more] of cases) {
        const { exchange, hasMore } = await subject.page(query);
        assertThat(exchange, hasMore === more, `has_more ${String(more)}`, `has_more ${String(hasMore)}`);
      }
    },
  },
  {
    id: 'list.cursor-unknown',
    title: 'an unknown cursor is 404 not_found',
    check: async (subject) => {
      for (const name of CURSORS) {
        await subject.assertProblem({ target: subject.target({ [name]: UNKNOWN_ID }) }, 'not_found');
      }
    },
  },
  {
    id: 'list.cursor-malformed',
    title: 'a cursor that is not a UUID is refused; upper case is accepted',
    check: async (subject) => {
      for (const name of CURSORS) {
        for (const value of ['', 'x', UNKNOWN_ID.slice(1), `urn:uuid:${UNKNOWN_ID}`]) {
          await subject.assertProblem({ target: subject.target({ [name]: value }) }, 'validation_error', name);
        }
      }
      const [first] = await subject.items(1);
      const id = first?.id ?? '';
      const [lower, upper] = [await subject.page({ after: id }), await subject.page({ after: id.toUpperCase() })];
      assertThat(upper.exchange, areSame(lower.items, upper.items), 'the page of the id in lower case');
    },
  },
  {
    id: 'list.cursor-both',
    title: 'both cursors at once are refused',
    check: async (subject) => {
      const target = subject.target({ after: UNKNOWN_ID, before: UNKNOWN_ID });
      await subject.assertProblem({ target }, 'validation_error');
    },
  },
];
