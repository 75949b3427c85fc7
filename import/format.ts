/** Detects the format of an input by its content, and splits it into the texts of its records, in bounded memory. */
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { List } from '../contract/collections.ts';
import { readCsv } from './csv.ts';
import type { Columns } from './csv.ts';
import { ElementSplitter, InputError, LineSplitter } from './split.ts';
import type { RawRecord, Splitter } from './split.ts';

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const GZIP = Buffer.from([0x1f, 0x8b]);
const ENVELOPE: List<never> = { object: 'list', has_more: false, data: [] };
const DATA = JSON.stringify('data' satisfies keyof List<never>);
// The format is detected within this many bytes. The records of a list response begin long before.
const MAX_HEAD_BYTES = 64 * 1024;

export interface SplitOptions {
  /** The columns of CSV. */
  readonly columns: Columns;
  /** Called if the input is a list response with `has_more: true`. */
  readonly partial?: (() => void) | undefined;
}

/**
 * A text that begins with `[` is an array. An object that begins like a list response is a list response, and any other object
 * is the first of JSON Lines. A line of cells is the header of CSV. A byte order mark and empty lines before it are ignored.
 * @param chunks the input, as UTF-8, which may be compressed by gzip.
 * @yields the records that each chunk completes, which may be malformed JSON.
 * @throws InputError if the input as a whole is malformed, or has another format.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  options: SplitOptions,
): AsyncGenerator<readonly RawRecord[]> {
  const [magic, input] = await begun(chunks, (head, isWhole) =>
    isWhole || head.length >= GZIP.length ? head : undefined,
  );
  const isCompressed = magic.subarray(0, GZIP.length).equals(GZIP);
  const [read, rest] = await begun(isCompressed ? decompressed(input) : input, (head, isWhole) =>
    detect(head, isWhole || head.length >= MAX_HEAD_BYTES, options),
  );
  yield* read(rest);
}

/**
 * @param decide called with the bytes that have been read so far, and whether they are the whole input, until it returns a
 *   value; it does if they are the whole input.
 * @returns the value, and the whole input again.
 */
async function begun<T>(
  chunks: AsyncIterable<Buffer>,
  decide: (head: Buffer, isWhole: boolean) => T | undefined,
): Promise<[T, AsyncIterable<Buffer>]> {
  const source = chunks[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  try {
    for (;;) {
      const next = await source.next();
      if (next.done !== true) head = Buffer.concat([head, next.value]);
      const decided = decide(head, next.done === true);
      if (decided !== undefined) return [decided, resumed(head, source)];
    }
  } catch (error) {
    await source.return?.();
    throw error;
  }
}

async function* resumed(head: Buffer, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  } finally {
    await source.return?.();
  }
}

async function* decompressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    // The iteration throws the error.
    for await (const chunk of pipeline(Readable.from(chunks), createGunzip(), () => undefined)) yield chunk as Buffer;
  } catch (error) {
    // The errors of zlib have such codes. All others are those of the input.
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw new InputError(undefined, 'is damaged or truncated gzip data');
  }
}

type Read = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<readonly RawRecord[]>;

/**
 * @param isEnough whether the head is the whole input, or has MAX_HEAD_BYTES.
 * @returns the format; `undefined` if detection needs more bytes. It is never `undefined` if `isEnough`.
 */
function detect(head: Buffer, isEnough: boolean, { columns, partial }: SplitOptions): Read | undefined {
  const mark = head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const text = head.toString('latin1', mark); // One character for each byte, so that indices are offsets.
  const json = (splitter: Splitter, length = 0): Read => {
    if (columns.renamed.size > 0) throw new InputError(1, 'is JSON, but --map names columns of CSV');
    return (chunks) => splitBy(splitter, from(mark + length, chunks));
  };
  const elements = (length: number): Read => {
    const ended = (envelope: unknown): void => {
      if (hasMore(envelope)) partial?.();
    };
    return json(new ElementSplitter(head.toString('utf8', mark, mark + length), ended), length);
  };

  const array = /^\s*\[/.exec(text)?.[0];
  if (array !== undefined) return elements(array.length);
  const line = /^\s*(\S[^\r\n]*)[\r\n]/.exec(text)?.[1] ?? (isEnough ? text.trim() : undefined);
  if (!/^\s*\{/.test(text)) {
    if (line === undefined) return undefined;
    if (line === '') return (all) => splitBy(new LineSplitter(), all); // It has no records.
    const delimiter = delimiterOf(line);
    const other = OTHERS.find(({ pattern }) => pattern.test(text))?.name;
    if (other !== undefined || delimiter === undefined) throw notRead(other ?? 'plain text');
    return (chunks) => readCsv(from(mark, chunks), delimiter, columns);
  }

  const [, name, value] = /^\s*\{\s*"(\w+)"\s*:\s*("\w*"|[^\s"])/.exec(text) ?? [];
  if (name === undefined && !isEnough) return undefined;
  if (
    name === undefined ||
    !Object.hasOwn(ENVELOPE, name) ||
    (name === 'object' && value !== JSON.stringify(ENVELOPE.object))
  ) {
    if (line === '{') throw notRead('a JSON object on several lines, not one on each line');
    if (/^\s*\{\s*[^\s"}]/.test(text)) throw notRead('objects that are not JSON: their names are not in double quotes');
    return json(new LineSplitter());
  }
  const list = listStart(text);
  if (list !== undefined) return elements(list);
  if (isEnough) throw new InputError(1, 'begins like a list response, but has no "data" array');
  return undefined;
}

const hasMore = (envelope: unknown): boolean =>
  typeof envelope === 'object' && envelope !== null && (envelope as Partial<List<never>>).has_more === true;

/** What people have that is not read, by how it begins. */
const OTHERS: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /^\s*</, name: 'XML or HTML' },
  { pattern: /^\x1e/, name: 'a JSON text sequence, with a record separator (U+001E) before each record' },
  { pattern: /^PK\x03\x04/, name: 'a ZIP archive or a spreadsheet' },
  { pattern: /^%PDF-/, name: 'a PDF' },
  { pattern: /^SQLite format 3\0/, name: 'a SQLite database' },
  { pattern: /^(?:\x1f\x8b|BZh\d|\xfd7zXZ|\x28\xb5\x2f\xfd)/, name: 'compressed data, twice or not by gzip' },
  { pattern: /^(?:\xff\xfe|\xfe\xff|.\0|\0)/, name: 'UTF-16 text or binary data' },
  { pattern: /^(?:---|[\w-]+:\s)/, name: 'YAML' },
];

const notRead = (name: string): InputError =>
  new InputError(
    1,
    `looks like ${name}. It must be CSV with a header line, JSON Lines, a JSON array or a saved list response, as UTF-8 text ` +
      'or compressed by gzip',
  );

/** @returns the delimiter that a header line has most often; `undefined` if it has none. */
function delimiterOf(line: string): string | undefined {
  const count = (delimiter: string): number => line.split(delimiter).length;
  const [most = ','] = [',', ';', '\t'].toSorted((one, other) => count(other) - count(one));
  return count(most) > 1 ? most : undefined;
}

/** Skips bytes, which are all in the first chunk. */
async function* from(start: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let skip = start;
  for await (const chunk of chunks) {
    yield chunk.subarray(skip);
    skip = 0;
  }
}

async function* splitBy(splitter: Splitter, chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly RawRecord[]> {
  for await (const chunk of chunks) yield splitter.push(chunk);
  yield splitter.end();
}

/** @returns the offset at which the elements of the outermost object's `data` begin. `data` of nested objects is ignored. */
function listStart(text: string): number | undefined {
  let depth = 0;
  let [name, colon] = ['', ''];
  // A string that the head truncates is a token too, so that a bracket in it is not counted.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[[\]{}:,]/gs)) {
    if (token === '[' && depth === 1 && name === DATA && colon === ':') return index + 1;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    [name, colon] = [colon, token];
  }
  return undefined;
}
