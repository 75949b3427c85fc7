/** Inputs of an import, for tests that read them: their columns of CSV, their bytes, and why they are rejected. */
import { Readable } from 'node:stream';
import type { Collection } from '../../contract/collections.ts';
import { columnsOf } from '../../import/csv.ts';
import type { Columns } from '../../import/csv.ts';
import { InputError } from '../../import/split.ts';
import { contract } from './app.ts';

/** @param renamed the names of columns by the path of their property. */
export function columns(
  collection: Collection,
  renamed: Readonly<Record<string, string>> = {},
  note: Columns['note'] = () => undefined,
): Columns {
  return columnsOf(contract, collection, new Map(Object.entries(renamed)), note);
}

/** @returns the chunks of an input, of so many bytes. */
export function chunksOf(input: string | Buffer, chunkBytes: number): Readable {
  const bytes = Buffer.from(input as string);
  const count = Math.ceil(bytes.length / chunkBytes);
  return Readable.from(
    Array.from({ length: count }, (_, at) => bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes)),
  );
}

/** @returns the line and the message of the error that the reading of an input ends with. */
export async function inputErrorOf(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  if (!(error instanceof InputError)) throw new Error(`It was accepted: ${JSON.stringify(error)}`);
  return `${String(error.line)}: ${error.message}`;
}
