/** Sound lists whose stated next page stands beside page numbers or offsets that are limited, ignored, or mean something else. */
import { TOKENS } from './fault.ts';
import type { Sound } from './fault.ts';
import { LATER, LONG, each, errorOf } from './kind-fault.ts';
import type { Change } from './kind-fault.ts';
import { beside } from './second-faults.ts';
import type { Call, Reply, Row } from './server.ts';

const numberIn = ({ query }: Call, param: string): number => Number(query.get(param) ?? 0);
/** @returns a list that rejects some requests. */
const rejecting = (change: Change, isWrong: (call: Call) => boolean): Change => ({
  ...change,
  reply: (reply: Reply, call: Call) => {
    if (isWrong(call)) Object.assign(reply, errorOf(400));
  },
});
/** The rows that a filter keeps, after the page was cut. */
const isKept = (row: Row, rows: readonly Row[]): boolean => rows.indexOf(row) < 30 || rows.indexOf(row) % 40 < 4;

type Make = (rows: readonly Row[]) => Change;
const VARIANTS: readonly (readonly [name: string, make: Make])[] = [
  ['pages by number are the same', (rows) => beside(rows)],
  ['pages by offset are the same', (rows) => beside(rows, undefined, 'offset')],
  ['pages are counted from 0', (rows) => beside(rows, undefined, 'page', 0)],
  ['items are counted from 1', (rows) => beside(rows, undefined, 'offset', 1)],
  ...[3, 5, 10].flatMap((last): readonly (readonly [string, Make])[] => [
    [
      `page numbers above ${String(last)} are rejected: use the cursor`,
      (rows) => rejecting(beside(rows), (call) => numberIn(call, 'page') > last),
    ],
    [
      `pages after number ${String(last)} are empty`,
      (rows) => beside(rows, ({ start, size }) => (start >= last * size ? [] : rows.slice(start, start + size))),
    ],
    [
      `page numbers above ${String(last)} are page one`,
      (rows) =>
        beside(rows, ({ start, size }) =>
          start >= last * size ? rows.slice(0, size) : rows.slice(start, start + size),
        ),
    ],
  ]),
  [
    'offset and size are at most 100 together',
    (rows) => rejecting(beside(rows, undefined, 'offset'), (call) => numberIn(call, 'offset') + call.size > 100),
  ],
  [
    'pages by offset behind the first hundred are empty',
    (rows) => beside(rows, ({ start, size }) => rows.slice(0, 100).slice(start, start + size), 'offset'),
  ],
  [
    'page numbers above the last one are the last page',
    (rows) =>
      beside(rows, ({ start, size }) => {
        const last = Math.floor((rows.length - 1) / size) * size;
        return rows.slice(Math.min(start, last)).slice(0, size);
      }),
  ],
  [
    'pages by number have another order',
    (rows) => beside(rows, ({ start, size }) => rows.toReversed().slice(start, start + size)),
  ],
  [
    'pages by number have the default size alone',
    (rows) => beside(rows, ({ start, size }) => rows.slice((start / size) * 10).slice(0, 10)),
  ],
  ['`page` is a filter', (rows) => beside(rows, ({ start, size }) => rows.filter((_, at) => at % 4 === start / size))],
  [
    'a filter behind the limit leaves pages by number short or empty',
    (all) => {
      const rows = all.filter((row) => isKept(row, all));
      return {
        ...beside(rows, ({ start, size }) => all.slice(start, start + size).filter((row) => rows.includes(row))),
        rows,
      };
    },
  ],
];

/** Each in one style, and a long one in the next style. */
export const SECOND_SOUND: readonly Sound[] = VARIANTS.flatMap(([name, make], index) =>
  [LATER, [LONG]].flatMap((lengths, at) => {
    const style = TOKENS[(index + at) % TOKENS.length] ?? 'token';
    return each(`beside a stated way, ${name}${at === 0 ? '' : ', long'}`, [style], (_, rows) => make(rows), {
      lengths,
    });
  }),
);
