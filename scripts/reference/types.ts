/** What a schema allows, in a line: its type with a link to it, and its bounds. */
import { anchors } from './anchors.ts';
import { nameOf } from './contract.ts';
import type { Contract, Schema, SchemaOrReference } from './contract.ts';
import { h } from './markup.ts';
import type { Markup } from './markup.ts';

/** @param isNamed whether a named schema is shown by its name alone. */
export function typeOf(contract: Contract, schema: SchemaOrReference): Markup {
  if ('$ref' in schema) {
    const name = nameOf(schema);
    const { enum: values = [] } = contract.schemaOf(schema);
    const link = h('a', { href: `#${anchors.schema(name)}` }, name);
    return values.length > 0 ? [link, ': ', valuesOf(values)] : link;
  }
  return plainType(contract, schema);
}

/** The same of a schema itself, without its name. */
export function plainType(contract: Contract, schema: Schema): Markup {
  const { type = '', enum: values, items, oneOf = [], nullable = false } = schema;
  if (values !== undefined) return valuesOf(values);
  if (items !== undefined) return ['array of ', typeOf(contract, items)];
  if (oneOf.length > 0)
    return oneOf.flatMap((it, at) => (at === 0 ? [typeOf(contract, it)] : [' or ', typeOf(contract, it)]));
  return nullable ? `${type} or null` : type;
}

const valuesOf = (values: readonly unknown[]): Markup =>
  values.flatMap((it, at): Markup[] => {
    const value = h('code', null, String(it));
    return at === 0 ? [value] : [', ', value];
  });

/** @returns such as `1 to 100`, `default 20`. */
export function boundsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, maxItems, default: usual } = schema;
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(undefined, maxItems, ' items'),
    ...(usual === undefined ? [] : [`default ${String(usual)}`]),
  ];
}

function range(from: number | undefined, to: number | undefined, unit: string): string[] {
  if (from === undefined && to === undefined) return [];
  if (from === to) return [`${String(from)}${unit}`];
  if (from === undefined) return [`at most ${String(to)}${unit}`];
  return [to === undefined ? `at least ${String(from)}${unit}` : `${String(from)} to ${String(to)}${unit}`];
}

/** A line of facts with dots between them. */
export function facts(...of: readonly (Markup | undefined)[]): Markup {
  const said = of.filter((it) => it !== undefined && it !== '');
  if (said.length === 0) return undefined;
  return h(
    'span',
    { class: 'facts' },
    said.map((it) => h('span', null, it)),
  );
}
