/** The quick start: from an API key to all pages of a list, with code in each language. */
import { samplesOf } from '../../server/pages/assets/reference/samples.ts';
import type { Samples } from '../../server/pages/assets/reference/samples.ts';
import type { Contract, Operation } from './contract.ts';
import { clientCall, collectionOf, exampleCall, KEY_VARIABLE } from './examples.ts';
import { ORIGIN } from './markup.ts';
import { errorSamples, iterationSamples } from './quick-start-samples.ts';

export interface Step {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** A command for a shell, or code in each language. */
  readonly example: string | Samples;
  /** The body that the request of the example returns. */
  readonly response?: unknown;
}

/** @returns the steps for the first list of the contract. */
export function quickStart(contract: Contract): readonly Step[] {
  const list = contract.operations.find(
    (operation) => collectionOf(operation) !== undefined && operation.cursor !== undefined,
  );
  const getKey: Step = {
    ...{ id: 'get-an-api-key', title: 'Get an API key' },
    text: `An API key gives read access to one account. The operator of the server creates keys. On your own server, run
\`rollcall keys create\`. To try the API with sample data, run \`rollcall demo\`, which prints a key.

Set the key as an environment variable. All examples use it.`,
    example: `export ${KEY_VARIABLE}="<key>"`,
  };
  return list === undefined
    ? [getKey]
    : [getKey, firstRequest(contract, list), nextPage(list), handleErrors(contract, list)];
}

function firstRequest(contract: Contract, list: Operation): Step {
  const { scheme } = contract.key;
  return {
    ...{ id: 'send-a-request', title: 'Send a request' },
    text: `Send the key in the \`Authorization\` header of every request, as \`${scheme} <key>\`. The response is JSON.

The examples are in curl, TypeScript with the Rollcall client, and Python and Go with their standard libraries.`,
    example: samplesOf(exampleCall(contract, list)),
    response: exampleOf(list, '200'),
  };
}

function nextPage(list: Operation): Step {
  const { path, cursor = '', limit } = list;
  const last = (exampleOf(list, '200') as { readonly data?: readonly { readonly id: string }[] } | undefined)?.data?.at(
    -1,
  );
  return {
    ...{ id: 'get-the-next-page', title: 'Get the next page' },
    text: `A list returns one page at a time. \`has_more\` is \`true\` if another page follows. To get it, set \`${cursor}\` to the \`id\` of the last
item of the page that you have received. To get all items, repeat until \`has_more\` is \`false\`.`,
    example: iterationSamples({
      ...{ url: ORIGIN + path, path, cursor, last: last?.id ?? '', collection: collectionOf(list) ?? '' },
      limit: limit === undefined ? undefined : [limit, maximumOf(list)],
    }),
  };
}

function handleErrors(contract: Contract, list: Operation): Step {
  const [invalid] = list.responses.filter(({ status }) => status === '422');
  const name = list.limit ?? '';
  const call = { ...exampleCall(contract, list), query: [[name, maximumOf(list) + 1]] as const };
  return {
    ...{ id: 'handle-errors', title: 'Handle errors' },
    text: `Every error has the same JSON body. Switch on \`name\`. \`message\` is for people, and its text can change.
[All errors](#errors) lists the names, their statuses, and which ones to retry.`,
    example: errorSamples({ ...call, client: clientCall(contract, list) }),
    response: invalid?.examples[0]?.value,
  };
}

const exampleOf = ({ responses }: Operation, status: string): unknown =>
  responses.find((response) => response.status === status)?.examples[0]?.value;

/** @returns the largest limit that a list allows. */
function maximumOf({ parameters, limit }: Operation): number {
  const schema = parameters.find(({ name }) => name === limit)?.schema ?? {};
  return 'maximum' in schema ? (schema.maximum ?? 100) : 100;
}
