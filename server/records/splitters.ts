/** The two ways records are laid out: one a line, or as the elements of an array. */
import { InputError, piece } from './pieces.ts';
import type { Piece } from './pieces.ts';

export interface Splitter {
  /** @returns the records that `chunk` completes. */
  push(chunk: Buffer): readonly Piece[];
  /** @returns what is left when the input has ended. */
  end(): readonly Piece[];
}

// No record the contract allows comes near it, however it is laid out; it bounds memory whatever the input is.
const MAX_PIECE_BYTES = 1024 * 1024;

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The bytes of a piece that may come in several chunks. */
class Pending {
  #parts: Buffer[] = [];
  #length = 0;

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

/** NDJSON: a record a line. */
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
    const found = piece(this.#line, this.#pending.take());
    if (found.text.trim() !== '') pieces.push(found);
  }
}

/**
 * The elements of an array. It follows brackets and strings only; whether an element is JSON is for the parser to say,
 * so that one broken record does not hide the others. A library that parses streams gives neither lines nor that.
 */
export class ElementSplitter implements Splitter {
  readonly #shell: string;
  readonly #pending = new Pending();
  #line: number;
  /** The line on which the element begins; `undefined` between elements. */
  #firstLine: number | undefined;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #count = 0;
  #ended = false;

  /** @param shell the input up to and including the `[` whose elements are wanted. */
  constructor(shell: string) {
    this.#shell = shell;
    this.#line = shell.split('\n').length;
  }

  push(chunk: Buffer): readonly Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length && !this.#ended; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === NEWLINE) this.#line += 1;
      else if (this.#inString) this.#followString(byte);
      else if (this.#depth === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) {
        this.#pending.add(chunk.subarray(start, at), this.#line);
        this.#take(pieces, byte);
        start = at + 1;
      } else this.#follow(byte);
    }
    this.#pending.add(chunk.subarray(start), this.#line);
    return pieces;
  }

  end(): readonly Piece[] {
    if (!this.#ended) throw new InputError(this.#line, 'ends in the middle of its list: it may be cut off');
    const rest = this.#pending.take().toString('utf8');
    try {
      JSON.parse(`${this.#shell}]${rest}`);
    } catch {
      throw new InputError(this.#line, 'goes on after its list: one list a file, or one record a line');
    }
    return [];
  }

  #followString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #follow(byte: number): void {
    if (byte <= 32) return;
    this.#firstLine ??= this.#line;
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth -= 1;
    if (this.#depth < 0) throw new InputError(this.#line, 'has a } without its {');
  }

  #take(pieces: Piece[], byte: number): void {
    const found = piece(this.#firstLine ?? this.#line, this.#pending.take());
    this.#firstLine = undefined;
    this.#ended = byte === CLOSE_BRACKET;
    if (found.text.trim() !== '') {
      pieces.push({ line: found.line, text: found.text.trim() });
      this.#count += 1;
    } else if (!this.#ended || this.#count > 0) {
      throw new InputError(this.#line, 'has a comma with no record beside it');
    }
  }
}
