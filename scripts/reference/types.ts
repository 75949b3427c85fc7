/** Facts on one line: the type of a schema with a link to it, its bounds, and the responses that carry a header. */
import { nameOf } from './contract.ts';
import type { Contract, Response, Schema, SchemaOrReference } from './contract.ts';
import { anchors, h } from './markup.ts';
import type { Markup } from './markup.ts';

/** The type of a schema. A schema with a name is a link to it. */
export function typeOf(contract: Contract, schema: SchemaOrReference): Markup {
  if (!('$ref' in schema)) return plainType(contract, schema);
  const name = nameOf(schema);
  const resolved = contract.schemaOf(schema);
  const link = (text: string): Markup => h('a', { href: `#${anchors.schema(name)}` }, text);
  if (resolved.enum !== undefined) return [link(name), ': ', valuesOf(resolved.enum)];
  return isPlain(resolved) ? [plainType(contract, resolved), ' (', link(wordsOf(name)), ')'] : link(name);
}

/** @returns whether a schema is a string, a number or a boolean, which readers know by that name better than by its own. */
const isPlain = ({ type, items, properties }: Schema): boolean =>
  type !== undefined && items === undefined && properties === undefined;

/** @param name the name of a schema, such as `CompletionTimestamp`. @returns the same in words, such as `completion timestamp`. */
const wordsOf = (name: string): string => name.replaceAll(/(?<=.)[A-Z]/g, ' $&').toLowerCase();

/** The type of a schema itself, without its name. */
export function plainType(contract: Contract, schema: Schema): Markup {
  const { type = '', enum: values, items, oneOf = [], nullable = false } = schema;
  if (values !== undefined) return valuesOf(values);
  if (items !== undefined) return ['array of ', typeOf(contract, items)];
  if (oneOf.length > 0)
    return oneOf.flatMap((option, at) => (at === 0 ? [typeOf(contract, option)] : [' or ', typeOf(contract, option)]));
  return nullable ? `${type} or null` : type;
}

const valuesOf = (values: readonly unknown[]): Markup =>
  values.flatMap((literal, at): Markup[] => {
    const value = h('code', null, String(literal));
    return at === 0 ? [value] : [', ', value];
  });

/** @returns the bounds and the default of a schema, such as `1 to 100` and `default 20`. */
export function boundsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, maxItems, default: initial } = schema;
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(undefined, maxItems, ' items'),
    ...(initial === undefined ? [] : [`default ${String(initial)}`]),
  ];
}

function range(from: number | undefined, to: number | undefined, unit: string): string[] {
  if (from === undefined && to === undefined) return [];
  if (from === to) return [`${String(from)}${unit}`];
  if (from === undefined) return [`at most ${String(to)}${unit}`];
  return [to === undefined ? `at least ${String(from)}${unit}` : `${String(from)} to ${String(to)}${unit}`];
}

/** A line of facts with dots between them. */
export function facts(...given: readonly (Markup | undefined)[]): Markup {
  const shown = given.filter((fact) => fact !== undefined && fact !== '');
  if (shown.length === 0) return undefined;
  return h(
    'span',
    { class: 'facts' },
    shown.map((fact) => h('span', null, fact)),
  );
}

/** @returns the responses that carry a header, such as `all responses except 304`. */
export function carriersOf(header: string, responses: readonly Response[]): string {
  const [carrying, others] = [true, false].map((is) =>
    [...new Set(responses.filter(({ headers }) => headers.includes(header) === is).map(({ status }) => status))].sort(),
  );
  if (others?.length === 0) return 'all responses';
  if ((others?.length ?? 0) === 1 && (carrying?.length ?? 0) > 1) return `all responses except ${others?.join() ?? ''}`;
  return carrying?.join(', ') ?? '';
}
