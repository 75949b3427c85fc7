/** What is wrong with a record, said so that its owner can mend it. */
import type { ErrorObject } from 'ajv';

export interface Fault {
  /** Where in the record, as a JSON pointer; `record` for the whole of it. */
  readonly where: string;
  /** What is wrong, and what is allowed. */
  readonly what: string;
}

/** @returns the errors of a validation as faults, without the branches of a choice that failed as a whole. */
export function describe(errors: readonly ErrorObject[]): readonly Fault[] {
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
      return `fits none of its forms: ${[...new Set(branches.map((it) => it.message ?? ''))].join('; ')}`;
    default:
      return message;
  }
}

const quote = (value: unknown): string => JSON.stringify(value);
const list = (values: unknown): string => (Array.isArray(values) ? values.map(quote).join(', ') : quote(values));

function example({ parentSchema }: ErrorObject): unknown {
  const schema: unknown = parentSchema;
  return typeof schema === 'object' && schema !== null && 'example' in schema ? schema.example : undefined;
}
