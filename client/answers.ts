/** Checks of what the client itself relies on in an answer, which may come from a proxy or from another service. */
import type { Answer } from './ask.ts';
import { NetworkError } from './errors.ts';
import type { Page } from './list.ts';

export interface Item {
  readonly id: string;
}
type Envelope = Omit<Page<Item>, 'response'>;

/** @returns the page that came. Throws a NetworkError if it is none. */
export function pageOf({ path, body, response }: Answer): Page<Item> {
  if (isEnvelope(body)) return { ...body, response };
  const needed = '`has_more`, and `data` of items with an `id`';
  throw new NetworkError(`The answer of ${path} is not a list of the contract: that has ${needed}.`);
}

/** @returns the item that came. Throws a NetworkError if it is none. */
export function itemOf({ path, body }: Answer): Item {
  if (isItem(body)) return body;
  throw new NetworkError(`The answer of ${path} is not an item of the contract: that has an \`id\`.`);
}

function isEnvelope(body: unknown): body is Envelope {
  return (
    isObject(body) &&
    'has_more' in body &&
    typeof body.has_more === 'boolean' &&
    'data' in body &&
    Array.isArray(body.data) &&
    body.data.every(isItem)
  );
}

function isItem(body: unknown): body is Item {
  return isObject(body) && 'id' in body && typeof body.id === 'string';
}

function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null;
}
