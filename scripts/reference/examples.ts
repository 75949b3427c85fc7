/** The example call of an operation in each language, with parameters that agree with its example response. */
import { createRequire } from 'node:module';
import { nameOf } from './contract.ts';
import type { Contract, Operation, Parameter } from './contract.ts';
import { ORIGIN } from './markup.ts';

const client = createRequire(import.meta.url)('../../client/package.json') as { readonly name: string };
/** The environment variable that the client takes the key from. */
const KEY = 'ROLLCALL_API_KEY';

/** A parameter and its value, as it is sent. */
type Sent = readonly [name: string, value: string | number];
export interface ExampleCall {
  readonly label: string;
  readonly language: 'bash' | 'typescript' | 'python';
  readonly text: string;
}

/** @returns the calls, which take the key from the environment. */
export function exampleCalls(contract: Contract, operation: Operation): readonly ExampleCall[] {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValue(operation, name));
  const query = queryOf(contract, operation);
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const url = ORIGIN + path + (search === '' ? '' : `?${search}`);
  return [
    { label: 'curl', language: 'bash', text: `curl "${url}" \\\n  -H "Authorization: Bearer $${KEY}"` },
    { label: 'TypeScript', language: 'typescript', text: typescript(contract, operation, query) },
    { label: 'Python', language: 'python', text: python(url) },
  ];
}

function pathValue({ parameters }: Operation, name: string): string {
  return encodeURIComponent(String(parameters.find((it) => it.in === 'path' && it.name === name)?.example));
}

/**
 * @returns the query parameters: a limit of as many items as the example response has, and a filter only if it matches all of
 * them. Cursors are omitted, because they belong to the next call.
 */
function queryOf(contract: Contract, { parameters, responses, limit }: Operation): readonly Sent[] {
  const body = responses.find((it) => it.status === '200')?.examples[0]?.value as Partial<List> | undefined;
  const items = body?.data ?? [];
  const isFilter = ({ schema }: Parameter): boolean => contract.schemaOf(schema).enum !== undefined;
  const matchesAll = ({ name, example }: Parameter): boolean => items.every((it) => it[name] === example);
  return parameters
    .filter((it) => it.in === 'query')
    .flatMap((it): Sent[] => {
      if (it.name === limit) return [[it.name, items.length]];
      return isFilter(it) && matchesAll(it) ? [[it.name, String(it.example)]] : [];
    });
}
interface List {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

function typescript(contract: Contract, operation: Operation, query: readonly Sent[]): string {
  const call = clientCall(contract, operation, query);
  return [
    `import { createClient } from '${client.name}';`,
    '',
    `// The key comes from ${KEY}.`,
    `const client = createClient({ baseUrl: '${ORIGIN}' });`,
    '',
    call.text,
    `console.log(${call.shown});`,
  ].join('\n');
}

/**
 * The call of an operation in the client: `listSegments` is `segments.list`, and the operation that retrieves one of its items
 * is `segments.get`. Any other operation is called by `GET`.
 */
function clientCall(contract: Contract, operation: Operation, query: readonly Sent[]): { text: string; shown: string } {
  const options = query.map(([name, value]) => `${name}: ${literal(value)}`).join(', ');
  const collection = collectionOf(operation);
  if (collection !== undefined) {
    const text = `const page = await client.${collection}.list(${options === '' ? '' : `{ ${options} }`});`;
    return { text, shown: 'page.data' };
  }
  const list = contract.operations.find((it) => `${it.path}/{id}` === operation.path);
  const listed = list === undefined ? undefined : collectionOf(list);
  const record = recordName(operation);
  if (listed !== undefined) {
    const text = `const ${record} = await client.${listed}.get(${literal(pathValue(operation, 'id'))});`;
    return { text, shown: record };
  }
  const path = operation.parameters.filter((it) => it.in === 'path');
  const inPath = path.map(({ name }) => `${name}: ${literal(pathValue(operation, name))}`).join(', ');
  const parts = [
    ...(inPath === '' ? [] : [`path: { ${inPath} }`]),
    ...(options === '' ? [] : [`query: { ${options} }`]),
  ];
  const params = parts.length === 0 ? '' : `, { params: { ${parts.join(', ')} } }`;
  return { text: `const { data } = await client.GET('${operation.path}'${params});`, shown: 'data' };
}

/** The name of the collection that an operation lists, as the client has it. */
function collectionOf({ id, path }: Operation): string | undefined {
  return id.startsWith('list') && !path.includes('{') ? lowerFirst(id.slice('list'.length)) : undefined;
}

function recordName({ responses }: Operation): string {
  const schema = responses.find((it) => it.status === '200')?.schema;
  return schema !== undefined && '$ref' in schema ? lowerFirst(nameOf(schema)) : 'record';
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll(/['\\]/g, '\\$&')}'`;

/** Uses only modules of the standard library, so that nothing needs to be installed. */
const python = (url: string): string => `import json
import os
from urllib.request import Request, urlopen

key = os.environ["${KEY}"]
request = Request(
    "${url}",
    headers={"Authorization": f"Bearer {key}"},
)
with urlopen(request, timeout=10) as response:
    answer = json.load(response)

print(json.dumps(answer, indent=2))`;
