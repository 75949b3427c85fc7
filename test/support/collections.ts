/** What commands say of all collections, by the few that a test is about: the others have no records. */
import { COLLECTIONS, commandName, noun } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import { counted } from '../../contract/wording.ts';

type Counts = Readonly<Partial<Record<Collection, number>>>;

/** @returns a value for each collection. */
export const eachCollection = <T>(value: (collection: Collection) => T): Readonly<Record<Collection, T>> =>
  Object.fromEntries(COLLECTIONS.map((it) => [it, value(it)])) as Record<Collection, T>; // One for each.

/** @returns how many records there are of each collection. */
export const countsOf = (some: Counts): Readonly<Record<Collection, number>> => eachCollection((it) => some[it] ?? 0);

/** @returns the same by the names that commands have for the collections. */
export const namedCountsOf = (some: Counts): Readonly<Record<string, number>> =>
  Object.fromEntries(COLLECTIONS.map((it) => [commandName(it), some[it] ?? 0]));

/** @returns the same in words, such as `1 automation, 0 contact properties, 0 contact imports`. */
export const countedOf = (some: Counts): string => COLLECTIONS.map((it) => counted(some[it] ?? 0, noun(it))).join(', ');

/** The names that commands have for the collections, with commas between them. */
export const COMMAND_NAMES = COLLECTIONS.map(commandName).join(', ');
