/** Commands of other tools, run to their end. */
import { spawn } from 'node:child_process';

const DEADLINE_MS = 1_800_000; // For what hangs.

export interface Ran {
  readonly ok: boolean;
  readonly output: string;
}

/** Runs a command to its end. @returns whether it exited with 0, and all that it printed. */
export function run(
  [command, ...args]: readonly [string, ...string[]],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Record<string, string> },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, timeout: DEADLINE_MS });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ ok: code === 0, output });
    });
  });
}

/** Runs a command that must succeed. */
export async function must(...of: Parameters<typeof run>): Promise<void> {
  const { ok, output } = await run(...of);
  if (!ok) throw new Error(`${of[0].join(' ')} failed:\n${output}`);
}
