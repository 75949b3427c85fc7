/** The results of a run, for people and for programs. */
import type { Result } from './conform.ts';

/** How many rules there are of each outcome. */
export type Totals = Readonly<Record<Result['outcome'], number>>;

export function totals(results: readonly Result[]): Totals {
  const count = (outcome: Result['outcome']): number => results.filter((it) => it.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const;

/** @returns a result as lines of a tree: the rule, and below it why it failed or was skipped. */
export function treeLines(result: Result): readonly string[] {
  const head = `  ${MARKS[result.outcome]} ${result.rule.padEnd(22)} ${result.title}`;
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

/** @returns the results as JUnit XML, a suite for each operation. Without a library: one would be four packages for this. */
export function junit(results: readonly Result[]): string {
  const suites = Map.groupBy(results, (it) => it.operation);
  const body = [...suites].map(([operation, cases]) => {
    const { failed, skipped } = totals(cases);
    const counts = `tests="${String(cases.length)}" failures="${String(failed)}" skipped="${String(skipped)}"`;
    return `  <testsuite name=${attribute(operation)} ${counts}>\n${cases.map(testcase).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rollcall conform">\n${body.join('')}</testsuites>\n`;
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

/** Escapes text for XML. A response may hold control characters, which XML does not allow even when escaped. */
function escape(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (it) => ENTITIES[it] ?? it);
}

const attribute = (text: string): string => `"${escape(text)}"`;
