/** Has the command line load files. */
import { writeFileSync } from 'node:fs';
import type { Collection } from '../../contract/collections.ts';
import type { Ran } from '../support/cli.ts';
import { folder, held as textsOf } from '../support/own-database.ts';

/** Writes a file. */
export const write = (name: string, text: string): void => {
  writeFileSync(folder.path(name), text);
};

/** Imports into account `acme`. @param argv files and flags. */
export const load = (collection: string, ...argv: string[]): Promise<Ran> =>
  folder.call(['import', collection, ...argv, '--account', 'acme']);

/** @returns everything an account holds in a collection, newest first, from the text that is served. */
export const held = async (collection: Collection, account?: string): Promise<unknown[]> =>
  (await textsOf(collection, account)).map((it) => JSON.parse(it) as unknown);
