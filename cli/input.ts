/** The bytes of an input file, or of standard input. */
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { InputError } from '../import/split.ts';
import { fileError } from '../command/command-errors.ts';

const CHUNK_BYTES = 32 * 1024;

/**
 * @param file a path, or `-` for standard input.
 * @throws InputError if it cannot be read.
 */
export async function* readInput(file: string): AsyncGenerator<Buffer> {
  const input: AsyncIterable<Buffer> =
    file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  try {
    yield* input;
  } catch (error) {
    throw new InputError(undefined, fileError(error, 'read'));
  }
}

/** @returns the name of an input for messages. */
export const inputName = (file: string): string => (file === '-' ? 'standard input' : file);
