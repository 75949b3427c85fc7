/** Splits NDJSON, a JSON array or a saved list answer into the texts of its records, in bounded memory. */
import type { List } from '../contract/collections.ts';
import { ElementSplitter } from './element-splitter.ts';
import { LineSplitter } from './line-splitter.ts';
import { InputError } from './pieces.ts';
import type { Piece } from './pieces.ts';
import type { Splitter } from './splitter.ts';

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
