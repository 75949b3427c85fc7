/** How many records there are of each collection: in words, and for programs. */
import { COLLECTIONS, commandName, noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { counted } from '../contract/wording.ts';

export type Counts = Readonly<Record<Collection, number>>;

/** @returns phrases such as `1,200 contact imports`. */
export const inWords = (counts: Counts): readonly string[] => COLLECTIONS.map((it) => counted(counts[it], noun(it)));

/** @returns the counts by the names of the command line. */
export const byCommandName = (counts: Counts): Readonly<Record<string, number>> =>
  Object.fromEntries(COLLECTIONS.map((it) => [commandName(it), counts[it]]));
