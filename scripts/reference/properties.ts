/** The properties of a schema. A property that is an object, or a list of objects, has the properties of the object in place. */
import { nameOf } from './contract.ts';
import type { Contract, Schema, SchemaOrReference } from './contract.ts';
import { anchors, fold, h, term } from './markup.ts';
import type { Markup, Prose } from './markup.ts';
import { boundsOf, facts, typeOf } from './types.ts';

/** @returns the list of the properties of a named schema, in which each property has its address. */
export const propertyTerms = (contract: Contract, prose: Prose, name: string, schema: Schema): Markup =>
  list(contract, prose, schema, [schema], (property, details) =>
    term(anchors.property(name, property), property, { kind: `property of ${name}` }, details),
  );

/**
 * @param within the schemas around this one, which are not shown again.
 * @returns the properties of a schema, folded; `undefined` if it has none.
 */
export function foldedProperties(
  contract: Contract,
  prose: Prose,
  schema: SchemaOrReference,
  within: readonly Schema[] = [],
): Markup {
  const resolved = contract.schemaOf(schema);
  if (resolved.items !== undefined) return foldedProperties(contract, prose, resolved.items, within);
  if (resolved.properties === undefined || within.includes(resolved)) return undefined;
  const name = '$ref' in schema ? nameOf(schema) : undefined;
  const terms = list(contract, prose, resolved, [...within, resolved], (property, details) =>
    h('dt', null, nameMarkup(name, property), ' ', details),
  );
  return h(
    'div',
    { class: 'nested' },
    fold(name === undefined ? 'Properties' : ['Properties of ', h('code', null, name)], terms),
  );
}

function nameMarkup(schema: string | undefined, property: string): Markup {
  const name = h('code', null, property);
  return schema === undefined ? name : h('a', { class: 'self', href: `#${anchors.property(schema, property)}` }, name);
}

function list(
  contract: Contract,
  prose: Prose,
  { properties = {}, required = [] }: Schema,
  within: readonly Schema[],
  dt: (property: string, details: Markup) => Markup,
): Markup {
  const terms = Object.entries(properties).flatMap(([property, schema]) => {
    const resolved = contract.schemaOf(schema);
    return [
      dt(
        property,
        facts(typeOf(contract, schema), ...boundsOf(resolved), required.includes(property) ? undefined : 'optional'),
      ),
      h('dd', null, prose.inline(resolved.description ?? ''), foldedProperties(contract, prose, schema, within)),
    ];
  });
  return h('dl', { class: 'terms' }, terms);
}
