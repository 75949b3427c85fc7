/** The report of a suite that is a program: a line for each bound, and the exit code. */
import process from 'node:process';

/** Prints a line about a bound. If it does not hold, the process ends with 1. */
export function report(isGood: boolean, text: string): void {
  process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${text}\n`);
  if (!isGood) process.exitCode = 1;
}
