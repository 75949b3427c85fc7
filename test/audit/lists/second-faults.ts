/** Faults of the page numbers and offsets that work beside a stated next page: clients that count see other items than those that follow. */
import { failed, noted, tiesReversed, without } from './fault.ts';
import type { Fault } from './fault.ts';
import { LONG, LONGEST, LOST, TWO, USUAL, WRONG, errorOf, of } from './kind-fault.ts';
import type { Change } from './kind-fault.ts';
import type { Call, Page, Row } from './server.ts';

/** A request by number: where its page begins, and the list. */
interface Counted {
  readonly start: number;
  readonly size: number;
  readonly rows: readonly Row[];
}
/** Changes the rows of a page by number. */
export type Slice = (counted: Counted) => readonly Row[];

const NUMBER = /^\d{1,6}$/;
const usual: Slice = ({ start, size, rows }) => rows.slice(start, start + size);

/** @returns a list that serves page numbers, or offsets, beside its stated way. @param first the number of the first page, or item. */
export const beside = (
  rows: readonly Row[],
  slice: Slice = usual,
  param: 'page' | 'offset' = 'page',
  first = param === 'page' ? 1 : 0,
): Change => ({
  rows,
  page: (page: Page, call: Call) => {
    const text = call.query.get(param) ?? '';
    if (!NUMBER.test(text)) return;
    const start = (Number(text) - first) * (param === 'page' ? call.size : 1);
    page.rows = slice({ start: Math.max(0, start), size: call.size, rows });
    page.next = page.rows.length > 0 && page.rows.at(-1) !== rows.at(-1) ? call.to(page.rows.at(-1)) : undefined;
  },
});

const emptyIfOne: Slice = (counted) => {
  const page = usual(counted);
  return page.length === 1 && counted.start > 0 && counted.start + 1 === counted.rows.length ? [] : page;
};

export const SECOND_FAULTS: readonly Fault[] = [
  ...of(
    'second way',
    'pages by number begin ever later',
    LOST,
    ({ rows }) => beside(rows, ({ start, size }) => rows.slice(start + Math.round(start / size)).slice(0, size)),
    { lengths: [[USUAL, LONG]] },
  ),
  ...of(
    'second way',
    'the last page by number is empty if it has one item',
    LOST,
    ({ rows }) => beside(rows, emptyIfOne),
    {
      lengths: [[USUAL, LONG, LONGEST]],
    },
  ),
  ...of(
    'second way',
    'a page by number begins with the last item of the page before',
    failed('items.repeated'),
    ({ rows }) => beside(rows, ({ start, size }) => usual({ start: start - Math.round(start / size), size, rows })),
    { lengths: TWO },
  ),
  ...(['page', 'offset'] as const).flatMap((param) =>
    of(
      'second way',
      `an item is on no page by ${param}`,
      LOST,
      ({ rows }) => beside(rows, (counted) => usual({ ...counted, rows: without(rows, rows.length - 3) }), param),
      { lengths: TWO },
    ),
  ),
  ...of(
    'second way',
    'the order of equal values depends on the page by number',
    WRONG,
    ({ rows }) =>
      beside(rows, (counted) =>
        usual({ ...counted, rows: (counted.start / counted.size) % 2 === 1 ? tiesReversed(rows) : rows }),
      ),
    { lengths: [[USUAL, LONG]] },
  ),
  ...of(
    'second way',
    'a later page by number is a 500',
    LOST,
    ({ rows }) => ({
      ...beside(rows),
      reply: (reply, { query, size }) => {
        if (Number(query.get('page') ?? 0) > 3 && size < rows.length / 4) Object.assign(reply, errorOf(500));
      },
    }),
    { lengths: [[USUAL, LONG]] },
  ),
  ...of(
    'second way',
    'the last items are on pages by number alone',
    noted('items.missing'),
    ({ rows }) => ({
      ...beside(rows),
      hasNoTotal: true,
      order: (all, { query }) => (query.has('page') ? all : all.slice(0, -3)),
    }),
    { lengths: [[USUAL, LONGEST]] },
  ),
  ...of(
    'second way',
    'the last items, which the total counts, are on pages by number alone',
    LOST,
    ({ rows }) => ({
      ...beside(rows),
      hasNoTotal: true,
      order: (all, { query }) => (query.has('page') ? all : all.slice(0, -3)),
      reply: (reply) => {
        reply.headers['x-total-count'] = String(rows.length);
      },
    }),
    { lengths: [[USUAL, LONGEST]] },
  ),
];
