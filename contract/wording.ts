/** Phrases for messages: what a schema allows, and counts with their nouns and verbs. */
import type { Schema } from './document.ts';

/** The keywords of a schema that constrain a value. */
export interface Allowed extends Omit<Schema, 'enum'> {
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly oneOf?: readonly Allowed[];
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

type Quote = (value: unknown) => string;

// Created when it is needed: the first `Intl.ListFormat` takes 20 ms to load its data.
const choice = (options: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(options);

/**
 * @param quote formats values in the phrase, as JSON by default.
 * @returns what a schema allows, such as `a whole number from 0 to 9`.
 */
export function allowed(schema: Allowed, quote: Quote = JSON.stringify): string {
  const { type, nullable = false, enum: values, oneOf } = schema;
  if (oneOf !== undefined) return choice(oneOf.map((option) => allowed(option, quote)));
  if (values !== undefined)
    return `${values.length > 1 ? 'one of ' : ''}${values.map((value) => quote(value)).join(', ')}`;
  const phrase = type === 'string' ? string(schema, quote) : other(schema);
  return nullable && !/\bnull\b/.test(phrase) ? `${phrase}, or null` : phrase;
}

function string(schema: Allowed, quote: Quote): string {
  const { pattern, description, example, minLength, maxLength } = schema;
  if (pattern === undefined) return `a string${bounds('of ', minLength, maxLength, 'character')}`;
  // The first sentence of the description says what the pattern means.
  const [sentence] = description?.split(/\.(?:\s|$)/, 1) ?? [];
  if (sentence === undefined || example === undefined) return `a string that matches ${pattern}`;
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}, such as ${quote(example)}`;
}

function other({ type, minimum, maximum, minItems, maxItems, ...schema }: Allowed): string {
  switch (type) {
    case 'integer':
      return `a whole number${bounds('from ', minimum, maximum)}`;
    case 'number':
      return `a number${bounds('from ', minimum, maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${bounds('of ', minItems, maxItems, 'item')}`;
    default:
      return `an object${members(schema)}`;
  }
}

/** @returns the number of members that an object must have, or the names of which it must have one. */
function members({ properties, minProperties, maxProperties }: Allowed): string {
  if (properties === undefined) return bounds('of ', minProperties, maxProperties, 'member');
  if (minProperties !== 1) return '';
  return ` with ${maxProperties === 1 ? 'exactly' : 'at least'} one of ${Object.keys(properties).join(', ')}`;
}

/** @returns the bounds of a number, or of a count of units. */
function bounds(between: string, min: number | undefined, max: number | undefined, unit?: string): string {
  if (min === undefined && max === undefined) return '';
  const units = unit === undefined ? '' : ` ${unit}${(max ?? min) === 1 ? '' : 's'}`;
  if (max === undefined) return ` of at least ${String(min)}${units}`;
  if (min === undefined) return ` of at most ${String(max)}${units}`;
  return ` ${between}${String(min)} to ${String(max)}${units}`;
}

declare const COUNTED: unique symbol;
/** A count with its noun. */
export type Counted = string & { readonly [COUNTED]: true };

/**
 * @param things a noun in the plural.
 * @returns the count with its noun: `1 contact property`, `1,200 contact properties`.
 */
export const counted = (number: number, things: string): Counted =>
  `${number.toLocaleString('en')} ${number === 1 ? things.replace(/(ie)?s$/, (end) => (end === 's' ? '' : 'y')) : things}` as Counted;

/** @returns the verb for a count. */
export const be = (number: number): 'is' | 'are' => (number === 1 ? 'is' : 'are');
