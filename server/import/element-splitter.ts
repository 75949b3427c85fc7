/** The elements of a JSON array, which may be the `data` of a list answer. */
import { pointer } from '../contract/schema.ts';
import { scanJson } from './json-text.ts';
import type { JsonValue } from './json-text.ts';
import { after, decode, InputError } from './pieces.ts';
import type { Piece, Place } from './pieces.ts';
import { Pending } from './splitter.ts';
import type { Splitter } from './splitter.ts';

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * It follows brackets and strings only; whether an element is JSON is for the parser to say, so that one broken record
 * does not hide the others. A library that parses streams gives neither places nor that.
 */
export class ElementSplitter implements Splitter {
  readonly #shell: string;
  readonly #ended: (shell: unknown) => void;
  readonly #pending = new Pending();
  /** The position at which the pending bytes begin. */
  #place: Place;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #count = 0;
  #isClosed = false;

  /**
   * @param shell the input up to and including the `[` whose elements are wanted.
   * @param ended given what was around the elements, as a value: an empty array, or a list answer whose `data` is empty.
   */
  constructor(shell: string, ended: (shell: unknown) => void) {
    this.#shell = shell;
    this.#ended = ended;
    this.#place = after({ line: 1, column: 1 }, shell);
  }

  push(chunk: Buffer): readonly Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length && !this.#isClosed; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) {
        this.#followString(byte);
      } else if (this.#depth === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) {
        this.#pending.add(chunk.subarray(start, at), this.#place.line);
        this.#take(pieces, byte === CLOSE_BRACKET);
        start = at + 1;
      } else {
        this.#follow(byte);
      }
    }
    this.#pending.add(chunk.subarray(start), this.#place.line);
    return pieces;
  }

  end(): readonly Piece[] {
    const rest = this.#pending.take().toString('utf8');
    if (!this.#isClosed) {
      throw new InputError(after(this.#place, rest).line, 'ends in the middle of its list: it may be cut off');
    }
    const head = `${this.#shell}]`;
    let [shell, repeated]: [unknown, JsonValue | undefined] = [undefined, undefined];
    try {
      shell = JSON.parse(head + rest);
      repeated = scanJson(head + rest).find((it) => it.isRepeated);
    } catch {
      throw new InputError(this.#place.line, 'goes on after its list: one list a file, or one record a line');
    }
    if (repeated !== undefined) {
      const { path, start } = repeated;
      const [from, before] =
        start < head.length
          ? [{ line: 1, column: 1 }, head.slice(0, start)]
          : [this.#place, rest.slice(0, start - head.length)];
      throw new InputError(after(from, before).line, `has ${pointer(path)} more than once`);
    }
    this.#ended(shell);
    return [];
  }

  #followString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #follow(byte: number): void {
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth -= 1;
    if (this.#depth < 0) throw new InputError(this.#place.line, 'has a } without its {');
  }

  #take(pieces: Piece[], isLast: boolean): void {
    const raw = decode(this.#pending.take(), this.#place.line);
    const text = raw.trim();
    const start = after(this.#place, raw.slice(0, raw.length - raw.trimStart().length));
    const { line, column } = after(this.#place, raw);
    this.#place = { line, column: column + 1 };
    this.#isClosed = isLast;
    if (text !== '') {
      pieces.push({ ...start, text });
      this.#count += 1;
    } else if (!isLast || this.#count > 0) {
      throw new InputError(line, 'has a comma with no record beside it');
    }
  }
}
