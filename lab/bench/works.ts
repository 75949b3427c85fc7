/** The requests that are measured: who answers which targets. */
import { BARE, COLD, EXPRESS, FASTIFY, LOGGED, METRICS, ROLLCALL } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { COMMON, RARE, idAt, shuffled } from './records.ts';

export interface Work {
  readonly name: string;
  readonly connections: number;
  /** They must answer the same bytes. */
  readonly contenders: readonly Contender[];
  /** The one that the others are compared with. */
  readonly against: Contender;
  /** The size of the database. */
  readonly records: number;
  readonly targets: () => readonly string[];
  /** Every request holds the tag of the first target, and gets 304. */
  readonly isConditional: boolean;
  /** Also measured by `--quick`. */
  readonly isQuick: boolean;
}

type TargetAt = (position: number) => string;

const LIST = '/contacts/imports';
const MAX_TARGETS = 500_000;

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

interface More {
  readonly connections?: number;
  readonly isConditional?: true;
  readonly isQuick?: true;
}
const MADE = [FASTIFY, EXPRESS, COLD, ROLLCALL];
const REPEATED = [BARE, ...MADE];

/** @returns every work that is requests, in the order of the table: over so many records. */
export function works(records: number): readonly Work[] {
  const usual = { connections: 16, isConditional: false, isQuick: false, records };
  const race =
    (contenders: readonly Contender[], against: Contender) =>
    (name: string, targets: Work['targets'], more: More = {}): Work => ({
      ...usual,
      ...more,
      ...{ name, contenders, against, targets },
    });
  const repeated = race(REPEATED, BARE);
  const conditional = race([BARE, FASTIFY, COLD, ROLLCALL], BARE);
  const observed = race([ROLLCALL, METRICS, LOGGED], ROLLCALL);
  const made = race(MADE, FASTIFY);

  const middle = (): readonly string[] => [byId(records >> 1)];
  const cursors = distinct(records, page());
  return [
    repeated('repeated first page', first, { isQuick: true }),
    repeated('repeated first page, 1 connection', first, { connections: 1 }),
    repeated('repeated by id', middle, { isQuick: true }),
    conditional('repeated 304', first, { isConditional: true }),
    made('distinct cursors', cursors),
    made('distinct cursors, 1 connection', cursors, { connections: 1 }),
    made('random by id', distinct(records, byId)),
    made('limit=100', distinct(records, page('limit=100&'))),
    made('common status', distinct(records, page(`status=${COMMON}&`))),
    made('rare status', distinct(records, page(`status=${RARE}&`))),
    observed('observed first page', first),
    observed('observed distinct cursors', cursors),
  ];
}
