/** What a test that is a command of its own says of each bound, and how it ends. */
import process from 'node:process';

/** Prints a line about a bound. If it does not hold, the process ends with 1. */
export function report(isGood: boolean, text: string): void {
  process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${text}\n`);
  if (!isGood) process.exitCode = 1;
}
