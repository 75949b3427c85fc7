/**
 * A fault or more for each cell of the table of kinds. A kind that loses items is tried with a short and a long list of each style; the others
 * with one, and each kind with other lengths.
 */
import { CURSORS, LATE, LINKS, NUMBERS, after, failed, indexOf, noted, tiesReversed } from './fault.ts';
import type { Declared, Fault } from './fault.ts';
import {
  LONG,
  LONGEST,
  LOST,
  PAGES,
  SHORT,
  SIZES,
  TWO,
  USUAL,
  WRONG,
  errorOf,
  flagged,
  leading,
  moved,
  of,
  stating,
} from './kind-fault.ts';
import type { Change, Subject } from './kind-fault.ts';
import { STATED_FAULTS, WAY_FAULTS } from './kind-stated.ts';
import { SECOND_FAULTS, beside } from './second-faults.ts';
import { cursorOfStyle, sizeOfStyle } from './server.ts';
import type { Call, Page, Position, Row } from './server.ts';

const isTail = ({ rows, left }: Page, { anchor, start, isBackward }: Call): boolean =>
  rows.length === 1 && left === 0 && !isBackward && (anchor !== undefined || start > 0);

const TAIL_FAULTS: readonly Fault[] = [
  ...of(
    'tail',
    'there is no next page where one item is left',
    LOST,
    () => ({
      page: (page) => {
        if (page.left === 1) page.next = undefined;
      },
    }),
    { styles: CURSORS, lengths: TWO },
  ),
  ...of(
    'tail',
    'the last page is empty if it has one item',
    LOST,
    () => ({
      page: (page, call) => {
        if (isTail(page, call)) page.rows = [];
      },
    }),
    { styles: NUMBERS, lengths: [[SHORT, USUAL, LONG, LONGEST]] },
  ),
  ...of(
    'tail',
    'no next page is stated where one item is left',
    LOST,
    stating((page, call) => ({ next: page.left > 1 ? call.link(page.next) : null })),
    { styles: NUMBERS, lengths: TWO },
  ),
  // Only the page after the stated end shows it: no other size can be asked for.
  ...of(
    'no size',
    'a flag is false where one item is left, and there is no size',
    LOST,
    flagged(({ left }) => left > 1),
    { styles: ['id', 'token', 'page'], lengths: [[21, 61, 101]] },
  ),
  ...of(
    'no size',
    'a flag is false where some items are left, and there is no size',
    LOST,
    flagged(({ left }) => left > 5),
    { styles: ['id', 'token', 'page'], lengths: [[25, 75]] },
  ),
  ...of(
    'no size',
    'no next page is stated where one item is left, and there is no size',
    noted('items.missing'),
    ({ rows }) => {
      const change = beside(rows);
      return {
        ...change,
        size: () => 10,
        hasNoTotal: true,
        page: (page, call) => {
          change.page?.(page, call);
          if (page.rows.at(-1)?.id === rows.at(-2)?.id) page.next = undefined;
        },
      };
    },
    { styles: ['token', ...LINKS], lengths: [[21, 61]] },
  ),
  ...of(
    'tail refused',
    'the last page is a 404 if it has one item',
    failed('items.missing', 'page.error'),
    () => ({
      page: (page, call) => {
        call.isMarked ||= isTail(page, call);
      },
      reply: (reply, { isMarked }) => {
        if (isMarked) Object.assign(reply, errorOf(404));
      },
    }),
    { lengths: TWO },
  ),
];

/** Rows of which every sixth has no rank: a cursor that compares ranks never reaches them. */
const ranked = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row, at): Row => ({ ...row, rank: at % 6 === 5 ? null : 1000 - at }));

const FORGOTTEN_FAULTS: readonly Fault[] = of(
  'forgotten',
  'a row without a rank is behind no cursor',
  LOST,
  ({ rows }) => ({
    rows: ranked(rows),
    sizes: { default: 10, max: 500 },
    following: (anchor, all) => after(all, anchor).filter(({ rank }) => rank !== null),
  }),
  { lengths: TWO },
);

const counted = (count: (page: Page, call: Call) => number, name: string): ((subject: Subject) => Change) =>
  stating((page, call) => ({ [name]: count(page, call) }));
const tooFew = ({ total }: Page, { size }: Call): number => Math.floor(total / size);
const NUMBER_FAULTS: readonly Fault[] = [
  ...['total_pages', 'last_page', 'nbPages'].flatMap((name) =>
    of('pages', `\`${name}\` is rounded down`, failed('stated.pages'), counted(tooFew, name), {
      lengths: [[SHORT, USUAL, LONG, LONGEST]],
    }),
  ),
  ...of(
    'pages',
    '`page.totalPages` is rounded down beside links with page numbers, counted from 0',
    failed('stated.pages'),
    (subject) => ({
      ...stating((page, call) => ({
        _links: { next: { href: call.link(page.next) } },
        page: { totalPages: tooFew(page, call) },
      }))(subject),
      first: 0,
    }),
    { styles: ['page'], lengths: [[USUAL, LONG]] },
  ),
  ...of('pages', 'the number of pages in a header is one too low', failed('stated.pages'), ({ rows }) => ({
    reply: (reply, { size }) => {
      if (reply.status === 200) reply.headers['x-wp-totalpages'] = String(Math.ceil(rows.length / size) - 1);
    },
  })),
  ...(
    [
      [noted('total.wrong'), 'the total is one too high', undefined],
      [failed('total.wrong'), 'the total is one too high, though it is exact', (): Declared => ({ total: 'exact' })],
    ] as const
  ).flatMap(([expected, name, declared]) =>
    of(
      'total',
      name,
      expected,
      ({ rows }) => ({
        hasNoTotal: true,
        reply: (reply) => {
          reply.headers['x-total-count'] = String(rows.length + 1);
        },
      }),
      declared === undefined ? {} : { declared },
    ),
  ),
  ...of(
    'cut',
    'a size above the maximum is the distance of pages that are shorter',
    failed('size.above', 'items.missing'),
    (subject): Change => {
      const asked = ({ query, size }: Call): number =>
        Math.max(size, Number(query.get(sizeOfStyle(subject.style)) ?? 0));
      if (subject.style === 'page')
        return { start: (start, _, call) => (start / call.size) * asked(call), sizes: SIZES.even };
      const next = (page: Page, call: Call): Position | undefined => {
        const by = asked(call) - page.rows.length;
        return page.left > by ? moved(by, subject)(page, call) : undefined;
      };
      return { ...leading(() => next)(subject), sizes: SIZES.even };
    },
    { lengths: PAGES },
  ),
];

const ORDER_FAULTS: readonly Fault[] = [
  ...of(
    'ties',
    'the cursor compares only the sort value: equal ones are lost',
    LOST,
    () => ({ following: ({ created }, rows) => rows.filter((it) => it.created < created) }),
    { lengths: TWO },
  ),
  ...of(
    'unstable',
    'the order of equal values depends on the page',
    WRONG,
    () => ({ order: (rows, { start, size }) => ((start / size) % 2 === 1 ? tiesReversed(rows) : rows) }),
    { styles: NUMBERS, lengths: TWO },
  ),
  // A longer list counts as one that changes: each reading shows items that no earlier one has shown.
  ...of(
    'unstable',
    'equal values have another order at every second request',
    failed(...WRONG.rules, 'end.multiple'), // Which walk meets the other order is a matter of how many requests came before.
    () => ({ order: (rows, { number }) => (number % 2 === 1 ? tiesReversed(rows) : rows) }),
    {
      lengths: [
        [SHORT, LONG],
        [USUAL, LONG],
      ],
    },
  ),
];

const REQUEST_FAULTS: readonly Fault[] = [
  ...of('restart', 'a bad cursor is page one', failed('cursor.restart'), () => ({
    bad: (part) => (part === 'size' ? undefined : 'ignore'),
  })),
  ...of('crash', 'a bad cursor or number is an error of the server', failed('cursor.error', 'position.error'), () => ({
    bad: (part) => (part === 'size' ? undefined : 'crash'),
  })),
];

const CYCLE = failed('end.never', 'end.beyond', 'items.repeated');
const CYCLE_FAULTS: readonly Fault[] = [
  ...of('cycle', 'page one follows the last page', CYCLE, ({ style }) =>
    style === 'page' || style === 'offset'
      ? { start: (start, { length }) => (start >= length ? 0 : start) }
      : {
          following: (anchor, rows) => (anchor.id === rows.at(-1)?.id ? rows : after(rows, anchor)),
          page: (page, call) => {
            page.next ??= call.to(page.rows.at(-1));
          },
        },
  ),
  ...of(
    'cycle',
    'a later page gives the token that was sent',
    CYCLE,
    ({ style, rows }) => ({
      page: (page, { query }) => {
        const sent = query.get(cursorOfStyle(style));
        if (sent !== null && indexOf(rows, page.rows[0]) >= LATE) page.next = { [cursorOfStyle(style)]: sent };
      },
    }),
    { styles: ['token', ...LINKS], lengths: PAGES },
  ),
  ...of(
    'no size',
    'a page begins with the last item of the page before, and has no size',
    failed('items.repeated'),
    ({ style }) => ({
      sizes: SIZES.even,
      size: () => 10,
      ...(style === 'page' || style === 'offset'
        ? { start: (start) => Math.max(0, start - Math.round(start / 10)) }
        : { following: (anchor, rows) => rows.slice(indexOf(rows, anchor)) }),
    }),
    { lengths: PAGES },
  ),
];

export const KIND_FAULTS: readonly Fault[] = [
  ...TAIL_FAULTS,
  ...FORGOTTEN_FAULTS,
  ...STATED_FAULTS,
  ...WAY_FAULTS,
  ...SECOND_FAULTS,
  ...NUMBER_FAULTS,
  ...ORDER_FAULTS,
  ...REQUEST_FAULTS,
  ...CYCLE_FAULTS,
];
