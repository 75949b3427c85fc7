/** What was measured, a row for each contender of each work, as a table. */

/** How a server did under load; medians of the rounds. */
export interface UnderLoad {
  readonly connections: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly memoryMb: number;
  /** The part of one core that the server took. */
  readonly core: number;
}
export interface Row {
  readonly work: string;
  readonly contender: string;
  readonly value: number;
  readonly unit: 'µs' | 'ms' | 'MB' | 'B' | 'blocks' | '';
  /** The value by that of the contender it is held against. */
  readonly ratio?: number;
  /** Of the ratio, or of the value. */
  readonly atMost?: { readonly ratio: number } | { readonly value: number };
  readonly load?: UnderLoad;
  /** The value in each round. */
  readonly rounds?: readonly number[];
}

/**
 * @param slack what bounds are multiplied by.
 * @returns whether the row keeps its bound; `undefined` if it has none.
 */
export function holds({ value, ratio = NaN, atMost }: Row, slack: number): boolean | undefined {
  if (atMost === undefined) return undefined;
  return 'ratio' in atMost ? ratio <= atMost.ratio * slack : value <= atMost.value * slack;
}

/** Whether it was not the server that set the pace. One connection alone keeps none busy. */
export const isHeldBack = ({ load }: Row): boolean => load !== undefined && load.connections > 1 && load.core < BUSY;

const HEAD = ['work', 'contender', 'value', 'ratio', 'at most', 'holds', 'req/s', 'p50 ms', 'p99 ms', 'MB', 'core'];
const LEFT = 2;
const BUSY = 0.9;

/** @returns the rows as a table for people. */
export function table(rows: readonly Row[], slack: number): string {
  const lines = [HEAD, ...rows.map((row) => cells(row, slack))];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, at) => (at < LEFT ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))))
    .map((line) => `${line.join('  ').trimEnd()}\n`)
    .join('');
}

function cells(row: Row, slack: number): readonly string[] {
  const { work, contender, value, unit, ratio, atMost, load } = row;
  const limitOf = (bound: NonNullable<Row['atMost']>): string =>
    'ratio' in bound ? `${(bound.ratio * slack).toFixed(2)} x` : `${(bound.value * slack).toFixed(0)} ${unit}`;
  const kept = holds(row, slack);
  return [
    ...[work, contender, `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`],
    ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
    atMost === undefined ? '' : limitOf(atMost),
    kept === undefined ? '' : kept ? 'yes' : 'NO',
    ...(load === undefined
      ? []
      : [
          load.requestsPerSecond.toFixed(0),
          load.p50Ms.toFixed(2),
          load.p99Ms.toFixed(2),
          load.memoryMb.toFixed(0),
          `${(load.core * 100).toFixed(0)} %${isHeldBack(row) ? ' *' : ''}`,
        ]),
  ];
}
