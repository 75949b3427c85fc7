/** Splits JSON Lines, and JSON arrays, into the texts of their records, in bounded memory. */
import { isUtf8 } from 'node:buffer';
import { pointer } from '../contract/schema.ts';
import { scanJson } from './json-text.ts';
import type { JsonValue } from './json-text.ts';

/** A position in an input. Lines and columns are counted from 1, columns in UTF-16 units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** The text of a record, and the position at which it begins. */
export interface RawRecord extends Position {
  readonly text: string;
  /** Whether the text is the value of a JSON string, so that positions in it are not positions in the input. */
  readonly isQuoted?: true;
  /** Why it is no record, whatever its text is. */
  readonly fault?: string | undefined;
  /** The column of each property in CSV, by its JSON pointer. */
  readonly columns?: ReadonlyMap<string, string>;
}

/** The input as a whole is malformed, so that no record of it may be loaded. */
export class InputError extends Error {
  /** The line of the error; `undefined` if the input could not be read. */
  readonly line: number | undefined;

  /** @param message a sentence whose subject is the input: `is not UTF-8 text`. */
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

/** @returns the position after `text`, if `text` begins at the given position. */
export function positionAfter({ line, column }: Position, text: string): Position {
  const lastBreak = text.lastIndexOf('\n');
  if (lastBreak === -1) return { line, column: column + text.length };
  let lines = 1;
  for (let index = text.indexOf('\n'); index < lastBreak; index = text.indexOf('\n', index + 1)) lines += 1;
  return { line: line + lines, column: text.length - lastBreak };
}

/** Splits an input into records, chunk by chunk. */
export interface Splitter {
  /** @returns the records that `chunk` completes. @throws InputError */
  push(chunk: Buffer): readonly RawRecord[];
  /** @returns the remaining records after the last chunk. @throws InputError */
  end(): readonly RawRecord[];
}

// Bounds memory for any input. Every record of the contract is much shorter, however it is formatted.
export const MAX_RECORD_BYTES = 1024 * 1024;

/** The bytes of a record that is not complete yet, from one chunk or several. */
class PendingBytes {
  #parts: Buffer[] = [];
  #length = 0;

  /** @throws InputError at `line` if the record is too long. */
  add(part: Buffer, line: number): void {
    this.#length += part.length;
    if (this.#length > MAX_RECORD_BYTES) {
      throw new InputError(line, `has a record larger than ${String(MAX_RECORD_BYTES)} bytes`);
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

/** Splits JSON Lines: one record on each line. */
export class LineSplitter implements Splitter {
  readonly #pending = new PendingBytes();
  #line = 1;

  push(chunk: Buffer): readonly RawRecord[] {
    const records: RawRecord[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#pending.add(chunk.subarray(start, end), this.#line);
      this.#take(records);
      this.#line += 1;
      start = end + 1;
    }
    this.#pending.add(chunk.subarray(start), this.#line);
    return records;
  }

  end(): readonly RawRecord[] {
    const records: RawRecord[] = [];
    this.#take(records);
    return records;
  }

  #take(records: RawRecord[]): void {
    const text = decode(this.#pending.take(), this.#line);
    if (text.trim() !== '') records.push({ line: this.#line, column: 1, text });
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
 * Splits a JSON array, which may be the `data` of a list response, into its elements.
 * It only tracks brackets and strings. Each element is parsed on its own later, so that a malformed record does not hide the
 * others. Libraries that parse JSON streams offer neither this nor positions.
 */
export class ElementSplitter implements Splitter {
  readonly #head: string;
  readonly #ended: (envelope: unknown) => void;
  readonly #pending = new PendingBytes();
  /** The position at which the pending bytes begin. */
  #position: Position;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #count = 0;
  #isClosed = false;

  /**
   * @param head the input up to and including the `[` of the array.
   * @param ended called at the end with the input without its elements: an empty array, or a list response with empty `data`.
   */
  constructor(head: string, ended: (envelope: unknown) => void) {
    this.#head = head;
    this.#ended = ended;
    this.#position = positionAfter({ line: 1, column: 1 }, head);
  }

  push(chunk: Buffer): readonly RawRecord[] {
    const records: RawRecord[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length && !this.#isClosed; index += 1) {
      const byte = chunk[index] ?? 0;
      if (this.#inString) {
        this.#scanString(byte);
      } else if (this.#depth === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) {
        this.#pending.add(chunk.subarray(start, index), this.#position.line);
        this.#take(records, byte === CLOSE_BRACKET);
        start = index + 1;
      } else {
        this.#scan(byte);
      }
    }
    this.#pending.add(chunk.subarray(start), this.#position.line);
    return records;
  }

  end(): readonly RawRecord[] {
    const rest = this.#pending.take().toString('utf8');
    if (!this.#isClosed) {
      throw new InputError(positionAfter(this.#position, rest).line, 'ends before its array does; it may be truncated');
    }
    const head = `${this.#head}]`;
    let [envelope, duplicate]: [unknown, JsonValue | undefined] = [undefined, undefined];
    try {
      envelope = JSON.parse(head + rest);
      duplicate = scanJson(head + rest).find((member) => member.isDuplicate);
    } catch {
      throw new InputError(
        this.#position.line,
        'has content after its array; use one array per file, or one record per line',
      );
    }
    if (duplicate !== undefined) {
      const { path, start } = duplicate;
      const [from, before] =
        start < head.length
          ? [{ line: 1, column: 1 }, head.slice(0, start)]
          : [this.#position, rest.slice(0, start - head.length)];
      throw new InputError(positionAfter(from, before).line, `has ${pointer(path)} more than once`);
    }
    this.#ended(envelope);
    return [];
  }

  #scanString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #scan(byte: number): void {
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth -= 1;
    if (this.#depth < 0) throw new InputError(this.#position.line, 'has an unmatched }');
  }

  #take(records: RawRecord[], isLast: boolean): void {
    const raw = decode(this.#pending.take(), this.#position.line);
    const text = raw.trim();
    const start = positionAfter(this.#position, raw.slice(0, raw.length - raw.trimStart().length));
    const { line, column } = positionAfter(this.#position, raw);
    this.#position = { line, column: column + 1 };
    this.#isClosed = isLast;
    if (text !== '') {
      records.push({ ...start, text });
      this.#count += 1;
    } else if (!isLast || this.#count > 0) {
      throw new InputError(line, 'has a comma without a record next to it');
    }
  }
}
