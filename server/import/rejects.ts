/**
 * The lines of a file of rejects: `{"file", "line", "violations", "record"}`, or `text` in place of `record` where that is
 * not JSON. `import` reads them too, so that a record can be mended where it stands.
 */
import type { Violation } from '../contract/schema.ts';
import { valuesIn } from './json-text.ts';
import { after } from './pieces.ts';
import type { Piece } from './pieces.ts';

/** A record that is not as the contract has it. */
export interface Reject extends Piece {
  readonly violations: readonly Violation[];
}

const REASONS = ['file', 'line', 'violations'] as const;
type Reasons = Readonly<Record<(typeof REASONS)[number], unknown>>;

/** @returns the line of a bad record, with its line break. The record stands in it as it was written. */
export function rejectLine(file: string, { line, violations, text }: Reject): string {
  const reasons = JSON.stringify({ file, line, violations } satisfies Reasons).slice(0, -1);
  if (parse(text) === undefined) return `${reasons},"text":${JSON.stringify(text)}}\n`;
  // Line breaks stand between the values of a JSON text, never in them.
  return `${reasons},"record":${text.trim().replaceAll(/[\r\n]+[ \t]*/g, ' ')}}\n`;
}

/** @returns the record in a line of a file of rejects; `undefined` if the piece is no such line. */
export function unwrap(piece: Piece): Piece | undefined {
  const line = parse(piece.text);
  if (typeof line !== 'object' || line === null) return undefined;
  if (Object.keys(line).length !== REASONS.length + 1 || !REASONS.every((it) => it in line)) return undefined;
  // Of a member that is given twice, nobody knows which one is meant. Those of the record are judged with it.
  const values = valuesIn(piece.text);
  const isAmbiguous = values.some(({ isRepeated, path }) => isRepeated && (path.length === 1 || path[0] !== 'record'));
  if (values.length === 0 || isAmbiguous) return undefined;
  if ('text' in line && typeof line.text === 'string') return { ...piece, text: line.text, isQuoted: true };
  const found = values.find(({ path }) => path.length === 1 && path[0] === 'record');
  if (found === undefined) return undefined;
  return { ...after(piece, piece.text.slice(0, found.start)), text: piece.text.slice(found.start, found.end) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // No JSON text is parsed to it.
  }
}
