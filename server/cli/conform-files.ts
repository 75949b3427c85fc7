/** The files of `rollcall conform`: it reads known failures and writes reports. Also derives the exit code from the results. */
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { compareWithBaseline, formatBaseline, parseBaseline } from '../conform/baseline.ts';
import type { Baseline } from '../conform/baseline.ts';
import { EVERY_RESPONSE } from '../conform/conform.ts';
import type { Result } from '../conform/conform.ts';
import { harRules } from '../conform/har-report.ts';
import { ONE_ACCOUNT } from '../conform/isolation-rules.ts';
import { annotations, junit, totals } from '../conform/report.ts';
import type { Report } from '../conform/report.ts';
import { allRules } from '../conform/rules.ts';
import type { Contract } from '../contract/document.ts';
import { counted } from '../contract/wording.ts';
import { CliError, NotTestedError, fileError } from './errors.ts';
import { notify, print } from './output.ts';

/** The options of reports and of their files. */
export interface ReportOptions {
  readonly seeded?: true;
  readonly baseline?: string;
  readonly strictBaseline?: true;
  readonly writeBaseline?: string;
  readonly json?: true;
  readonly junit?: string;
  readonly github?: true;
}

/** @returns the known failures; none without `--baseline`. */
export function readBaseline(
  { baseline: file }: ReportOptions,
  contract: Contract,
  usageError: (what: string) => never,
): Baseline {
  if (file === undefined) return new Set();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return usageError(`the --baseline file ${file} ${fileError(error, 'read')}`);
  }
  const rules = new Set([...allRules(contract).keys(), ...harRules(contract).keys()]);
  const operations = new Set<string>([...contract.operations.map((it) => it.id), EVERY_RESPONSE]);
  try {
    return parseBaseline(text, (operation, rule) => operations.has(operation) && rules.has(rule));
  } catch (error) {
    return usageError(`the --baseline file ${file} is invalid: ${(error as Error).message}`); // It throws only errors.
  }
}

/** Checks that the report options can be combined, and that the files can be written. */
export function checkFiles(options: ReportOptions, usageError: (what: string) => never): void {
  if (options.strictBaseline === true && options.baseline === undefined)
    usageError('--strict-baseline requires --baseline');
  if (options.github === true && options.json === true) usageError('--github and --json cannot be used together');
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

/** Prints the annotations, and writes the files. @throws CliError and NotTestedError, see `conclude`. */
export function finish(report: Report, options: ReportOptions): void {
  const { results, baseline, untestable } = report;
  if (options.github === true) print(...annotations(results, baseline));
  // The baseline of an aborted run would lack failures.
  const files = [
    ['--junit', options.junit, junit(report)],
    ['--write-baseline', untestable === undefined ? options.writeBaseline : undefined, formatBaseline(results)],
  ] as const;
  const lost = files
    .filter(([name, file, text]) => file !== undefined && !write(name, file, text))
    .map(([, file]) => file);
  conclude(report, options);
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

/**
 * Does nothing if the implementation conforms, or if its failures are written to a baseline. Otherwise throws the error that decides
 * the exit code.
 * @throws CliError if a rule failed; NotTestedError if the run was aborted, if nothing was tested, or with `--seeded` if any rule
 *   was not checked.
 */
function conclude({ url, untestable, results, baseline }: Report, options: ReportOptions): void {
  const { unexpected, fixed } = compareWithBaseline(results, baseline);
  const isWritten = options.writeBaseline !== undefined;
  const brokeOff = untestable === undefined ? '' : ` The run was aborted: ${untestable}`;
  if (unexpected.length > 0 && !isWritten) throw new CliError(`${url} does not conform to the contract.${brokeOff}`);
  if (untestable !== undefined) throw new NotTestedError(`${url} could not be tested. ${untestable}`);
  if (fixed.length > 0 && options.strictBaseline === true && !isWritten) {
    throw new CliError(
      `${counted(fixed.length, 'known failures')} passed. Remove the passed rules from ${String(options.baseline)}.`,
    );
  }
  const { not_checked: notChecked } = totals(results);
  if (options.seeded === true && notChecked > 0)
    throw new NotTestedError(`${counted(notChecked, 'rules')} could not be checked for ${url}.`);
  const untested = untestedOf(results);
  if (untested !== undefined) throw new NotTestedError(`${url} was not tested: ${untested}`);
}

/** @returns why a run without failures proves nothing; `undefined` if it proves something. */
function untestedOf(results: readonly Result[]): string | undefined {
  const notChecked = results.filter((it) => it.outcome === 'not_checked');
  if (notChecked.length === results.length) {
    const [first] = notChecked;
    return `no rule could be checked${first === undefined ? '' : `: ${first.reason}`}.`;
  }
  // Without records only errors were tested: list.end requires only one record.
  const ends = results.filter((it) => it.rule === 'list.end');
  if (ends.length > 0 && ends.every((it) => it.outcome === 'not_checked' && it.needs !== undefined))
    return 'the account has no records, so no page was compared.';
  const isolation = results.filter((it) => it.rule.startsWith('isolation.'));
  const reasons = isolation.flatMap((it) => (it.outcome === 'not_checked' ? [it.reason] : []));
  const reason = reasons.find((it) => it === ONE_ACCOUNT);
  return reason !== undefined && reasons.length === isolation.length ? `${reason}.` : undefined;
}
