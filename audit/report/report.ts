/** The results of a run, for people and for programs. */
import { counted } from '../../contract/wording.ts';
import { compareWithBaseline, keyOf } from './baseline.ts';
import type { Baseline, BaselineCommand } from './baseline.ts';
import { wrapped } from './wrapped.ts';
import { needText } from '../rules/rule.ts';
import { groupBy } from '../rules/group.ts';
import type { Finding, Result } from '../rules/rule.ts';

/** How many rules there are of each outcome. A note counts as passed. */
export type Totals = Readonly<Record<Exclude<Result['outcome'], 'noted'>, number>>;

/** A run that has ended. */
export interface Report {
  readonly command: BaselineCommand;
  /** Why the run could not be finished; `undefined` if it was. */
  readonly untestable: string | undefined;
  readonly results: readonly Result[];
  /** The failures that are known. */
  readonly baseline: Baseline;
  /** Which known failures pass, if that fails the run. */
  readonly stale?: string | undefined;
}

type Failed = Extract<Result, { outcome: 'failed' }>;
const isFailed = (result: Result): result is Failed => result.outcome === 'failed';
const isKnown = (result: Result, baseline: Baseline): boolean => isFailed(result) && baseline.has(keyOf(result));

/** @returns the heading of a result: its operation, or the area of its rule. */
export const suiteOf = ({ operation, rule }: Pick<Result, 'operation' | 'rule'>): string =>
  operation ?? rule.replace(/\..*/, '');

export function totals(results: readonly Result[]): Totals {
  const count = (outcome: Result['outcome']): number => results.filter((result) => result.outcome === outcome).length;
  return { passed: count('passed') + count('noted'), failed: count('failed'), not_checked: count('not_checked') };
}

const MARKS = { passed: '✓', noted: '✓', failed: '✗', not_checked: '–' } as const;

/**
 * @param reasons the reasons that have been printed: each is printed once for an operation, and added.
 * @param width of the longest id of a rule.
 * @returns a result as lines of a tree: the rule, and below it why it was not checked. `failureLines` explains failures.
 */
export function treeLines(
  result: Result,
  baseline: Baseline,
  reasons = new Set<string>(),
  width = 26,
): readonly string[] {
  const what = isFailed(result) ? faultOf('conform', result.findings[0]) : result.title;
  const head = `  ${MARKS[result.outcome]} ${result.rule.padEnd(width)} ${isKnown(result, baseline) ? '(known) ' : ''}${what}`;
  if (result.outcome !== 'not_checked') return [head];
  const reason = `${suiteOf(result)} ${result.reason}`;
  const isLast = [...reasons].at(-1) === reason;
  const isNew = !reasons.delete(reason);
  reasons.add(reason);
  const word = result.applies === false ? 'does not apply' : 'not checked';
  const again = result.cause === undefined ? result.reason : `blocked by ${result.cause}`;
  if (!isNew) return [`${head} (${word}: ${isLast ? 'same reason as above' : again})`];
  return [head, `      ${word}: ${result.reason}`];
}

/** Failures of one rule. Those that fail in the same way are one fault of an implementation. */
type Cause = readonly [Failed, ...Failed[]];

/** @returns the causes of failures, each once: results of one rule that differ only in ids and numbers have one cause. */
const causesOf = (results: readonly Result[]): readonly Cause[] => [
  ...groupBy(results.filter(isFailed), ({ rule, findings: [{ actual }] }) => {
    const status = /^\d{3}\b/.exec(actual)?.[0];
    return `${rule} ${status ?? actual.replaceAll(/[0-9a-f-]{8,}|\d+/g, '#')}`;
  }).values(),
];
const operationsOf = (cause: Cause): string => cause.flatMap(({ operation }) => operation ?? []).join(', ');

/** @returns the failures of a run, each cause once, with the operations it concerns: those that are not in the baseline, then the known ones. */
export function failureLines(results: readonly Result[], baseline: Baseline): readonly string[] {
  const { unexpected, known, fixed } = compareWithBaseline(results, baseline);
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', title, ...lines];
  const keys = (all: readonly Result[]): readonly string[] => all.map((result) => `  ${keyOf(result)}`);
  const first = fixFirst(results);
  const whyFirst = ([{ rule }]: Cause): string | undefined => (rule === first?.rule ? first.why : undefined);
  const isLater = (cause: Cause): number => Number(whyFirst(cause) === undefined);
  const causes = [...causesOf(unexpected)].sort((a, b) => isLater(a) - isLater(b));
  return [
    ...section(
      'Failures',
      causes.flatMap((cause) => causeLines(cause, whyFirst(cause))),
    ),
    ...section('Known failures', keys(known)),
    ...section('Passed: remove from the baseline', keys(fixed)),
  ];
}

// A failure that hides fewer rules is not worth a mark.
const MANY_HIDDEN = 3;

/**
 * @returns the rule whose failure hides most others, and why it is to be mended first: rules were not checked because of it, or fail too
 *   because responses have the bodies of other requests. `undefined` if none hides several.
 */
function fixFirst(results: readonly Result[]): { readonly rule: string; readonly why: string } | undefined {
  const failed = results.filter(isFailed);
  const causes = results.flatMap((result) =>
    result.outcome === 'not_checked' && result.cause !== undefined ? [result.cause] : [],
  );
  const blocked = groupBy(
    causes.filter((cause) => failed.some(({ rule }) => rule === cause)),
    (cause) => cause,
  );
  const [most = []] = [...blocked.values()].sort((a, b) => b.length - a.length);
  const copies = failed.filter(({ findings: [{ sameAs }] }) => sameAs !== undefined);
  const ofCopies = new Set(copies.map(({ rule }) => rule)).size;
  const [[rule], [copy]] = [most, copies];
  if (copy !== undefined && ofCopies > MANY_HIDDEN && (copy.rule === rule || ofCopies > most.length)) {
    const why = `${counted(ofCopies, 'rules')} fail because a response has the body of another request: the query is ignored, or a cache serves it`;
    return { rule: copy.rule, why };
  }
  if (rule === undefined || most.length < MANY_HIDDEN) return undefined;
  return { rule, why: `it blocks ${counted(most.length, 'other results')}` };
}

/** @returns a line with a name before its text; none without a text. */
const line = (name: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`${name.padEnd(11)} ${text}`];

/** @param whyFirst why it is to be mended first, if it is. */
function causeLines(cause: Cause, whyFirst: string | undefined): readonly string[] {
  const [{ rule, title, why, change, link, findings }, ...elsewhere] = cause;
  const [first, ...others] = findings;
  const also = [...others, ...elsewhere.flatMap((result) => result.findings)].flatMap(
    ({ request, difference, actual }) => line('also', `${request}: ${difference ?? short(actual)}`),
  );
  const lines = [
    ...[...line('fix first', whyFirst), ...line('rule', title), ...line('why', why)],
    ...line('in', operationsOf(cause) || undefined),
    ...[...findingLines(first), ...line('change', change), ...line('see', link), ...new Set(also)],
  ];
  return [`  ${rule}: ${faultOf('conform', first)}`, ...lines.flatMap(inColumns)];
}

// Requests and bodies are not ours.
const inColumns = (text: string): readonly string[] =>
  /^(fix first|rule|why|in|change) /.test(text) ? wrapped(text, INDENT, INDENT + ' '.repeat(12)) : [INDENT + text];
const INDENT = ' '.repeat(6);

const MAX_SHORT = 80;

/** @returns a short form of a response: the status and the name of an error, without the body. */
function short(actual: string): string {
  const [, status, name] = /^(\d{3}) (?:.*?"name": ?"([a-z_]+)")?/.exec(actual) ?? [];
  if (status === undefined) return actual.length > MAX_SHORT ? `${actual.slice(0, MAX_SHORT)}…` : actual;
  return Number(status) < 400 || name === undefined ? status : `${status} ${name}`;
}

/**
 * @returns what is wrong, in one line. `conform` has responses (`GET /a?limit=0: 200, expected 422`) and items, whose ids alone say little;
 *   the others have sentences, of which the first clause says what is wrong.
 */
function faultOf(command: BaselineCommand, { request, expected, actual, difference }: Finding): string {
  if (command !== 'conform') return actual.split('; ', 1)[0] ?? actual;
  if (/^\d{3}\b/.test(actual)) return `${request}: ${short(actual)}, expected ${expected}`;
  return `${request}: ${difference ?? short(actual)}`;
}

const findingLines = ({ request, exchanges, ...finding }: Finding): readonly string[] => [
  ...line(exchanges === undefined ? 'request' : 'task', request),
  ...(exchanges ?? []).flatMap((exchange, at) => line(at === 0 ? 'requests' : '', exchange)),
  ...[...line('expected', finding.expected), ...line('actual', finding.actual)],
  ...[...line('difference', finding.difference), ...line('same body', finding.sameAs)],
  ...line('run again', finding.again),
];

/** @returns the totals of all results in one line. */
export function totalsLine(results: readonly Result[], baseline: Baseline): string {
  const { passed, failed } = totals(results);
  const { known } = compareWithBaseline(results, baseline);
  const ofThem = known.length === 0 ? '' : ` (${String(known.length)} of them known)`;
  return `${counted(passed, 'rules')} passed, ${String(failed)} failed${ofThem}, ${notCheckedText(results)}.`;
}

/** @returns how many rules were not checked, and why: `1 not checked, 5 blocked by items.missing, 3 do not apply`. */
export function notCheckedText(results: readonly Result[]): string {
  const all = results.flatMap((result) => (result.outcome === 'not_checked' ? [result] : []));
  const blocked = groupBy(
    all.flatMap(({ cause }) => cause ?? []),
    (cause) => cause,
  );
  const others = all.filter(({ cause }) => cause === undefined);
  const inapplicable = others.filter(({ applies }) => applies === false).length;
  const needy = others.filter(({ need }) => need !== undefined).length;
  const left = others.length - inapplicable - needy;
  return [
    ...(left > 0 || all.length === 0 ? [`${String(left)} not checked`] : []),
    ...[...blocked.values()].map(([cause, ...same], at) => {
      return `${String(same.length + 1)} ${at === 0 ? 'blocked ' : ''}by ${cause}`;
    }),
    ...(needy > 0 ? [`${String(needy)} ${needy === 1 ? 'needs' : 'need'} records`] : []),
    ...(inapplicable > 0 ? [`${String(inapplicable)} ${inapplicable === 1 ? 'does' : 'do'} not apply`] : []),
  ].join(', ');
}

/** @returns the number of requests of each method in one line. */
export function sentLine(sent: Readonly<Record<string, number>>): string {
  const counts = Object.entries(sent).map(([method, count]) => `${String(count)} ${method}`);
  const total = Object.values(sent).reduce((sum, count) => sum + count, 0);
  return `Sent ${counted(total, 'requests')} (${counts.join(', ')}). Requests with a key: GET and HEAD only.`;
}

/**
 * @returns the records without which some rules cannot be checked, a line for each collection: the largest number of any, then those that
 *   must have something.
 */
export function needsOf(results: readonly Result[]): readonly string[] {
  const needs = results.flatMap((result) => (result.outcome === 'not_checked' ? (result.need ?? []) : []));
  return [...groupBy(needs, ({ of }) => of)].map(([of, all]) => {
    const [most] = all.filter(({ what }) => what === undefined).sort((a, b) => b.count - a.count);
    const special = all.flatMap(({ count, what }) => (what === undefined ? [] : [`${String(count)} ${what}`]));
    return [most === undefined ? of : needText(most), [...new Set(special)].join('; ')].filter(Boolean).join(': ');
  });
}

/** A command of GitHub Actions. */
export type Annotation = `::error ${string}`;

// GitHub drops further errors of a step.
const MAX_ANNOTATIONS = 10;

/**
 * @returns the failures that are not known as annotations of GitHub Actions: one for each rule, with its first finding and all its operations.
 *   If they are more than GitHub keeps, the last one names the rules that are left out.
 */
export function annotations({ command, results, baseline, stale }: Report): readonly Annotation[] {
  const failures = compareWithBaseline(results, baseline).unexpected.filter(isFailed);
  const first = fixFirst(results)?.rule;
  const rules = [...groupBy(failures, ({ rule }) => rule)].sort(
    ([a], [b]) => Number(b === first) - Number(a === first),
  );
  const all = [
    ...(stale === undefined ? [] : [{ rule: '--strict-baseline', title: 'a known failure passes', text: stale }]),
    ...rules.map(([rule, cause]) => ({ rule, title: titleOf(command, cause), text: textOf(cause) })),
  ];
  const more = all.length > MAX_ANNOTATIONS ? all.splice(MAX_ANNOTATIONS - 1).map(({ rule }) => rule) : [];
  if (more.length > 0) all.push({ rule: more.join(', '), title: `${String(more.length)} more rules failed`, text: '' });
  return all.map(({ rule, title, text }) => annotation(title, `rollcall ${command}: ${rule}\n${text}`.trimEnd()));
}

/** @returns the fault in a few words, and where: `/orders: 24 of 240 items are missing with 7 per page`. */
function titleOf(command: BaselineCommand, [{ operation, rule, findings }]: Cause): string {
  const [finding] = findings;
  const list = operation ?? /^\w+ ([^\s?]+)/.exec(finding.request)?.[1] ?? finding.request;
  const where = { conform: '', audit: `${list}: `, examine: `${rule}: ` }[command];
  const title = where + faultOf(command, finding);
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE)}…` : title;
}
const MAX_TITLE = 140;

function textOf(cause: Cause): string {
  const [{ title, change, findings }] = cause;
  const operations = operationsOf(cause) || undefined;
  const lines = [...line('rule', title), ...line('in', operations), ...findingLines(findings[0])];
  return [...lines, ...line('change', findings[0].change ?? change)].join('\n');
}

const annotation = (title: string, text: string): Annotation =>
  `::error title=${property(title)}::${data(printableText(text))}`;

// The escapes of GitHub's workflow commands.
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * @returns a run as JUnit XML, one suite per operation. Known failures count as skipped. Written without a library, which would
 *   add four packages.
 */
export function junit({ command, results, untestable, baseline, stale }: Report): string {
  const suites = [...groupBy(results, suiteOf)].map(([name, cases]) => {
    const { unexpected, known } = compareWithBaseline(cases, baseline);
    const skipped = totals(cases).not_checked + known.length;
    const counts = { tests: cases.length, failures: unexpected.length, skipped };
    const ms = cases.reduce((sum, result) => sum + result.ms, 0);
    return suite(
      { name, ...counts, time: seconds(ms) },
      cases.map((result) => testcase(command, result, baseline)),
    );
  });
  // An unfinished run without failures must not count as passed, nor one that a baseline fails.
  const ofRun = (kind: 'error' | 'failure', name: string, message: string): void => {
    const faulty = element('testcase', { classname: 'run', name }, element(kind, { message }));
    suites.push(suite({ name: 'run', tests: 1, [`${kind}s`]: 1 }, [faulty]));
  };
  if (untestable !== undefined) ofRun('error', 'it could be tested', untestable);
  if (stale !== undefined) ofRun('failure', 'known failures fail', stale);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: `rollcall ${command}` }, `\n${suites.join('')}`)}\n`;
}

type Attributes = Readonly<Record<string, string | number>>;

function element(name: string, attributes: Attributes, content = ''): string {
  const all = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(String(value))}"`);
  const open = `<${name}${all.join('')}`;
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`;
}

const suite = (attributes: Attributes, cases: readonly string[]): string =>
  `  ${element('testsuite', attributes, `\n${cases.map((xml) => `    ${xml}\n`).join('')}  `)}\n`;

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function testcase(command: BaselineCommand, result: Result, baseline: Baseline): string {
  const { operation, rule, title, ms } = result;
  const classname = operation === undefined ? rule : `${operation}.${rule}`;
  return element('testcase', { classname, name: title, time: seconds(ms) }, contentOf(command, result, baseline));
}

function contentOf(command: BaselineCommand, result: Result, baseline: Baseline): string {
  if (result.outcome === 'not_checked') return element('skipped', { message: `not checked: ${result.reason}` });
  if (isKnown(result, baseline)) return element('skipped', { message: 'a known failure' });
  if (!isFailed(result)) return '';
  const { findings, change } = result;
  const lines = findings.map((finding) =>
    [...findingLines(finding), ...line('change', finding.change ?? change)].join('\n'),
  );
  const text = lines.join('\n\n');
  return element('failure', { message: faultOf(command, result.findings[0]) }, escape(text));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Replaces characters that XML forbids even when escaped, and characters that change the text direction. */
const printableText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Bidi_Control}\ufffe\uffff]/gu, '\ufffd');

/** Escapes text for XML. */
const escape = (text: string): string =>
  printableText(text).replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
