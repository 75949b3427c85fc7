/** Splits NDJSON, a JSON array or a saved list answer into the texts of its records, in bounded memory. */
import type { Schemas } from '../contract/types.ts';
import { InputError } from './pieces.ts';
import type { Piece } from './pieces.ts';
import { ElementSplitter, LineSplitter } from './splitters.ts';
import type { Splitter } from './splitters.ts';

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const GZIP = Buffer.from([0x1f, 0x8b]);
const ANSWER = { object: 'list', has_more: false, data: [] } satisfies Schemas['AutomationList'];
// How far to look for what tells the formats apart: far beyond where a list answer's records begin.
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * The formats are told apart by content: `[` begins an array, an object that begins like a list answer is one, anything
 * else is NDJSON. A byte order mark and empty lines are passed over.
 * @param chunks the input, as UTF-8.
 * @yields the records that each chunk completes. Whether they are JSON is not asked here.
 * @throws InputError where the input as a whole is broken.
 */
export async function* splitRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Piece[]> {
  let head: Buffer = Buffer.alloc(0);
  let splitter: Splitter | undefined;
  for await (const chunk of chunks) {
    if (splitter !== undefined) {
      yield splitter.push(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const isWhole = head.length >= MAX_HEAD_BYTES;
    const found = recognize(head, isWhole);
    if (found === undefined) continue;
    splitter = found.splitter;
    yield splitter.push(head.subarray(found.start));
  }
  if (splitter === undefined) {
    const found = recognize(head, true);
    splitter = found?.splitter ?? new LineSplitter();
    yield splitter.push(head.subarray(found?.start));
  }
  yield splitter.end();
}

/** @returns the splitter for an input and where it starts; `undefined` if more has to be seen to tell. */
function recognize(head: Buffer, isWhole: boolean): { splitter: Splitter; start: number } | undefined {
  if (head.subarray(0, GZIP.length).equals(GZIP)) {
    throw new InputError(1, 'is compressed; unpack it first, for example: gunzip -c FILE | rollcall import ... -');
  }
  const mark = head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const text = head.toString('latin1', mark); // One character a byte, so that an index in it is an offset.

  const array = /^\s*\[/.exec(text)?.[0];
  if (array !== undefined) return { splitter: new ElementSplitter(array), start: mark + array.length };

  const [, name, value] = /^\s*\{\s*"(\w+)"\s*:\s*("\w*"|[^\s"])/.exec(text) ?? [];
  if (name === undefined && !isWhole) return undefined;
  if (name === undefined || !(name in ANSWER) || (name === 'object' && value !== JSON.stringify(ANSWER.object))) {
    return { splitter: new LineSplitter(), start: mark };
  }
  const list = /^.*?"data"\s*:\s*\[/s.exec(text)?.[0];
  if (list !== undefined) return { splitter: new ElementSplitter(list), start: mark + list.length };
  if (isWhole) throw new InputError(1, 'begins like a list answer, but has no list of "data"');
  return undefined;
}
