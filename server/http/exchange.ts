/** One request and its response. Whatever the stages of the pipeline find out is here, and nowhere else. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Contract, Operation } from '../contract/document.ts';
import type { Access, Generation, Reply } from './cache.ts';
import type { Parameters } from './request-templates.ts';

/** Writes a body, and ends the response. Its head has been written. */
export type SendBody = (res: ServerResponse, body: string) => void;

export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Of the `X-Request-Id` header: that of the request if it is sane, otherwise a new one. */
  readonly id: string;
  /** Method and target as they were sent. */
  readonly method: string;
  readonly url: string;
  /** `/path?query`, from whatever form was sent. */
  readonly target: string;
  readonly path: string;
  /** Names and values that the response has beside the headers of its status. */
  corsHeaders: readonly string[];
  /** `undefined` until a rate limit has been asked, and where there is none. */
  rateHeaders: readonly string[] | undefined;
  /** Gives back the point that the request has taken of a rate limit. */
  refund: (() => Promise<unknown>) | undefined;
  /** `undefined` for what is no operation's: pages, the contract, unknown paths. */
  operation: Operation | undefined;
  /** The caches of the store's revision, which is read once; `undefined` where nothing is cached. */
  generation: Generation | undefined;
  access: Access | undefined;
  /** Whether the key comes from the cache, and only the statement that reads verifies that it is still live: on PostgreSQL. */
  isKeyUnverified: boolean;
  parameters: Parameters | undefined;
  reply: Reply | undefined;
  /** Whether the reply comes from the cache. */
  isCached: boolean;
  /** Of the response's body. */
  bytes: number;
  /** Instead of writing the body at once: a fault that a test asks for. */
  sendBody: SendBody | undefined;
}

/** What Express's handlers have in `res.locals`. */
export interface ExpressLocals {
  readonly exchange: Exchange;
}

/** @returns the exchange of a request that has just come. */
export function openExchange(req: IncomingMessage, res: ServerResponse, requestIds: RequestIds): Exchange {
  const { method = '', url = '/' } = req;
  const target = normalizeTarget(url);
  const end = target.indexOf('?');
  return {
    req,
    res,
    id: requestIds.of(req),
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
    isKeyUnverified: false,
    parameters: undefined,
    reply: undefined,
    isCached: false,
    bytes: 0,
    sendBody: undefined,
  };
}

// What most callers send is normal already.
const NORMAL = /^\/(?!\/)[^#%]*$/;

/**
 * @param target a request target as it was sent, in whatever form.
 * @returns it as `/path?query`: without a fragment, scheme and authority; several leading slashes count as one, because
 *   clients join base URLs carelessly; a path that is not valid percent-encoding is taken as it stands.
 */
export function normalizeTarget(target: string): string {
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
