/** `rollcall examine`: examines a client, prints the outcome of each rule as soon as it is known, and then the failures. */
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { Command } from 'commander';
import { loadContract } from '../contract/document.ts';
import { counted } from '../contract/wording.ts';
import { NotStarted, examine, show } from '../testkit/examine/examine.ts';
import { RULES } from '../testkit/examine/rules.ts';
import { UsageError } from '../command/command-errors.ts';
import {
  checkOptions,
  finish,
  onlyOption,
  openSpinner,
  printSummary,
  printTree,
  progressOn,
  withReports,
} from '../command/judging.ts';
import type { JudgingOptions } from '../command/judging.ts';
import { numberOption } from '../command/options.ts';
import { print, table } from '../command/output.ts';
import { compareWithBaseline } from '../audit/report/baseline.ts';
import { say } from '../audit/rules/text.ts';
import type { Shown } from '../audit/rules/text.ts';

const MAX_SECONDS = 3600;
const MAX_PARALLEL = 64;
const IDS = RULES.map(({ id }) => id);
const WIDTH = Math.max(...IDS.map((id) => id.length));

interface Options extends JudgingOptions {
  readonly rules?: true;
  /** In seconds. */
  readonly timeout: number;
  readonly parallel: number;
}

export function examineCommand(): Command {
  const command = new Command('examine')
    .description('Examine a client of the contract: run its command against a server that fails in every way')
    .usage('[options] -- <command...>')
    .argument('[command...]', 'the command of the client, such as python3 driver.py')
    .addOption(onlyOption('pagination.cursor', 'errors'))
    .option('--rules', 'print the rules')
    .addOption(
      numberOption('--timeout <seconds>', 'how long the command may take for one task', MAX_SECONDS, 'seconds').default(
        20,
      ),
    )
    .addOption(
      numberOption('--parallel <count>', 'how many commands run at a time', MAX_PARALLEL, 'commands').default(
        availableParallelism(),
        'one for each processor',
      ),
    )
    .action((words: readonly string[], options: Options) => runExamine(words, options));
  return withReports(
    command,
    `Runs the command for each scenario with ROLLCALL_BASE_URL and ROLLCALL_API_KEY in its environment, and a task as further
arguments. docs/examine.md describes the tasks.`,
    'the command could not be started, or no rule could be checked',
  );
}

/** @throws CliError if a rule failed, NotTestedError if the result is unknown, UsageError. */
async function runExamine(words: readonly string[], options: Options): Promise<void> {
  const { only, timeout, parallel } = options;
  if (options.rules === true) {
    const rows = RULES.map(({ id, title }) => [id, title]);
    print(...table(['RULE', 'TITLE'], rows));
    return;
  }
  if (words.length === 0) throw new UsageError("missing the command of the client after '--'");
  const baseline = checkOptions(options, 'examine', IDS, ['']);

  const spinner = openSpinner('Examining');
  const stopped = new AbortController();
  const stop = (): void => {
    stopped.abort();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const run = examine(loadContract(), {
    ...{ command: words, env: process.env, only, parallel, progress: progressOn(spinner) },
    ...{ timeLimitMs: timeout * 1000, signal: stopped.signal },
  });
  const whyAborted = (error: unknown): Shown | undefined => {
    if (error instanceof NotStarted) return show(error.text);
    return stopped.signal.aborted ? show(say`the examination was interrupted`) : undefined;
  };
  const started = performance.now();
  const judged = await printTree(run, options, baseline, spinner, whyAborted, WIDTH).finally(() => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const report = { command: 'examine', baseline, ...judged } as const;
  printSummary(report, options, {
    subject: { command: words },
    facts: { runs: run.runs, seconds: Number(seconds) },
    lines: [`Ran the command ${counted(run.runs, 'times')} in ${seconds} seconds.`],
  });
  const { results, untestable } = judged;
  const { unexpected } = compareWithBaseline(results, baseline);
  const aborted = untestable === undefined ? '' : ` The run was aborted: ${untestable}.`;
  const [first] = results;
  const isProof = results.some(({ outcome }) => outcome !== 'not_checked');
  finish(report, options, {
    broken: `The client breaks ${counted(unexpected.length, 'rules')}.${aborted}`,
    untested: untestable && `The client was not examined: ${untestable}.`,
    unproved: isProof || first?.outcome !== 'not_checked' ? undefined : `No rule could be checked: ${first.reason}.`,
  });
}
