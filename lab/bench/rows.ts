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
  readonly unit: 'µs' | 'ms' | 'MB';
  /** The value by that of the contender it is compared with. */
  readonly ratio?: number;
  readonly load?: UnderLoad;
}

/** Whether it was not the server that set the pace. One connection alone keeps none busy. */
export const isHeldBack = ({ load }: Row): boolean => load !== undefined && load.connections > 1 && load.core < BUSY;

const HEAD = ['work', 'contender', 'value', 'ratio', 'req/s', 'p50 ms', 'p99 ms', 'MB', 'core'];
const LEFT = 2;
const BUSY = 0.9;

/** @returns the rows as a table for people. */
export function table(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, at) => (at < LEFT ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))))
    .map((line) => `${line.join('  ').trimEnd()}\n`)
    .join('');
}

function cells(row: Row): readonly string[] {
  const { work, contender, value, unit, ratio, load } = row;
  return [
    ...[work, contender, `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`],
    ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
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
