/**
 * Generates `generated/models.ts`, the types of the contract as an editor shows them: a name for each schema, and the contract's
 * description on each property and method. Types written as `components['schemas']['X']` show neither.
 */
import ts from 'typescript';

interface Reference {
  readonly $ref: string;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: Reference | { readonly type: string };
}
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly Reference[];
  readonly responses: { readonly 200: Reference };
}
interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Reference } };
}
interface ListSchema {
  readonly properties: { readonly data?: { readonly items: Reference } };
}
interface Contract {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}

/**
 * @param types the text of `generated/openapi.ts`.
 * @param document the contract.
 * @returns the models as unformatted TypeScript.
 */
export function modelsOf(types: string, document: object): string {
  const contract = document as Contract; // The linters check it as OpenAPI; every path has a GET, every response and parameter is a component.
  return [...schemasOf(types), ...collectionsOf(contract)].join('\n');
}

/** @returns a declaration for each schema, derived from the output of openapi-typescript. */
function schemasOf(types: string): string[] {
  const source = ts.createSourceFile('openapi.ts', types, ts.ScriptTarget.Latest, true);
  const components = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === 'components',
  );
  const schemas = membersOf(components).find((member) => nameOf(member) === 'schemas');
  const members = membersOf(typeOf(schemas));
  const comments = new Map(members.map((member) => [nameOf(member), commentOf(member)]));
  const named = (text: string): string => text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');

  return members.map((member) => {
    const type = typeOf(member);
    const head = `${commentOf(member)}\nexport`;
    if (!ts.isTypeLiteralNode(type)) return `${head} type ${nameOf(member)} = ${named(type.getText())};`;
    const properties = type.members.map((property) => {
      const declared = named(property.getText());
      // A property that only refers to a schema has no own comment.
      const comment = commentOf(property) || (comments.get(named(typeOf(property).getText())) ?? '');
      return `${comment}\n${declared}`;
    });
    return `${head} interface ${nameOf(member)} { ${properties.join('\n')} }`;
  });
}

/** @returns the query parameters of the lists, and the collections with their methods. */
function collectionsOf(contract: Contract): string[] {
  const operations = Object.entries(contract.paths).map(([path, { get }]) => ({ path, ...get }));
  const lists = operations.filter(({ operationId, path }) => operationId.startsWith('list') && !path.includes('{'));
  const queries = lists.map(
    (list) => `export interface ${queryOf(list)} { ${parametersOf(contract, list).join('\n')} }`,
  );
  const collections = lists.map((list) => {
    const item = operations.find(({ path }) => path === `${list.path}/{id}`);
    const methods = [
      `${comment(list.description)}\nlist: { item: ${itemOf(contract, list)}; query: ${queryOf(list)} };`,
      ...(item === undefined ? [] : [`${comment(item.description)}\nget: { item: ${itemOf(contract, item)} };`]),
    ];
    const name = list.operationId.slice('list'.length);
    return `${name.charAt(0).toLowerCase() + name.slice(1)}: { ${methods.join('\n')} };`;
  });
  return [
    ...queries,
    `/** The query and the result of each method of a collection. */\nexport interface Collections { ${collections.join('\n')} }`,
  ];
}

const queryOf = ({ operationId }: Operation): string =>
  operationId.charAt(0).toUpperCase() + operationId.slice(1) + 'Query';

function parametersOf(contract: Contract, { parameters = [] }: Operation): string[] {
  return parameters
    .map((parameter) => resolve(contract, parameter) as Parameter)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description, schema }) => {
      const type = '$ref' in schema ? lastOf(schema) : schema.type === 'integer' ? 'number' : schema.type;
      return `${comment(description)}\n${name}?: ${type} | undefined;`;
    });
}

/** @returns the name of the response schema; for a list, of the schema of its items. */
function itemOf(contract: Contract, { responses }: Operation): string {
  const { content } = resolve(contract, responses[200]) as Content;
  const { schema } = content['application/json'];
  const { data } = (resolve(contract, schema) as ListSchema).properties;
  return lastOf(data === undefined ? schema : data.items);
}

const resolve = (contract: Contract, { $ref }: Reference): unknown =>
  $ref
    .split('/')
    .slice(1)
    .reduce((node: unknown, key) => (node as Record<string, unknown>)[key], contract);
const lastOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);
const comment = (text: string): string =>
  `/** ${text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('*/', '*')} */`;

const membersOf = (node: ts.Node | undefined): readonly ts.TypeElement[] =>
  node !== undefined && (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) ? node.members : [];
const nameOf = (member: ts.TypeElement): string => (member.name as ts.Identifier).text; // No name is computed.
function typeOf(member: ts.TypeElement | undefined): ts.TypeNode {
  if (member === undefined || !ts.isPropertySignature(member) || member.type === undefined) {
    throw new Error('generated/openapi.ts does not have the form that openapi-typescript writes.');
  }
  return member.type;
}
/** The comment of openapi-typescript, without lines that repeat the type, and without the `@description` tag. */
const commentOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .map((tag) =>
      tag
        .getText()
        .replaceAll(/^ *\* (Format: |@enum ).*\n/gm, '')
        .replace('@description ', ''),
    )
    .join('\n');
