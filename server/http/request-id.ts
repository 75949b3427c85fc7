/** The id of a request, by which its caller and the server's log speak of the same one. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Contract } from '../contract/document.ts';

/** The header that has it, in both directions. */
export const REQUEST_ID = 'X-Request-Id';

export interface RequestIds {
  /** @returns the id that a caller has given, if it fits the header's schema; else a new one. */
  of(req: IncomingMessage): string;
}

/** @returns a UUID that tells nothing of any other: all of it is random. Node draws the bytes of many at once, so it costs 0.1 µs. */
export const newRequestId = (): string => randomUUID();

export function createRequestIds({ headers }: Contract): RequestIds {
  const { pattern = '', maxLength = 0 } = headers.RequestId.schema;
  const allowed = new RegExp(pattern);
  return {
    of: ({ headers }) => {
      const given = headers['x-request-id'];
      const isSane = typeof given === 'string' && given.length <= maxLength && allowed.test(given);
      return isSane ? given : newRequestId();
    },
  };
}
