/** `rollcall conform`: tests any implementation of the contract, prints the result of each rule as soon as it is known, and then the totals. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { Command, InvalidArgumentError, Option } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { conform } from '../conform/conform.ts';
import type { Result } from '../conform/conform.ts';
import { junit, needsOf, sentLine, totals, totalsLine, treeLines } from '../conform/report.ts';
import type { Report } from '../conform/report.ts';
import { allRules, isNamed } from '../conform/rules.ts';
import { Untestable } from '../conform/session.ts';
import { redact } from '../conform/session.ts';
import { counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import { CliError, NotTestedError, fileError } from './errors.ts';
import { RequiredOption, wholeNumber } from './options.ts';
import { isInteractive, notify, print, printJson, printable } from './output.ts';

const MAX_TIMEOUT_SECONDS = 86_400;

export function conformCommand(): Command {
  return new Command('conform')
    .description('Test every rule of the contract on an implementation of it, by requests alone')
    .argument('<url>', 'its base URL, such as http://127.0.0.1:3000', parseUrl)
    .addOption(new RequiredOption('--key <key>', 'a key of an account with records').env('ROLLCALL_API_KEY'))
    .addOption(
      new Option('--key2 <key>', 'a key of another account: nothing of one exists for the other').env(
        'ROLLCALL_API_KEY2',
      ),
    )
    .option('--only <rules>', 'try these rules alone: ids such as list.order, or what they begin with, by commas', ids)
    .option('--skip <rules>', 'do not try these rules', ids)
    .option(
      '--seeded',
      'require records for every rule, those of the examples in the contract too; list the missing ones',
    )
    .addOption(
      new Option('--timeout <seconds>', 'how long the whole run may take')
        .default(300)
        .argParser(wholeNumber(1, MAX_TIMEOUT_SECONDS, 'seconds')),
    )
    .option('--json', 'print the results as JSON instead of a tree')
    .option('--junit <file>', 'also write the results to a file as JUnit XML')
    .addHelpText(
      'after',
      `
It only reads: what is sent with a key is GET and HEAD. Rules are skipped where the account lacks the records they need.
Exit code 0: no rule failed; 1: some did; 2: wrong usage; 3: it could not be tested, or not all of it with --seeded.`,
    )
    .action(async (url: string, options: ConformOptions, command: Command) => {
      await runConform(url, options, (what) => command.error(`error: ${what}`));
    });
}

const ids = (value: string): readonly string[] => value.split(',').map((it) => it.trim());

function parseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:3000.');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    throw new InvalidArgumentError(
      'It must be scheme, host, port and path alone, without a user, a query or a fragment.',
    );
  }
  return value.replace(/\/+$/, '');
}

interface ConformOptions {
  readonly key: string;
  readonly key2?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly seeded?: true;
  /** In seconds. */
  readonly timeout: number;
  readonly json?: true;
  readonly junit?: string;
}

/**
 * Tests an implementation, prints the results, and writes the JUnit file.
 * @param usageError reports wrong usage with a message, and ends the command.
 * @throws CliError if a rule failed, NotTestedError if the result is unknown.
 */
async function runConform(url: string, options: ConformOptions, usageError: (what: string) => never): Promise<void> {
  const { key, key2, only, skip, timeout, json: isJson = false, junit: file, seeded: isSeeded = false } = options;
  const contract = loadContract();
  checkUsage(options, allRules(contract), usageError);

  const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr, text: 'Asking' }).start() : undefined;
  const progress = spinner && ((what: string): void => void (spinner.text = printable(what)));
  const run = conform(contract, { url, key, key2 }, { only, skip, isSeeded, runMs: timeout * 1000, progress });
  const results: Result[] = [];
  let untestable: string | undefined;
  try {
    for await (const result of run) {
      spinner?.clear();
      if (!isJson) {
        if (results.at(-1)?.operation !== result.operation) print('', result.operation);
        print(...treeLines(result));
      }
      results.push(result);
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    untestable = redact(error.message, { url, key, key2 });
  } finally {
    spinner?.stop();
  }

  const report: Report = { url, untestable, sent: run.sent, results };
  if (isJson) printJson({ url, ...totals(results), untestable, needs: needsOf(results), sent: run.sent, results });
  else if (results.length > 0) print('', totalsLine(results), sentLine(run.sent));
  if (isSeeded && !isJson) printNeeds(results);
  const isLost = file !== undefined && !write(file, junit(report));
  conclude(report, isSeeded);
  if (isLost) throw new NotTestedError(`The results are not in ${file}, see above.`);
}

/** Checks options that commander cannot check: it would print the secret ones, and it does not know the contract. */
function checkUsage(
  options: ConformOptions,
  rules: ReadonlyMap<string, string>,
  usageError: (what: string) => never,
): void {
  const { key, key2, only = [], skip = [], junit: file } = options;
  for (const [name, value = key] of Object.entries({ key, key2 })) {
    // Characters that a header may have, without spaces and quotes: they would not set a key apart from the text around it.
    if (!/^[!#-~]{1,4096}$/.test(value)) usageError(`--${name} must be printable ASCII without spaces and quotes`);
  }
  if (key === key2) usageError('--key2 must be a key of another account than --key');
  for (const name of [...only, ...skip]) {
    if ([...rules.keys()].some((it) => isNamed(it, [name]))) continue;
    usageError(`there is no rule ${JSON.stringify(name)}; there are ${[...rules.keys()].join(', ')}`);
  }
  if (file === undefined) return;
  try {
    closeSync(openSync(file, 'a')); // Before the run: if the file cannot be written, the results of the run would be lost.
  } catch (error) {
    usageError(`the file of --junit, ${file}, ${fileError(error, 'written')}`);
  }
}

/** @returns whether the file was written; if not, the error has been printed. */
function write(file: string, text: string): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch (error) {
    notify(`rollcall: The file of --junit, ${file}, ${fileError(error, 'written')}.`);
    return false;
  }
}

function printNeeds(results: readonly Result[]): void {
  const needs = needsOf(results);
  if (needs.length > 0) print('', 'For all rules to be tried the account needs', ...needs.map((it) => `  ${it}`));
}

/**
 * Does nothing if the implementation conforms. Otherwise throws the error that decides the exit code.
 * @throws CliError if a rule failed; NotTestedError if the run broke off, if every rule was skipped, or with `--seeded`
 *   if any was.
 */
function conclude({ url, untestable, results }: Report, isSeeded: boolean): void {
  if (untestable !== undefined) throw new NotTestedError(`${url} could not be tested. ${untestable}`);
  const { failed, skipped } = totals(results);
  if (failed > 0) throw new CliError(`${url} does not conform to the contract.`);
  if (isSeeded && skipped > 0) throw new NotTestedError(`${counted(skipped, 'rules')} of ${url} could not be tried.`);
  if (results.every((it) => it.outcome === 'skipped')) throw new NotTestedError(`No rule of ${url} could be tried.`);
}
