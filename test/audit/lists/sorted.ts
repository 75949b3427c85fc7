/** Lists that are sorted by a parameter: sound, and with faults that the order without one hides. */
import { ALL, failed, fault, noted, variant, without } from './fault.ts';
import type { Declared, Fault, Sound } from './fault.ts';
import type { Call, Row } from './server.ts';

const SORTS: Declared = { sorts: ['sort=name', 'sort=-name'] };
const isSorted = ({ query }: Call): boolean => query.get('sort') === '-name';
const byName = (rows: readonly Row[], call: Call): readonly Row[] => {
  const sorted = rows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return !call.query.has('sort') ? rows : isSorted(call) ? sorted.toReversed() : sorted;
};

export const SORTED_SOUND: readonly Sound[] = [
  ...ALL.map((style) => variant(`${style}: sorted by a parameter`, { style, order: byName }, SORTS)),
  variant('token: a sort is ignored', { style: 'token' }, SORTS),
  variant(
    'token: sorts are rejected',
    {
      style: 'token',
      before: ({ query }) => (query.has('sort') ? { status: 400, headers: {}, body: { error: 'sort' } } : undefined),
    },
    SORTS,
  ),
];

export const SORTED_FAULTS: readonly Fault[] = [
  ...fault(
    'with a sort, an item is on no small page',
    ALL,
    failed('sort.missing'),
    { order: (rows, call) => (isSorted(call) && call.size < 8 ? without(byName(rows, call), 10) : byName(rows, call)) },
    () => SORTS,
  ),
  ...fault(
    'with a sort, rows whose value is null are on no page',
    ALL,
    failed('sort.missing'),
    { order: (rows, call) => (isSorted(call) ? byName(rows, call).slice(0, -4) : byName(rows, call)) },
    () => SORTS,
  ),
  ...fault(
    'with a sort, equal values move from reading to reading',
    ['id'],
    noted('sort.missing'),
    {
      order: (rows, call) => {
        const sorted = byName(rows, call);
        const [first, second, ...others] = sorted;
        const isOdd = isSorted(call) && !call.query.has('starting_after') && call.number % 2 === 1;
        return isOdd && first !== undefined && second !== undefined ? [second, first, ...others] : sorted;
      },
    },
    () => SORTS,
  ),
];
