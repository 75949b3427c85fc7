/** Converts the contract to OpenAPI 3.1, for generators that support null only in 3.1. Both versions accept the same values. */

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that annotate a schema as a whole, for null and for other values. */
const ANNOTATION = /^(title|description|default|deprecated|readOnly|writeOnly|examples|x-.+)$/;
/** Keywords of 3.0 that have another meaning in 3.1, or none. */
const UNSUPPORTED = ['exclusiveMinimum', 'exclusiveMaximum', 'discriminator', 'xml'];

/**
 * @param document parsed OpenAPI 3.0, which is not modified.
 * @returns the same document as OpenAPI 3.1. A `nullable` schema becomes a `oneOf` with `type: 'null'`, because not every generator
 *   supports lists of types. The `example` of a schema becomes its `examples`. `additionalProperties: true` is left out, which means the
 *   same: generators of TypeScript make an index signature of it, with which a misspelled property compiles.
 * @throws Error if a schema has a keyword that this module cannot convert.
 */
export function renderAs31(document: Node): Node {
  return { ...each(document, part), openapi: '3.1.0' };
}

const each = (node: Node, render: (value: unknown, name: string) => unknown): Node =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [name, render(value, name)]));

/** Converts the schemas in a part of the document. */
function part(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => part(item, ''));
  if (!isNode(value) || /^(examples?|x-.+)$/.test(name)) return value;
  if (name === 'schema') return schema(value);
  return each(value, name === 'schemas' ? schema : part);
}

function schema(value: unknown): unknown {
  if (!isNode(value) || '$ref' in value) return value; // Such as `additionalProperties: false`.
  const unsupported = UNSUPPORTED.find((word) => word in value);
  if (unsupported !== undefined) throw new Error(`Cannot convert ${unsupported} to OpenAPI 3.1.`);
  const { nullable, example, ...rest } = value;
  const kept = Object.entries(rest).filter(([name, rule]) => name !== 'additionalProperties' || rule !== true);
  const rendered = each({ ...Object.fromEntries(kept), ...('example' in value && { examples: [example] }) }, keyword);
  return nullable === true ? orNull(rendered) : rendered;
}

function keyword(value: unknown, name: string): unknown {
  if (name === 'properties' && isNode(value)) return each(value, schema);
  if (/^(oneOf|anyOf|allOf)$/.test(name) && Array.isArray(value)) return value.map(schema);
  return /^(items|not|additionalProperties)$/.test(name) ? schema(value) : value;
}

function orNull(node: Node): Node {
  const entries = Object.entries(node);
  const annotations = Object.fromEntries(entries.filter(([name]) => ANNOTATION.test(name)));
  const rules: Node = Object.fromEntries(entries.filter(([name]) => !ANNOTATION.test(name)));
  if (!Array.isArray(rules['enum'])) return { ...annotations, oneOf: [rules, { type: 'null' }] };
  // In 3.0, a nullable enum accepts null only if its list has null too.
  const values = rules['enum'].filter((allowed) => allowed !== null);
  if (values.length === rules['enum'].length) return node;
  if (values.length === 0) return { ...annotations, type: 'null' };
  return { ...annotations, oneOf: [{ ...rules, enum: values }, { type: 'null' }] };
}
