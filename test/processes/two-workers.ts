/** A server of two workers, over a database with a key. */
import { beforeEach } from '@jest/globals';
import type { Running } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, until } from '../support/processes.ts';

export type Server = Running & { readonly url: string };

export let key: string;
beforeEach(async () => {
  key = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
});

export const start = (...argv: readonly string[]): Promise<Server> => folder.serve(['--workers', '2', ...argv]);
/** @returns the ids of its workers' processes. */
export const workersOf = ({ process }: Server): readonly number[] => childrenOf(process.pid);
/** @returns the status of a response to the key. */
export const status = async ({ url }: Server, signal?: AbortSignal): Promise<number> =>
  (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` }, ...(signal && { signal }) }))
    .status;
/**
 * Waits until workers respond again. A connection that was on its way to a worker that has been killed has no response: Node keeps it open.
 * Then another one is tried, with twice the time: a slow machine may need it.
 */
export async function untilServed(server: Server): Promise<void> {
  for (let ms = 1000, found = 0; found !== 200; ms *= 2) {
    const signal = AbortSignal.timeout(ms);
    await until(async () => (found = await status(server, signal).catch(() => 0)) === 200 || signal.aborted);
  }
}
