/** Tests `conform`: behind a proxy with a single fault it must find that fault, and nothing where there is none. */
import { conform } from '../../server/conform/conform.ts';
import type { Result } from '../../server/conform/conform.ts';
import { loadContract } from '../../server/contract/document.ts';
import { startRollcall } from '../../server/testing/index.ts';
import { recordsOf, seeded } from '../conform/records.ts';
import { AUTOMATIONS, IMPORTS, PROPERTIES } from './mutant.ts';
import type { Mutant } from './mutant.ts';
import { startProxy } from './proxy.ts';
import type { Change, Item } from './proxy.ts';

const MAX_BROKEN = 3;
// The machine may be busy.
const REQUEST_MS = 60_000;

/** The result of a mutant: a line to print. */
export interface MutantResult {
  readonly isRight: boolean;
  readonly line: string;
}

export interface Judge extends AsyncDisposable {
  /** Runs `conform` with a fault. `rule` must be named first; without one, nothing may be. */
  readonly judge: (fault: Omit<Mutant, 'rule'> & { readonly rule?: string }) => Promise<MutantResult>;
  /** What went wrong in the servers themselves. */
  readonly errors: () => readonly unknown[];
}

export async function openJudge(): Promise<Judge> {
  const contract = loadContract();
  const records = seeded(recordsOf('own'), contract);
  const own = await startRollcall(records);
  const other = await startRollcall(recordsOf('other', 30));
  const lists = new Map<string, readonly Item[]>([
    [AUTOMATIONS, inOrder(records.automations)],
    [PROPERTIES, inOrder(records.contactProperties)],
    [IMPORTS, inOrder(records.contactImports)],
  ]);

  /** @returns the first result of each rule that is broken. */
  const brokenBy = async (change: Change): Promise<readonly Result[]> => {
    await using proxy = await startProxy([own, other], lists, change);
    const broken = new Map<string, Result>();
    const run = conform(
      contract,
      { url: proxy.url, key: own.apiKey, key2: other.apiKey },
      { isSeeded: true, requestMs: REQUEST_MS },
    );
    for await (const result of run) {
      if (result.outcome === 'failed' && !broken.has(result.rule)) broken.set(result.rule, result);
    }
    return [...broken.values()];
  };

  return {
    judge: async ({ name, rule, ...change }) => {
      const broken = await brokenBy(change);
      const rules = broken.map((it) => it.rule);
      const isRight = rules[0] === rule && rules.length <= MAX_BROKEN;
      const found = rules.length === 0 ? 'nothing' : rules.join(', ');
      if (isRight) return { isRight, line: `  ✓ ${name}: ${found}` };
      return {
        isRight,
        line: `  ✗ ${name}: ${rule ?? 'nothing'} must be found, but it is ${found}${shown(broken[0])}`,
      };
    },
    errors: () => [...own.errors, ...other.errors],
    [Symbol.asyncDispose]: async () => {
      await Promise.all([own.close(), other.close()]);
    },
  };
}

/** As the contract orders them. Their instants are written alike. */
function inOrder(records: readonly { readonly id: string; readonly created_at: string }[] = []): readonly Item[] {
  const position = ({ id, created_at }: { readonly id: string; readonly created_at: string }): string =>
    created_at + id;
  return records.map((it) => ({ ...it })).sort((a, b) => (position(a) < position(b) ? 1 : -1));
}

function shown(result: Result | undefined): string {
  if (result?.outcome !== 'failed') return '';
  return `\n      ${result.request}\n      expected ${result.expected}\n      actual   ${result.actual}`;
}
