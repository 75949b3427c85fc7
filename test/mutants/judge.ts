/** Holds `conform` to what it must find behind a proxy with a single fault, and to nothing where there is none. */
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
// A machine may have much to do besides.
const REQUEST_MS = 60_000;

/** What came of a fault: a line to print. */
export interface Verdict {
  readonly isRight: boolean;
  readonly line: string;
}

export interface Judge extends AsyncDisposable {
  /** Plants a fault. `rule` must be named first; without one, nothing may be. */
  readonly judge: (fault: Omit<Mutant, 'rule'> & { readonly rule?: string }) => Promise<Verdict>;
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
  const place = ({ id, created_at }: { readonly id: string; readonly created_at: string }): string => created_at + id;
  return records.map((it) => ({ ...it })).sort((a, b) => (place(a) < place(b) ? 1 : -1));
}

function shown(result: Result | undefined): string {
  if (result?.outcome !== 'failed') return '';
  return `\n      ${result.request}\n      expected ${result.expected}\n      actual   ${result.actual}`;
}
