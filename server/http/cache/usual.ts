/** Requests like those that most callers send. Whatever else comes goes the whole way. */
import type { IncomingMessage } from 'node:http';

export interface Usual {
  readonly target: string;
  /** The header, which shows a key if it is a good one. */
  readonly authorization: string;
}

/** How many of them are remembered, by what they show. */
export const MAX_KEYS = 10_000;
// Longer ones go the whole way, because maps are bounded by their number. The longest that anybody needs is half of it.
const MAX_LENGTH = 300;

/** @returns what a request asks and shows; `undefined` if it is not a usual one. */
export function usualOf({ method, url: target = '', headers: { authorization } }: IncomingMessage): Usual | undefined {
  const isUsual =
    method === 'GET' &&
    authorization !== undefined &&
    authorization.length <= MAX_LENGTH &&
    target.length <= MAX_LENGTH;
  return isUsual ? { target, authorization } : undefined;
}
