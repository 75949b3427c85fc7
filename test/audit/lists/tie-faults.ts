/** Lists by number whose equal sort values have another order at each request, and so lose items; and sound ones that change while they are read. */
import { NUMBERS, failed, fault, noted, tiesReversed, variant } from './fault.ts';
import type { Fault, Sound } from './fault.ts';
import type { Change } from './kind-fault.ts';
import { ranked } from './order-faults.ts';
import { rowsOf } from './server.ts';
import type { Call, Row } from './server.ts';

/** A number that a request and an id have, between 0 and 1. */
function chance(number: number, id: unknown): number {
  let hash = 2166136261 ^ Math.imul(number, 2654435761);
  for (const char of String(id)) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
/** @returns rows in the order of their ranks, and equal ones in an order of this number. */
const shuffled = (rows: readonly Row[], number: number): readonly Row[] =>
  rows.toSorted(
    (one, other) => Number(one.rank) - Number(other.rank) || chance(number, one.id) - chance(number, other.id),
  );
const anew = (rows: readonly Row[], { number }: Call): readonly Row[] => shuffled(rows, number);
/** So many items have one rank. */
const tied = (length: number, each: number): readonly Row[] =>
  ranked(Array.from({ length }, (_, at) => Math.floor(at / each)));

const OFFSET = /^at:(\d+)$/;
/** Tokens that are offsets. */
const OPAQUE: Change = {
  before: ({ query }) => {
    const cursor = query.get('cursor');
    if (cursor === null) return undefined;
    const [, start] = OFFSET.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    if (start === undefined) return { status: 400, headers: {}, body: { error: 'cursor is invalid' } };
    query.delete('cursor');
    query.set('offset', start);
    return undefined;
  },
  body: ({ rows, next, left, total }, { query }) => ({
    items: rows,
    ...(query.get('total') !== 'false' && { total }),
    next_cursor: left > 0 ? Buffer.from(`at:${String(next?.['offset'])}`).toString('base64url') : null,
  }),
};
const opaque = (change: Change): Change =>
  change.hasNoTotal === true
    ? {
        ...OPAQUE,
        ...change,
        before: (call) => {
          call.query.set('total', 'false');
          return OPAQUE.before?.(call);
        },
      }
    : { ...OPAQUE, ...change };

const LOST = failed('items.missing', 'items.repeated');
/** @returns a fault by page, by offset, and by tokens of offsets, each with and without a total. */
const numbered = (name: string, change: Change): readonly Fault[] =>
  [false, true].flatMap((hasNoTotal) => {
    const named = hasNoTotal ? `${name}, and there is no total` : name;
    return [
      ...fault(named, NUMBERS, LOST, { ...change, hasNoTotal }),
      ...fault(`${named} (tokens)`, ['offset'], LOST, opaque({ ...change, hasNoTotal })),
    ];
  });
const SIZES = { default: 20, max: 100 };

export const TIE_ORDER_FAULTS: readonly Fault[] = [
  ...numbered('twenty equal values have another order at each request', {
    rows: tied(180, 20),
    order: anew,
    sizes: SIZES,
  }),
  ...numbered('three equal values have another order at each request', { rows: tied(150, 3), order: anew }),
  ...numbered('nothing has an order', { rows: tied(120, 120), order: anew }),
  ...numbered('the whole list is one page, and small ones have another order at each request', {
    rows: tied(90, 15),
    order: anew,
    sizes: SIZES,
  }),
  ...numbered('two replicas have other orders of equal values', {
    order: (rows, { number }) => (number % 2 === 1 ? tiesReversed(rows) : rows),
  }),
  ...fault('equal values have another order at each request, and the total is wrong', NUMBERS, LOST, {
    rows: tied(180, 20),
    order: anew,
    body: ({ rows }) => ({ items: rows, total: 170 }),
  }),
  // No page loses or repeats an item.
  ...fault('equal values on one page have another order at each request', NUMBERS, noted('order.unstable'), {
    rows: tied(120, 120),
    order: (rows, { number, start, size }) => [
      ...rows.slice(0, start),
      ...shuffled(rows.slice(start, start + size), number),
      ...rows.slice(start + size),
    ],
  }),
];

type Step = (rows: readonly Row[], at: number) => readonly Row[];
const made = (at: number): Row => ({
  id: 9000 + at,
  created: new Date(Date.UTC(2026, 2, 1) + at).toISOString(),
  name: 'New',
});
const placeIn = (rows: readonly Row[], at: number): number => Math.floor(chance(at, 'place') * rows.length);
const moved = (rows: readonly Row[], at: number, to: (row: Row) => Row): readonly Row[] => {
  const place = placeIn(rows, at);
  return [...rows.slice(place, place + 1).map(to), ...rows.toSpliced(place, 1)];
};
const STEPS: readonly (readonly [name: string, step: Step])[] = [
  ['one is added at the head, and the last one is removed', (rows, at) => [made(at), ...rows.slice(0, -1)]],
  ['one is added at the head, and one is removed', (rows, at) => [made(at), ...rows.toSpliced(placeIn(rows, at), 1)]],
  ['one is added at the tail, and the first one is removed', (rows, at) => [...rows.slice(1), made(at)]],
  [
    'one is added and one is removed, anywhere',
    (rows, at) => rows.toSpliced(placeIn(rows, at), 1).toSpliced(placeIn(rows, -at), 0, made(at)),
  ],
  [
    'one is updated, and moves to the head',
    (rows, at) => moved(rows, at, (row) => ({ ...row, created: made(at).created })),
  ],
  ['one moves to the head, and looks as before', (rows, at) => moved(rows, at, (row) => row)],
  [
    'one is added at the head and soon removed',
    (rows, at) => (at % 2 === 0 ? [made(at), ...rows] : rows.filter((row) => row.id !== made(at - 1).id)),
  ],
];

/** @returns a list that changes with every so many requests. */
function living(step: Step, every: number): Change {
  let [current, done]: [readonly Row[], number] = [rowsOf(120, (n) => n), 0];
  return {
    rows: current,
    order: (_, { number }) => {
      for (; done < Math.floor(number / every); done += 1) current = step(current, done);
      return current;
    },
  };
}

const WAYS = [...NUMBERS, 'tokens'] as const;

/** Lists that change while they are read, each with the next way, and without a total in every second one. */
export const LIVING_SOUND: readonly Sound[] = STEPS.flatMap(([name, step], index) =>
  // What comes and goes in step with the requests of a reading is the same in each reading: a fault, as far as anybody can see.
  (name.includes('soon') ? [13, 3] : [10, 3, 1]).map((every, at) => {
    const way = WAYS[(index + at) % WAYS.length] ?? 'page';
    const change = { ...living(step, every), hasNoTotal: (index + at) % 2 === 1 };
    return variant(`${way}: ${name}, with every ${every === 1 ? 'request' : `${String(every)} requests`}`, {
      style: way === 'page' ? 'page' : 'offset',
      ...(way === 'tokens' ? opaque(change) : change),
    });
  }),
);
