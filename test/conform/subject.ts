/** Applications that `conform` tests, with records for every rule. */
import { conform } from '../../server/conform/conform.ts';
import type { Result } from '../../server/conform/conform.ts';
import { listen } from '../../server/http/listener.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/index.ts';
import { afterTest } from '../support/after-test.ts';
import { contract } from '../support/app.ts';
import type { Records, TestApp } from '../support/app.ts';

const COUNT = 24;
const at = (index: number): string => `2026-04-16 13:49:${String(10 + Math.floor(index / 4))}.000+00`; // Fours of ties.
const many = <T>(build: (overrides: { created_at: string }, index: number) => T): T[] =>
  Array.from({ length: COUNT }, (_, index) => build({ created_at: at(index) }, index));
/** Enough of each collection for every rule. */
export const RECORDS: Records = {
  automations: many((it, index) => automation({ ...it, status: index % 3 === 0 ? 'disabled' : 'enabled' })),
  contactProperties: many((it) => contactProperty(it)),
  contactImports: many((it, index) => {
    const status = (['queued', 'in_progress', 'completed', 'failed'] as const)[index % 4] ?? 'failed';
    const hasEnded = status === 'completed' || status === 'failed';
    return contactImport({ ...it, status, completed_at: hasEnded ? '2026-04-16 13:52:08.004512+00' : null });
  }),
};

/** Listens until the test has ended. @returns what `conform` is told of it. */
export async function open(t: TestApp): Promise<{ url: string; key: string }> {
  const listener = await listen(t.app, contract, { host: '127.0.0.1', port: 0 });
  afterTest(() => listener.stop());
  return { url: listener.url, key: t.key };
}
/** @returns what every rule comes to. */
export async function results(t: TestApp): Promise<Result[]> {
  const all: Result[] = [];
  for await (const result of conform(contract, await open(t))) all.push(result);
  return all;
}
export const rulesOf = (all: readonly Result[], outcome: Result['outcome']): Set<string> =>
  new Set(all.filter((it) => it.outcome === outcome).map((it) => it.rule));
