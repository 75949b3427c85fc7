/** The command `conform`: tests any implementation of the contract, prints the outcome of each rule as soon as it is known, and then the failures. */
import { Command, Option } from 'commander';
import { CROSSED, EVERY_RESPONSE, MAX_ITEMS, conform, isOperation } from '../audit/conform/conform.ts';
import type { Options as Settings, Result } from '../audit/conform/conform.ts';
import { ONE_ACCOUNT } from '../audit/conform/isolation-rules.ts';
import { allRules } from '../audit/conform/rules.ts';
import { seedRecords } from '../audit/conform/seed-records.ts';
import { MAX_SEED, MIN_SEED } from '../audit/conform/sample.ts';
import { BOUNDS, redactionOf } from '../audit/conform/checked-session.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { counted } from '../contract/wording.ts';
import { needsOf, sentLine } from '../audit/report/report.ts';
import type { Shown } from '../audit/rules/text.ts';
import { UsageError } from './command-errors.ts';
import { ruleLines } from './findings.ts';
import {
  checkOptions,
  endOf,
  finish,
  onlyOption,
  openSpinner,
  printSummary,
  printTree,
  progressOn,
  withReports,
  words,
} from './judging.ts';
import type { JudgingOptions } from './judging.ts';
import { networkOf, proxyText, withNetwork } from './network.ts';
import type { NetworkOptions } from './network.ts';
import { MAX_TIMEOUT_SECONDS, numberOption } from './options.ts';
import { notify, print, printJson } from './output.ts';

const MAX_COUNT = 1_000_000;

/** Lists the requests of a run, instead of sending them. */
type DryRun = (contract: Contract, hasOther: boolean, options: Settings) => Promise<void>;

/** @param dryRun what `--dry-run` calls; the option is absent without it. */
export function conformCommand(dryRun?: DryRun): Command {
  const command = new Command('conform')
    .description('Check a server against the contract, over HTTP')
    .argument('[url]', 'base URL of the API, such as http://127.0.0.1:3000')
    .addOption(new Option('--key <key>', 'API key of an account with records').env('ROLLCALL_API_KEY'))
    .addOption(
      new Option('--other-key <key>', 'API key of another account, to test the isolation of accounts').env(
        'ROLLCALL_OTHER_API_KEY',
      ),
    )
    .addOption(onlyOption('list.order', 'list', ', or operations such as listAutomations'))
    .option('--skip <rules>', 'skip these rules', words)
    .option(
      '--seeded',
      "fail if the account lacks records that a rule requires, including the contract's example records",
    )
    .option('--rules', 'print the rules')
    .option('--print-records', 'print records for two accounts, as JSON, with which every rule can be checked')
    .addOption(
      numberOption('--timeout <seconds>', 'maximum duration of the run', MAX_TIMEOUT_SECONDS, 'seconds').default(300),
    )
    .addOption(
      numberOption('--max-requests <count>', 'maximum number of requests', MAX_COUNT, 'requests').default(
        BOUNDS.requests,
      ),
    )
    .addOption(
      numberOption('--max-items <count>', 'maximum number of items to read from a list', MAX_COUNT, 'items').default(
        MAX_ITEMS,
      ),
    )
    .addOption(
      numberOption(
        '--crossed <count>',
        'requests to send again with HEAD, the other key or other parts',
        MAX_COUNT,
        'requests',
      ).default(CROSSED),
    )
    .addOption(
      numberOption('--random-seed <number>', 'repeat the random choices of the run that printed this number', MAX_SEED),
    )
    .option('--allow-key-in-url', 'also send the real key in a query, where logs may contain it, and expect an error')
    .action((url: string | undefined, options: Options) => runConform(url, options, dryRun));
  if (dryRun !== undefined)
    command.option('--dry-run', 'send nothing; list the requests that a conforming server would receive');
  return withReports(
    withNetwork(command),
    `Sends only GET and HEAD requests with your key; requests with other methods have no key or a made-up
one. A rule is not checked if the account lacks the records that it needs.`,
    'the server could not be checked, or with --seeded a rule could not be checked',
  );
}

/** @returns a base URL without trailing slashes. @throws UsageError, without the URL: it may hold a password. */
function baseOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError('the URL must be one such as http://127.0.0.1:3000');
  if (url.username !== '' || url.password !== '' || /[?#]/.test(value))
    throw new UsageError('the URL must have only a scheme, host, port and path: no user, query or fragment');
  return value.replace(/\/+$/, '');
}

interface Options extends JudgingOptions, NetworkOptions {
  readonly rules?: true;
  readonly seeded?: true;
  readonly printRecords?: true;
  readonly key?: string;
  readonly otherKey?: string;
  readonly dryRun?: true;
  /** In seconds. */
  readonly timeout: number;
  readonly maxRequests: number;
  readonly maxItems: number;
  readonly crossed: number;
  readonly randomSeed?: number;
  readonly allowKeyInUrl?: true;
}

/** @throws CliError if a rule failed, NotTestedError if the result is unknown, UsageError. */
async function runConform(at: string | undefined, options: Options, dryRun: DryRun | undefined): Promise<void> {
  const { key, otherKey, only, skip, maxItems, crossed, seeded: isSeeded = false, allowKeyInUrl = false } = options;
  const { timeout, maxRequests, randomSeed: seed = MIN_SEED + Math.floor(Math.random() * MAX_SEED) } = options;
  const contract = loadContract();
  if (options.rules === true) {
    print(
      ...ruleLines(
        'CHECKS THAT',
        [...allRules(contract)].map(([id, rule]) => [id, rule.title]),
      ),
    );
    return;
  }
  if (options.printRecords === true) {
    printJson(seedRecords(contract));
    return;
  }
  if (at === undefined) throw new UsageError("missing required argument 'url'");
  const url = baseOf(at);
  if (key === undefined) throw new UsageError("required option '--key <key>' not specified");
  checkKeys(key, otherKey);
  const operations = [...contract.operations.map(({ id }) => id), EVERY_RESPONSE];
  const ofRules = only === undefined ? options : { ...options, only: only.filter((name) => !isOperation(name)) };
  const baseline = checkOptions(ofRules, 'conform', [...allRules(contract).keys()], operations);
  const settings = { only, skip, isSeeded, maxItems, crossed, seed, isKeyAllowedInUrl: allowKeyInUrl };
  const network = networkOf(options, [url]);
  if (options.dryRun === true) {
    await dryRun?.(contract, otherKey !== undefined, settings);
    return;
  }

  const through = proxyText(network.proxyOf(url));
  if (through !== '') notify(`Sends requests to ${url}${through}.`);
  const spinner = openSpinner('Testing');
  const { proxyOf, maxBodyBytes } = network;
  const server = { url, key, otherKey, proxy: proxyOf(url) };
  const bounds = { runMs: timeout * 1000, requests: maxRequests, maxBodyBytes };
  const run = conform(contract, server, { ...settings, ...bounds, progress: progressOn(spinner) });
  const whyAborted = (error: unknown): Shown => redactionOf(server).show(endOf(error).text);
  const { results, untestable } = await printTree(run, options, baseline, spinner, whyAborted);
  const report = { command: 'conform', baseline, results, untestable } as const;
  const needs = needsOf(results);
  printSummary(report, options, {
    subject: { url, seed },
    facts: { needs, sent: run.sent },
    needs:
      needs.length === 0 ? [] : ['', 'To check all rules, the account needs:', ...needs.map((need) => `  ${need}`)],
    lines: [sentLine(run.sent), `To repeat the random choices: --random-seed ${String(seed)}`],
  });
  finish(report, options, {
    broken: `${url} does not conform to the contract.${untestable === undefined ? '' : ` The run was aborted: ${untestable}`}`,
    untested: untestable && `${url} could not be tested. ${untestable}`,
    unproved: unprovedOf(url, results, isSeeded),
  });
}

/** Checks the keys, which commander would print. */
function checkKeys(key: string, otherKey: string | undefined): void {
  for (const [name, value = key] of Object.entries({ key, 'other-key': otherKey })) {
    // Characters that a header may have, without spaces and quotes: they would not set a key apart from the text around it.
    if (!/^[!#-~]{1,4096}$/.test(value))
      throw new UsageError(`--${name} must be printable ASCII without spaces or quotes`);
  }
  if (key === otherKey) throw new UsageError('--other-key must be a key of a different account than --key');
}

/** @returns why a run without failures proves nothing; `undefined` if it proves something. */
function unprovedOf(url: string, results: readonly Result[], isSeeded: boolean): string | undefined {
  const notChecked = results.flatMap((result) => (result.outcome === 'not_checked' ? [result] : []));
  const { length: missing } = notChecked.filter(({ applies }) => applies !== false);
  if (isSeeded && missing > 0) return `${counted(missing, 'rules')} could not be checked for ${url}.`;
  const untested = `${url} was not tested:`;
  if (notChecked.length === results.length)
    return `${[`${untested} no rule could be checked`, ...notChecked.map(({ reason }) => reason).slice(0, 1)].join(': ')}.`;
  // Without records only errors were tested: list.end requires only one record.
  const ends = results.filter(({ rule }) => rule === 'list.end');
  if (ends.length > 0 && ends.every((end) => end.outcome === 'not_checked' && end.need !== undefined))
    return `${untested} the account has no records, so no page was compared.`;
  const isIsolation = ({ rule }: Result): boolean => rule.startsWith('isolation.');
  const isolation = notChecked.filter(isIsolation);
  return isolation.length === results.filter(isIsolation).length &&
    isolation.some(({ reason }) => reason === ONE_ACCOUNT)
    ? `${untested} ${ONE_ACCOUNT}.`
    : undefined;
}
