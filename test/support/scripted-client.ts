/** Clients whose requests are counted, and what becomes of their calls; some without a network. */
import { beforeEach } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import type { ClientOptions, RollcallClient } from '../../client/index.ts';

export const BASE_URL = 'http://api.test/v1';
export const KEY = 'rollcall_0123456789abcdef';

/** How many requests the clients of a test have sent. */
export let requests = 0;
export const resetRequests = (): void => {
  requests = 0;
};
beforeEach(resetRequests);

type Respond = () => Response | Promise<Response>;

/** A client whose requests get responses in order, then the last one repeatedly, without a network. */
export function scripted(responses: readonly Respond[], options: Partial<ClientOptions> = {}): RollcallClient {
  return createClient({
    baseUrl: BASE_URL,
    apiKey: KEY,
    fetch: async (_url, { signal }) => {
      const response = responses[Math.min(requests, responses.length - 1)];
      requests += 1;
      signal?.throwIfAborted();
      return (await response?.()) ?? Response.error();
    },
    ...options,
  });
}

/** A client of a server, or whatever else its options say. */
export function counted(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  options: Partial<ClientOptions> = {},
): RollcallClient {
  return createClient({
    baseUrl: url,
    apiKey,
    fetch: (it, init) => {
      requests += 1;
      return fetch(it, init);
    },
    ...options,
  });
}

export const problem =
  (status: number, headers: Record<string, string> = {}): (() => Response) =>
  () =>
    Response.json({ statusCode: status, name: 'service_unavailable', message: 'Later.' }, { status, headers });

/** A `fetch` that never responds, and rejects with an error of its own when its request is aborted. */
export const hang: NonNullable<ClientOptions['fetch']> = (_url, { signal }) => {
  requests += 1;
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(new DOMException('aborted', 'AbortError'));
    });
  });
};
/** A `fetch` that never responds, not even when its request is aborted. */
export const hangForGood = (): Promise<Response> => new Promise(() => undefined);

/** @returns what a call is rejected with; `undefined` if it is not. */
export const failure = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => undefined,
    (it: unknown) => it,
  );

/** How a message names the request for one import. */
export const request = (id = 'x', baseUrl = BASE_URL): string => `GET ${baseUrl}/contacts/imports/${id}`;

/** The state of a call; `undefined` while it is pending. */
export function watch(call: PromiseLike<unknown>): { readonly now: unknown } {
  const seen: { now: unknown } = { now: undefined };
  call.then(
    () => (seen.now = 'fulfilled'),
    (it: unknown) => (seen.now = it),
  );
  return seen;
}
