/** The results of a run, to be read and to be processed. */
import type { Result } from './conform.ts';

/** How many rules hold, are broken, and could not be tried. */
export interface Totals {
  readonly holds: number;
  readonly broken: number;
  readonly untried: number;
}

export function totals(results: readonly Result[]): Totals {
  const count = (outcome: Result['outcome']): number => results.filter((it) => it.outcome === outcome).length;
  return { holds: count('holds'), broken: count('broken'), untried: count('untried') };
}

const MARKS = { holds: '✓', broken: '✗', untried: '–' } as const;

/** @returns a result as lines of a tree: the rule, and below it what was asked, expected and came. */
export function treeLines({ rule, title, outcome, reason, asked, expected, came }: Result): string {
  const head = `  ${MARKS[outcome]} ${rule.padEnd(22)} ${title}\n`;
  if (outcome === 'untried') return `${head}      not tried: ${String(reason)}\n`;
  if (outcome === 'holds') return head;
  return `${head}      asked     ${String(asked)}\n      expected  ${String(expected)}\n      came      ${String(came)}\n`;
}

/** @returns the results as JUnit's XML, a suite for each operation. By hand: a library would be four packages for this. */
export function junit(results: readonly Result[]): string {
  const suites = Map.groupBy(results, (it) => it.operation);
  const body = [...suites].map(([operation, of]) => {
    const { broken, untried } = totals(of);
    const counts = `tests="${String(of.length)}" failures="${String(broken)}" skipped="${String(untried)}"`;
    return `  <testsuite name=${attribute(operation)} ${counts}>\n${of.map(testcase).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rollcall conform">\n${body.join('')}</testsuites>\n`;
}

function testcase(result: Result): string {
  const { operation, rule, title, outcome, reason = '', asked = '', expected = '', came = '' } = result;
  const open = `    <testcase classname=${attribute(`${operation}.${rule}`)} name=${attribute(title)}`;
  if (outcome === 'holds') return `${open}/>\n`;
  const inner =
    outcome === 'untried'
      ? `<skipped message=${attribute(reason)}/>`
      : `<failure message=${attribute(`expected ${expected}`)}>${escape(`asked ${asked}\nexpected ${expected}\ncame ${came}`)}</failure>`;
  return `${open}>${inner}</testcase>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What an answer holds may be anything; XML knows no control characters, not even escaped. */
function escape(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (it) => ENTITIES[it] ?? it);
}

const attribute = (text: string): string => `"${escape(text)}"`;
