/** What was measured, a row for each contender of each work, as a table. */

export interface Row {
  readonly work: string;
  readonly contender: string;
  readonly value: number;
  readonly unit: 'µs' | 'ms' | 'MB';
  /** The value by that of the contender it is compared with. */
  readonly ratio?: number;
  /** The part of one core that the server took, where it should have been all of it. */
  readonly core?: number;
}

/** Whether it was not the server that set the pace. */
export const isHeldBack = ({ core = 1 }: Row): boolean => core < BUSY;

const HEAD = ['work', 'contender', 'value', 'ratio', 'core'];
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
  const { work, contender, value, unit, ratio, core } = row;
  return [
    ...[work, contender, `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`],
    ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
    core === undefined ? '' : `${(core * 100).toFixed(0)} %${isHeldBack(row) ? ' *' : ''}`,
  ];
}
