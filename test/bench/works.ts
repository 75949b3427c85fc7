/** The requests that are measured: who answers which targets, and what must hold between them. */
import { BARE, COLD, EXPRESS, FASTIFY, JSON_SERVER, PAGE, PRISM, ROLLCALL } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { COMMON, RARE, idAt, shuffled } from './records.ts';

export interface Entry {
  readonly label: string;
  readonly contender: Contender;
  /** The size of its database. */
  readonly records: number;
  /** Entries that share this function must answer the same bytes. */
  readonly targets: () => readonly string[];
}
export interface Work {
  readonly name: string;
  readonly connections: number;
  readonly entries: readonly Entry[];
  /** CPU per request of an entry, by that of another. */
  readonly bound: { readonly of: string; readonly against: string; readonly atMost: number };
  /** Every request holds the tag of the first target, and is answered with 304. */
  readonly isConditional?: true;
  /** Also measured by the small profile, without those that are not in the bound. */
  readonly isQuick?: true;
}

export interface Sizes {
  readonly records: number;
  readonly few: number;
  readonly most: number;
}

const LIST = '/contacts/imports';
const MAX_TARGETS = 500_000;
const DEPTH = 500;
const PAGE_MARGIN = 100;

const first = (): readonly string[] => [LIST];
const lookup = (position: number): string => `${LIST}/${idAt(position)}`;
/** Pages from every place in the list, by turns forward and backward. */
const page = (position: number, query = ''): string =>
  `${LIST}?${query}${position % 2 === 0 ? 'after' : 'before'}=${idAt(position)}`;

/** @returns a target for each position among the newest, jumping about; not more than a server answers in a run. */
function distinct(among: number, target: (position: number) => string): () => readonly string[] {
  return () => Array.from({ length: Math.min(among, MAX_TARGETS) }, (_, at) => target(shuffled(at, among)));
}

export const distinctCursors = (records: number): (() => readonly string[]) => distinct(records, (it) => page(it));

/** @returns every kind of request that reads, none of them twice. */
export const mixed = (records: number): (() => readonly string[]) => {
  const kinds = [lookup, page, ...[1, 20, 100].map((limit) => (it: number) => page(it, `limit=${String(limit)}&`))];
  const filtered = [COMMON, RARE].map((status) => (it: number) => page(it, `status=${status}&`));
  const all = [...kinds, ...filtered];
  return distinct(records, (it) => all[it % all.length]?.(it) ?? LIST);
};

const MADE = [PAGE, FASTIFY, EXPRESS, COLD, ROLLCALL];
const REPEATED = [BARE, ...MADE];

/** @returns every work, in the order of the table. */
export function works({ records, few, most }: Sizes): readonly Work[] {
  type Race = Omit<Work, 'entries' | 'bound'> & {
    readonly among: readonly Contender[];
    readonly targets: Entry['targets'];
  };
  const race =
    (against: Contender, atMost: number) =>
    ({ among, targets, ...work }: Race): Work => ({
      ...work,
      entries: [...new Set(among)].map((contender) => ({ label: contender.name, contender, records, targets })),
      bound: { of: ROLLCALL.name, against: against.name, atMost },
    });
  const [repeated, made] = [race(BARE, 1.25), race(FASTIFY, 1)];
  const cursors = distinctCursors(records);
  const cold = (label: string, size: number, targets: Entry['targets']): Entry => {
    return { label, contender: COLD, records: size, targets };
  };
  const near =
    (position: number): Entry['targets'] =>
    () =>
      Array.from({ length: DEPTH }, (_, at) => `${LIST}?after=${idAt(position + at)}`);
  const newest = distinct(few - PAGE_MARGIN, (it) => page(it));
  const label = (size: number): string => `of ${size.toLocaleString('en')} records`;

  return [
    repeated({
      name: 'repeated first page',
      connections: 16,
      among: [...REPEATED, PRISM, JSON_SERVER],
      targets: first,
      isQuick: true,
    }),
    repeated({ name: 'repeated first page, 1 connection', connections: 1, among: REPEATED, targets: first }),
    repeated({
      name: 'repeated lookup',
      connections: 16,
      among: REPEATED,
      targets: () => [lookup(records >> 1)],
      isQuick: true,
    }),
    repeated({
      name: 'repeated 304',
      connections: 16,
      among: [BARE, FASTIFY, COLD, ROLLCALL],
      targets: first,
      isConditional: true,
    }),
    made({ name: 'distinct cursors', connections: 16, among: MADE, targets: cursors }),
    made({ name: 'distinct cursors, 1 connection', connections: 1, among: MADE, targets: cursors }),
    made({ name: 'random lookups', connections: 16, among: MADE, targets: distinct(records, lookup) }),
    made({
      name: 'limit=100',
      connections: 16,
      among: MADE,
      targets: distinct(records, (it) => page(it, 'limit=100&')),
    }),
    made({
      name: 'common status',
      connections: 16,
      among: MADE,
      targets: distinct(records, (it) => page(it, `status=${COMMON}&`)),
    }),
    made({
      name: 'rare status',
      connections: 16,
      among: MADE,
      targets: distinct(records, (it) => page(it, `status=${RARE}&`)),
    }),
    {
      name: 'depth',
      connections: 16,
      entries: [
        cold('first page', records, first),
        cold('second page', records, near(0)),
        cold('last page', records, near(records - DEPTH - PAGE_MARGIN)),
      ],
      bound: { of: 'last page', against: 'first page', atMost: 1.2 },
    },
    {
      name: 'same page',
      connections: 16,
      entries: [cold(label(few), few, newest), cold(label(most), most, newest)],
      bound: { of: label(most), against: label(few), atMost: 1.5 },
    },
  ];
}
