/** The collections by their names for people. */
import type { Schemas } from '../contract.ts';
import type { Collection } from '../store/store.ts';

/** The schema of each collection's records. */
export const RECORD_SCHEMAS = {
  automations: 'Automation',
  contactProperties: 'ContactProperty',
  contactImports: 'ContactImport',
} as const satisfies Record<Collection, keyof Schemas>;

export const COLLECTIONS = Object.keys(RECORD_SCHEMAS) as readonly Collection[]; // Its keys are checked above.

const words = (collection: Collection, separator: string): string =>
  collection.replaceAll(/[A-Z]/g, (letter) => separator + letter.toLowerCase());

/** @returns the name on the command line, such as `contact-imports`. */
export const commandName = (collection: Collection): string => words(collection, '-');

/** @returns the name in a sentence, such as `contact imports`. */
export const noun = (collection: Collection): string => words(collection, ' ');
