/** Answers requests before anybody asks: proves contract and store usable, and leaves nothing cold for the first caller. */
import { get } from './node-http.ts';
import { createPipeline } from './pipeline.ts';
import type { Parts } from './pipeline.ts';
import { listen } from './listener.ts';
import type { Operation } from '../contract/document.ts';
import { NOBODY } from '../store/store.ts';
import type { Caller } from '../store/store.ts';

// Enough to have every path taken and its code read; the rest is the compiler's work, which the callers' requests go on with.
const ROUNDS = 2;
const CALLER: Caller = { account: NOBODY, accountName: '', keyId: '' };

/**
 * Sends every operation through an application of the same parts, on a port of its own that is gone afterwards.
 * @throws Error if an answer is not the one that an account without records gets.
 */
export async function warmUp(parts: Parts): Promise<void> {
  const { contract, store } = parts;
  let fault: unknown;
  const app = createPipeline({
    ...parts,
    rateLimits: undefined,
    store: { ...store, authenticate: () => CALLER, readerOf: undefined },
    observer: {
      failed: ({ error }) => {
        fault ??= error;
      },
    },
  });
  const listener = await listen(app, contract, { host: '127.0.0.1', port: 0, exclusive: true });
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const operation of contract.operations) {
        const status = await ask(listener.url + examplePath(operation));
        const expected = operation.parameters.some((it) => it.in === 'path') ? contract.problemStatus.not_found : 200;
        if (status !== expected) {
          throw new Error(`${operation.id} cannot be served: it answers ${String(status)}.`, { cause: fault });
        }
      }
    }
  } finally {
    await listener.stop();
  }
}

function examplePath({ route, parameters }: Operation): string {
  const example = (name: string): string =>
    String(parameters.find((it) => it.in === 'path' && it.name === name)?.schema.example);
  return route.replaceAll(/:(\w+)/g, (_, name: string) => example(name));
}

// A connection each time: the first caller opens one too.
function ask(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { authorization: 'Bearer warm-up' } }, (res) => {
      res.resume().once('end', () => {
        resolve(res.statusCode);
      });
    }).once('error', reject);
  });
}
