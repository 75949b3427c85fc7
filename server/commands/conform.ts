/** `rollcall conform`: tests any implementation of the contract. */
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Result } from '../conform/conform.ts';
import type { Totals } from '../conform/report.ts';
import { print } from './output.ts';
import { Refusal } from './refusal.ts';

interface Options {
  readonly key: string;
  readonly json?: true;
  readonly junit?: string;
}

export function conformCommand(): Command {
  return new Command('conform')
    .description('Test every rule of the contract on an implementation of it, by requests alone')
    .argument('<url>', 'its base URL, such as http://127.0.0.1:3000', parseUrl)
    .addOption(new Option('--key <key>', 'a key of an account with records').env('ROLLCALL_KEY').makeOptionMandatory())
    .option('--json', 'print the results as JSON instead of a tree')
    .option('--junit <file>', 'also write the results to a file as JUnit XML')
    .addHelpText(
      'after',
      `
It only reads. Rules are skipped where the account lacks the records they need: an account with a few dozen records of
each kind and status, some created in the same instant, has enough for all. Exit code 0: no rule failed.`,
    )
    .action(async (url: string, options: Options) => {
      await run(url, options);
    });
}

async function run(url: string, { key, json, junit: file }: Options): Promise<void> {
  const { loadContract } = await import('../contract/document.ts');
  const { conform } = await import('../conform/conform.ts');
  const { junit, totals, treeLines } = await import('../conform/report.ts');
  await assertReachable(url);

  const results: Result[] = [];
  for await (const result of conform(loadContract(), { url, key })) {
    if (json === undefined) {
      if (results.at(-1)?.operation !== result.operation) print('', result.operation);
      print(...treeLines(result));
    }
    results.push(result);
  }
  const counts = totals(results);
  if (file !== undefined) writeFileSync(file, junit(results));
  if (json === true) print(...JSON.stringify({ url, ...counts, results }, null, 2).split('\n'));
  else print('', summaryLine(counts));
  if (counts.failed > 0) throw new Refusal(`${url} does not conform to the contract.`);
}

const summaryLine = ({ passed, failed, skipped }: Totals): string =>
  `${String(passed)} rules passed, ${String(failed)} failed, ${String(skipped)} were skipped.`;

async function assertReachable(url: string): Promise<void> {
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
