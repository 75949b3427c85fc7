/** `rollcall conform`: tests any implementation of the contract, prints the outcome of each rule as soon as it is known, and then the failures. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { Command, InvalidArgumentError, Option } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { compareWithBaseline, formatBaseline, parseBaseline } from '../conform/baseline.ts';
import type { Baseline } from '../conform/baseline.ts';
import { EVERY_RESPONSE, MAX_ITEMS, conform } from '../conform/conform.ts';
import type { Result } from '../conform/conform.ts';
import {
  annotations,
  failureLines,
  junit,
  needsOf,
  sentLine,
  totals,
  totalsLine,
  treeLines,
} from '../conform/report.ts';
import type { Report } from '../conform/report.ts';
import { allRules, isNamed } from '../conform/rules.ts';
import { ONE_ACCOUNT } from '../conform/isolation-rules.ts';
import { MAX_SEED } from '../conform/sample.ts';
import { BOUNDS, Untestable, redact } from '../conform/session.ts';
import { counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import { listRequests } from './conform-plan.ts';
import { CliError, NotTestedError, fileError } from './errors.ts';
import { RequiredOption, wholeNumber } from './options.ts';
import { isInteractive, notify, print, printJson, printable } from './output.ts';

const MAX_TIMEOUT_SECONDS = 86_400;
const MAX_COUNT = 1_000_000;

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
    .option(
      '--only <rules>',
      'check these rules alone: ids such as list.order, or what they begin with, by commas',
      ids,
    )
    .option('--skip <rules>', 'do not check these rules', ids)
    .option(
      '--seeded',
      'require records for every rule, those of the examples in the contract too; list the missing ones',
    )
    .option('--baseline <file>', 'the known failures: they are shown apart and do not fail the run')
    .option('--strict-baseline', 'fail if a known failure passes again')
    .option('--write-baseline <file>', 'write the failures of this run to a file, as the known ones')
    .option('--dry-run', 'send nothing; list the requests that would be sent to an implementation that conforms')
    .addOption(number('--timeout <seconds>', 'how long the whole run may take', 300, MAX_TIMEOUT_SECONDS, 'seconds'))
    .addOption(
      number('--max-requests <count>', 'how many requests may be sent', BOUNDS.requests, MAX_COUNT, 'requests'),
    )
    .addOption(number('--max-items <count>', 'how many items of a list are read', MAX_ITEMS, MAX_COUNT, 'items'))
    .addOption(
      new Option('--random-seed <number>', 'repeats the random limits and positions of a run').argParser(
        wholeNumber(0, MAX_SEED, ''),
      ),
    )
    .option('--allow-key-in-url', 'also try whether the key itself authenticates in a query, where it may be logged')
    .option('--json', 'print the results as JSON instead of a tree')
    .option('--junit <file>', 'also write the results to a file as JUnit XML')
    .option('--github', 'also print the failures as annotations of GitHub Actions')
    .addHelpText(
      'after',
      `
It only reads: what is sent with a key is GET and HEAD. Rules are not checked where the account lacks the records they need.
Exit code 0: no rule failed; 1: some did; 2: wrong usage; 3: it could not be tested, or not all of it with --seeded.`,
    )
    .action(async (url: string, options: ConformOptions, command: Command) => {
      await runConform(url, options, (what) => command.error(`error: ${what}`));
    });
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
  readonly baseline?: string;
  readonly strictBaseline?: true;
  readonly writeBaseline?: string;
  readonly dryRun?: true;
  /** In seconds. */
  readonly timeout: number;
  readonly maxRequests: number;
  readonly maxItems: number;
  readonly randomSeed?: number;
  readonly allowKeyInUrl?: true;
  readonly json?: true;
  readonly junit?: string;
  readonly github?: true;
}

/**
 * Tests an implementation, prints the results, and writes the JUnit file and the baseline.
 * @param usageError reports wrong usage with a message, and ends the command.
 * @throws CliError if a rule failed, NotTestedError if the result is unknown.
 */
async function runConform(url: string, options: ConformOptions, usageError: (what: string) => never): Promise<void> {
  const { key, key2, only, skip, timeout, json: isJson = false, seeded: isSeeded = false, maxItems } = options;
  const { maxRequests, randomSeed: seed = Math.floor(Math.random() * MAX_SEED), allowKeyInUrl = false } = options;
  const contract = loadContract();
  const rules = allRules(contract);
  checkUsage(options, rules, usageError);
  const operations = new Set<string>([...contract.operations.map((it) => it.id), EVERY_RESPONSE]);
  const baseline = readBaseline(options, { rules, operations }, usageError);
  const settings = { only, skip, isSeeded, maxItems, seed, isKeyAllowedInUrl: allowKeyInUrl };
  if (options.dryRun === true) {
    await listRequests(contract, key2 !== undefined, settings);
    return;
  }

  const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr, text: 'Testing' }).start() : undefined;
  const progress = spinner && ((what: string): void => void (spinner.text = printable(what)));
  const bounds = { runMs: timeout * 1000, requests: maxRequests };
  const run = conform(contract, { url, key, key2 }, { ...settings, ...bounds, progress });
  const results: Result[] = [];
  let untestable: string | undefined;
  try {
    for await (const result of run) {
      spinner?.clear();
      if (!isJson) {
        if (results.at(-1)?.operation !== result.operation) print('', result.operation);
        print(...treeLines(result, baseline));
      }
      results.push(result);
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    untestable = redact(error.message, { url, key, key2 });
  } finally {
    spinner?.stop();
  }

  const report: Report = { url, untestable, sent: run.sent, results, baseline };
  const needs = needsOf(results);
  if (isJson) {
    const { known, fixed } = compareWithBaseline(results, baseline);
    const ofBaseline = { known: known.length, fixed: fixed.length };
    printJson({ url, seed, ...totals(results), ...ofBaseline, untestable, needs, sent: run.sent, results });
  } else if (results.length > 0) {
    print(...failureLines(results, baseline));
    if (needs.length > 0) print('', 'For all rules to be checked the account needs', ...needs.map((it) => `  ${it}`));
    print(
      '',
      totalsLine(results, baseline),
      sentLine(run.sent),
      `Random limits and positions: --random-seed ${String(seed)}`,
    );
  }
  if (options.github === true) print(...annotations(results, baseline));
  // The baseline of a run that broke off would lack failures.
  const files = [
    ['--junit', options.junit, junit(report)],
    ['--write-baseline', untestable === undefined ? options.writeBaseline : undefined, formatBaseline(results)],
  ] as const;
  const lost = files
    .filter(([name, file, text]) => file !== undefined && !write(name, file, text))
    .map(([, file]) => file);
  conclude(report, options);
  const [file] = lost;
  if (file !== undefined) throw new NotTestedError(`The results are not in ${file}, see above.`);
}

/** @returns the known failures; none without `--baseline`. */
function readBaseline(
  { baseline: file }: ConformOptions,
  { rules, operations }: { readonly rules: ReadonlyMap<string, string>; readonly operations: ReadonlySet<string> },
  usageError: (what: string) => never,
): Baseline {
  if (file === undefined) return new Set();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return usageError(`the file of --baseline, ${file}, ${fileError(error, 'read')}`);
  }
  try {
    return parseBaseline(text, (operation, rule) => operations.has(operation) && rules.has(rule));
  } catch (error) {
    return usageError(`of the file of --baseline, ${file}, ${(error as Error).message}`); // It throws errors alone.
  }
}

/** Checks options that commander cannot check: it would print the secret ones, and it does not know the contract. */
function checkUsage(
  options: ConformOptions,
  rules: ReadonlyMap<string, string>,
  usageError: (what: string) => never,
): void {
  const { key, key2, only = [], skip = [] } = options;
  for (const [name, value = key] of Object.entries({ key, key2 })) {
    // Characters that a header may have, without spaces and quotes: they would not set a key apart from the text around it.
    if (!/^[!#-~]{1,4096}$/.test(value)) usageError(`--${name} must be printable ASCII without spaces and quotes`);
  }
  if (key === key2) usageError('--key2 must be a key of another account than --key');
  for (const name of [...only, ...skip]) {
    if ([...rules.keys()].some((it) => isNamed(it, [name]))) continue;
    usageError(`there is no rule ${JSON.stringify(name)}; there are ${[...rules.keys()].join(', ')}`);
  }
  if (options.strictBaseline === true && options.baseline === undefined)
    usageError('--strict-baseline needs --baseline');
  if (options.github === true && options.json === true)
    usageError('--github and --json exclude each other: both print');
  for (const [name, file] of [
    ['--junit', options.junit],
    ['--write-baseline', options.writeBaseline],
  ] as const) {
    if (file === undefined) continue;
    try {
      closeSync(openSync(file, 'a')); // Before the run: if the file cannot be written, the results of the run would be lost.
    } catch (error) {
      usageError(`the file of ${name}, ${file}, ${fileError(error, 'written')}`);
    }
  }
}

/** @returns whether the file was written; if not, the error has been printed. */
function write(name: string, file: string, text: string): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch (error) {
    notify(`rollcall: The file of ${name}, ${file}, ${fileError(error, 'written')}.`);
    return false;
  }
}

/**
 * Does nothing if the implementation conforms, or if its failures are written to a baseline. Otherwise throws the error that decides
 * the exit code.
 * @throws CliError if a rule failed; NotTestedError if the run broke off, if nothing was tested, or with `--seeded` if any rule
 *   was not checked.
 */
function conclude({ url, untestable, results, baseline }: Report, options: ConformOptions): void {
  const { unexpected, fixed } = compareWithBaseline(results, baseline);
  const isWritten = options.writeBaseline !== undefined;
  const brokeOff = untestable === undefined ? '' : ` The run broke off: ${untestable}`;
  if (unexpected.length > 0 && !isWritten) throw new CliError(`${url} does not conform to the contract.${brokeOff}`);
  if (untestable !== undefined) throw new NotTestedError(`${url} could not be tested. ${untestable}`);
  if (fixed.length > 0 && options.strictBaseline === true && !isWritten) {
    throw new CliError(
      `${counted(fixed.length, 'known failures')} passed again: take them out of ${String(options.baseline)}.`,
    );
  }
  const { not_checked: notChecked } = totals(results);
  if (options.seeded === true && notChecked > 0)
    throw new NotTestedError(`${counted(notChecked, 'rules')} of ${url} could not be checked.`);
  const untested = untestedOf(results);
  if (untested !== undefined) throw new NotTestedError(`${url} was not tested: ${untested}`);
}

/** @returns why a run without failures shows nothing; `undefined` if it shows something. */
function untestedOf(results: readonly Result[]): string | undefined {
  const notChecked = results.filter((it) => it.outcome === 'not_checked');
  if (notChecked.length === results.length) {
    const [first] = notChecked;
    return `no rule could be checked${first === undefined ? '' : `: ${first.reason}`}.`;
  }
  // Without records only errors were tested.
  const lists = results.filter((it) => it.rule === 'list.limit');
  if (
    lists.length > 0 &&
    lists.every((it) => it.outcome === 'not_checked' && it.needs?.some((need) => need.endsWith('(it has 0)')) === true)
  )
    return 'the account has no records, so no page was compared.';
  const isolation = results.filter((it) => it.rule.startsWith('isolation.'));
  const reasons = isolation.flatMap((it) => (it.outcome === 'not_checked' ? [it.reason] : []));
  const reason = reasons.find((it) => it === ONE_ACCOUNT);
  return reason !== undefined && reasons.length === isolation.length ? `${reason}.` : undefined;
}
