/**
 * Runs commands, one after the other, in the current folder, and prints what each did: a program, because no test can
 * become another user. Its argument is the commands, as JSON.
 */
import process from 'node:process';
import type { Ran } from '../support/cli.ts';
import { runInProcess } from '../support/in-process.ts';

export interface Command {
  readonly argv: readonly string[];
  readonly input: string;
}

const ran: Ran[] = [];
for (const { argv, input } of JSON.parse(process.argv[2] ?? '[]') as readonly Command[]) {
  ran.push(await runInProcess(argv, { cwd: '.', env: process.env, input, notified: () => undefined }));
}
process.stdout.write(JSON.stringify(ran));
