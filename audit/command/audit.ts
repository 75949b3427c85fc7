/** The command `audit`: finds out how a list paginates, judges it, and prints what is wrong and what somebody may want to know. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { counted } from '../../contract/wording.ts';
import { RULES, audit } from '../lists/audit.ts';
import type { AuditRun } from '../lists/audit.ts';
import { capture } from '../lists/capture.ts';
import type { List } from '../lists/list.ts';
import {
  ProfileError,
  describeWay,
  formatProfile,
  isHttp,
  namesIn,
  parseProfile,
  parseWay,
  withoutSecrets,
} from '../lists/profile.ts';
import type { Given, Profile, Way } from '../lists/profile.ts';
import { boundsOf } from '../lists/session.ts';
import { groupBy } from '../rules/group.ts';
import { isNamed } from '../rules/rule.ts';
import type { Result } from '../rules/rule.ts';
import { Untestable } from '../session/session.ts';
import { CliError, NotTestedError, fileError, isSystemError } from './errors.ts';
import { wholeNumber } from './options.ts';
import { isInteractive, notify, print, printJson, printable } from './output.ts';
import { requireSeparate } from './paths.ts';

const MAX_TIMEOUT_SECONDS = 86_400;
const DEFAULT_TIMEOUT_SECONDS = 600;
const MAX_COUNT = 10_000_000;

export function auditCommand(): Command {
  return new Command('audit')
    .description('Test any paginated list over HTTP: no item lost, doubled or out of reach')
    .argument('[url]', 'URL of the list, such as http://localhost:8000/orders; may be in the profile instead')
    .addOption(repeated('-H, --header <header>', "header of every request, such as 'Authorization: Bearer KEY'"))
    .option('--auth <user:password>', 'user and password of Basic authentication')
    .addOption(repeated('--param <name=value>', 'parameter of every request'))
    .option('--profile <file>', 'file that says how the list paginates, in YAML; options win over it')
    .option('--items <path>', "where the items are in the body, such as data or data.orders; '' is the body itself")
    .option('--id <path>', "where an item has its id; '' is the item itself")
    .option('--size <name>', 'parameter of the page size, such as limit or {param: limit, max: 100, default: 10}')
    .option('--next <way>', 'way to the next page, such as {token: cursor, from: meta.next}', way('--next'))
    .option('--previous <way>', 'way to the previous page', way('--previous'))
    .option('--error <value>', 'what a 200 that is an error has, such as {ok: false}')
    .addOption(new Option('--origin <which>', 'whether links must lead to the same origin').choices(['same']))
    .option('--order <keys>', 'what the list is ordered by, such as -created,id')
    .addOption(repeated('--filter <name=value>', 'filter that is tested too, such as status=open'))
    .option('--get <path>', 'path of an item, such as /orders/{id}')
    .option('--other-url <url>', 'another list of the same API, whose cursors this one must not take for its own')
    .addOption(repeated('--other-header <header>', 'header of another account, whose cursors must show nothing'))
    .option(
      '--only <rules>',
      'check only these rules: ids such as walk.same or areas such as walk, separated by commas',
      ids,
    )
    .option('--skip <rules>', 'skip these rules', ids)
    .addOption(
      new Option(
        '--max-requests <count>',
        'maximum number of requests (default: 1000 on loopback, otherwise 300)',
      ).argParser(wholeNumber(1, MAX_COUNT, 'requests')),
    )
    .addOption(
      new Option('--timeout <seconds>', 'maximum duration of the audit')
        .default(DEFAULT_TIMEOUT_SECONDS)
        .argParser(wholeNumber(1, MAX_TIMEOUT_SECONDS, 'seconds')),
    )
    .option('--save <file>', 'write the profile that was found to a new file, with ${NAME} in place of keys')
    .option('--capture <file>', 'write every item to a new file, one JSON text on each line, byte for byte')
    .option('--json', 'print the results as JSON')
    .option('--verbose', 'print every request, and what was tried to find the way to the next page')
    .addHelpText(
      'after',
      `
Sends only GET requests, one at a time; to other machines at most five in a second. It obeys Retry-After and rate limits.
Keys are never shown, and of the items only ids and the values of sort properties.

Exit codes:
  0  no rule failed
  1  a rule failed
  2  incorrect usage
  3  the list could not be audited, or not completely: too few requests or too little time`,
    )
    .action(async (url: string | undefined, options: Options, command: Command) => {
      const usageError = (what: string): never => command.error(`error: ${what}`);
      await runAudit(url, options, usageError);
    });
}

interface Options {
  readonly header?: readonly string[];
  readonly auth?: string;
  readonly param?: readonly string[];
  readonly profile?: string;
  readonly items?: string;
  readonly id?: string;
  readonly size?: string;
  readonly next?: Way;
  readonly previous?: Way;
  readonly error?: string;
  readonly origin?: 'same';
  readonly order?: string;
  readonly filter?: readonly string[];
  readonly get?: string;
  readonly otherUrl?: string;
  readonly otherHeader?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly maxRequests?: number;
  /** In seconds. */
  readonly timeout: number;
  readonly save?: string;
  readonly capture?: string;
  readonly json?: true;
  readonly verbose?: true;
}

const ids = (value: string): readonly string[] => value.split(',').map((it) => it.trim());

const repeated = (flags: string, what: string): Option =>
  new Option(flags, `${what}; may be repeated`).argParser((value: string, earlier?: readonly string[]) => [
    ...(earlier ?? []),
    value,
  ]);

const way =
  (what: string) =>
  (value: string): Way => {
    try {
      return parseWay(what, value);
    } catch (error) {
      if (error instanceof ProfileError) throw new InvalidArgumentError(`${error.message}.`);
      throw error;
    }
  };

/** @returns what the user says of the list, in a file and in options. */
function givenBy(url: string | undefined, options: Options, usageError: (what: string) => never): Given {
  const { profile: file, header = [], auth, param = [], items, id, size, next, previous, error, origin } = options;
  const { order, filter, get, otherUrl, otherHeader } = options;
  const read = (what: string, text: string): Partial<Profile> => {
    try {
      return parseProfile(text, process.env);
    } catch (reason) {
      if (reason instanceof ProfileError) return usageError(`${what} is invalid: ${reason.message}`);
      throw reason;
    }
  };
  // Commander would print the value of a wrong argument, which may be a key.
  const pairs = (texts: readonly string[], mark: string, what: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      texts.map((it) => {
        const at = it.indexOf(mark);
        if (at < 1) usageError(`a ${what} is a name, \`${mark}\` and a value`);
        return [it.slice(0, at).trim(), it.slice(at + 1).trim()];
      }),
    );
  let saved: Partial<Profile> = {};
  if (file !== undefined) {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (reason) {
      return usageError(`the --profile file ${file} ${fileError(reason, 'read')}`);
    }
    saved = read(`the --profile file ${file}`, text);
  }
  const at = url ?? saved.url;
  if (at === undefined) return usageError('missing the URL of the list, as an argument or as `url` of --profile');
  if (!isHttp(at)) usageError('the URL of a list is like http://localhost:8000/orders');
  const headers = { ...saved.headers, ...pairs(header, ':', 'header') };
  const other = {
    ...saved.other,
    ...(otherUrl !== undefined && read('--other-url', `other: { url: ${JSON.stringify(otherUrl)} }`).other),
    ...(otherHeader !== undefined && { headers: pairs(otherHeader, ':', 'header') }),
  };
  for (const [name, value] of [...Object.entries(headers), ...Object.entries(other.headers ?? {})]) {
    // Node would print the value.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      usageError(`the header ${JSON.stringify(name)} has a character that a header cannot have`);
  }
  return {
    ...saved,
    url: at.replace(/#.*$/, ''),
    headers,
    params: { ...saved.params, ...pairs(param, '=', 'parameter') },
    ...(auth !== undefined && { auth }),
    ...(items !== undefined && { items }),
    ...(id !== undefined && { id }),
    ...(size !== undefined && read('--size', `size: ${size}`)),
    ...(next !== undefined && { next }),
    ...(previous !== undefined && { previous }),
    ...(error !== undefined && read('--error', `error: ${error}`)),
    ...(origin !== undefined && { origin }),
    ...(order !== undefined && read('--order', `order: ${order}`)),
    ...(filter !== undefined && { filter: pairs(filter, '=', 'filter') }),
    ...(get !== undefined && read('--get', `get: ${JSON.stringify(get)}`)),
    ...(Object.keys(other).length > 0 && { other }),
  };
}

/** @throws CliError if a rule failed, NotTestedError if the list could not be audited. */
async function runAudit(url: string | undefined, options: Options, usageError: (what: string) => never): Promise<void> {
  const {
    only,
    skip,
    maxRequests,
    timeout,
    save,
    capture: captureFile,
    json: isJson = false,
    verbose: isVerbose = false,
  } = options;
  for (const name of [...(only ?? []), ...(skip ?? [])]) {
    if (RULES.some((it) => isNamed(it.id, [name]))) continue;
    usageError(`unknown rule ${JSON.stringify(name)}; the rules are ${RULES.map((it) => it.id).join(', ')}`);
  }
  const given = givenBy(url, options, usageError);
  checkFiles(options, usageError);
  const { requests, perSecond } = boundsOf(given.url);
  const pace = perSecond === undefined ? '' : `, ${String(perSecond)} a second`;
  const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr, text: 'Auditing' }).start() : undefined;
  if (!isJson) notify(`At most ${String(maxRequests ?? requests)} GET requests${pace}.`);
  const trace = isVerbose
    ? (request: string): void => {
        notify(request);
      }
    : undefined;
  const results: Result[] = [];
  let untestable: string | undefined;
  let head: ((run: AuditRun) => void) | undefined;
  const run = audit({
    profile: given,
    ...{ only, skip, maxRequests, trace },
    timeoutMs: timeout * 1000,
    progress: spinner && ((what) => void (spinner.text = printable(what))),
    inferred: async ({ profile, dropped, list }) => {
      if (isVerbose) notify(...dropped.map((it) => `tried ${it}`));
      const sent = list.session.sent;
      head = ({ length }) => {
        spinner?.clear();
        if (!isJson)
          print(headLine(profile, length, sent, save), ...(save === undefined ? [] : savedLines(profile, save)));
      };
      if (save !== undefined) writeNew(save, formatProfile(profile), '--save');
      if (captureFile !== undefined) await captureInto(captureFile, list, profile);
    },
  });
  const show = (line: readonly string[]): void => {
    spinner?.clear();
    if (!isJson) print(...line);
  };
  try {
    for await (const result of run) {
      head?.(run);
      head = undefined;
      show(resultLines(result));
      results.push(result);
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    untestable = error.message;
  } finally {
    spinner?.stop();
  }
  head?.(run);
  if (isJson)
    printJson({
      ...countsOf(results),
      untestable,
      requests: run.sent,
      profile: run.profile && withoutSecrets(run.profile),
      results,
    });
  else if (results.length > 0) print(...notCheckedLines(results), totalsLine(results, run.sent));
  conclude(results, untestable);
}

/** Checks that the files to write are new, and are different ones. */
function checkFiles({ save, capture: captured }: Options, usageError: (what: string) => never): void {
  try {
    requireSeparate(
      [
        { what: 'the --save file', path: save },
        { what: 'the --capture file', path: captured },
      ],
      [],
    );
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    usageError(error.message);
  }
  for (const [name, file] of [
    ['--save', save],
    ['--capture', captured],
  ] as const)
    if (file !== undefined && existsSync(file))
      usageError(`the ${name} file ${file} already exists; choose a new file`);
}

/** @throws CliError if the file cannot be written. */
function writeNew(file: string, text: string, name: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw new CliError(`The ${name} file ${file} ${fileError(error, 'written')}.`);
  }
}

/** Writes the items to a file, which has its name only once it is complete. */
async function captureInto(file: string, list: List, { size }: Profile): Promise<void> {
  const part = `${file}.part`;
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const line of capture(list, size?.max)) {
      count += 1;
      yield `${line}\n`;
    }
  }
  const failure = (error: unknown): unknown =>
    isSystemError(error) ? new CliError(`The --capture file ${part} ${fileError(error, 'written')}.`) : error;
  const output = await open(part, 'wx').catch((error: unknown) => {
    throw failure(error);
  });
  try {
    await pipeline(lines, output.createWriteStream());
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw failure(error);
  }
  notify(`Captured ${counted(count, 'items')} in ${file}.`);
}

/** @returns what was found, in one line. */
function headLine(
  { items, id, size, next }: Profile,
  length: AuditRun['length'],
  sent: number,
  save: string | undefined,
): string {
  const where = items === '' ? 'the body' : `\`${items}\``;
  const what =
    length === undefined ? 'items' : `${length.isWhole ? '' : 'more than '}${counted(length.items, 'items')}`;
  const parts = [
    `${what} in ${where}`,
    id === '' ? 'each its own id' : `id \`${id}\``,
    size === undefined ? 'no size' : `size \`${size.param}\`${size.max === undefined ? '' : ` to ${String(size.max)}`}`,
    `next page: ${describeWay(next)}`,
  ];
  return `${parts.join(', ')}   (${counted(sent, 'requests')}${save === undefined ? '; --save FILE' : ''})`;
}

function savedLines(profile: Profile, file: string): readonly string[] {
  const names = namesIn(formatProfile(profile));
  return [`saved in ${file}${names.length === 0 ? '' : `, which reads ${names.join(' and ')} from the environment`}`];
}

const WIDTH = Math.max(...RULES.map((it) => it.id.length));
const INDENT = ' '.repeat(6);

/** @returns a failure or a note; nothing for other results. */
function resultLines({ rule, ...result }: Result): readonly string[] {
  if (result.outcome !== 'failed' && result.outcome !== 'noted') return [];
  const { why, change } = RULES.find((it) => it.id === rule) ?? { why: '', change: '' };
  const [first, ...others] = result.findings;
  const detail = (it: typeof first): readonly string[] =>
    it.difference === undefined ? [] : [`${INDENT}${it.request} ${it.difference}`];
  const isNote = result.outcome === 'noted';
  return [
    `${isNote ? 'note' : 'FAIL'}  ${rule.padEnd(WIDTH)}  ${first.actual}`,
    ...(first.difference === undefined && !first.actual.includes(first.request)
      ? [`${INDENT}${first.request}`]
      : detail(first)),
    ...others.map((it) => `${INDENT}${it.actual}`),
    ...(isNote ? [] : [`${INDENT}why it matters: ${why}`, `${INDENT}what to change: ${change}`]),
  ];
}

/** @returns why rules were not checked, each reason once. */
function notCheckedLines(results: readonly Result[]): readonly string[] {
  const notChecked = results.flatMap((it) => (it.outcome === 'not_checked' ? [it] : []));
  const reasons = [...groupBy(notChecked, ({ reason }) => reason)].map(
    ([reason, all]) => `${all.map(({ rule }) => rule).join(', ')} (${reason})`,
  );
  return reasons.length === 0 ? [] : [`not checked: ${reasons.join('; ')}`];
}

function countsOf(results: readonly Result[]): Readonly<Record<'passed' | 'failed' | 'notes' | 'not_checked', number>> {
  const count = (outcome: Result['outcome']): number => results.filter((it) => it.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), notes: count('noted'), not_checked: count('not_checked') };
}

function totalsLine(results: readonly Result[], sent: number): string {
  const { passed, failed, notes, not_checked: notChecked } = countsOf(results);
  return `${String(passed)} passed, ${String(failed)} failed, ${counted(notes, 'notes')}, ${String(notChecked)} not checked; ${counted(sent, 'GET requests')}`;
}

/** @throws the error that decides the exit code. */
function conclude(results: readonly Result[], untestable: string | undefined): void {
  const { failed, not_checked: notChecked } = countsOf(results);
  if (failed > 0)
    throw new CliError(
      `The list breaks ${counted(failed, 'rules')}.${untestable === undefined ? '' : ` The audit was aborted: ${untestable}`}`,
    );
  if (untestable !== undefined) throw new NotTestedError(`The list could not be audited. ${untestable}`);
  if (notChecked === results.length) throw new NotTestedError('No rule could be checked.');
}
