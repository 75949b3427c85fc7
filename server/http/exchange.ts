/** One request and its response: all state that the stages of the pipeline share. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Contract, Operation } from '../../contract/document.ts';
import type { ProblemError } from '../../contract/problems.ts';
import type { Access, Generation, Reply } from './cache.ts';
import type { Parameters } from './request-templates.ts';

/** Writes the body and ends the response, whose head has been written. */
export type SendBody = (res: ServerResponse, body: string) => void;

export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The `X-Request-Id` of the request if it is valid, otherwise a new one. */
  readonly id: string;
  /** The method and the target (`url`) as they were sent. */
  readonly method: string;
  readonly url: string;
  /** The target as `/path?query`, whatever form was sent. */
  readonly target: string;
  readonly path: string;
  /** A flat list of names and values: headers of the response besides those of its status. */
  corsHeaders: readonly string[];
  /** `undefined` before the rate limit is applied, and if there is none. */
  rateHeaders: readonly string[] | undefined;
  /** Gives back the point that the request has taken from a rate limit. */
  refund: (() => Promise<unknown>) | undefined;
  /** `undefined` for paths that belong to no operation: pages, the contract, unknown paths. */
  operation: Operation | undefined;
  /** The caches of the store's revision, which is read once per exchange; `undefined` if nothing is cached. */
  generation: Generation | undefined;
  access: Access | undefined;
  parameters: Parameters | undefined;
  reply: Reply | undefined;
  /** Whether the reply comes from the cache. */
  isCached: boolean;
  /** The error that the response has; `undefined` if it has none. */
  error: ProblemError | undefined;
  /** The size of the response's body. */
  bytes: number;
  /** Replaces the normal write of the body: a fault of the test kit. */
  sendBody: SendBody | undefined;
}

/** @returns the exchange of a request that has just arrived. */
export function openExchange(req: IncomingMessage, res: ServerResponse, requestIds: RequestIds): Exchange {
  const { method = '', url = '/' } = req;
  const target = normalizeTarget(url);
  const end = target.indexOf('?');
  return {
    req,
    res,
    id: requestIds.idOf(req),
    method,
    url,
    target,
    path: end < 0 ? target : target.slice(0, end),
    corsHeaders: [],
    rateHeaders: undefined,
    refund: undefined,
    operation: undefined,
    generation: undefined,
    access: undefined,
    parameters: undefined,
    reply: undefined,
    isCached: false,
    error: undefined,
    bytes: 0,
    sendBody: undefined,
  };
}

// Most callers send a normal target already.
const NORMAL = /^\/(?!\/)[^#%]*$/;

/**
 * @param target a request target in any form.
 * @returns the target as `/path?query`: without fragment, scheme and authority. Several leading slashes become one, because
 *   clients join base URLs carelessly. A path that is not valid percent-encoding is taken literally.
 */
function normalizeTarget(target: string): string {
  if (NORMAL.test(target)) return target;
  const [, path = '', query = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/is.exec(target) ?? [];
  return `/${decodable(path).replace(/^\/+/, '')}${query}`;
}

function decodable(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}

/** @returns how often a request has a header. @param name in lower case. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    if (sent?.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}

/** The header of the request's id, in requests and responses. */
export const REQUEST_ID = 'X-Request-Id';

export interface RequestIds {
  /** @returns the id that the caller sent if it matches the header's schema, otherwise a new one. */
  idOf(req: IncomingMessage): string;
}

/** @returns a random UUID, which reveals nothing about any other. Node draws the random bytes of many UUIDs at once, so one costs 0.1 µs. */
export const newRequestId = (): string => randomUUID();

export function createRequestIds({ headers }: Contract): RequestIds {
  const { pattern = '', maxLength = 0 } = headers.RequestId.schema;
  const allowed = new RegExp(pattern);
  return {
    idOf: ({ headers }) => {
      const sentId = headers['x-request-id'];
      const isValid = typeof sentId === 'string' && sentId.length <= maxLength && allowed.test(sentId);
      return isValid ? sentId : newRequestId();
    },
  };
}
