/** `rollcall examine`: examines a client, prints the outcome of each rule as soon as it is known, and then the failures. */
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { Command, Option } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { loadContract } from '../contract/document.ts';
import { counted } from '../contract/wording.ts';
import { NotStarted, examine } from '../testkit/examine/examine.ts';
import { RULES } from '../testkit/examine/rules.ts';
import { compareWithBaseline } from '../audit/report/baseline.ts';
import { isNamed } from '../audit/rules/rule.ts';
import type { Result } from '../audit/rules/rule.ts';
import { failureLines, suiteOf, totals, totalsLine, treeLines } from '../audit/report/report.ts';
import type { Report } from '../audit/report/report.ts';
import { CliError, NotTestedError } from '../audit/command/errors.ts';
import { wholeNumber } from '../audit/command/options.ts';
import { isInteractive, print, printJson, table } from '../audit/command/output.ts';
import { checkFiles, readKnownFailures, writeReports } from '../audit/command/report-files.ts';
import type { ReportOptions } from '../audit/command/report-files.ts';

const DEFAULT_SECONDS = 20;
const MAX_SECONDS = 3600;
const MAX_PARALLEL = 64;
const WIDTH = Math.max(...RULES.map((it) => it.id.length));

interface Options extends ReportOptions {
  readonly only?: readonly string[];
  readonly list?: true;
  /** In seconds. */
  readonly timeLimit: number;
  readonly parallel: number;
}

export function examineCommand(): Command {
  return new Command('examine')
    .description('Examine a client of the contract: run its command against a server that fails in every way')
    .usage('[options] -- <command...>')
    .argument('[command...]', 'the command of the client, such as python3 driver.py')
    .option(
      '--only <rules>',
      'check only these rules: ids such as pagination.cursor or areas such as errors, separated by commas',
      (value: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        ...value.split(',').map((it) => it.trim()),
      ],
    )
    .option('--list', 'list the rules')
    .addOption(
      new Option('--time-limit <seconds>', 'how long the command may take for one task')
        .default(DEFAULT_SECONDS)
        .argParser(wholeNumber(1, MAX_SECONDS, 'seconds')),
    )
    .addOption(
      new Option('--parallel <count>', 'how many commands run at a time')
        .default(availableParallelism(), 'one for each processor')
        .argParser(wholeNumber(1, MAX_PARALLEL, 'commands')),
    )
    .option('--baseline <file>', 'file of known failures, which are listed separately and do not fail the run')
    .option('--strict-baseline', 'fail if a known failure of the baseline passes')
    .option('--write-baseline <file>', 'write the failures of this run to a file of known failures')
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'write the results to a file as JUnit XML')
    .option('--github', 'print the failures as GitHub Actions annotations')
    .addHelpText(
      'after',
      `
Runs the command for each scenario with ROLLCALL_BASE_URL and ROLLCALL_API_KEY in its environment, and a task as further
arguments. docs/examine.md describes the tasks.

Exit codes:
  0  no rule failed, except known failures
  1  a rule failed or, with --strict-baseline, a known failure passed
  2  incorrect usage
  3  the command could not be started, or no rule could be checked`,
    )
    .action(async (words: readonly string[], options: Options, command: Command) => {
      const usageError = (what: string): never => command.error(`error: ${what}`);
      if (options.list === true)
        print(
          ...table(
            ['RULE', 'TITLE'],
            RULES.map((it) => [it.id, it.title]),
          ),
        );
      else if (words.length === 0) usageError("missing the command of the client after '--'");
      else await runExamine(words, options, usageError);
    });
}

/** @throws CliError if a rule failed, NotTestedError if the result is unknown. */
async function runExamine(
  words: readonly string[],
  options: Options,
  usageError: (what: string) => never,
): Promise<void> {
  const { only, timeLimit, parallel, json: isJson = false } = options;
  for (const name of only ?? []) {
    if (RULES.some((it) => isNamed(it.id, [name]))) continue;
    usageError(`unknown rule ${JSON.stringify(name)}; the rules are ${RULES.map((it) => it.id).join(', ')}`);
  }
  checkFiles(options, usageError);
  const known = (operation: string, rule: string): boolean => operation === '' && RULES.some((it) => it.id === rule);
  const baseline = readKnownFailures(options, 'examine', known, usageError);

  const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr, text: 'Examining' }).start() : undefined;
  const progress = spinner && ((rule: string): void => void (spinner.text = rule));
  const stopped = new AbortController();
  const stop = (): void => {
    stopped.abort();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const run = examine(loadContract(), {
    ...{ command: words, env: process.env, only, parallel, progress },
    ...{ timeLimitMs: timeLimit * 1000, signal: stopped.signal },
  });
  const results: Result[] = [];
  const reasons = new Set<string>();
  let untestable: string | undefined;
  const started = performance.now();
  try {
    for await (const result of run) {
      spinner?.clear();
      if (!isJson) {
        const previous = results.at(-1);
        if (previous === undefined || suiteOf(previous) !== suiteOf(result)) print('', suiteOf(result));
        print(...treeLines(result, baseline, reasons, WIDTH));
      }
      results.push(result);
    }
  } catch (error) {
    if (error instanceof NotStarted) untestable = error.message;
    else if (stopped.signal.aborted) untestable = 'the examination was interrupted';
    else throw error;
  } finally {
    spinner?.stop();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  const seconds = (performance.now() - started) / 1000;
  const report: Report = { command: 'examine', untestable, results, baseline };
  if (isJson) {
    const { known: ofBaseline, fixed } = compareWithBaseline(results, baseline);
    const counts = { ...totals(results), known: ofBaseline.length, fixed: fixed.length };
    printJson({ command: words, ...counts, untestable, runs: run.runs, seconds: Number(seconds.toFixed(1)), results });
  } else if (results.length > 0) {
    const ran = `Ran the command ${counted(run.runs, 'times')} in ${seconds.toFixed(1)} seconds.`;
    print(...failureLines(results, baseline), '', totalsLine(results, baseline), ran);
  }
  writeReports(report, options, () => {
    conclude(report, options);
  });
}

/** @throws CliError if a rule failed, NotTestedError if the run was aborted or no rule could be checked. */
function conclude({ results, baseline, untestable }: Report, options: Options): void {
  const { unexpected, fixed } = compareWithBaseline(results, baseline);
  const isWritten = options.writeBaseline !== undefined;
  if (untestable !== undefined) throw new NotTestedError(`The client was not examined: ${untestable}.`);
  if (unexpected.length > 0 && !isWritten)
    throw new CliError(`The client breaks ${counted(unexpected.length, 'rules')}.`);
  if (fixed.length > 0 && options.strictBaseline === true && !isWritten)
    throw new CliError(
      `${counted(fixed.length, 'known failures')} passed. Remove the passed rules from ${String(options.baseline)}.`,
    );
  const [first] = results;
  const { not_checked: notChecked } = totals(results);
  if (first?.outcome === 'not_checked' && notChecked === results.length)
    throw new NotTestedError(`No rule could be checked: ${first.reason}.`);
}
