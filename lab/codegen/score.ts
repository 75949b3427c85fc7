/** What `rollcall examine` says of a client, compared with its known failures. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import type { Result } from '../../server/report/findings.ts';
import { ROOT } from '../../test/support/project.ts';
import { KNOWN_FAILURES } from './known-failures.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** @returns the result of every rule. @throws Error if the examination itself fails. */
export function examine(driver: readonly string[], folder: string): Promise<readonly Result[]> {
  return new Promise((resolve, reject) => {
    const words = [join(ROOT, 'server/main.ts'), 'examine', '--json', '--', ...driver];
    execFile(process.execPath, words, { cwd: folder, maxBuffer: MAX_BYTES }, (error, stdout, stderr) => {
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

/** @returns the failures of a row that are not known, and the known ones that are gone, each in a line. */
export function unexpectedOf(row: string, results: readonly Result[]): readonly string[] {
  const known = (KNOWN_FAILURES[row] ?? []).flatMap(({ rules }) => rules);
  const failed = results.filter((result) => result.outcome === 'failed');
  const isFailed = (rule: string): boolean => failed.some((result) => result.rule === rule);
  return [
    ...failed
      .filter(({ rule }) => !known.includes(rule))
      .map(({ rule, findings: [{ request, expected, actual }] }) => {
        return `${rule} fails: ${request}: expected ${expected}, got ${actual}`;
      }),
    ...known
      .filter((rule) => !isFailed(rule))
      .map((rule) => `${rule} does not fail any more: remove it from known-failures.ts`),
  ];
}
