/** The collections on the command line: their names, and the counts of their records. */
import { Argument, InvalidArgumentError } from 'commander';
import { COLLECTIONS, commandName, noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { counted } from '../contract/wording.ts';

/** `<collection>`: the name of a collection on the command line. */
export function collectionArgument(): Argument {
  const names = COLLECTIONS.map(commandName);
  return new Argument('<collection>', `one of: ${names.join(', ')}`).argParser((name) => {
    const found = COLLECTIONS.find((collection) => commandName(collection) === name);
    if (found === undefined) throw new InvalidArgumentError(`It must be one of: ${names.join(', ')}.`);
    return found;
  });
}

export type Counts = Readonly<Record<Collection, number>>;

/** @returns a count for each collection, to be counted up. */
export const noRecords = (): Record<Collection, number> =>
  Object.fromEntries(COLLECTIONS.map((collection) => [collection, 0])) as Record<Collection, number>; // One for each collection.

/** @returns phrases such as `1,200 contact imports`. */
export const inWords = (counts: Counts): readonly string[] =>
  COLLECTIONS.map((collection) => counted(counts[collection], noun(collection)));

/** @returns the counts by the names of the command line. */
export const byCommandName = (counts: Counts): Readonly<Record<string, number>> =>
  Object.fromEntries(COLLECTIONS.map((collection) => [commandName(collection), counts[collection]]));
