/** The contract as it is not, to try what happens when it changes. */
import { loadContract } from '../../contract/document.ts';
import type { Contract, Schema } from '../../contract/document.ts';

/** A schema that may be changed, also by keywords that the server does not look at. */
export interface EditableSchema extends Omit<Schema, 'properties'> {
  [keyword: string]: unknown;
  properties: Record<string, object>;
  required: string[];
}

type EditableSchemas = Record<keyof Contract['schemas'], EditableSchema>;

/** @returns a copy of the contract whose schemas are changed, in place, by `edit`. */
export function contractWith(edit: (schemas: EditableSchemas) => void): Contract {
  const contract = loadContract();
  edit(contract.schemas as unknown as EditableSchemas); // Plain objects that nobody else holds.
  return contract;
}
