/** The reports of `rollcall conform`: its known failures, and the exit code, which is derived from the results. */
import { EVERY_RESPONSE } from '../conform/conform.ts';
import type { Result } from '../conform/conform.ts';
import { ONE_ACCOUNT } from '../conform/isolation-rules.ts';
import { allRules } from '../conform/rules.ts';
import type { Contract } from '../../contract/document.ts';
import { counted } from '../../contract/wording.ts';
import { compareWithBaseline } from '../report/baseline.ts';
import type { Baseline } from '../report/baseline.ts';
import { totals } from '../report/report.ts';
import type { Report } from '../report/report.ts';
import { CliError, NotTestedError } from './errors.ts';
import { readKnownFailures, writeReports } from './report-files.ts';
import type { ReportOptions } from './report-files.ts';

/** A run of `conform` that has ended. */
export interface ConformReport extends Report {
  /** The implementation. */
  readonly url: string;
  readonly results: readonly Result[];
}

interface ConformFileOptions extends ReportOptions {
  readonly seeded?: true;
}

/** @returns the known failures; none without `--baseline`. */
export function readBaseline(
  options: ReportOptions,
  contract: Contract,
  usageError: (what: string) => never,
): Baseline {
  const rules = new Set(allRules(contract).keys());
  const operations = new Set<string>([...contract.operations.map((it) => it.id), EVERY_RESPONSE]);
  const known = (operation: string, rule: string): boolean => operations.has(operation) && rules.has(rule);
  return readKnownFailures(options, 'conform', known, usageError);
}

/** Prints the annotations, and writes the files. @throws CliError and NotTestedError, see `conclude`. */
export function finish(report: ConformReport, options: ConformFileOptions): void {
  writeReports(report, options, () => {
    conclude(report, options);
  });
}

/**
 * Does nothing if the implementation conforms, or if its failures are written to a baseline. Otherwise throws the error that decides
 * the exit code.
 * @throws CliError if a rule failed; NotTestedError if the run was aborted, if nothing was tested, or with `--seeded` if any rule
 *   was not checked.
 */
function conclude({ url, untestable, results, baseline }: ConformReport, options: ConformFileOptions): void {
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
  if (ends.length > 0 && ends.every((it) => it.outcome === 'not_checked' && it.need !== undefined))
    return 'the account has no records, so no page was compared.';
  const isolation = results.filter((it) => it.rule.startsWith('isolation.'));
  const reasons = isolation.flatMap((it) => (it.outcome === 'not_checked' ? [it.reason] : []));
  const reason = reasons.find((it) => it === ONE_ACCOUNT);
  return reason !== undefined && reasons.length === isolation.length ? `${reason}.` : undefined;
}
