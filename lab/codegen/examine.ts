/** What `rollcall examine` says of a generated client, whose known failures are in the `known-failures.txt` of its row, with their reasons. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { SCENARIOS } from '../../audit/fake/scenarios.ts';
import { compareWithBaseline, parseBaseline } from '../../audit/report/baseline.ts';
import type { Result } from '../../audit/rules/rule.ts';
import { ROOT } from '../../test/support/project.ts';

const BASELINE = 'known-failures.txt';
/** The lists, and the filter that their client sends. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  automations: ['--param', 'status=enabled'],
  'contact-properties': [],
  'contact-imports': ['--param', 'status=queued'],
};
/** The outcome of a rule is the worst one of all lists. */
const WORST_FIRST: readonly Result['outcome'][] = ['failed', 'noted', 'passed', 'not_checked'];

/** @returns the result of every rule. @throws Error for a failure that is not known, and for a known one that is gone. */
export async function examine(driver: readonly string[], folder: string): Promise<readonly Result[]> {
  const all: Result[] = [];
  for (const [list, options] of Object.entries(LISTS)) all.push(...(await examineList(list, options, driver, folder)));
  const results = SCENARIOS.flatMap(({ name }) => {
    const own = all.filter(({ rule }) => rule === name);
    return own.toSorted((a, b) => WORST_FIRST.indexOf(a.outcome) - WORST_FIRST.indexOf(b.outcome)).slice(0, 1);
  });
  const path = join(folder, BASELINE);
  const known = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const names = SCENARIOS.map(({ name }) => name);
  const { unexpected, fixed } = compareWithBaseline(results, parseBaseline(known, [''], names, 'examine'));
  if (unexpected.length + fixed.length === 0) return results;
  const lines = unexpected.flatMap((result) => {
    if (result.outcome !== 'failed') return [];
    const [{ request, actual, again }] = result.findings;
    return `${result.rule}: ${actual}\n  ${request}\n  ${again ?? ''}\n`;
  });
  const gone = fixed.map(({ rule }) => `${rule}: it passes now\n`);
  throw new Error(`The failures are not those of ${BASELINE}:\n${[...lines, ...gone].join('')}`);
}

async function examineList(
  list: string,
  options: readonly string[],
  driver: readonly string[],
  cwd: string,
): Promise<readonly Result[]> {
  const words = ['examine', `rollcall-${list}`, '--json', ...options, '--', ...driver, list];
  const child = spawn(process.execPath, [join(ROOT, 'cli/main.ts'), ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [json, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  if (code !== 0 && code !== 1) throw new Error(`rollcall examine ended with ${String(code)}`);
  return (JSON.parse(json) as { results: readonly Result[] }).results; // Written by our own program.
}

/** @returns the known failures of a row: why rules fail, and which. */
export function knownFailuresOf(row: string): readonly (readonly [reason: string, rules: readonly string[]])[] {
  const path = join(import.meta.dirname, row, BASELINE);
  const lines = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return [...lines.matchAll(/^# (.+)\n((?:[^#].*\n)+)/gm)].map(([, reason = '', rules = '']) => {
    return [reason, rules.trimEnd().split('\n')];
  });
}
