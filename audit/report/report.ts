/** The results of a run, for people and for programs. */
import { counted } from '../../contract/wording.ts';
import { compareWithBaseline, keyOf } from './baseline.ts';
import type { Baseline, BaselineCommand } from './baseline.ts';
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
}

type Failed = Extract<Result, { outcome: 'failed' }>;
const isFailed = (result: Result): result is Failed => result.outcome === 'failed';

/** @returns the heading of a result: its operation, or the area of its rule. */
export const suiteOf = ({ operation, rule }: Pick<Result, 'operation' | 'rule'>): string =>
  operation ?? rule.replace(/\..*/, '');

export function totals(results: readonly Result[]): Totals {
  const count = (outcome: Result['outcome']): number => results.filter((it) => it.outcome === outcome).length;
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
  const isKnown = isFailed(result) && baseline.has(keyOf(result));
  const head = `  ${MARKS[result.outcome]} ${result.rule.padEnd(width)} ${isKnown ? '(known) ' : ''}${result.title}`;
  if (result.outcome !== 'not_checked') return [head];
  const reason = `${suiteOf(result)} ${result.reason}`;
  const isLast = [...reasons].at(-1) === reason;
  const isNew = !reasons.delete(reason);
  reasons.add(reason);
  if (!isNew) return [`${head} (not checked: ${isLast ? 'same reason' : (result.cause ?? result.reason)})`];
  return [head, `      not checked: ${result.reason}`];
}

/** One fault of an implementation: results of one rule that fail in the same way. */
interface Cause {
  readonly first: Failed;
  /** The same failure of other operations. */
  readonly others: readonly Failed[];
  readonly operations: readonly string[];
}

/** @returns the causes of failures, each once: results of one rule that differ only in ids and numbers have one cause. */
function causesOf(results: readonly Result[]): readonly Cause[] {
  const groups = groupBy(results.filter(isFailed), ({ rule, findings: [{ actual }] }) => {
    const status = /^\d{3}\b/.exec(actual)?.[0];
    return `${rule} ${status ?? actual.replaceAll(/[0-9a-f-]{8,}|\d+/g, '#')}`;
  });
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others, operations: [first, ...others].flatMap((it) => it.operation ?? []) }],
  );
}

/** @returns the failures of a run, each cause once, with the operations it concerns: those that are not in the baseline, then the known ones. */
export function failureLines(results: readonly Result[], baseline: Baseline): readonly string[] {
  const { unexpected, known, fixed } = compareWithBaseline(results, baseline);
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', title, ...lines];
  const first = fixFirst(results);
  const causes = causesOf(unexpected);
  const isFirst = (cause: Cause): boolean => cause.first.rule === first?.rule;
  const ordered = [...causes.filter(isFirst), ...causes.filter((it) => !isFirst(it))];
  return [
    ...section(
      'Failures',
      ordered.flatMap((it) => causeLines(it, isFirst(it) ? first?.why : undefined)),
    ),
    ...section(
      'Known failures',
      known.map((it) => `  ${keyOf(it)}`),
    ),
    ...section(
      'Passed: remove from the baseline',
      fixed.map((it) => `  ${keyOf(it)}`),
    ),
  ];
}

// A failure that hides fewer rules is not worth a mark.
const MANY_HIDDEN = 3;

/**
 * @returns the rule whose failure hides most others, and why it is to be mended first: rules were not checked because of it, or fail too
 *   because responses have the bodies of other requests. `undefined` if none hides several.
 */
function fixFirst(results: readonly Result[]): { readonly rule: string; readonly why: string } | undefined {
  const blocked = groupBy(
    results.flatMap((it) => (it.outcome === 'not_checked' && it.cause !== undefined ? [it.cause] : [])),
    (cause) => cause,
  );
  const failed = results.filter(isFailed);
  const [most] = [...blocked]
    .sort(([, a], [, b]) => b.length - a.length)
    .filter(([id]) => failed.some(({ rule }) => rule === id));
  const copies = failed.filter(({ findings: [{ sameAs }] }) => sameAs !== undefined);
  const ofCopies = new Set(copies.map(({ rule }) => rule)).size;
  const [copy] = copies;
  const isMost = copy !== undefined && copy.rule === most?.[0];
  if (copy !== undefined && ofCopies > MANY_HIDDEN && (isMost || ofCopies > (most?.[1].length ?? 0))) {
    const why = `${counted(ofCopies, 'rules')} fail because a response has the body of another request: the query is ignored, or a cache serves it`;
    return { rule: copy.rule, why };
  }
  if (most === undefined || most[1].length < MANY_HIDDEN) return undefined;
  return { rule: most[0], why: `${counted(most[1].length, 'results')} are "not checked" because of it` };
}

/** @param why why it is to be mended first, if it is. */
function causeLines(
  { first: { rule, title, why: reason, change, link, findings }, others: elsewhere, operations }: Cause,
  why: string | undefined,
): readonly string[] {
  const [first, ...others] = [...findings, ...elsewhere.flatMap((it) => it.findings)];
  return [
    `  ${rule}: ${title}`,
    ...(why === undefined ? [] : [`      fix first   ${why}`]),
    ...(reason === undefined ? [] : [`      why         ${reason}`]),
    ...(operations.length === 0 ? [] : [`      in          ${operations.join(', ')}`]),
    ...findingLines(first).map((it) => `      ${it}`),
    ...(change === undefined ? [] : [`      change      ${change}`]),
    ...(link === undefined ? [] : [`      see         ${link}`]),
    ...new Set(others.map((it) => `      also        ${it.request}: ${it.difference ?? short(it.actual)}`)),
  ];
}

const MAX_SHORT = 80;

/** @returns a short form of a response: the status and the name of an error, without the body. */
function short(actual: string): string {
  const [, status, name] = /^(\d{3}) (?:.*?"name": ?"([a-z_]+)")?/.exec(actual) ?? [];
  if (status === undefined) return actual.length > MAX_SHORT ? `${actual.slice(0, MAX_SHORT)}…` : actual;
  return Number(status) < 400 || name === undefined ? status : `${status} ${name}`;
}

const findingLines = ({
  request,
  expected,
  actual,
  difference,
  sameAs,
  exchanges,
  again,
}: Finding): readonly string[] => [
  `${exchanges === undefined ? 'request' : 'task   '}     ${request}`,
  ...(exchanges ?? []).map((it, at) => `${at === 0 ? 'requests' : '        '}    ${it}`),
  `expected    ${expected}`,
  `actual      ${actual}`,
  ...(difference === undefined ? [] : [`difference  ${difference}`]),
  ...(sameAs === undefined ? [] : [`same body   ${sameAs}`]),
  ...(again === undefined ? [] : [`run again   ${again}`]),
];

/** @returns the totals of all results in one line. */
export function totalsLine(results: readonly Result[], baseline: Baseline): string {
  const { passed, failed, not_checked } = totals(results);
  const { known } = compareWithBaseline(results, baseline);
  const ofThem = known.length === 0 ? '' : ` (${String(known.length)} of them known)`;
  return `${counted(passed, 'rules')} passed, ${String(failed)} failed${ofThem}, ${String(not_checked)} not checked.`;
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
  const needs = results.flatMap((it) => (it.outcome === 'not_checked' ? (it.need ?? []) : []));
  return [...groupBy(needs, ({ of }) => of)].map(([of, all]) => {
    const [most] = all.filter(({ what }) => what === undefined).sort((a, b) => b.count - a.count);
    const special = all.flatMap(({ count, what }) => (what === undefined ? [] : [`${String(count)} ${what}`]));
    return [most === undefined ? of : needText(most), [...new Set(special)].join('; ')].filter(Boolean).join(': ');
  });
}

/** @returns the failures that are not known as annotations of GitHub Actions, each cause once. */
export function annotations({ command, results, baseline }: Report): readonly string[] {
  return causesOf(compareWithBaseline(results, baseline).unexpected).map(({ first, operations }) => {
    const where = operations.length === 0 ? [] : [`in ${operations.join(', ')}`];
    const change = first.change === undefined ? [] : [`change      ${first.change}`];
    const text = [first.title, ...where, ...findingLines(first.findings[0]), ...change].join('\n');
    return `::error title=${property(`rollcall ${command}: ${first.rule}`)}::${data(printableText(text))}`;
  });
}

// The escapes of GitHub's workflow commands.
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * @returns a run as JUnit XML, one suite per operation. Known failures count as skipped. Written without a library, which would
 *   add four packages.
 */
export function junit({ command, results, untestable, baseline }: Report): string {
  const suites = groupBy(results, suiteOf);
  const body = [...suites].map(([suite, cases]) => {
    const { unexpected, known } = compareWithBaseline(cases, baseline);
    const skipped = totals(cases).not_checked + known.length;
    const counts = `tests="${String(cases.length)}" failures="${String(unexpected.length)}" skipped="${String(skipped)}"`;
    const ms = cases.reduce((sum, it) => sum + it.ms, 0);
    const open = `  <testsuite name=${attribute(suite)} ${counts} time="${seconds(ms)}">`;
    return `${open}\n${cases.map((it) => testcase(it, baseline)).join('')}  </testsuite>\n`;
  });
  const aborted = untestable === undefined ? '' : errorSuite(untestable);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rollcall ${command}">\n${body.join('')}${aborted}</testsuites>\n`;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** @returns a suite with an error: an unfinished run without failures must not count as passed. */
function errorSuite(untestable: string): string {
  return `  <testsuite name="run" tests="1" errors="1">
    <testcase classname="run" name="it could be tested"><error message=${attribute(untestable)}/></testcase>
  </testsuite>
`;
}

function testcase(result: Result, baseline: Baseline): string {
  const { operation, rule, title, ms } = result;
  const names = `classname=${attribute(operation === undefined ? rule : `${operation}.${rule}`)} name=${attribute(title)}`;
  const open = `    <testcase ${names} time="${seconds(ms)}"`;
  switch (result.outcome) {
    case 'passed':
    case 'noted':
      return `${open}/>\n`;
    case 'not_checked':
      return `${open}><skipped message=${attribute(`not checked: ${result.reason}`)}/></testcase>\n`;
    case 'failed':
      return baseline.has(keyOf(result))
        ? `${open}><skipped message="a known failure"/></testcase>\n`
        : `${open}>${failure(result)}</testcase>\n`;
  }
}

function failure({ findings }: Failed): string {
  const [{ request, expected }] = findings;
  const text = findings.map((it) => findingLines(it).join('\n')).join('\n\n');
  return `<failure message=${attribute(`${request}: expected ${expected}`)}>${escape(text)}</failure>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Replaces characters that XML forbids even when escaped, and characters that change the text direction. */
const printableText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Bidi_Control}\ufffe\uffff]/gu, '\ufffd');

/** Escapes text for XML. */
const escape = (text: string): string => printableText(text).replaceAll(/[&<>"]/g, (it) => ENTITIES[it] ?? it);

const attribute = (text: string): string => `"${escape(text)}"`;
