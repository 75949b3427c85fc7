/** The results of a run, for people and for programs. */
import { counted } from '../contract/wording.ts';
import type { Result } from './conform.ts';
import type { Counts } from './session.ts';

/** How many rules there are of each outcome. */
export type Totals = Readonly<Record<Result['outcome'], number>>;

/** A run that has ended. */
export interface Report {
  readonly url: string;
  /** Why the run could not be finished; `undefined` if it was. */
  readonly untestable: string | undefined;
  readonly sent: Counts;
  readonly results: readonly Result[];
}

export function totals(results: readonly Result[]): Totals {
  const count = (outcome: Result['outcome']): number => results.filter((it) => it.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const;

/** @returns a result as lines of a tree: the rule, and below it why it failed or was skipped. */
export function treeLines(result: Result): readonly string[] {
  const head = `  ${MARKS[result.outcome]} ${result.rule.padEnd(26)} ${result.title}`;
  switch (result.outcome) {
    case 'passed':
      return [head];
    case 'skipped':
      return [head, `      skipped: ${result.reason}`];
    case 'failed':
      return [
        head,
        `      request   ${result.request}`,
        `      expected  ${result.expected}`,
        `      actual    ${result.actual}`,
      ];
  }
}

/** @returns the totals of all results in one line. */
export function totalsLine(results: readonly Result[]): string {
  const { passed, failed, skipped } = totals(results);
  return `${counted(passed, 'rules')} passed, ${String(failed)} failed, ${String(skipped)} skipped.`;
}

/** @returns the number of requests of each method in one line. */
export function sentLine(sent: Counts): string {
  const counts = Object.entries(sent).map(([method, count]) => `${String(count)} ${method}`);
  return `Sent: ${counts.join(', ')}; with a key only GET and HEAD.`;
}

/** @returns the records without which some rules cannot be tested, each once. */
export function needsOf(results: readonly Result[]): readonly string[] {
  return [...new Set(results.flatMap((it) => (it.outcome === 'skipped' ? (it.needs ?? []) : [])))];
}

/** @returns a run as JUnit XML, one suite per operation. Written without a library, which would add four packages. */
export function junit({ results, untestable }: Report): string {
  const suites = Map.groupBy(results, (it) => it.operation);
  const body = [...suites].map(([operation, cases]) => {
    const { failed, skipped } = totals(cases);
    const counts = `tests="${String(cases.length)}" failures="${String(failed)}" skipped="${String(skipped)}"`;
    return `  <testsuite name=${attribute(operation)} ${counts}>\n${cases.map(testcase).join('')}  </testsuite>\n`;
  });
  const aborted = untestable === undefined ? '' : errorSuite(untestable);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rollcall conform">\n${body.join('')}${aborted}</testsuites>\n`;
}

/** @returns a suite with an error: an unfinished run without failures must not count as passed. */
function errorSuite(untestable: string): string {
  return `  <testsuite name="run" tests="1" errors="1">
    <testcase classname="run" name="it could be tested"><error message=${attribute(untestable)}/></testcase>
  </testsuite>
`;
}

function testcase(result: Result): string {
  const { operation, rule, title } = result;
  const open = `    <testcase classname=${attribute(`${operation}.${rule}`)} name=${attribute(title)}`;
  switch (result.outcome) {
    case 'passed':
      return `${open}/>\n`;
    case 'skipped':
      return `${open}><skipped message=${attribute(result.reason)}/></testcase>\n`;
    case 'failed':
      return `${open}>${failure(result)}</testcase>\n`;
  }
}

function failure({ request, expected, actual }: Extract<Result, { outcome: 'failed' }>): string {
  const text = `request ${request}\nexpected ${expected}\nactual ${actual}`;
  return `<failure message=${attribute(`expected ${expected}`)}>${escape(text)}</failure>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML. Replaces characters that XML forbids even when escaped, and characters that change the text direction. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Bidi_Control}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (it) => ENTITIES[it] ?? it);
}

const attribute = (text: string): string => `"${escape(text)}"`;
