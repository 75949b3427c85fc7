/** What `rollcall examine` says of a generated client, whose known failures are in the `known-failures.txt` of its row, with their reasons. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { Result } from '../../audit/rules/rule.ts';
import { ROOT } from '../../test/support/project.ts';

const BASELINE = 'known-failures.txt';

/** @returns the result of every rule. @throws Error for a failure that is not known, and for a known one that is gone. */
export async function examine(driver: readonly string[], folder: string): Promise<readonly Result[]> {
  const baseline = existsSync(join(folder, BASELINE)) ? ['--baseline', BASELINE, '--strict-baseline'] : [];
  const words = [join(ROOT, 'cli/main.ts'), 'examine', '--json', ...baseline, '--', ...driver];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const [json, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  if (code !== 0 && code !== 1) throw new Error(`rollcall examine ended with ${String(code)}`);
  const { results } = JSON.parse(json) as { results: readonly Result[] }; // Written by our own program.
  if (code === 0) return results;
  const failures = results.flatMap((result) => {
    if (result.outcome !== 'failed') return [];
    const [{ request, expected, actual }] = result.findings;
    return `${result.rule}: ${request}: expected ${expected}, got ${actual}\n`;
  });
  throw new Error(`The failures are not those of ${BASELINE}:\n${failures.join('')}`);
}

/** @returns the known failures of a row: why rules fail, and which. */
export function knownFailuresOf(row: string): readonly (readonly [reason: string, rules: readonly string[]])[] {
  const path = join(import.meta.dirname, row, BASELINE);
  const lines = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return [...lines.matchAll(/^# (.+)\n((?:[^#].*\n)+)/gm)].map(([, reason = '', rules = '']) => {
    return [reason, rules.trimEnd().split('\n')];
  });
}
