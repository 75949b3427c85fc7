/** Splits NDJSON, a JSON array or a saved list answer into the texts of its records, in bounded memory. */
import { isUtf8 } from 'node:buffer';
import type { List } from '../contract/collections.ts';
import { pointer } from '../contract/schema.ts';
import { scanJson } from './json-text.ts';
import type { JsonValue } from './json-text.ts';

/** A place in an input. Lines and columns are counted from 1, columns in UTF-16 units. */
interface Place {
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
function decode(bytes: Buffer, line: number): string {
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

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const GZIP = Buffer.from([0x1f, 0x8b]);
const ANSWER: List<never> = { object: 'list', has_more: false, data: [] };
const DATA = JSON.stringify('data' satisfies keyof List<never>);
// How far to look for what tells the formats apart: far beyond where a list answer's records begin.
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * The formats are told apart by content: `[` begins an array, an object that begins like a list answer is one, anything
 * else is NDJSON. A byte order mark and empty lines are ignored.
 * @param chunks the input, as UTF-8.
 * @param partial called if the input is a list answer that says that there are more records.
 * @yields the records that each chunk completes. Whether they are JSON is not asked here.
 * @throws InputError where the input as a whole is broken.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  partial: () => void = () => undefined,
): AsyncGenerator<readonly Piece[]> {
  let head: Buffer = Buffer.alloc(0);
  let splitter: Splitter | undefined;
  const begin = (isWhole: boolean): readonly Piece[] => {
    const found = recognize(head, isWhole, partial);
    splitter = found?.splitter;
    return splitter?.push(head.subarray(found?.start)) ?? [];
  };

  for await (const chunk of chunks) {
    if (splitter !== undefined) {
      yield splitter.push(chunk);
    } else {
      head = Buffer.concat([head, chunk]);
      yield begin(head.length >= MAX_HEAD_BYTES);
    }
  }
  if (splitter === undefined) yield begin(true);
  yield splitter?.end() ?? [];
}

interface Recognized {
  readonly splitter: Splitter;
  /** Where in the head it is to start. */
  readonly start: number;
}

/** @returns `undefined` if more has to be seen to tell, which is never so of a whole head. */
function recognize(head: Buffer, isWhole: boolean, partial: () => void): Recognized | undefined {
  if (head.subarray(0, GZIP.length).equals(GZIP)) {
    throw new InputError(1, 'is compressed; unpack it first, for example: gunzip -c FILE | rollcall import ... -');
  }
  const mark = head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const text = head.toString('latin1', mark); // One character a byte, so that an index in it is an offset.
  const elements = (length: number): Recognized => {
    const start = mark + length;
    const ended = (shell: unknown): void => {
      if (saysMore(shell)) partial();
    };
    return { splitter: new ElementSplitter(head.toString('utf8', mark, start), ended), start };
  };

  const array = /^\s*\[/.exec(text)?.[0];
  if (array !== undefined) return elements(array.length);

  const [, name, value] = /^\s*\{\s*"(\w+)"\s*:\s*("\w*"|[^\s"])/.exec(text) ?? [];
  if (name === undefined && !isWhole) return undefined;
  if (name === undefined || !(name in ANSWER) || (name === 'object' && value !== JSON.stringify(ANSWER.object))) {
    return { splitter: new LineSplitter(), start: mark };
  }
  const list = listStart(text);
  if (list !== undefined) return elements(list);
  if (isWhole) throw new InputError(1, 'begins like a list answer, but has no list of "data"');
  return undefined;
}

const saysMore = (shell: unknown): boolean =>
  typeof shell === 'object' && shell !== null && (shell as Partial<List<never>>).has_more === true;

/** @returns where the elements of an object's own `data` begin; one of an object within it is not meant. */
function listStart(text: string): number | undefined {
  let depth = 0;
  let [name, colon] = ['', ''];
  // A string that the head cuts off is a token too, so that nothing in it is taken for a bracket.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[[\]{}:,]/gs)) {
    if (token === '[' && depth === 1 && name === DATA && colon === ':') return index + 1;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    [name, colon] = [colon, token];
  }
  return undefined;
}

/** What splits an input into records, chunk by chunk. */
interface Splitter {
  /** @returns the records that `chunk` completes. @throws InputError */
  push(chunk: Buffer): readonly Piece[];
  /** @returns the records that are left when the input has ended. @throws InputError */
  end(): readonly Piece[];
}

// No record the contract allows comes near it, however it is laid out; it bounds memory whatever the input is.
const MAX_PIECE_BYTES = 1024 * 1024;

/** The bytes of a record that may come in several chunks. */
class Pending {
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

const NEWLINE = 10;

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
    const text = decode(this.#pending.take(), this.#line);
    if (text.trim() !== '') pieces.push({ line: this.#line, column: 1, text });
  }
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * The elements of a JSON array, which may be the `data` of a list answer.
 * It follows brackets and strings only; whether an element is JSON is for the parser to say, so that one broken record
 * does not hide the others. A library that parses streams gives neither places nor that.
 */
class ElementSplitter implements Splitter {
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
