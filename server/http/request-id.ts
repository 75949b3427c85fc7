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

// Made once and counted on from: a random one for each request would cost a tenth of an answer that is remembered.
const PREFIX = randomUUID().slice(0, -12);
let count = 0;

/** @returns a UUID that no other request has: each process has its own beginning, and counts. */
export function newRequestId(): string {
  count += 1;
  return `${PREFIX}${count.toString(16).padStart(12, '0')}`;
}

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
