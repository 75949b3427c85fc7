/** The report of a suite that is a program: a line for each bound, and the exit code. */
import process from 'node:process';
import type { Running } from '../../test/support/cli.ts';

/** Prints a line about a bound. If it does not hold, the process ends with 1. */
export function report(isGood: boolean, text: string): void {
  process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${text}\n`);
  if (!isGood) process.exitCode = 1;
}

/** Stops a server that has had nothing to say, and reports how it ends. */
export async function reportEnd(server: Running): Promise<void> {
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  report(code === 0 && stderr === '', `it ends with ${String(code)}, and its log is empty ${stderr.slice(0, 500)}`);
}
