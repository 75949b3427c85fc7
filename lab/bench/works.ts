/** The requests that are measured: who answers which targets, and what must hold between them. */
import {
  BARE,
  COLD,
  EXPRESS,
  FASTIFY,
  JSON_SERVER,
  LOGGED,
  METRICS,
  ON_POSTGRES,
  PAGE,
  POSTGRES_PAGE,
  PRISM,
  ROLLCALL,
} from './contenders.ts';
import type { Contender } from './contenders.ts';
import { COMMON, RARE, idAt, shuffled } from './records.ts';

export interface Entry {
  readonly label: string;
  readonly contender: Contender;
  /** The size of its database. */
  readonly records: number;
  /** Entries that share this function must answer the same bytes. */
  readonly targets: () => readonly string[];
  /** Of every response, if it is an error. */
  readonly status?: number;
  /** Instead of the key of the database. */
  readonly key?: string;
}
export interface Work {
  readonly name: string;
  readonly connections: number;
  readonly entries: readonly Entry[];
  /** CPU per request of an entry, by that of another. */
  readonly bound: { readonly of: string; readonly against: string; readonly atMost: number };
  /** Every request holds the tag of the first target, and gets 304. */
  readonly isConditional: boolean;
  /** Also measured by the small profile, without those that are not in the bound. */
  readonly isQuick: boolean;
}

type TargetAt = (position: number) => string;

const LIST = '/contacts/imports';
const MAX_TARGETS = 500_000;
const DEPTH = 500;
const LARGEST_PAGE = 100;

const first = (): readonly string[] => [LIST];
const byId: TargetAt = (position) => `${LIST}/${idAt(position)}`;
/** Pages from every place in the list, by turns forward and backward. */
const page =
  (query = ''): TargetAt =>
  (position) =>
    `${LIST}?${query}${position % 2 === 0 ? 'after' : 'before'}=${idAt(position)}`;

/** @returns a target for each of the newest positions, jumping about; not more than a server answers in a run. */
const distinct = (among: number, target: TargetAt) => (): readonly string[] =>
  Array.from({ length: Math.min(among, MAX_TARGETS) }, (_, at) => target(shuffled(at, among)));

export const distinctCursors = (records: number): Entry['targets'] => distinct(records, page());

/** @returns requests of every kind that reads, none of them twice. */
export function everyKind(records: number): Entry['targets'] {
  const queries = ['', 'limit=1&', 'limit=20&', 'limit=100&', `status=${COMMON}&`, `status=${RARE}&`];
  const kinds = [byId, ...queries.map(page)];
  return distinct(records, (it) => kinds[it % kinds.length]?.(it) ?? LIST);
}

interface More {
  readonly among?: readonly Contender[];
  readonly connections?: number;
  readonly isConditional?: true;
  readonly isQuick?: true;
}
const MADE = [PAGE, FASTIFY, EXPRESS, COLD, ROLLCALL];
const REPEATED = [BARE, ...MADE];

/** @returns every work that is requests, in the order of the table: over so many records, and over few and most of them. */
export function works(records: number, few: number, most: number): readonly Work[] {
  const usual = { connections: 16, isConditional: false, isQuick: false };
  const race =
    (all: readonly Contender[], against: Contender, atMost: number) =>
    (name: string, targets: Entry['targets'], { among = all, ...more }: More = {}): Work => ({
      ...usual,
      ...more,
      name,
      entries: [...new Set(among)].map((contender) => ({ label: contender.name, contender, records, targets })),
      bound: { of: ROLLCALL.name, against: against.name, atMost },
    });
  const repeated = race(REPEATED, BARE, 1.45);
  const observed = (name: string, targets: Entry['targets']): Work => ({
    ...race([ROLLCALL, METRICS, LOGGED], ROLLCALL, 1)(name, targets),
    bound: { of: METRICS.name, against: ROLLCALL.name, atMost: 2 },
  });
  const made = race(MADE, FASTIFY, 1);
  const onPostgres = (name: string, targets: Entry['targets'], more: More = {}): Work => ({
    ...race([ON_POSTGRES, POSTGRES_PAGE], POSTGRES_PAGE, 1.25)(name, targets, more),
    bound: { of: ON_POSTGRES.name, against: POSTGRES_PAGE.name, atMost: 1.25 },
  });

  const cold = (label: string, targets: Entry['targets'], size = records): Entry => {
    return { label, contender: COLD, records: size, targets };
  };
  const UNKNOWN_KEY = `rollcall_${'0'.repeat(40)}`;
  /** What errors cost, against what is read for the same operation. */
  const errorsOf = (name: string, contender: Contender, target: TargetAt, unknown: TargetAt): readonly Work[] => {
    const found: Entry = { label: '200', contender, records, targets: distinct(records, target) };
    const rejected: readonly Entry[] = [
      { ...found, label: '404', targets: distinct(records, unknown), status: 404 },
      { ...found, label: '401', key: UNKNOWN_KEY, status: 401 },
    ];
    return rejected.map((it) => ({
      ...usual,
      name: `${it.label}, ${name}`,
      entries: [found, it],
      bound: { of: it.label, against: found.label, atMost: 1.1 },
    }));
  };
  const unknownId: TargetAt = (position) => `${LIST}/${idAt(records + position)}`;
  const unknownCursor: TargetAt = (position) => `${LIST}?after=${idAt(records + position)}`;

  const from = (position: number) => (): readonly string[] =>
    Array.from({ length: DEPTH }, (_, at) => `${LIST}?after=${idAt(position + at)}`);
  const newest = distinctCursors(few - LARGEST_PAGE);
  const [ofFew, ofMost] = [few, most].map((it) => `of ${it.toLocaleString('en')} records`) as [string, string]; // Of two.

  const middle = (): readonly string[] => [byId(records >> 1)];
  const cursors = distinctCursors(records);
  return [
    repeated('repeated first page', first, { among: [...REPEATED, PRISM, JSON_SERVER], isQuick: true }),
    repeated('repeated first page, 1 connection', first, { connections: 1 }),
    repeated('repeated by id', middle, { isQuick: true }),
    repeated('repeated 304', first, { among: [BARE, FASTIFY, COLD, ROLLCALL], isConditional: true }),
    made('distinct cursors', cursors),
    made('distinct cursors, 1 connection', cursors, { connections: 1 }),
    made('random by id', distinct(records, byId)),
    made('limit=100', distinct(records, page('limit=100&'))),
    made('common status', distinct(records, page(`status=${COMMON}&`))),
    made('rare status', distinct(records, page(`status=${RARE}&`))),
    observed('observed first page', first),
    observed('observed distinct cursors', cursors),
    onPostgres('PostgreSQL, distinct cursors', cursors),
    onPostgres('PostgreSQL, distinct cursors, 64 connections', cursors, { connections: 64 }),
    ...errorsOf('by id', ROLLCALL, byId, unknownId),
    ...errorsOf('by cursor', ROLLCALL, page(), unknownCursor),
    ...errorsOf('by id, PostgreSQL', ON_POSTGRES, byId, unknownId),
    ...errorsOf('by cursor, PostgreSQL', ON_POSTGRES, page(), unknownCursor),
    {
      ...usual,
      name: 'depth',
      entries: [
        cold('first page', first),
        cold('second page', from(0)),
        cold('last page', from(records - DEPTH - LARGEST_PAGE)),
      ],
      bound: { of: 'last page', against: 'first page', atMost: 1.2 },
    },
    {
      ...usual,
      name: 'same page',
      entries: [cold(ofFew, newest, few), cold(ofMost, newest, most)],
      bound: { of: ofMost, against: ofFew, atMost: 1.5 },
    },
  ];
}
