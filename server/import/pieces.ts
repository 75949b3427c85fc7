/** The parts into which an input is split, and where they stand in it. */
import { isUtf8 } from 'node:buffer';

/** A place in an input. Lines and columns are counted from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A record's text, and where it begins. */
export interface Piece extends Place {
  readonly text: string;
  /** Whether the text is the value of a string, so that places in it are not places in the input. */
  readonly isQuoted?: true;
}

/** The input as a whole is broken, so that no record of it may be loaded. */
export class InputError extends Error {
  /** Where it is broken, if it could be read as far as that. */
  readonly line: number | undefined;

  /** @param message what is wrong, as a sentence about the input: `is not UTF-8 text`. */
  constructor(line: number | undefined, message: string) {
    super(message);
    this.line = line;
  }
}

/** @throws InputError if the bytes are not UTF-8. */
export function decode(bytes: Buffer, line: number): string {
  if (!isUtf8(bytes)) throw new InputError(line, 'is not UTF-8 text');
  return bytes.toString('utf8');
}

/** @returns the place that comes after `text`, where `text` begins at a place. */
export function after({ line, column }: Place, text: string): Place {
  const lastBreak = text.lastIndexOf('\n');
  if (lastBreak === -1) return { line, column: column + text.length };
  let lines = 1;
  for (let at = text.indexOf('\n'); at < lastBreak; at = text.indexOf('\n', at + 1)) lines += 1;
  return { line: line + lines, column: text.length - lastBreak };
}
