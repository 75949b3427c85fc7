/** `rollcall export`: prints an account's records of a collection, in the form in which they are served. */
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import type { Collection } from '../contract/collections.ts';
import { databaseOf, unknownAccount } from './database.ts';
import { accountOption } from './options.ts';
import { collectionArgument } from './collections.ts';
import { printable } from '../audit/rules/text.ts';
import { existingDbOption } from './settings.ts';

const CHUNK_CHARACTERS = 64 * 1024;

export function exportCommand(): Command {
  return new Command('export')
    .description("Print an account's records in one collection as NDJSON, newest first")
    .addArgument(collectionArgument())
    .addOption(accountOption())
    .addOption(existingDbOption())
    .addHelpText(
      'after',
      `
Prints a consistent snapshot, even while records are being loaded. To restore the same records, load the output with \`rollcall import\`.

  rollcall export automations --account acme > automations.ndjson`,
    )
    .action(async (collection: Collection, { account, db }: { account: string; db: string }) => {
      const inspector = await databaseOf(db).openInspector();
      try {
        const texts = await inspector.texts(account, collection);
        if (texts === undefined) throw unknownAccount(db, account);
        await pipeline(Readable.from(chunksOf(texts)), process.stdout, { end: false });
      } catch (error) {
        // `guardOutput` reports errors of the output. It ignores a closed pipe, because the rest is not read.
        if (!(error instanceof Error && 'syscall' in error && error.syscall === 'write')) throw error;
      } finally {
        await inspector.close();
      }
    });
}

/** @yields chunks of many lines. For a terminal, control characters are escaped, which JSON allows. */
async function* chunksOf(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  const shown = process.stdout.isTTY ? printable : (text: string): string => text;
  let chunk = '';
  for await (const text of texts) {
    chunk += `${shown(text)}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
