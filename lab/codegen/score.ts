/** What `rollcall examine` says of a driver, compared with the verdicts: which of its failures are known, and whose fault they are. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RULES } from '../../server/examine/rules.ts';
import { isNamed } from '../../server/report/findings.ts';
import type { Result } from '../../server/report/findings.ts';
import { suiteOf } from '../../server/report/report.ts';
import type { Driver } from './client.ts';
import { VERDICTS } from './verdicts.ts';
import type { Verdict } from './verdicts.ts';

const ROLLCALL = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const TIMEOUT_MS = 20 * 60_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** The areas of the rules, in their order: the columns of the scoreboard. */
export const AREAS: readonly string[] = [...new Set(RULES.map(({ id }) => suiteOf({ rule: id })))];

export interface Count {
  readonly passed: number;
  /** The rules that passed or failed. The others could not be checked. */
  readonly checked: number;
}

export interface Score {
  /** By area. */
  readonly counts: Readonly<Record<string, Count>>;
  /** The verdicts on the failures. */
  readonly verdicts: readonly Verdict[];
  /** What differs from the verdicts, each in one line. */
  readonly surprises: readonly string[];
}

/** @returns the score of a client. @throws Error if the examination itself fails. */
export async function score(client: string, driver: Driver): Promise<Score> {
  const results = await examine(driver);
  const verdicts = VERDICTS[client] ?? [];
  return { counts: countsOf(results), verdicts, surprises: surprisesOf(results, verdicts) };
}

/** @returns failures without a verdict, and verdicts without a failure. */
export function surprisesOf(results: readonly Result[], verdicts: readonly Verdict[]): readonly string[] {
  const rules = verdicts.flatMap((it) => it.rules);
  const failed = results.filter((it) => it.outcome === 'failed');
  const unexpected = failed.filter(({ rule }) => !rules.includes(rule));
  const fixed = rules.filter((rule) => !failed.some((it) => it.rule === rule));
  return [
    ...unexpected.map(({ rule, findings: [{ request, expected, actual }] }) => {
      return `${rule} fails, and has no verdict: ${request}: expected ${expected}, got ${actual}`;
    }),
    ...fixed.map((rule) => `${rule} has a verdict, and does not fail: remove it from verdicts.ts`),
    ...rules.filter((it, at) => rules.indexOf(it) !== at).map((rule) => `${rule} has two verdicts`),
  ];
}

function countsOf(results: readonly Result[]): Score['counts'] {
  const entries = AREAS.map((area): [string, Count] => {
    const own = results.filter(({ rule }) => isNamed(rule, [area]));
    const passed = own.filter(({ outcome }) => outcome === 'passed').length;
    const failed = own.filter(({ outcome }) => outcome === 'failed').length;
    return [area, { passed, checked: passed + failed }];
  });
  return Object.fromEntries(entries);
}

function examine({ command, folder }: Driver): Promise<readonly Result[]> {
  return new Promise((resolve, reject) => {
    const args = [ROLLCALL, 'examine', '--json', '--', ...command];
    const options = { cwd: folder, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      try {
        // Written by our own program, which ends with 1 if a rule failed.
        const { untestable, results } = JSON.parse(stdout) as { untestable?: string; results: readonly Result[] };
        if (untestable !== undefined) throw new Error(untestable);
        resolve(results);
      } catch (unreadable) {
        reject(new Error(`rollcall examine: ${String(unreadable)}\n${error?.message ?? 'ended with 0'}\n${stderr}`));
      }
    });
  });
}
