/** What splits an input into records, chunk by chunk, and the bytes it holds back meanwhile. */
import { InputError } from './pieces.ts';
import type { Piece } from './pieces.ts';

export interface Splitter {
  /** @returns the records that `chunk` completes. @throws InputError */
  push(chunk: Buffer): readonly Piece[];
  /** @returns the records that are left when the input has ended. @throws InputError */
  end(): readonly Piece[];
}

// No record the contract allows comes near it, however it is laid out; it bounds memory whatever the input is.
const MAX_PIECE_BYTES = 1024 * 1024;

/** The bytes of a record that may come in several chunks. */
export class Pending {
  #parts: Buffer[] = [];
  #length = 0;

  /** @throws InputError at `line` if they are too many for one record. */
  add(part: Buffer, line: number): void {
    this.#length += part.length;
    if (this.#length > MAX_PIECE_BYTES) {
      throw new InputError(line, `has a record of more than ${String(MAX_PIECE_BYTES)} bytes`);
    }
    this.#parts.push(part);
  }

  take(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#parts;
    const whole = others.length === 0 ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return whole;
  }
}
