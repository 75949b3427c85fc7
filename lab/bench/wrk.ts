/** The load generator, wrk: many requests, and how many and how fast they were answered. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

export interface Load {
  readonly requests: number;
  readonly seconds: number;
}

export interface LoadOptions {
  readonly connections: number;
  /** A whole number. */
  readonly seconds: number;
  /** How many targets to pass over, so that a later load does not repeat those of an earlier one. */
  readonly offset?: number;
}

/** @throws Error if wrk is not there. */
export function requireWrk(): void {
  const { error } = spawnSync('wrk', ['--version']);
  if (error !== undefined) throw new Error(`wrk does not run (${error.message}). Install it: apt-get install wrk`);
}

/** Writes a file for `load`. */
export function writeTargets(
  file: string,
  headers: Readonly<Record<string, string>>,
  targets: readonly string[],
): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(file, `${lines.join('')}\n${targets.join('\n')}\n`);
}

/**
 * Sends the targets of a file, again and again.
 * @throws Error if an answer is missing, or has a status of 400 or above.
 */
export function load(url: string, file: string, { connections, seconds, offset = 0 }: LoadOptions): Promise<Load> {
  const how = ['--threads', '1', '--connections', String(connections), '--duration', `${String(seconds)}s`];
  const argv = [...how, '--timeout', '60s', '--script', SCRIPT, url, '--', file, String(offset)];
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', argv, { stdio: ['ignore', 'pipe', 'inherit'], timeout: (seconds + 60) * 1000 });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.once('error', reject);
    child.once('close', () => {
      const line = /^\{.*\}$/m.exec(printed)?.[0];
      if (line === undefined) {
        reject(new Error(`wrk failed:\n${printed}`));
        return;
      }
      const { failed, errors, ...done } = JSON.parse(line) as Load & { failed: number; errors: number }; // As wrk.lua writes it.
      const wrong = failed + errors;
      if (wrong === 0) resolve(done);
      else reject(new Error(`${String(wrong)} of ${String(done.requests)} requests to ${url} failed.`));
    });
  });
}
