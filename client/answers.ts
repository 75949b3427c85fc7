/** Checks of what the client itself relies on in an answer, which may come from a proxy or from another service. */
import type { Answer } from './ask.ts';
import type { Envelope } from './page.ts';

export interface Item {
  readonly id: string;
}

/** @returns the list that came. Throws a NetworkError if it is none. */
export function envelopeOf({ body, isNot }: Answer): Envelope<Item> {
  if (isEnvelope(body)) return body;
  throw isNot('a list of the contract, which has `has_more`, and `data` of items with an `id`');
}

/** @returns the item that came. Throws a NetworkError if it is none. */
export function itemOf({ body, isNot }: Answer): Item {
  if (isItem(body)) return body;
  throw isNot('an item of the contract, which has an `id`');
}

function isEnvelope(body: unknown): body is Envelope<Item> {
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
