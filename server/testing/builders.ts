/** Valid records, each with an id of its own: the contract's examples, with overrides. */
import { randomUUID } from 'node:crypto';
import { COLLECTIONS, recordSchemaOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import { loadContract } from '../contract/document.ts';

type Build<C extends Collection> = (overrides?: Partial<Resources[C]>) => Resources[C];

const contract = loadContract();

const fromExample = Object.fromEntries(
  COLLECTIONS.map((collection) => {
    const example = recordSchemaOf(contract, collection).example as object; // A record: a test holds it against its schema.
    return [collection, (overrides: object = {}) => ({ ...structuredClone(example), id: randomUUID(), ...overrides })];
  }),
) as { readonly [C in Collection]: Build<C> }; // Made for each collection, from its example.

/** @returns an enabled automation, but for the overrides. */
export const automation = fromExample.automations;

/** @returns a property of type string with a fallback, but for the overrides; one of another type has none. */
export const contactProperty: Build<'contactProperties'> = ({ type, ...overrides } = {}) =>
  fromExample.contactProperties(type === undefined ? overrides : { type, fallback_value: null, ...overrides });

/** @returns a completed import whose counts add up, but for the overrides; one that has not ended has no time of it. */
export const contactImport: Build<'contactImports'> = (overrides = {}) =>
  fromExample.contactImports(
    overrides.status === 'queued' || overrides.status === 'in_progress'
      ? { completed_at: null, ...overrides }
      : overrides,
  );

/** A builder for each collection: `build.automations({ status: 'disabled' })`. */
export const build: { readonly [C in Collection]: Build<C> } = {
  ...fromExample,
  contactProperties: contactProperty,
  contactImports: contactImport,
};
