/** The files of a folder that has records: named after their collections, such as `automations.json`. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COLLECTIONS, commandName } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { fileError } from './file-errors.ts';
import { Refusal } from './refusal.ts';

/** The files of each collection that has any. */
export type SeedFiles = ReadonlyMap<Collection, readonly string[]>;

/** @returns the folder of the samples that come with Rollcall. */
export const samplesFolder = (): string => dirname(fileURLToPath(import.meta.resolve('#samples/file')));

/**
 * @returns the files of each collection that has any. Hidden files are passed over.
 * @throws Refusal if the folder cannot be read, has none, or has another file: that may be one whose name is mistyped.
 */
export async function filesOf(folder: string): Promise<SeedFiles> {
  const names = (await namesIn(folder)).filter((it) => !it.startsWith('.')).sort();
  const files = new Map<Collection, string[]>();
  for (const name of names) {
    const collection = COLLECTIONS.find((it) => commandName(it) === name.split('.', 1)[0]);
    if (collection === undefined) throw new Refusal(`${join(folder, name)} has the name of no collection. ${KNOWN}`);
    files.set(collection, [...(files.get(collection) ?? []), join(folder, name)]);
  }
  if (files.size === 0) throw new Refusal(`${folder} has no records. ${KNOWN}`);
  return files;
}

const KNOWN = `Name files after their collections, with any ending: ${COLLECTIONS.map(commandName).join(', ')}.`;

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw new Refusal(`The folder of --seed, ${folder}, ${fileError(error, 'read')}.`);
  }
}
