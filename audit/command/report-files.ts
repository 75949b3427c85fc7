/** The files of the reports of `conform` and `examine`: known failures, JUnit and annotations. */
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { formatBaseline, parseBaseline } from '../report/baseline.ts';
import type { Baseline, BaselineCommand } from '../report/baseline.ts';
import { annotations, junit } from '../report/report.ts';
import type { Report } from '../report/report.ts';
import { CliError, NotTestedError, fileError } from './errors.ts';
import { notify, print } from './output.ts';
import { requireSeparate } from './paths.ts';

/** The options of reports and of their files. */
export interface ReportOptions {
  readonly baseline?: string;
  readonly strictBaseline?: true;
  readonly writeBaseline?: string;
  readonly json?: true;
  readonly junit?: string;
  readonly github?: true;
}

/**
 * @param known whether there are such an operation and such a rule.
 * @returns the known failures; none without `--baseline`.
 */
export function readKnownFailures(
  { baseline: file }: ReportOptions,
  command: BaselineCommand,
  known: (operation: string, rule: string) => boolean,
  usageError: (what: string) => never,
): Baseline {
  if (file === undefined) return new Set();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return usageError(`the --baseline file ${file} ${fileError(error, 'read')}`);
  }
  try {
    return parseBaseline(text, known, command);
  } catch (error) {
    return usageError(`the --baseline file ${file} is invalid: ${(error as Error).message}`); // It throws only errors.
  }
}

/** Checks that the report options can be combined, and that the files can be written. */
export function checkFiles(options: ReportOptions, usageError: (what: string) => never): void {
  if (options.strictBaseline === true && options.baseline === undefined)
    usageError('--strict-baseline requires --baseline');
  if (options.github === true && options.json === true) usageError('--github and --json cannot be used together');
  const { junit: junitFile, writeBaseline, baseline } = options;
  const outputs = [
    { what: 'the --junit file', path: junitFile },
    { what: 'the --write-baseline file', path: writeBaseline },
  ];
  try {
    requireSeparate(outputs, []);
    requireSeparate(outputs.slice(0, 1), [{ what: 'the --baseline file', path: baseline }]); // A baseline may be updated.
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    usageError(error.message);
  }
  for (const [name, file] of [
    ['--junit', options.junit],
    ['--write-baseline', options.writeBaseline],
  ] as const) {
    if (file === undefined) continue;
    const isNew = !existsSync(file);
    try {
      closeSync(openSync(file, 'a')); // Before the run: if the file cannot be written, the results of the run would be lost.
      if (isNew) rmSync(file);
    } catch (error) {
      usageError(`the ${name} file ${file} ${fileError(error, 'written')}`);
    }
  }
}

/**
 * Prints the annotations, and writes the files.
 * @param conclude throws the error that decides the exit code, if there is one.
 * @throws CliError from `conclude`; NotTestedError if a file was not written.
 */
export function writeReports(report: Report, options: ReportOptions, conclude: () => void): void {
  const { command, results, baseline, untestable } = report;
  if (options.github === true) print(...annotations(results, baseline, command));
  // The baseline of an aborted run would lack failures.
  const files = [
    ['--junit', options.junit, junit(report)],
    [
      '--write-baseline',
      untestable === undefined ? options.writeBaseline : undefined,
      formatBaseline(results, command),
    ],
  ] as const;
  const lost = files
    .filter(([name, file, text]) => file !== undefined && !write(name, file, text))
    .map(([, file]) => file);
  conclude();
  const [file] = lost;
  if (file !== undefined) throw new NotTestedError(`The results were not written to ${file}. See above.`);
}

/** @returns whether the file was written; if not, the error has been printed. */
function write(name: string, file: string, text: string): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch (error) {
    notify(`rollcall: The ${name} file ${file} ${fileError(error, 'written')}.`);
    return false;
  }
}
