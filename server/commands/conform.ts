/** `rollcall conform`: tries the contract on any implementation of it. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Result } from '../conform/conform.ts';
import { Refusal } from './refusal.ts';

interface Options {
  readonly key: string;
  readonly json?: true;
  readonly junit?: string;
}

export function conformCommand(): Command {
  return new Command('conform')
    .description('Try every rule of the contract on an implementation of it, by requests alone')
    .argument('<url>', 'where it answers, such as http://127.0.0.1:3000', parseUrl)
    .addOption(new Option('--key <key>', 'a key of an account with records').env('ROLLCALL_KEY').makeOptionMandatory())
    .option('--json', 'print the results as JSON instead of a tree')
    .option('--junit <file>', "write them to a file as JUnit's XML too")
    .addHelpText(
      'after',
      `
It only reads. An account with a few dozen records of each kind and status, some created in the same instant, lets every
rule be tried. Exit code 0: every rule that could be tried holds.`,
    )
    .action(async (url: string, options: Options) => {
      await run(url, options);
    });
}

async function run(url: string, { key, json, junit: file }: Options): Promise<void> {
  const { loadContract } = await import('../contract/document.ts');
  const { conform } = await import('../conform/conform.ts');
  const { junit, totals, treeLines } = await import('../conform/report.ts');
  await demandReachable(url);

  const results: Result[] = [];
  for await (const result of conform(await loadContract(), { url, key })) {
    if (json === undefined) {
      if (results.at(-1)?.operation !== result.operation) process.stdout.write(`\n${result.operation}\n`);
      process.stdout.write(treeLines(result));
    }
    results.push(result);
  }
  const { holds, broken, untried } = totals(results);
  if (file !== undefined) writeFileSync(file, junit(results));
  if (json === true) process.stdout.write(`${JSON.stringify({ url, holds, broken, untried, results }, null, 2)}\n`);
  else
    process.stdout.write(
      `\n${String(holds)} rules hold, ${String(broken)} are broken, ${String(untried)} could not be tried.\n`,
    );
  if (broken > 0) throw new Refusal(`${url} does not conform to the contract.`);
}

async function demandReachable(url: string): Promise<void> {
  try {
    await fetch(url, { redirect: 'manual' });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Refusal(`${url} cannot be reached: ${cause}.`);
  }
}

function parseUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:3000.');
  }
  return value.replace(/\/+$/, '');
}
