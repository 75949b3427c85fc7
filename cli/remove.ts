/** `rollcall remove`: removes records by their ids. */
import { Command } from 'commander';
import { noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { allowed, counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import { compile } from '../contract/schema.ts';
import { InputError, LineSplitter } from '../import/split.ts';
import { waitOption, withWriter } from './database.ts';
import { CliError } from '../command/command-errors.ts';
import { inputName, readInput } from './input.ts';
import { accountOption } from './options.ts';
import { collectionArgument } from './collections.ts';
import { notify, print } from '../command/output.ts';
import { existingDbOption } from './settings.ts';

interface RemoveOptions {
  readonly account: string;
  readonly db: string;
  readonly wait: number;
}

const STDIN = '-';
const MAX_SHOWN = 100;

export function removeCommand(): Command {
  return new Command('remove')
    .description("Remove an account's records by id; report unknown ids; if an id is malformed, remove nothing")
    .addArgument(collectionArgument())
    .argument('<ids...>', `ids of the records, or ${STDIN} to read them from standard input, one per line`)
    .addOption(accountOption())
    .addOption(existingDbOption())
    .addOption(waitOption())
    .action(async (collection: Collection, words: string[], { account, ...options }: RemoveOptions) => {
      const ids = validIds(words.length === 1 && words[0] === STDIN ? await readIds() : words);
      const unknown = await withWriter({ ...options, mustExist: true }, (writer) =>
        writer.remove(account, collection, ids),
      );
      notify(...unknown.map((id) => `${id}: not found in account "${account}"`));
      print(`${counted(ids.length - unknown.length, noun(collection))} removed from account "${account}".`);
    });
}

async function readIds(): Promise<readonly string[]> {
  const lines = new LineSplitter();
  const ids: string[] = [];
  try {
    for await (const chunk of readInput(STDIN)) ids.push(...lines.push(chunk).map(({ text }) => text.trim()));
    ids.push(...lines.end().map(({ text }) => text.trim()));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new CliError(`${inputName(STDIN)} ${error.message}; nothing was removed.`);
  }
  return ids;
}

/** @returns each id once, in lower case. @throws CliError if one is malformed. */
function validIds(ids: readonly string[]): readonly string[] {
  const { ItemId } = loadContract().schemas;
  const violations = compile(ItemId);
  const malformed = ids.find((id) => violations(id).length > 0);
  if (malformed !== undefined) {
    const shown = JSON.stringify(malformed.slice(0, MAX_SHOWN));
    throw new CliError(`${shown} is not a valid id: it must be ${allowed(ItemId)}. Nothing was removed.`);
  }
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}
