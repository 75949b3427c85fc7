/** The command `conform`: tests any implementation of the contract, prints the outcome of each rule as soon as it is known, and then the failures. */
import process from 'node:process';
import { Command, InvalidArgumentError, Option } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { MAX_ITEMS, conform, isOperation } from '../conform/conform.ts';
import type { Options as Settings, Result } from '../conform/conform.ts';
import { allRules } from '../conform/rules.ts';
import { seedRecords } from '../conform/seed-records.ts';
import { MAX_SEED, MIN_SEED } from '../conform/sample.ts';
import { BOUNDS, redactionOf } from '../conform/session.ts';
import { loadContract } from '../../contract/document.ts';
import type { Contract } from '../../contract/document.ts';
import { compareWithBaseline } from '../report/baseline.ts';
import { isNamed } from '../rules/rule.ts';
import { Untestable } from '../session/session.ts';
import { failureLines, needsOf, sentLine, totals, totalsLine, treeLines } from '../report/report.ts';
import { finish, readBaseline } from './conform-files.ts';
import type { ConformReport } from './conform-files.ts';
import { wholeNumber } from './options.ts';
import { isInteractive, print, printJson, printable } from './output.ts';
import { checkFiles } from './report-files.ts';
import type { ReportOptions } from './report-files.ts';

const MAX_TIMEOUT_SECONDS = 86_400;
const MAX_COUNT = 1_000_000;

/** Lists the requests of a run, instead of sending them. */
type DryRun = (contract: Contract, hasOther: boolean, options: Settings) => Promise<void>;

/** @param dryRun what `--dry-run` calls; the option is absent without it. */
export function conformCommand(dryRun?: DryRun): Command {
  const command = new Command('conform')
    .description('Test an implementation of the contract over HTTP')
    .argument('[url]', 'base URL of the API, such as http://127.0.0.1:3000', parseUrl)
    .addOption(new Option('--key <key>', 'API key of an account with records').env('ROLLCALL_API_KEY'))
    .addOption(
      new Option('--key2 <key>', 'API key of another account, to test the isolation of accounts').env(
        'ROLLCALL_API_KEY2',
      ),
    )
    .option(
      '--only <rules>',
      'check only these rules or operations: ids such as list.order, areas such as list, or listAutomations, separated by commas',
      ids,
    )
    .option('--skip <rules>', 'skip these rules', ids)
    .option(
      '--seeded',
      "fail if the account lacks records that a rule requires, including the contract's example records",
    )
    .option('--print-records', 'print records of two accounts with which every rule is checked, as JSON, and exit')
    .option('--baseline <file>', 'file of known failures, which are listed separately and do not fail the run')
    .option('--strict-baseline', 'fail if a known failure of the baseline passes')
    .option('--write-baseline <file>', 'write the failures of this run to a file of known failures')
    .addOption(number('--timeout <seconds>', 'maximum duration of the run', 300, MAX_TIMEOUT_SECONDS, 'seconds'))
    .addOption(number('--max-requests <count>', 'maximum number of requests', BOUNDS.requests, MAX_COUNT, 'requests'))
    .addOption(
      number('--max-items <count>', 'maximum number of items to read from a list', MAX_ITEMS, MAX_COUNT, 'items'),
    )
    .addOption(
      new Option('--random-seed <number>', 'repeat the random choices of the run that printed this number').argParser(
        wholeNumber(MIN_SEED, MAX_SEED, ''),
      ),
    )
    .option('--allow-key-in-url', 'also send the real key in a query, where it may be logged, and expect an error')
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'write the results to a file as JUnit XML')
    .option('--github', 'print the failures as GitHub Actions annotations')
    .addHelpText(
      'after',
      `
Sends only GET and HEAD requests with your key; requests with other methods have no key or a made-up one. A rule is not
checked if the account lacks the records that it requires.

Exit codes:
  0  no rule failed, except known failures
  1  a rule failed or, with --strict-baseline, a known failure passed
  2  incorrect usage
  3  the implementation could not be tested or, with --seeded, a rule could not be checked`,
    )
    .action(async (url: string | undefined, options: Options, command: Command) => {
      const usageError = (what: string): never => command.error(`error: ${what}`);
      const { key } = options;
      if (options.printRecords === true) {
        printJson(seedRecords(loadContract()));
        return;
      }
      if (url === undefined) return usageError("missing required argument 'url'");
      if (key === undefined) return usageError("required option '--key <key>' not specified");
      await runConform(url, { ...options, key }, usageError, dryRun);
    });
  if (dryRun !== undefined)
    command.option('--dry-run', 'send nothing; list the requests that a conforming implementation would receive');
  return command;
}

const number = (flags: string, what: string, usual: number, max: number, things: string): Option =>
  new Option(flags, what).default(usual).argParser(wholeNumber(1, max, things));

const ids = (value: string): readonly string[] => value.split(',').map((it) => it.trim());

function parseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:3000.');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    throw new InvalidArgumentError('It must have only a scheme, host, port and path: no user, query or fragment.');
  }
  return value.replace(/\/+$/, '');
}

interface Options extends ReportOptions {
  readonly seeded?: true;
  readonly printRecords?: true;
  readonly key?: string;
  readonly key2?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly dryRun?: true;
  /** In seconds. */
  readonly timeout: number;
  readonly maxRequests: number;
  readonly maxItems: number;
  readonly randomSeed?: number;
  readonly allowKeyInUrl?: true;
}
/** The options of a run against a server. */
interface ConformOptions extends Options {
  readonly key: string;
}

/**
 * Tests an implementation, prints the results, and writes the JUnit file and the baseline.
 * @param usageError reports wrong usage with a message, and ends the command.
 * @throws CliError if a rule failed, NotTestedError if the result is unknown.
 */
async function runConform(
  url: string,
  options: ConformOptions,
  usageError: (what: string) => never,
  dryRun: DryRun | undefined,
): Promise<void> {
  const { key, key2, only, skip, timeout, json: isJson = false, seeded: isSeeded = false, maxItems } = options;
  const {
    maxRequests,
    randomSeed: seed = MIN_SEED + Math.floor(Math.random() * MAX_SEED),
    allowKeyInUrl = false,
  } = options;
  const contract = loadContract();
  const rules = allRules(contract);
  checkKeys(options, usageError);
  checkUsage(options, rules, usageError);
  const baseline = readBaseline(options, contract, usageError);
  const settings = { only, skip, isSeeded, maxItems, seed, isKeyAllowedInUrl: allowKeyInUrl };
  if (options.dryRun === true) {
    await dryRun?.(contract, key2 !== undefined, settings);
    return;
  }

  const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr, text: 'Testing' }).start() : undefined;
  const progress = spinner && ((what: string): void => void (spinner.text = printable(what)));
  const bounds = { runMs: timeout * 1000, requests: maxRequests };
  const run = conform(contract, { url, key, key2 }, { ...settings, ...bounds, progress });
  const results: Result[] = [];
  const reasons = new Set<string>();
  let untestable: string | undefined;
  try {
    for await (const result of run) {
      spinner?.clear();
      if (!isJson) {
        if (results.at(-1)?.operation !== result.operation) print('', result.operation);
        print(...treeLines(result, baseline, reasons));
      }
      results.push(result);
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    untestable = redactionOf({ url, key, key2 })(error.message);
  } finally {
    spinner?.stop();
  }

  const report: ConformReport = { url, untestable, results, baseline };
  const needs = needsOf(results);
  if (isJson) {
    const { known, fixed } = compareWithBaseline(results, baseline);
    const ofBaseline = { known: known.length, fixed: fixed.length };
    printJson({ url, seed, ...totals(results), ...ofBaseline, untestable, needs, sent: run.sent, results });
  } else if (results.length > 0) {
    print(...failureLines(results, baseline));
    if (needs.length > 0) print('', 'To check all rules, the account needs:', ...needs.map((it) => `  ${it}`));
    print(
      '',
      totalsLine(results, baseline),
      sentLine(run.sent),
      `To repeat the random choices: --random-seed ${String(seed)}`,
    );
  }
  finish(report, options);
}

/** Checks the keys, which commander would print. */
function checkKeys({ key, key2 }: ConformOptions, usageError: (what: string) => never): void {
  for (const [name, value = key] of Object.entries({ key, key2 })) {
    // Characters that a header may have, without spaces and quotes: they would not set a key apart from the text around it.
    if (!/^[!#-~]{1,4096}$/.test(value)) usageError(`--${name} must be printable ASCII without spaces or quotes`);
  }
  if (key === key2) usageError('--key2 must be a key of a different account than --key');
}

/** Checks options that commander cannot check: it does not know the contract. */
function checkUsage(options: Options, rules: ReadonlyMap<string, unknown>, usageError: (what: string) => never): void {
  const { only = [], skip = [] } = options;
  for (const name of [...only, ...skip]) {
    if (isOperation(name) || [...rules.keys()].some((it) => isNamed(it, [name]))) continue;
    usageError(`unknown rule ${JSON.stringify(name)}; the rules are ${[...rules.keys()].join(', ')}`);
  }
  checkFiles(options, usageError);
}
