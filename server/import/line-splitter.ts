/** NDJSON: a record a line. */
import { decode } from './pieces.ts';
import type { Piece } from './pieces.ts';
import { Pending } from './splitter.ts';
import type { Splitter } from './splitter.ts';

const NEWLINE = 10;

export class LineSplitter implements Splitter {
  readonly #pending = new Pending();
  #line = 1;

  push(chunk: Buffer): readonly Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#pending.add(chunk.subarray(start, end), this.#line);
      this.#take(pieces);
      this.#line += 1;
      start = end + 1;
    }
    this.#pending.add(chunk.subarray(start), this.#line);
    return pieces;
  }

  end(): readonly Piece[] {
    const pieces: Piece[] = [];
    this.#take(pieces);
    return pieces;
  }

  #take(pieces: Piece[]): void {
    const text = decode(this.#pending.take(), this.#line);
    if (text.trim() !== '') pieces.push({ line: this.#line, column: 1, text });
  }
}
