/**
 * The contract in the form that the reference needs: its parts by name, with references to headers, parameters and responses
 * resolved.
 */

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly example?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaOrReference>>;
  readonly items?: SchemaOrReference;
  readonly oneOf?: readonly SchemaOrReference[];
}
export interface Reference {
  readonly $ref: string;
}
export type SchemaOrReference = Schema | Reference;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaOrReference;
  readonly example?: unknown;
}
export interface Header {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: SchemaOrReference;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}
export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}
export interface Response {
  readonly status: string;
  /** The name of its component, such as `NotFound`; the status if it has no component. */
  readonly name: string;
  readonly description: string;
  readonly headers: readonly string[];
  /** The names of the errors that the response may have. */
  readonly problems: readonly string[];
  readonly schema: SchemaOrReference | undefined;
  readonly examples: readonly Example[];
}
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly Response[];
  /** The name of the parameter for the maximum number of items. */
  readonly limit: string | undefined;
  /** The name of the parameter for the cursor of the next page. */
  readonly cursor: string | undefined;
}
/** A key, sent as `Authorization: <scheme> <key>`. */
export interface Security {
  readonly scheme: string;
  readonly description: string;
  readonly 'x-key-pattern'?: string;
}
export interface Version {
  readonly version: string;
  readonly date: string;
  readonly changes: readonly string[];
}
export interface Contract {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly guide: readonly { readonly title: string; readonly text: string }[];
  /** Newest first. */
  readonly changelog: readonly Version[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
  /** Those of all operations, and those of all paths. */
  readonly responses: readonly Response[];
  readonly schemas: ReadonlyMap<string, Schema>;
  /** By the name of the header. */
  readonly headers: ReadonlyMap<string, Header>;
  /** The key that every request carries. */
  readonly key: Security;
  /** @returns the schema that a reference points to; a schema as it is. */
  readonly schemaOf: (schema: SchemaOrReference) => Schema;
}

// The parts of the document that this module reads. The linters check that it is valid OpenAPI.
interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly 'x-guide': Contract['guide'];
  readonly 'x-changelog'?: Contract['changelog'];
  readonly 'x-common'?: Pick<OperationObject, 'responses'>;
  readonly tags: Contract['tags'];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Security>>;
  };
}
interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly 'x-speakeasy-pagination'?: { readonly inputs: readonly { readonly name: string; readonly type: string }[] };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}
interface ResponseObject {
  readonly description: string;
  readonly 'x-problem-names'?: readonly string[];
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: { readonly 'application/json'?: MediaType };
}
interface MediaType {
  readonly schema: SchemaOrReference;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** @param source the document, with its references not resolved. */
export function readContract(source: object): Contract {
  const document = source as Document;
  const resolve = <T extends object>(value: T | Reference): T =>
    '$ref' in value ? (nodeAt(source, value) as T) : value;
  const headers = new Map<string, Header>();

  const responseOf = (status: string, response: ResponseObject | Reference): Response => {
    const { description, headers: ownHeaders = {}, content, ...rest } = resolve(response);
    for (const [name, header] of Object.entries(ownHeaders)) headers.set(name, resolve(header));
    const media = content?.['application/json'];
    const examples = media?.example === undefined ? [] : [{ value: media.example }];
    return {
      ...{ status, description },
      name: '$ref' in response ? nameOf(response) : status,
      headers: Object.keys(ownHeaders),
      problems: rest['x-problem-names'] ?? [],
      schema: media?.schema,
      examples: [...examples, ...Object.values(media?.examples ?? {})],
    };
  };
  const responsesOf = (declared: OperationObject['responses']): Response[] =>
    Object.entries(declared).map(([status, response]) => responseOf(status, response));
  const operation = (path: string, method: string, object: OperationObject): Operation => ({
    ...{ id: object.operationId, method: method.toUpperCase(), path, tag: object.tags[0] ?? '' },
    ...{ summary: object.summary, description: object.description },
    parameters: (object.parameters ?? []).map(resolve),
    responses: responsesOf(object.responses),
    limit: inputOf(object, 'limit'),
    cursor: inputOf(object, 'cursor'),
  });

  const { schemas, securitySchemes } = document.components;
  const [key, ...others] = Object.values(securitySchemes);
  if (key === undefined || others.length > 0) throw new Error('The reference supports one security scheme.');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operationObject]) => operation(path, method, operationObject)),
  );
  return {
    ...document.info,
    guide: document['x-guide'],
    changelog: document['x-changelog'] ?? [],
    tags: document.tags,
    operations,
    responses: [
      ...operations.flatMap(({ responses }) => responses),
      ...responsesOf(document['x-common']?.responses ?? {}),
    ],
    schemas: new Map(Object.entries(schemas)),
    headers,
    key: { ...key, scheme: key.scheme.charAt(0).toUpperCase() + key.scheme.slice(1) },
    schemaOf: resolve,
  };
}

const inputOf = (operation: OperationObject, kind: string): string | undefined =>
  operation['x-speakeasy-pagination']?.inputs.find(({ type }) => type === kind)?.name;

/** @returns the name of the component that a reference points to, such as `Automation`. */
export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);

const nodeAt = (document: object, { $ref }: Reference): unknown =>
  $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (node as Readonly<Record<string, unknown>>)[name], document);
