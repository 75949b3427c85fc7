/** The log of the requests of one run: what a client has requested, and the responses. */
import type { OperationId } from '../../contract/types.ts';
import type { Exchange } from '../../server/http/exchange.ts';
import { parseQuery } from '../../server/http/express.ts';

/** A response that Rollcall does not send by itself, such as a proxy's. */
export interface Canned {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string;
  /** Whether the body is compressed for clients that accept it. */
  readonly isCompressible?: boolean;
  /** How many bytes a chunk of the body has: one may end within a character. By default, the body is sent at once, with its length. */
  readonly chunkBytes?: number;
}

export interface LoggedRequest {
  readonly method: string;
  /** The target as it was sent. */
  readonly url: string;
  /** The path as the server reads it: without scheme, host and query, and with one leading slash. */
  readonly path: string;
  /** The query parameters, decoded. A repeated parameter is an array. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `undefined` for a request that is none of the contract. */
  readonly operation: OperationId | undefined;
  /** When it arrived, and when its response was sent or its connection was closed; in milliseconds of one clock. */
  readonly arrivedMs: number;
  readonly endedMs: number | undefined;
  /** The status of the response; `undefined` if the connection was closed without one. */
  readonly status: number | undefined;
  /** The ids on the page, if the response was one. */
  readonly page: { readonly ids: readonly string[]; readonly hasMore: boolean } | undefined;
  /** What is said about the response in a report. */
  readonly response: string;
}

/** The log of a run. It grows while the client runs. */
export interface Log {
  readonly requests: readonly LoggedRequest[];
  /** Adds a request. Its response is described when it has been sent. */
  readonly add: (exchange: Exchange) => { readonly request: LoggedRequest; readonly responded: (body: string) => void };
}

// A client that sends more requests has been found out long before.
const MAX_REQUESTS = 1000;

export function createLog(): Log {
  const requests: LoggedRequest[] = [];
  return {
    requests,
    add: (exchange) => {
      const entry = logged(exchange);
      if (requests.length < MAX_REQUESTS) requests.push(entry.request);
      return entry;
    },
  };
}

function logged(exchange: Exchange): ReturnType<Log['add']> {
  const { req, res, method, url, target, path, operation } = exchange;
  let body: string | undefined;
  let [isFinished, endedMs]: [boolean, number | undefined] = [false, undefined];
  res.once('finish', () => {
    isFinished = true;
    endedMs = performance.now();
  });
  res.once('close', () => {
    endedMs ??= performance.now();
  });
  const request: LoggedRequest = {
    ...{ method, url, path, operation: operation?.id },
    query: { ...parseQuery(target.slice(path.length + 1)) } as LoggedRequest['query'], // It has no other values.
    headers: { ...req.headers },
    arrivedMs: performance.now(),
    get endedMs() {
      return endedMs;
    },
    get status() {
      return res.headersSent ? res.statusCode : undefined;
    },
    get page() {
      return pageOf(body);
    },
    get response() {
      if (!res.headersSent) return endedMs === undefined ? 'no response yet' : 'connection closed without a response';
      const status = String(res.statusCode);
      if (!isFinished) return `${status}, the body is cut`;
      return [status, describe(body)].filter((it) => it !== '').join(' ');
    },
  };
  return {
    request,
    responded: (text) => {
      body = text;
    },
  };
}

/** @returns the object of a text in JSON; `undefined` if it is none. */
export function objectIn(text = ''): Partial<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function pageOf(body: string | undefined): LoggedRequest['page'] {
  const { data, has_more: hasMore } = objectIn(body) ?? {};
  if (!Array.isArray(data)) return undefined;
  return { ids: data.map((it: { readonly id?: unknown }) => String(it.id)), hasMore: hasMore === true };
}

/** @returns a body in a few words: the items of a page, the name and message of an error, or its beginning. */
function describe(body: string | undefined): string {
  if (body === undefined) return '';
  const page = pageOf(body);
  if (page !== undefined) return `with ${String(page.ids.length)} items, has_more ${String(page.hasMore)}`;
  const { name, message } = objectIn(body) ?? {};
  if (typeof name === 'string') return `${name}: ${String(message)}`;
  const [line = ''] = body.trim().split('\n', 1);
  return line === '' ? 'without a body' : line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** @returns a request and its response in one line. */
export const lineOf = ({ method, url, response }: LoggedRequest): string => `${method} ${url} -> ${response}`;
