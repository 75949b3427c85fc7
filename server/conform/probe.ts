/** Asks an implementation, and keeps what was asked and what came. */
import { setTimeout as pause } from 'node:timers/promises';

export interface Target {
  /** The base URL of the implementation, without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

export interface Ask {
  readonly method?: string;
  /** Path and query, from the base URL on. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Authorization` header instead of that with the key; `null` for none. */
  readonly authorization?: string | null;
}

export interface Answer {
  /** The request, such as `GET /automations?limit=3`, with the headers that it is about. Never a key. */
  readonly asked: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The text as JSON; `undefined` if it is none. */
  readonly body: unknown;
}

const TIMEOUT_MS = 10_000;
// An implementation that limits rates is not at fault; it is asked again when it says so, within reason.
const MAX_RETRY_AFTER_SECONDS = 5;
const MAX_RETRIES = 3;

/** @throws TypeError or a timeout of `fetch` where no answer comes. */
export async function probe({ url, key }: Target, ask: Ask): Promise<Answer> {
  const { method = 'GET', target, headers = {}, authorization = `Bearer ${key}` } = ask;
  for (let tried = 0; ; tried += 1) {
    const response = await fetch(url + target, {
      method,
      headers: { ...headers, ...(authorization === null ? {} : { authorization }) },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
    if (response.status === 429 && tried < MAX_RETRIES && retryAfter <= MAX_RETRY_AFTER_SECONDS) {
      await response.arrayBuffer();
      await pause(retryAfter * 1000);
      continue;
    }
    const text = await response.text();
    return {
      asked: describe(ask, key),
      status: response.status,
      headers: new Map(response.headers),
      text,
      body: parse(text),
    };
  }
}

function describe({ method = 'GET', target, headers = {}, authorization }: Ask, key: string): string {
  const shown = Object.entries(headers).map(([name, value]) => ` (${name}: ${value})`);
  if (authorization === null) shown.push(' (no Authorization)');
  else if (authorization !== undefined) shown.push(` (Authorization: ${authorization.replaceAll(key, '<key>')})`);
  return `${method} ${target}${shown.join('')}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
