/** Values against schemas of the contract: what is wrong, said so that their owner can mend it. */
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { Schema } from './document.ts';

export interface Violation {
  /** Where in the value, as a JSON pointer; `record` for the whole of it. */
  readonly where: string;
  /** What is wrong, and what is allowed. */
  readonly what: string;
}

function createAjv(useDefaults: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    useDefaults,
    formats: { int32: true, double: true }, // Widths for generated code: `minimum` and `maximum` say as much.
  });
  formats.default(ajv, ['uuid']);
  ajv.addVocabulary(['example']); // OpenAPI's own annotation.
  return ajv;
}
const ajv = createAjv(false);

/**
 * @param fillDefaults whether to give a value, in place, the properties it lacks and the schema has a default for.
 * @returns what says everything that is wrong with a value. It may have no property that the schema does not document.
 */
export function compile(schema: Schema, fillDefaults = false): (value: unknown) => readonly Violation[] {
  const validate = (fillDefaults ? createAjv(true) : ajv).compile(closed(schema) as Schema); // A copy of it, with more in it.
  return (value) => (validate(value) ? [] : describe(validate.errors ?? []));
}

/**
 * A schema without room for undocumented properties. The contract itself leaves that room, so that a client made from it
 * survives a property that a minor version adds.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, it]) => [name, closed(it)]));
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy;
}

/** @returns the errors of a validation as violations, without the branches of a choice that failed as a whole. */
function describe(errors: readonly ErrorObject[]): readonly Violation[] {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf');
  const inChoice = (error: ErrorObject): boolean =>
    choices.some((choice) => choice !== error && choice.instancePath === error.instancePath);
  return errors
    .filter((error) => !inChoice(error))
    .map((error) => ({ where: where(error), what: what(error, errors.filter(inChoice)) }));
}

function where({ instancePath, params }: ErrorObject): string {
  const names: Readonly<Record<string, unknown>> = params;
  const property = names['missingProperty'] ?? names['additionalProperty'];
  const path = typeof property === 'string' ? `${instancePath}/${property}` : instancePath;
  return path === '' ? 'record' : path;
}

function what(error: ErrorObject, branches: readonly ErrorObject[]): string {
  const { keyword, message = 'is not as documented' } = error;
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (keyword) {
    case 'enum':
      return `must be one of ${list(params['allowedValues'])}`;
    case 'additionalProperties':
      return 'is not a property of the contract';
    case 'required':
      return 'is missing';
    case 'pattern':
    case 'format':
      return `must look like ${quote(example(error))}`;
    case 'oneOf':
      return ['must be ' + forms(error), ...branches.filter(isOfValue).map((it) => it.message ?? '')].join('; ');
    default:
      return message;
  }
}

/** A value of the right form that is wrong all the same, such as too long a text. */
const isOfValue = ({ keyword }: ErrorObject): boolean => !['type', 'enum', 'nullable'].includes(keyword);

/** @returns the forms of a choice, such as `string, number or null`. */
function forms({ schema }: ErrorObject): string {
  const members = Array.isArray(schema) ? (schema as readonly Schema[]) : [];
  const names = members.map(({ type, enum: values }) => (JSON.stringify(values) === '[null]' ? 'null' : type));
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

const quote = (value: unknown): string => JSON.stringify(value);
const list = (values: unknown): string => (Array.isArray(values) ? values.map(quote).join(', ') : quote(values));

function example({ parentSchema }: ErrorObject): unknown {
  const schema: unknown = parentSchema;
  return typeof schema === 'object' && schema !== null && 'example' in schema ? schema.example : undefined;
}

/** @returns the first sentence of a schema's description, as a noun to say after "must be": `a UUID in lower case`. */
export function nounOf(description: string): string {
  const [sentence = ''] = /^.*?(?=\.(\s|$))/s.exec(description) ?? [];
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
