/** Servers of the test kit that are closed after the test, and what they answer. */
import { startRollcall } from '../../testkit/index.ts';
import type { Records, TestServer, TestServerOptions } from '../../testkit/index.ts';
import { afterTest } from './after-test.ts';

/** As `startRollcall`. */
export async function start(records?: Records, options?: TestServerOptions): Promise<TestServer> {
  const server = await startRollcall(records, options);
  afterTest(() => server.close());
  return server;
}

export interface Answer {
  readonly status: number;
  readonly body: { readonly data: unknown[] };
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** @returns the answer to a request with a key. */
export async function ask(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  path: string,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Answer> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey}`, ...headers }, signal });
  const text = await response.text();
  return {
    status: response.status,
    body: JSON.parse(text) as Answer['body'],
    headers: Object.fromEntries(response.headers),
    text,
  };
}
