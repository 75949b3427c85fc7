/** The example call of an operation, with parameters that agree with its example response. */
import { KEY_VARIABLE, samplesOf } from '../../server/pages/assets/reference/samples.ts';
import type { Call, ClientCall, Samples, Sent } from '../../server/pages/assets/reference/samples.ts';
import { nameOf } from './contract.ts';
import type { Contract, Operation, Parameter } from './contract.ts';
import { ORIGIN } from './markup.ts';

export { KEY_VARIABLE };

/** @returns the call in each language. The code reads the API key from the environment. */
export const exampleSamples = (contract: Contract, operation: Operation): Samples =>
  samplesOf(exampleCall(contract, operation));

export function exampleCall(contract: Contract, operation: Operation): Call {
  const { path, parameters } = operation;
  const pathValues = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, example }): Sent => [name, String(example)]);
  const query = queryOf(contract, operation);
  return { ...{ origin: ORIGIN, path, pathValues, query, headers: [] }, client: clientCall(contract, operation) };
}

/**
 * @returns the query parameters: a limit of as many items as the example response has, and a filter only if it matches all of
 * them. Cursors are omitted, because they belong to the next call.
 */
function queryOf(contract: Contract, { parameters, responses, limit }: Operation): readonly Sent[] {
  const body = responses.find(({ status }) => status === '200')?.examples[0]?.value as Partial<List> | undefined;
  const items = body?.data ?? [];
  const isFilter = ({ schema }: Parameter): boolean => contract.schemaOf(schema).enum !== undefined;
  const matchesAll = ({ name, example }: Parameter): boolean => items.every((item) => item[name] === example);
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter): Sent[] => {
      if (parameter.name === limit) return [[parameter.name, items.length]];
      return isFilter(parameter) && matchesAll(parameter) ? [[parameter.name, String(parameter.example)]] : [];
    });
}
interface List {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The call of an operation in the client: `listSegments` is `segments.list`, and the operation that retrieves one of its items
 * is `segments.get`. Any other operation is called by `GET`.
 */
export function clientCall(contract: Contract, operation: Operation): ClientCall {
  const collection = collectionOf(operation);
  if (collection !== undefined) return { collection, method: 'list', result: 'page' };
  const list = contract.operations.find(({ path }) => `${path}/{id}` === operation.path);
  const listed = list === undefined ? undefined : collectionOf(list);
  const result = recordName(operation);
  return listed === undefined ? { method: 'GET', result } : { collection: listed, method: 'get', result };
}

/** The name of the collection that an operation lists, as the client has it. */
export function collectionOf({ id, path }: Operation): string | undefined {
  return id.startsWith('list') && !path.includes('{') ? lowerFirst(id.slice('list'.length)) : undefined;
}

function recordName({ responses }: Operation): string {
  const schema = responses.find(({ status }) => status === '200')?.schema;
  return schema !== undefined && '$ref' in schema ? lowerFirst(nameOf(schema)) : 'record';
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
