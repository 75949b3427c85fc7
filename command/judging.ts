/** What `audit`, `conform` and `examine` share: options, the baseline, progress, reports and the exit code. */
import { closeSync, openSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { Option } from 'commander';
import type { Command } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import type { Spinner } from 'yocto-spinner';
import { counted } from '../contract/wording.ts';
import { compareWithBaseline, formatBaseline, keyOf, parseBaseline } from '../audit/report/baseline.ts';
import type { Baseline, BaselineCommand } from '../audit/report/baseline.ts';
import { annotations, failureLines, junit, suiteOf, totals, totalsLine, treeLines } from '../audit/report/report.ts';
import type { Report } from '../audit/report/report.ts';
import { wrapped } from '../audit/report/wrapped.ts';
import { isNamed, unknownRule } from '../audit/rules/rule.ts';
import type { Result } from '../audit/rules/rule.ts';
import { own, quote, say } from '../audit/rules/text.ts';
import { Untestable } from '../audit/session/session.ts';
import {
  CliError,
  NotTestedError,
  UsageError,
  fileError,
  isDebugging,
  isSystemError,
  stackOf,
} from './command-errors.ts';
import { printable } from '../audit/rules/text.ts';
import type { Shown } from '../audit/rules/text.ts';
import { isInteractive, notify, print, printAnnotations, printJson } from './output.ts';
import { requireSeparate } from './paths.ts';

export interface JudgingOptions {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly baseline?: string;
  readonly strictBaseline?: true;
  readonly writeBaseline?: string;
  readonly json?: true;
  readonly junit?: string;
  readonly github?: true;
}

const ISSUES = 'https://github.com/rollcall-api/rollcall/issues';

/** @returns words separated by commas, after those of earlier options. */
export const words = (value: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  ...value.split(',').map((name) => name.trim()),
];

export const onlyOption = (id: string, area: string, others = ''): Option =>
  new Option(
    '--only <rules>',
    `check only these rules: ids such as ${id} or areas such as ${area}${others}, separated by commas`,
  ).argParser(words);

/**
 * Adds the options of reports, and the help after the options.
 * @param about what people should know.
 * @param untested when the exit code is 3.
 */
export const withReports = (command: Command, about: string, untested: string): Command =>
  command
    .option('--baseline <file>', 'file of known failures, which do not make the run fail')
    .option('--strict-baseline', 'fail if a failure of the baseline passes')
    .option('--write-baseline <file>', 'write the failures of this run to a baseline')
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'write the results to a file as JUnit XML')
    .option('--github', 'print at most ten GitHub Actions annotations, one for each rule that failed')
    .addHelpText(
      'after',
      `
${about}

Exit codes:
  0  no rule failed that is not in the baseline
  1  a rule failed, or with --strict-baseline a failure of the baseline passed
  2  incorrect usage
  3  ${untested}`,
    );

/** @returns why a run has ended; the fault of this program too, so that what was found so far is reported. @throws errors that are for the user. */
export function endOf(error: unknown): Untestable {
  if (error instanceof Untestable) return error;
  if (error instanceof CliError || error instanceof UsageError || isSystemError(error)) throw error;
  if (isDebugging()) notify(...stackOf(error));
  const what = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return new Untestable(
    say`This command failed on a response: ${quote(String(what))}. Please report this, with what ROLLCALL_DEBUG=1 prints: ${own(ISSUES)}`,
  );
}

/** @returns what `read` returns. @throws UsageError in place of errors of a class, with `what` before their messages. */
export function orUsageError<T>(type: abstract new (...args: never[]) => Error, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof type ? new UsageError(`${what}${error.message}`) : error;
  }
}

/** @returns the text of a file that an option names. */
export function readInput(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`the --${option} file ${file} ${fileError(error, 'read')}`);
  }
}

/** Files by their options. */
export type Files = Readonly<Record<string, string | undefined>>;

/**
 * Checks options before anything is sent, and that the files can be written: otherwise the results of the run would be lost.
 * @param operations what a line of a baseline may name before a rule; the empty text if it is a rule alone.
 * @param created files that must be new. @param inputs files that are read.
 * @returns the known failures; none without `--baseline`.
 */
export function checkOptions(
  options: JudgingOptions,
  command: BaselineCommand,
  rules: readonly string[],
  operations: readonly string[],
  created: Files = {},
  inputs: Files = {},
): Baseline {
  const { only = [], skip = [], baseline, writeBaseline, junit: junitFile } = options;
  const unknown = [...only, ...skip].find((name) => !rules.some((rule) => isNamed(rule, [name])));
  if (unknown !== undefined) throw new UsageError(unknownRule(unknown, rules));
  if (options.strictBaseline === true && baseline === undefined)
    throw new UsageError('--strict-baseline requires --baseline');
  if (options.github === true && options.json === true)
    throw new UsageError('--github and --json cannot be used together');
  const named = (files: Files): { readonly what: string; readonly path: string | undefined }[] =>
    Object.entries(files).map(([option, path]) => ({ what: `the --${option} file`, path }));
  const written = { 'write-baseline': writeBaseline };
  orUsageError(CliError, '', () => {
    requireSeparate(named({ ...created, junit: junitFile }), named({ ...written, baseline, ...inputs }));
    requireSeparate(named(written), named(inputs)); // A baseline may be updated.
  });
  requireWritable(created, 'wx');
  requireWritable({ junit: junitFile, ...written }, 'a');
  if (baseline === undefined) return new Set();
  const text = readInput('baseline', baseline);
  return orUsageError(Error, `the --baseline file ${baseline} is invalid: `, () =>
    parseBaseline(text, operations, rules, command),
  );
}

function requireWritable(files: Files, flags: 'wx' | 'a'): void {
  for (const [option, file] of Object.entries(files)) {
    if (file === undefined) continue;
    try {
      const found = statSync(file, { throwIfNoEntry: false });
      if (flags === 'a' && found?.isFIFO() === true) continue; // Its reader would take the end of this check for that of the report.
      closeSync(openSync(file, flags));
      if (found === undefined) rmSync(realpathSync(file)); // Not the link that leads to it.
    } catch (error) {
      throw new UsageError(`the --${option} file ${file} ${fileError(error, 'written')}`);
    }
  }
}

/** @returns a line that says what is done, on a terminal. */
export const openSpinner = (text: string): Spinner | undefined =>
  isInteractive() ? yoctoSpinner({ stream: process.stderr, text }).start() : undefined;

/** @returns what shows a text on such a line. */
export const progressOn =
  (spinner: Spinner | undefined, before = '') =>
  (what: string): void => {
    if (spinner !== undefined) spinner.text = printable(before + what);
  };

const TREE_INDENT = 6;

/**
 * Runs rules, and prints each result as soon as it is known.
 * @param whyAborted the reason for people, if an error ends the run.
 * @param width of the longest id of a rule.
 */
export async function printTree<R extends Result>(
  run: AsyncIterable<R>,
  { json: isJson }: JudgingOptions,
  baseline: Baseline,
  spinner: Spinner | undefined,
  whyAborted: (error: unknown) => Shown | undefined,
  width?: number,
): Promise<{ readonly results: readonly R[]; readonly untestable: Shown | undefined }> {
  const results: R[] = [];
  const reasons = new Set<string>();
  let suite: string | undefined;
  let untestable: Shown | undefined;
  try {
    for await (const result of run) {
      results.push(result);
      spinner?.clear();
      if (isJson === true) continue;
      if (suite !== suiteOf(result)) print('', suiteOf(result));
      suite = suiteOf(result);
      const [head = '', ...others] = treeLines(result, baseline, reasons, width);
      print(...wrapped(head, '', ' '.repeat(TREE_INDENT)), ...others);
    }
  } catch (error) {
    untestable = whyAborted(error);
    if (untestable === undefined) throw error;
  } finally {
    spinner?.stop();
  }
  return { results, untestable };
}

/** What a report has besides the results. */
interface Summary {
  /** What was checked, for programs. */
  readonly subject: object;
  /** What else is known, for programs. */
  readonly facts: object;
  /** The same for people: before the totals, and after them. */
  readonly needs?: readonly string[];
  readonly lines: readonly string[];
}

/** Prints the end of a report, below the tree. */
export function printSummary(
  { results, baseline, untestable }: Report,
  { json: isJson }: JudgingOptions,
  { subject, facts, needs = [], lines }: Summary,
): void {
  const { known, fixed } = compareWithBaseline(results, baseline);
  const counts = { ...totals(results), known: known.length, fixed: fixed.length };
  if (isJson === true) printJson({ ...subject, ...counts, untestable, ...facts, results });
  else if (results.length > 0)
    print(...failureLines(results, baseline), ...needs, '', totalsLine(results, baseline), ...lines);
}

/** The sentences that end a command. */
export interface Verdict {
  /** If a rule failed. */
  readonly broken: string;
  /** If the run was aborted. */
  readonly untested: string | undefined;
  /** If nothing failed, but that proves nothing. */
  readonly unproved?: string | undefined;
}

/**
 * Prints the annotations, and writes the files.
 * @throws the error that decides the exit code: CliError if a rule failed, NotTestedError if the result is unknown or was not written.
 */
export function finish(report: Report, options: JudgingOptions, { broken, untested, unproved }: Verdict): void {
  const { results, baseline, untestable } = report;
  const { unexpected, fixed } = compareWithBaseline(results, baseline);
  const isWritten = options.writeBaseline !== undefined;
  const passed =
    fixed.length > 0 && !isWritten
      ? `${counted(fixed.length, 'known failures')} passed. Remove from ${String(options.baseline)}: ${fixed.map(keyOf).join(', ')}.`
      : undefined;
  const stale = options.strictBaseline === true ? passed : undefined;
  if (options.github === true) printAnnotations(...annotations({ ...report, stale }));
  const lost = [
    write('junit', options.junit, junit({ ...report, stale })),
    // The baseline of an aborted run would lack failures.
    untestable === undefined && write('write-baseline', options.writeBaseline, formatBaseline(results, report.command)),
  ].find((message) => typeof message === 'string');
  // `conform` has it in its report.
  if (passed !== undefined && stale === undefined && report.command !== 'conform') notify(passed);
  if (isWritten && untestable === undefined && lost === undefined)
    notify(
      `${counted(results.filter(({ outcome }) => outcome === 'failed').length, 'failures')} written to ${options.writeBaseline}.`,
    );
  if (unexpected.length > 0 && !isWritten) throw new CliError(broken);
  if (untested !== undefined) throw new NotTestedError(untested);
  if (stale !== undefined) throw new CliError(stale);
  if (unproved !== undefined) throw new NotTestedError(unproved);
  if (lost !== undefined) throw new NotTestedError(`The results were not written to ${lost}. See above.`);
}

/** @returns the file if it could not be written; the error has been printed. */
function write(option: string, file: string | undefined, text: string): string | undefined {
  if (file === undefined) return undefined;
  try {
    writeFileSync(file, text);
    return undefined;
  } catch (error) {
    notify(`rollcall: The --${option} file ${file} ${fileError(error, 'written')}.`);
    return file;
  }
}
