/** The parts into which an input is split. */
import { isUtf8 } from 'node:buffer';

/** A record's text, and the line of the input on which it begins, counted from 1. */
export interface Piece {
  readonly line: number;
  readonly text: string;
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

/** @returns the text of a record. */
export function piece(line: number, bytes: Buffer): Piece {
  if (!isUtf8(bytes)) throw new InputError(line, 'is not UTF-8 text');
  return { line, text: bytes.toString('utf8') };
}
