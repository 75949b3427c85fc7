/** The command `examine`: runs the command of a client against lists that fail, and prints what the client does wrong. */
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { Command } from 'commander';
import { examine } from '../audit/examine/examine.ts';
import { SCENARIOS } from '../audit/fake/scenarios.ts';
import { servedBy } from '../audit/fake/start.ts';
import { ProfileError } from '../audit/lists/profile-values.ts';
import { compareWithBaseline } from '../audit/report/baseline.ts';
import { notCheckedText } from '../audit/report/report.ts';
import type { Result } from '../audit/rules/rule.ts';
import { own, say } from '../audit/rules/text.ts';
import { createRedaction } from '../audit/session/redact.ts';
import { Untestable } from '../audit/session/session.ts';
import { counted } from '../contract/wording.ts';
import { readProfile } from './bundled.ts';
import { UsageError } from './command-errors.ts';
import { countsOf, notCheckedLines, resultLines, ruleLines } from './findings.ts';
import {
  checkOptions,
  endOf,
  finish,
  onlyOption,
  openSpinner,
  orUsageError,
  progressOn,
  withReports,
  words,
} from './judging.ts';
import type { JudgingOptions } from './judging.ts';
import { numberOption, repeated } from './options.ts';
import { print, printJson } from './output.ts';
import { addListOptions, listOf, listWords } from './served-list.ts';
import type { ListOptions } from './served-list.ts';
import { shellWord } from './shell.ts';

const MAX_SECONDS = 3600;
const MAX_PARALLEL = 64;
const LEAST_PARALLEL = 4;
const NAMES = SCENARIOS.map(({ name }) => name);
const WIDTH = Math.max(...NAMES.map((name) => name.length));
const { show } = createRedaction([]);

interface Options extends JudgingOptions, ListOptions {
  readonly rules?: true;
  readonly param?: readonly string[];
  /** In seconds. */
  readonly timeout: number;
  readonly parallel: number;
}

export function examineCommand(): Command {
  const command = new Command('examine')
    .description('Find the items that a client of a paginated list loses: run its command against lists that fail')
    .usage('[options] <profile> -- <command...>')
    .argument('[profile]', 'profile of the list: a file, as audit --save-profile writes one, or a name such as github')
    .argument('[command...]', 'command that reads the list at ROLLCALL_URL, and prints the id of each item')
    .addOption(onlyOption('body.cut', 'status'))
    .option('--skip <rules>', 'skip these rules', words)
    .option('--rules', 'print the rules, and what the server does for each');
  addListOptions(command)
    .addOption(repeated('--param <name=value>', 'parameter that the client must send with every page'))
    .addOption(
      numberOption('--timeout <seconds>', 'how long the command may take for one list', MAX_SECONDS, 'seconds').default(
        60,
      ),
    )
    .addOption(
      numberOption('--parallel <count>', 'how many commands run at a time', MAX_PARALLEL, 'commands').default(
        Math.max(LEAST_PARALLEL, availableParallelism()),
        'one for each processor, at least 4',
      ),
    )
    .action((profile: string | undefined, words: readonly string[], options: Options) =>
      // Of two packages: `rollcall`, and `rollcall-audit`.
      runExamine(profile, words, options, command.parent?.name() ?? 'rollcall'),
    );
  return withReports(
    command,
    `Runs the command for each list, with ROLLCALL_URL (the list), ROLLCALL_BASE_URL, ROLLCALL_API_KEY
and ROLLCALL_PARAMS in its environment. The command must print the id of each item, or the item as JSON,
one per line, and exit with 0 if it read the complete list, otherwise with another code. If it reads
the item with the id ROLLCALL_ITEM instead, the scenarios of items run, too. Each variable that the
profile names has the key of the fake server, so that the run never contains a real key.`,
    'the command could not be started, or cannot read a correct list',
  );
}

/** @throws CliError if a rule failed, NotTestedError if the result is unknown, UsageError. */
async function runExamine(
  profile: string | undefined,
  command: readonly string[],
  options: Options,
  program: string,
): Promise<void> {
  const { only, skip, param = [], timeout, parallel } = options;
  const isJson = options.json === true;
  if (options.rules === true) {
    print(
      ...ruleLines(
        'THE SERVER',
        SCENARIOS.map((scenario) => [scenario.name, scenario.server]),
      ),
    );
    return;
  }
  if (profile === undefined) throw new UsageError('missing the profile of the list: a file, or a name such as github');
  if (command.length === 0) throw new UsageError("missing the command of the client after '--'");
  const baseline = checkOptions(options, 'examine', NAMES, ['']);
  const text = readProfile(profile);
  const listed = listOf(options);
  orUsageError(ProfileError, `the profile ${profile} cannot be served: `, () => servedBy(text, listed));

  const spinner = openSpinner('Examining');
  const stopped = new AbortController();
  const stop = (): void => {
    stopped.abort();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const given = [...listWords(options), ...param.flatMap((value) => ['--param', value])];
  const run = examine({
    ...{ ...listed, profile: text, command, env: process.env, params: param, only, skip, parallel },
    ...{ timeLimitMs: timeout * 1000, signal: stopped.signal, progress: progressOn(spinner) },
    again: (name) =>
      own([program, 'examine', profile, ...given, '--only', name, '--', ...command].map(shellWord).join(' ')),
  });
  const results: Result[] = [];
  const told = new Set<string>(); // Many failures have one cause.
  let end: Untestable | undefined;
  try {
    for await (const result of run) {
      results.push(result);
      spinner?.clear();
      if (!isJson) print(...resultLines(result, baseline, WIDTH, told));
    }
  } catch (error) {
    end = stopped.signal.aborted ? new Untestable(say`The run was interrupted.`) : endOf(error);
  } finally {
    spinner?.stop();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  const untestable = end && show(end.text);
  const counts = countsOf(results);
  const { known, fixed, unexpected } = compareWithBaseline(results, baseline);
  if (isJson)
    printJson({ command, ...counts, known: known.length, fixed: fixed.length, untestable, runs: run.runs, results });
  else if (results.length > 0) print(...notCheckedLines(results), totalsLine(results, known.length, run.runs));
  finish({ command: 'examine', baseline, results, untestable }, options, {
    broken: `The client breaks ${counted(unexpected.length, 'rules')}.${untestable === undefined ? '' : ` ${untestable}`}`,
    untested: untestable && `The client was not examined. ${untestable}`,
  });
}

function totalsLine(results: readonly Result[], known: number, runs: number): string {
  const { passed, failed, notes } = countsOf(results);
  const ofThem = known === 0 ? '' : ` (${String(known)} of them known)`;
  return `${String(passed)} passed, ${String(failed)} failed${ofThem}, ${counted(notes, 'notes')}, ${notCheckedText(results)}; ${counted(runs, 'runs')} of the command`;
}
