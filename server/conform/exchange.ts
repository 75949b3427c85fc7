/** Sends a request to an implementation, and keeps it with its response. */
import { setTimeout as pause } from 'node:timers/promises';

export interface Server {
  /** The base URL of the implementation, without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

export interface Request {
  readonly method?: string;
  /** Path and query, from the base URL on. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Authorization` header in place of the one with the key; `null` for none. */
  readonly authorization?: string | null;
}

export interface Exchange {
  /** The request in one line, such as `GET /automations?limit=3`, with the headers that the rule is about. Never a key. */
  readonly request: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The text as JSON; `undefined` if it is not JSON. */
  readonly body: unknown;
}

const TIMEOUT_MS = 10_000;
// A server that limits rates does not fail a rule by it: the request is sent again when the server says so.
const MAX_RETRY_AFTER_SECONDS = 5;
const MAX_RETRIES = 3;

/** @throws TypeError of `fetch`, or its timeout error, where no response comes. */
export async function exchange({ url, key }: Server, request: Request): Promise<Exchange> {
  const { method = 'GET', target, headers = {}, authorization = `Bearer ${key}` } = request;
  for (let retries = 0; ; retries += 1) {
    const response = await fetch(url + target, {
      method,
      headers: { ...headers, ...(authorization === null ? {} : { authorization }) },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
    if (response.status === 429 && retries < MAX_RETRIES && retryAfter <= MAX_RETRY_AFTER_SECONDS) {
      await response.arrayBuffer();
      await pause(retryAfter * 1000);
      continue;
    }
    const text = await response.text();
    return {
      request: describe(request, key),
      status: response.status,
      headers: new Map(response.headers),
      text,
      body: parse(text),
    };
  }
}

function describe({ method = 'GET', target, headers = {}, authorization }: Request, key: string): string {
  const notes = Object.entries(headers).map(([name, value]) => ` (${name}: ${value})`);
  if (authorization === null) notes.push(' (no Authorization)');
  else if (authorization !== undefined) notes.push(` (Authorization: ${authorization.replaceAll(key, '<key>')})`);
  return `${method} ${target}${notes.join('')}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
