/** Answers requests before anybody asks: proves contract and store usable, and leaves nothing cold for the first caller. */
import { get } from 'node:http';
import { createApp } from './app.ts';
import type { Parts } from './app.ts';
import { listen } from './listener.ts';
import type { Operation } from './spec.ts';
import type { Account } from './store/store.ts';

const ROUNDS = 100;
// No account has it (see `Account`), so the rehearsal asks the real store, and sees nobody's records.
const NOBODY = 0 as Account;

/**
 * Sends every operation through an application of the same parts, on a port of its own that is gone afterwards.
 * @throws Error if an answer is not the one that an account without records gets.
 */
export async function rehearse(parts: Parts): Promise<void> {
  const { spec, store } = parts;
  let fault: unknown;
  const app = createApp({
    ...parts,
    store: { ...store, authenticate: () => NOBODY },
    report: (error) => {
      fault ??= error;
    },
  });
  const listener = await listen(app, spec, { host: '127.0.0.1', port: 0 });
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const operation of spec.operations) {
        const status = await ask(listener.url + examplePath(operation));
        const expected = operation.parameters.some((it) => it.in === 'path') ? spec.problemStatus.not_found : 200;
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
    get(url, { agent: false, headers: { authorization: 'Bearer rehearsal' } }, (res) => {
      res.resume().once('end', () => {
        resolve(res.statusCode);
      });
    }).once('error', reject);
  });
}
