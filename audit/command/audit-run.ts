/** Runs the audits of a command one after the other, prints their results, and derives the exit code from them. */
import process from 'node:process';
import yoctoSpinner from 'yocto-spinner';
import type { Spinner } from 'yocto-spinner';
import { counted } from '../../contract/wording.ts';
import { OnePage, RULES, audit } from '../lists/audit.ts';
import type { AuditRun } from '../lists/audit.ts';
import { MAX_RUNS } from '../lists/commands.ts';
import type { CommandName, Commands } from '../lists/commands.ts';
import { formatProfile, isHttp, withoutSecrets } from '../lists/profile.ts';
import { boundsOf } from '../lists/session.ts';
import { compareWithBaseline } from '../report/baseline.ts';
import type { Baseline } from '../report/baseline.ts';
import { isNamed } from '../rules/rule.ts';
import type { Result } from '../rules/rule.ts';
import { Untestable } from '../session/session.ts';
import { captureInto, checkOutputs, writeNew } from './audit-files.ts';
import type { FileOptions } from './audit-files.ts';
import { countsOf, headLine, notCheckedLines, resultLines, savedLines, totalsLine } from './audit-output.ts';
import { CliError, NotTestedError } from './errors.ts';
import { isInteractive, notify, print, printJson, printable, table } from './output.ts';
import { readKnownFailures, writeReports } from './report-files.ts';
import { runInShell } from './shell.ts';
import type { Subject, Subjects } from './subjects.ts';

export interface RunOptions extends FileOptions {
  readonly list?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly maxRequests?: number;
  /** In seconds. */
  readonly timeout: number;
  readonly add?: string;
  readonly remove?: string;
  readonly setup?: string;
  readonly truth?: string;
  readonly verbose?: true;
}
type UsageError = (what: string) => never;

/** What is known of a list after its audit. */
interface Audited {
  readonly name: string | undefined;
  readonly results: readonly Result[];
  /** Why it could not be audited, or not to the end. */
  readonly untestable: string | undefined;
  /** `undefined` if it was not begun. */
  readonly run: AuditRun | undefined;
  /** Whether a document names it, and it turned out to have one page: nothing is to be audited. */
  readonly isNoList: boolean;
}

/** @throws CliError if a rule failed, NotTestedError if a list could not be audited. */
export async function runAudits(
  { lists: subjects, operations }: Subjects,
  options: RunOptions,
  usageError: UsageError,
): Promise<void> {
  const { only, skip, json: isJson = false } = options;
  for (const name of [...(only ?? []), ...(skip ?? [])]) {
    if (RULES.some((it) => isNamed(it.id, [name]))) continue;
    usageError(`unknown rule ${JSON.stringify(name)}; the rules are ${RULES.map((it) => it.id).join(', ')}`);
  }
  checkCommands(subjects, options, usageError);
  checkOutputs(options, usageError);
  const names = new Set(subjects.map((it) => it.name ?? ''));
  const isKnown = (list: string, rule: string): boolean => names.has(list) && RULES.some((it) => it.id === rule);
  const baseline = readKnownFailures(options, 'audit', isKnown, usageError);

  const missing = new Set(subjects.flatMap((it) => it.missing ?? []));
  if (missing.size > 0) notify(`Some lists need values: ${valuesText(missing)}`);
  const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr, text: 'Auditing' }).start() : undefined;
  const audits: Audited[] = [];
  try {
    for (const subject of subjects) audits.push(await auditOne(subject, options, baseline, spinner));
  } finally {
    spinner?.stop();
  }
  const results = audits.flatMap((it) => it.results);
  const lists = audits.filter((it) => !it.isNoList);
  const untestable = lists.flatMap(({ name, untestable: why }) =>
    why === undefined ? [] : [name === undefined ? why : `${name}: ${why}`],
  );
  if (isJson) printJson(jsonOf(audits, operations, baseline, options));
  else if (!names.has('')) print('', ...tableOf(audits, operations, baseline));
  const report = { command: 'audit', untestable: untestable.join(' ') || undefined, results, baseline } as const;
  writeReports(report, options, () => {
    conclude(lists, baseline, options);
  });
}

/** Checks the user's commands before anything is sent. */
function checkCommands(subjects: readonly Subject[], options: RunOptions, usageError: UsageError): void {
  const { add, remove, setup, truth, save, capture } = options;
  const given = Object.entries({ add, remove, setup, truth, save, capture }).find(([, it]) => it !== undefined);
  if (subjects.length > 1 && given !== undefined)
    usageError(`--${given[0]} is for one list, and the file has ${String(subjects.length)}: choose one with --list`);
  if (remove?.includes('{id}') === false) usageError('the command of --remove has no {id}: the item to remove');
  if (setup?.includes('{count}') === false) usageError('the command of --setup has no {count}: the length of the list');
}

const valuesText = (params: Iterable<string>): string => [...params].map((it) => `--param ${it}=…`).join(' ');

/** Audits a list, and prints what is found as soon as it is known. */
async function auditOne(
  { name, given, described, missing = [] }: Subject,
  options: RunOptions,
  baseline: Baseline,
  spinner: Spinner | undefined,
): Promise<Audited> {
  if (missing.length > 0)
    return { name, results: [], untestable: `needs ${valuesText(missing)}`, run: undefined, isNoList: false };
  const { only, skip, maxRequests, timeout, save, capture, json: isJson = false, verbose: isVerbose = false } = options;
  const { add, remove, setup, truth } = options;
  const commands: Commands = { add, remove, setup, truth, run: runInShell };
  const { requests, perSecond } = boundsOf(given.url);
  const pace = perSecond === undefined ? '' : `, ${String(perSecond)} a second`;
  const show = (...lines: readonly string[]): void => {
    spinner?.clear();
    if (!isJson) print(...lines);
  };
  if (name !== undefined) show('', name);
  if (!isJson) notify(`Sends at most ${String(maxRequests ?? requests)} GET requests${pace}.`);
  const results: Result[] = [];
  let untestable: string | undefined;
  let isNoList = false;
  let head: (() => void) | undefined;
  const run = audit({
    profile: given,
    ...{ only, skip, maxRequests, commands, described },
    timeoutMs: timeout * 1000,
    trace: isVerbose
      ? (request) => {
          notify(request);
        }
      : undefined,
    progress: spinner && ((what) => void (spinner.text = printable(name === undefined ? what : `${name}: ${what}`))),
    inferred: async ({ profile, dropped, list }) => {
      if (isVerbose) notify(...dropped.map((it) => `tried ${it}`));
      const { sent } = list.session;
      head = () => {
        show(
          headLine(profile, run.length, sent, name === undefined ? save : ''),
          ...(save === undefined ? [] : savedLines(profile, save)),
        );
      };
      if (save !== undefined) writeNew(save, formatProfile(profile), '--save');
      if (capture !== undefined) await captureInto(capture, list, profile);
    },
  });
  for (const [option, most] of Object.entries(MAX_RUNS)) {
    const line = commands[option as CommandName]; // A key of its own.
    if (line !== undefined && !isHttp(line))
      notify(`Runs at most ${counted(most, 'times')}, with a shell: ${run.redact(line)}`);
  }
  try {
    for await (const found of run) {
      head?.();
      head = undefined;
      const result = { ...found, ...(name !== undefined && { operation: name }) };
      show(...resultLines(result, baseline));
      results.push(result);
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    untestable = error.message;
    isNoList = described?.operation.hasPages === false && error instanceof OnePage;
  }
  head?.();
  if (results.length > 0) show(...notCheckedLines(results), totalsLine(results, run.sent));
  return { name, results, untestable, run, isNoList };
}

function jsonOf(
  audits: readonly Audited[],
  operations: Subjects['operations'],
  baseline: Baseline,
  { baseline: file }: RunOptions,
): object {
  const all = audits.flatMap((it) => it.results);
  const one = ({ results, untestable, run }: Audited): object => ({
    untestable,
    requests: run?.sent ?? 0,
    profile: run?.profile && withoutSecrets(run.profile),
    results,
  });
  const { known, fixed } = compareWithBaseline(all, baseline);
  const counts = { ...countsOf(all), ...(file !== undefined && { known: known.length, fixed: fixed.length }) };
  const [first] = audits;
  if (audits.length === 1 && first?.name === undefined) return { ...counts, ...(first && one(first)) };
  const others = operations?.map(({ method, path, why }) => ({ method, path, why: whyNot(path, why, audits) }));
  return {
    ...counts,
    lists: audits.filter((it) => !it.isNoList).map((it) => ({ name: it.name, ...countsOf(it.results), ...one(it) })),
    ...(others && { others: others.filter((it) => it.why !== undefined) }),
  };
}

/** @returns why an operation is no list; `undefined` if it is one. */
const whyNot = (path: string, why: string | undefined, audits: readonly Audited[]): string | undefined =>
  why ?? (audits.some((it) => it.isNoList && it.name === path) ? 'one page, and no parameter of pages' : undefined);

/** @returns one line for each list, or for each operation of a document. */
function tableOf(
  audits: readonly Audited[],
  operations: Subjects['operations'],
  baseline: Baseline,
): readonly string[] {
  const cells = (it: Audited): readonly string[] => {
    const { passed, failed, notes, not_checked: notChecked } = countsOf(it.results);
    const counts = [passed, failed, notes, notChecked, it.run?.sent ?? 0].map(String);
    return [...counts, verdictOf(it, baseline)];
  };
  const head = ['passed', 'failed', 'notes', 'not checked', 'requests', 'result'];
  const blank = head.slice(1).map(() => '');
  if (operations === undefined)
    return table(
      ['list', ...head],
      audits.map((it) => [it.name ?? '', ...cells(it)]),
    );
  const rows = operations.map(({ method, path, why: reason }) => {
    const why = whyNot(path, reason, audits);
    const audited = audits.find((it) => reason === undefined && it.name === path);
    const result =
      why !== undefined ? [...blank, why] : audited === undefined ? [...blank, 'not chosen'] : cells(audited);
    return [`${method} ${path}`, why === undefined ? 'yes' : 'no', ...result];
  });
  return table(['operation', 'list', ...head], rows);
}

function verdictOf({ results, untestable }: Audited, baseline: Baseline): string {
  const { unexpected } = compareWithBaseline(results, baseline);
  if (unexpected.length > 0) return `breaks ${unexpected.map(({ rule }) => rule).join(', ')}`;
  if (untestable !== undefined) return untestable;
  return results.every((it) => it.outcome === 'not_checked') ? 'no rule could be checked' : 'ok';
}

/** @throws the error that decides the exit code: the worst of all lists. */
function conclude(audits: readonly Audited[], baseline: Baseline, options: RunOptions): void {
  const isWritten = options.writeBaseline !== undefined;
  const compared = audits.map((it) => ({ ...it, ...compareWithBaseline(it.results, baseline) }));
  const broken = compared.filter((it) => it.unexpected.length > 0);
  const aborted = audits.filter((it) => it.untestable !== undefined);
  const isOne = audits.length === 1;
  if (audits.length === 0) throw new NotTestedError('No list was found: no operation that returns an array has pages.');
  if (broken.length > 0 && !isWritten) {
    const rules = counted(
      broken.reduce((sum, it) => sum + it.unexpected.length, 0),
      'rules',
    );
    const who = isOne ? 'The list breaks' : `${String(broken.length)} of ${counted(audits.length, 'lists')} break`;
    const also = isOne && aborted[0] !== undefined ? ` The audit was aborted: ${String(aborted[0].untestable)}` : '';
    throw new CliError(`${who} ${rules}.${also}`);
  }
  if (aborted[0] !== undefined)
    throw new NotTestedError(
      isOne
        ? `The list could not be audited. ${String(aborted[0].untestable)}`
        : `${String(aborted.length)} of ${counted(audits.length, 'lists')} could not be audited, or not to the end.`,
    );
  const fixed = compared.reduce((sum, it) => sum + it.fixed.length, 0);
  if (fixed > 0 && options.strictBaseline === true && !isWritten)
    throw new CliError(
      `${counted(fixed, 'known failures')} passed. Remove the passed rules from ${String(options.baseline)}.`,
    );
  const unchecked = audits.filter(({ results }) => results.every((it) => it.outcome === 'not_checked'));
  if (unchecked.length > 0)
    throw new NotTestedError(
      isOne
        ? 'No rule could be checked.'
        : `No rule could be checked of ${unchecked.map(({ name }) => name).join(', ')}.`,
    );
}
