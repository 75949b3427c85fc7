/** Runs the audits of a command one after the other, prints their results, and derives the exit code from them. */
import { existsSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Spinner } from 'yocto-spinner';
import { counted } from '../contract/wording.ts';
import { sampleIn } from '../audit/fake/sampled.ts';
import { OnePage, RULES, audit } from '../audit/lists/audit.ts';
import { capture } from '../audit/lists/capture.ts';
import { COMMAND_NAMES, MAX_RUNS, flagOf } from '../audit/lists/commands.ts';
import type { CommandName, Commands } from '../audit/lists/commands.ts';
import type { List } from '../audit/lists/list.ts';
import { isHttp } from '../audit/lists/profile.ts';
import { formatProfile, withoutKeys } from '../audit/lists/saved-profile.ts';
import { boundsOf } from '../audit/lists/session.ts';
import { compareWithBaseline } from '../audit/report/baseline.ts';
import type { Baseline } from '../audit/report/baseline.ts';
import { wrapped } from '../audit/report/wrapped.ts';
import type { Result } from '../audit/rules/rule.ts';
import { LONG, joined, own, quote, say } from '../audit/rules/text.ts';
import type { Text } from '../audit/rules/text.ts';
import type { Untestable } from '../audit/session/session.ts';
import {
  coverageLine,
  foundLine,
  headLine,
  isEarly,
  jsonOf,
  savedLine,
  tableOf,
  requestsText,
  totalsLine,
  unknownOf,
} from './audit-output.ts';
import { notCheckedLines, resultLines } from './findings.ts';
import type { Audited } from './audit-output.ts';
import { CliError, UsageError, fileError, isSystemError } from './command-errors.ts';
import { checkOptions, endOf, finish, openSpinner, progressOn } from './judging.ts';
import type { JudgingOptions, Verdict } from './judging.ts';
import { networkOf, proxyText } from './network.ts';
import type { Network, NetworkOptions } from './network.ts';
import { notify, print, printJson } from './output.ts';
import { runInShell } from './shell.ts';
import type { Subject, SubjectOptions, Subjects } from './subjects.ts';

export interface RunOptions
  extends JudgingOptions, NetworkOptions, SubjectOptions, Partial<Record<CommandName, string>> {
  readonly page2?: readonly string[];
  readonly saveProfile?: string;
  readonly sample?: true;
  readonly saveItems?: string;
  readonly data?: string;
  readonly maxRequests?: number;
  /** In seconds. */
  readonly timeout: number;
  readonly verbose?: true;
}

/** @throws CliError if a rule failed, NotTestedError if a list could not be audited, UsageError. */
export async function runAudits(all: Subjects, options: RunOptions): Promise<void> {
  const { lists: subjects, names, operations, show } = all;
  checkCommands(subjects, options);
  const { saveProfile, saveItems, profile, openapi } = options;
  const rules = RULES.map((it) => it.id);
  const baseline = checkOptions(
    options,
    'audit',
    rules,
    names,
    { 'save-profile': saveProfile, 'save-items': saveItems },
    { profile, openapi },
  );
  if (saveItems !== undefined && existsSync(partOf(saveItems)))
    throw new UsageError(`the --save-items file ${partOf(saveItems)} already exists; choose a new file`);

  const network = networkOf(
    options,
    subjects.map((it) => it.given.url),
  );
  const missing = new Set(subjects.flatMap((it) => it.missing ?? []));
  if (missing.size > 0) notify(show(say`Some lists need values: ${valuesText(missing)}`));
  const spinner = openSpinner('Auditing');
  const audits: Audited[] = [];
  try {
    for (const subject of subjects) audits.push(await auditOne(subject, show, options, network, baseline, spinner));
  } finally {
    spinner?.stop();
  }
  if (options.json === true)
    printJson(jsonOf(audits, operations, options.baseline === undefined ? undefined : baseline));
  else if (subjects.some((it) => it.name !== undefined)) print('', ...tableOf(audits, operations, baseline));
  const lists = audits.filter((it) => it.isNoList !== true);
  const reasons = lists.flatMap(({ name, untestable }) =>
    untestable === undefined ? [] : [name === undefined ? untestable : `${name}: ${untestable}`],
  );
  const results = lists.flatMap((it) => it.results);
  const report = { command: 'audit', untestable: reasons.join(' ') || undefined, results, baseline } as const;
  finish(report, options, verdictOf(lists, baseline));
}

/** Checks the user's commands before anything is sent. */
function checkCommands(subjects: readonly Subject[], options: RunOptions): void {
  const { remove, resize, saveProfile, saveItems, data } = options;
  const flags = { ...commandsIn(options), '--data': data, '--save-profile': saveProfile, '--save-items': saveItems };
  const given = Object.entries(flags).find(([, value]) => value !== undefined);
  if (subjects.length > 1 && given !== undefined)
    throw new UsageError(
      `${given[0]} is for one list, and the file has ${String(subjects.length)}: choose one with --lists`,
    );
  if (options.sample === true && saveProfile === undefined) throw new UsageError('--sample needs --save-profile');
  if (remove?.includes('{id}') === false)
    throw new UsageError('the command of --remove has no {id}: the item to remove');
  if (resize?.includes('{count}') === false)
    throw new UsageError('the command of --resize has no {count}: the length of the list');
}

/** @returns the user's commands, by their options. */
const commandsIn = (options: RunOptions): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(COMMAND_NAMES.map((name) => [flagOf(name), options[name]]));

const valuesText = (params: Iterable<string>): Text =>
  joined(
    [...params].map((it) => say`--param ${quote(it)}=…`),
    ' ',
  );

/** Audits a list, and prints what is found as soon as it is known. */
async function auditOne(
  { name, given, origin, described, missing = [] }: Subject,
  showName: Subjects['show'],
  options: RunOptions,
  network: Network,
  baseline: Baseline,
  spinner: Spinner | undefined,
): Promise<Audited> {
  if (missing.length > 0) return { name, results: [], untestable: showName(say`needs ${valuesText(missing)}`) };
  const { only, skip, page2, maxRequests, timeout, saveProfile } = options;
  const { json: isJson = false, verbose: isVerbose = false } = options;
  const { add, remove, resize, expectIds } = options;
  const commands: Commands = { add, remove, resize, expectIds, run: runInShell };
  const { requests, perSecond } = boundsOf(given.url);
  const pace = perSecond === undefined ? '' : `, ${String(perSecond)} a second`;
  const printLines = (...lines: readonly string[]): void => {
    spinner?.clear();
    if (!isJson) print(...lines);
  };
  if (name !== undefined) printLines('', name);
  const through = proxyText(network.proxyOf(given.url));
  const isPosted = given.method === 'POST';
  const most = maxRequests ?? requests;
  const posts = isPosted
    ? say`: GET, and POST to ${quote(withoutKeys(given.url), LONG)}, which you declare to be reading`
    : say``;
  if (!isJson) notify(showName(say`Sends at most ${requestsText(most, isPosted)}${own(pace)}${own(through)}${posts}.`));
  let sent = 0;
  const run = audit({
    profile: given,
    ...{ only, skip, page2, maxRequests, commands, described, origin, ...network },
    timeoutMs: timeout * 1000,
    trace: isVerbose ? notify : undefined,
    progress: progressOn(spinner, name === undefined ? '' : `${name}: `),
    inferred: async ({ saved, dropped, list }) => {
      if (isVerbose) notify(...dropped.map((it) => run.show(say`tried ${it}`)));
      ({ sent } = list.session);
      if (saveProfile !== undefined) {
        const sample = options.sample === true ? await sampleIn(list) : undefined;
        writeFileSync(saveProfile, formatProfile({ ...saved, ...(sample !== undefined && { sample }) }), {
          flag: 'wx',
        });
      }
      if (options.saveItems !== undefined) await saveItemsIn(options.saveItems, list);
    },
  });
  for (const name of COMMAND_NAMES) {
    const line = commands[name];
    if (line !== undefined && !isHttp(line))
      notify(run.show(say`Runs at most ${counted(MAX_RUNS[name], 'times')}, with a shell: ${quote(line, LONG)}`));
  }
  const results: Result[] = [];
  // The length is known with the first result, and what is not known of the items with some of them.
  const showHead = (): void => {
    const unknown = unknownOf(results);
    if (unknown !== undefined) printLines(...wrapped(unknown.text));
    if (run.profile === undefined) return;
    if (run.profile.size === undefined) printLines(...wrapped(NO_SIZE));
    printLines(
      ...wrapped(run.show(headLine(run.profile, run.length))),
      foundLine(sent, name === undefined && saveProfile === undefined),
    );
    if (saveProfile !== undefined && run.saved !== undefined)
      printLines(...wrapped(run.show(savedLine(run.saved, saveProfile))));
  };
  const shown: Result[] = [];
  const showResults = (): void => {
    if (shown.length === 0) showHead();
    for (const it of results.slice(shown.length)) {
      printLines(...resultLines(it, baseline, WIDTH));
      shown.push(it);
    }
  };
  let end: Untestable | undefined;
  try {
    for await (const found of run) {
      const result = { ...found, ...(name !== undefined && { operation: name }) };
      results.push(result);
      if (shown.length > 0 || !isEarly(result)) showResults();
    }
  } catch (error) {
    end = endOf(error);
  }
  if (results.length > 0) {
    showResults();
    printLines(
      ...notCheckedLines(results),
      ...(run.coverage.length > 0 ? wrapped(run.show(coverageLine(run.coverage, run.length))) : []),
      totalsLine(results, requestsText(run.sent, isPosted), baseline),
    );
  } else showHead();
  const isNoList = described?.operation.hasPages === false && end instanceof OnePage;
  return { name, results, untestable: end && run.show(end.text), run, isNoList };
}

const WIDTH = Math.max(...RULES.map(({ id }) => id.length));

const NO_SIZE =
  'No page size is known, so items that are missing from small pages cannot be seen. Name its parameter with --size.';

/** @returns the name of a file until it is complete. */
const partOf = (file: string): string => `${file}.part`;

/** Writes the items to a file, which has its name only once it is complete. */
async function saveItemsIn(file: string, list: List): Promise<void> {
  const part = partOf(file);
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const line of capture(list, list.profile.size?.max)) {
      count += 1;
      yield `${line}\n`;
    }
  }
  try {
    const output = await open(part, 'wx');
    try {
      await pipeline(lines, output.createWriteStream());
      await rename(part, file);
    } finally {
      await rm(part, { force: true });
    }
  } catch (error) {
    throw isSystemError(error) ? new CliError(`The --save-items file ${part} ${fileError(error, 'written')}.`) : error;
  }
  notify(`Captured ${counted(count, 'items')} in ${file}.`);
}

/** @returns the sentences that end the command: the worst list decides. */
function verdictOf(lists: readonly Audited[], baseline: Baseline): Verdict {
  const isOne = lists.length === 1;
  const unexpected = lists.map((it) => compareWithBaseline(it.results, baseline).unexpected);
  const rules = counted(unexpected.flat().length, 'rules');
  const aborted = lists.filter((it) => it.untestable !== undefined);
  const why = aborted[0]?.untestable;
  const unchecked = lists.filter(({ results }) => results.every((it) => it.outcome === 'not_checked'));
  const unknown = lists.flatMap(({ name, results }) => {
    const found = unknownOf(results);
    return found?.isMost === true ? [{ name, text: found.text }] : [];
  });
  const some = (part: readonly unknown[]): string => `${String(part.length)} of ${counted(lists.length, 'lists')}`;
  const broken = `${isOne ? 'The list breaks' : `${some(unexpected.filter((it) => it.length > 0))} break`} ${rules}.`;
  if (lists.length === 0)
    return { broken, untested: 'No list was found: no operation that returns an array has pages.' };
  if (isOne)
    return {
      broken: why === undefined ? broken : `${broken} The audit was aborted: ${why}`,
      untested: why && `The list could not be audited. ${why}`,
      unproved: unchecked.length > 0 ? 'No rule could be checked.' : unknown[0] && sentence(unknown[0].text),
    };
  const names = unchecked.map(({ name }) => name).join(', ');
  return {
    broken,
    untested: why && `${some(aborted)} could not be audited, or not to the end.`,
    unproved:
      unchecked.length > 0
        ? `No rule could be checked of ${names}.`
        : unknown[0] && `${unknown[0].name ?? ''}: ${sentence(unknown[0].text)}`,
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
