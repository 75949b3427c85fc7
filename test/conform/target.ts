/** Targets of `conform`: applications with records for every rule. */
import { conform } from '../../server/conform/conform.ts';
import type { Options, Result } from '../../server/conform/conform.ts';
import { listen } from '../../server/http/listener.ts';
import { afterTest } from '../support/after-test.ts';
import { contract } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { recordsOf, seeded } from './records.ts';

/** Enough records of each collection for every rule. */
export const RECORDS = seeded(recordsOf('own'), contract);

/** Starts a server until the test has ended. @returns its address and key. */
export async function open(t: Pick<TestApp, 'app' | 'key'>): Promise<{ url: string; key: string }> {
  const listener = await listen(t.app, contract, { host: '127.0.0.1', port: 0 });
  afterTest(() => listener.stop());
  return { url: listener.url, key: t.key };
}

/** @returns the results of every rule. */
export async function results(
  server: { url: string; key: string; key2?: string },
  options?: Options,
): Promise<Result[]> {
  const all: Result[] = [];
  for await (const result of conform(contract, server, options)) all.push(result);
  return all;
}

export const rulesOf = (all: readonly Result[], outcome: Result['outcome']): Set<string> =>
  new Set(all.filter((it) => it.outcome === outcome).map((it) => it.rule));
