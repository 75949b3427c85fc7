/** How results are shown: as a tree, as failures with their causes, as totals, as JUnit XML, and as annotations of GitHub. */
import { describe, expect, test } from '@jest/globals';
import type { Result } from '../../../audit/conform/conform.ts';
import type { Finding, Need } from '../../../audit/rules/rule.ts';
import { shown } from '../../support/text.ts';
import {
  annotations,
  failureLines,
  junit,
  needsOf,
  notCheckedText,
  sentLine,
  totals,
  totalsLine,
  treeLines,
} from '../../../audit/report/report.ts';

const NONE = new Set<string>();
const RUN = { command: 'conform', untestable: undefined } as const;
const PASSED: Result = { operation: 'listAutomations', rule: 'list.a', title: 'it is so', outcome: 'passed', ms: 1200 };
const FINDING: Finding = {
  ...{ request: shown('GET /a?b&c'), expected: shown('200'), actual: shown('500 \u0007\u202e') },
};
function failed(operation: Result['operation'], finding: Finding = FINDING, ...others: readonly Finding[]): Result {
  const findings = [finding, ...others] as const;
  return { operation, rule: 'list.b', title: 'a < b & "c"', outcome: 'failed', findings, ms: 34 };
}
const FAILED = failed('listAutomations');
const NOT_CHECKED: Result = {
  ...{ operation: 'getContactImport', rule: 'get.c', title: 'nothing', outcome: 'not_checked', ms: 0 },
  ...{ reason: shown('it is empty'), need: { of: 'contact imports', count: 1 } },
};
const results = [PASSED, FAILED, NOT_CHECKED, NOT_CHECKED];
const KNOWN = new Set(['listAutomations list.b']);

test('the tree marks each outcome, known failures, and says why a rule was not checked', () => {
  expect(results.slice(0, 3).map((it) => treeLines(it, NONE))).toEqual([
    ['  ✓ list.a                     it is so'],
    ['  ✗ list.b                     GET /a?b&c: 500, expected 200'],
    ['  – get.c                      nothing', '      not checked: it is empty'],
  ]);
  expect(treeLines(FAILED, KNOWN)).toEqual(['  ✗ list.b                     (known) GET /a?b&c: 500, expected 200']);
  expect(treeLines(PASSED, new Set(['listAutomations list.a']))).toEqual(treeLines(PASSED, NONE));
});

test('a reason is said once for an operation', () => {
  const reasons = new Set<string>();
  const other: Result = { ...NOT_CHECKED, operation: 'listAutomations' };
  expect([NOT_CHECKED, NOT_CHECKED, other].map((it) => treeLines(it, NONE, reasons).length)).toEqual([2, 1, 2]);
  const [again, once] = [1, 2].map(() => treeLines(NOT_CHECKED, NONE, reasons)[0]);
  // Another reason stands above the first of the two.
  expect(again).toMatch(/ \(not checked: it is empty\)$/);
  expect(once).toMatch(/ \(not checked: same reason as above\)$/);
});

test('the totals count each outcome, and what is needed is named once', () => {
  expect(totals(results)).toEqual({ passed: 1, failed: 1, not_checked: 2 });
  expect(totalsLine(results, NONE)).toBe('1 rule passed, 1 failed, 2 need records.');
  expect(totalsLine(results, KNOWN)).toBe('1 rule passed, 1 failed (1 of them known), 2 need records.');
  const [, , others] = results;
  const { operation, rule, title, reason, ms } = { ...NOT_CHECKED, reason: shown('it is empty') };
  const applies = { operation, rule, title, reason, ms, outcome: 'not_checked', applies: false } as const;
  const all = [{ ...NOT_CHECKED, cause: 'list.b' }, { ...NOT_CHECKED, cause: 'list.c' }, applies, others ?? applies];
  expect(notCheckedText(all)).toBe('1 blocked by list.b, 1 by list.c, 1 needs records, 1 does not apply');
  expect(notCheckedText([PASSED])).toBe('0 not checked');
  expect(sentLine({ GET: 12, POST: 3 })).toBe(
    'Sent 15 requests (12 GET, 3 POST). Requests with a key: GET and HEAD only.',
  );
  expect(needsOf(results)).toEqual(['1 contact import']);
});

test('what is needed is a line for each collection: the largest number, and what some of the records must be', () => {
  const needs = (...all: readonly Need[]): readonly string[] => needsOf(all.map((need) => ({ ...NOT_CHECKED, need })));
  const [of, what] = ['automations', 'with the same status'];
  const some = { of, count: 21, what };
  expect(needs({ of, count: 9, actual: 2 }, some, { of: 'imports', count: 1, actual: 0 }, some)).toEqual([
    '9 automations (it has 2): 21 with the same status',
    '1 import (it has 0)',
  ]);
  expect(needs({ of, count: 101, actual: 9 }, { of, count: 22, actual: 9 })).toEqual(['101 automations (it has 9)']);
  expect(needs(some, { of, count: 2, what: 'with the same created_at' })).toEqual([
    'automations: 21 with the same status; 2 with the same created_at',
  ]);
});

describe('failures', () => {
  test('show request, expectation, response and difference, and every other finding in a line', () => {
    const others = [
      { ...FINDING, request: shown('GET /2'), difference: shown('item 1 is missing: x') },
      { ...FINDING, request: shown('GET /3') },
    ];
    const result = failed('listAutomations', { ...FINDING, difference: shown('name is "b", not "a"') }, ...others);
    expect(failureLines([PASSED, result], NONE)).toEqual([
      ...['', 'Failures', '  list.b: GET /a?b&c: 500, expected 200', '      rule        a < b & "c"'],
      '      in          listAutomations',
      ...['      request     GET /a?b&c', '      expected    200', '      actual      500 \u0007\u202e'],
      ...['      difference  name is "b", not "a"'],
      ...['      also        GET /2: item 1 is missing: x', '      also        GET /3: 500'],
    ]);
  });

  test('say what to change, and an earlier request whose response has the same body', () => {
    const result = { ...failed('listAutomations', { ...FINDING, sameAs: shown('GET /a') }), change: 'Mend it.' };
    expect(failureLines([result], NONE).slice(-2)).toEqual(['      same body   GET /a', '      change      Mend it.']);
    expect(annotations({ ...RUN, results: [result], baseline: NONE })).toEqual([
      expect.stringMatching(/same body {3}GET \/a%0Achange {6}Mend it\.$/),
    ]);
  });

  const headsOf = (all: readonly Result[]): readonly string[] =>
    failureLines(all, NONE).filter((it) => /^ {2}\S|fix first/.test(it));

  test('begin with the one because of which most results are not checked, if there are three of them', () => {
    const late: Result = { ...failed('listAutomations'), rule: 'list.late' };
    const blocked: Result = { ...NOT_CHECKED, reason: shown('blocked by list.late, which failed'), cause: 'list.late' };
    const two = [FAILED, late, blocked, blocked];
    expect(headsOf(two)).toEqual([
      '  list.b: GET /a?b&c: 500, expected 200',
      '  list.late: GET /a?b&c: 500, expected 200',
    ]);
    expect(headsOf([...two, blocked])).toEqual([
      '  list.late: GET /a?b&c: 500, expected 200',
      '      fix first   it blocks 3 other results',
      '  list.b: GET /a?b&c: 500, expected 200',
    ]);
  });

  test('begin with the first response that has the body of another request, if four rules or more fail so', () => {
    const copies = ['list.c', 'list.d', 'list.e', 'list.f'].map((rule): Result => {
      return { ...failed('listAutomations', { ...FINDING, sameAs: shown('GET /a') }), rule };
    });
    expect(headsOf([FAILED, ...copies.slice(1)])[0]).toBe('  list.b: GET /a?b&c: 500, expected 200');
    expect(headsOf([FAILED, ...copies]).slice(0, 2)).toEqual([
      '  list.c: GET /a?b&c: 500, expected 200',
      expect.stringMatching(/^ {6}fix first {3}4 rules fail because a response has the body of another request/),
    ]);
  });

  const causes = (...all: readonly Result[]): readonly string[] =>
    failureLines(all, NONE).filter((it) => it.includes('  in  '));
  const of = (actual: string): Finding => ({ ...FINDING, actual: shown(actual) });
  const ID = '00000000-0000-4000-8000-00000000000';

  test.each<[string, Finding, Finding]>([
    ['a status', of('200 {"data":[]}'), of('200 {"object":"list"}')],
    ['words, but for ids', of(`${ID}1 again`), of(`${ID}2 again`)],
    ['words, but for numbers', of('X-Id: 12'), of('X-Id: 345')],
  ])('of one rule that agree in %s are one cause, said once with all operations', (_, one, other) => {
    const both = [failed('listAutomations', one), failed('listContactImports', other)] as const;
    expect(causes(...both)).toEqual(['      in          listAutomations, listContactImports']);
    expect(causes(both[0], { ...both[1], rule: 'list.c' })).toHaveLength(2);
  });

  test('of one rule that differ are two causes', () => {
    expect(causes(failed('listAutomations', of('200 {}')), failed('listContactImports', of('404 {}')))).toHaveLength(2);
    expect(causes(failed('listAutomations', of('X: a')), failed('listContactImports', of('X: b')))).toHaveLength(2);
  });

  test('that are known, and those that pass again, stand apart', () => {
    const other = failed('listContactImports');
    const baseline = new Set([...KNOWN, 'listAutomations list.a', 'getContactImport get.c']);
    const lines = failureLines([...results, other], baseline);
    expect(lines.filter((it) => !it.startsWith('      ') || it.includes('  in  '))).toEqual([
      ...['', 'Failures', '  list.b: GET /a?b&c: 500, expected 200', '      in          listContactImports'],
      ...['', 'Known failures', '  listAutomations list.b'],
      ...['', 'Passed: remove from the baseline', '  listAutomations list.a'],
    ]);
  });

  test('that are none take no line', () => {
    expect(failureLines([PASSED, NOT_CHECKED], NONE)).toEqual([]);
  });
});

describe('JUnit', () => {
  const report = { ...RUN, results: results.slice(0, 3), baseline: NONE };
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rollcall conform">\n';
  const open = (suite: string): string => `  <testsuite name="listAutomations" tests="2" ${suite} time="1.234">
    <testcase classname="listAutomations.list.a" name="it is so" time="1.200"/>
    <testcase classname="listAutomations.list.b" name="a &lt; b &amp; &quot;c&quot;" time="0.034">`;
  const rest = `</testcase>
  </testsuite>
  <testsuite name="getContactImport" tests="1" failures="0" skipped="1" time="0.000">
    <testcase classname="getContactImport.get.c" name="nothing" time="0.000"><skipped message="not checked: it is empty"/></testcase>
  </testsuite>
`;
  const failure = `<failure message="GET /a?b&amp;c: 500, expected 200">request     GET /a?b&amp;c
expected    200
actual      500 \ufffd\ufffd</failure>`;
  const suites = `${open('failures="1" skipped="0"')}${failure}${rest}`;

  test('has a suite for each operation, with times, and the request in the message of a failure', () => {
    expect(junit(report)).toBe(`${head}${suites}</testsuites>\n`);
  });

  test('has every finding of a failure', () => {
    const other = { ...FINDING, request: shown('GET /2'), difference: shown('x is 1, not 2') };
    const xml = junit({ ...report, results: [failed('listAutomations', FINDING, other)] });
    expect(xml).toContain(
      '\ufffd\ufffd\n\nrequest     GET /2\nexpected    200\nactual      500 \ufffd\ufffd\ndifference  x is 1, not 2</failure>',
    );
  });

  test('has known failures as skipped', () => {
    const known = `${open('failures="0" skipped="1"')}<skipped message="a known failure"/>${rest}`;
    expect(junit({ ...report, baseline: KNOWN })).toBe(`${head}${known}</testsuites>\n`);
  });

  test('has an error if the run broke off', () => {
    const error = `  <testsuite name="run" tests="1" errors="1">
    <testcase classname="run" name="it could be tested"><error message="&gt;"/></testcase>
  </testsuite>
`;
    expect(junit({ ...report, untestable: shown('>') })).toBe(`${head}${suites}${error}</testsuites>\n`);
  });

  test('has a failure if known failures pass that must not', () => {
    const failed = `  <testsuite name="run" tests="1" failures="1">
    <testcase classname="run" name="known failures fail"><failure message="Remove it."/></testcase>
  </testsuite>
`;
    expect(junit({ ...report, stale: 'Remove it.' })).toBe(`${head}${suites}${failed}</testsuites>\n`);
  });
});

test('a number of items is no status', () => {
  const actual = shown('112 of 150 items are missing with 1 per page; first missing: 7');
  const result = failed('listAutomations', { ...FINDING, actual });
  expect(junit({ ...RUN, command: 'audit', results: [result], baseline: NONE })).toContain(
    '<failure message="112 of 150 items are missing with 1 per page">',
  );
  expect(annotations({ ...RUN, command: 'audit', results: [result], baseline: NONE })[0]).toMatch(
    /^::error title=listAutomations%3A 112 of 150 items are missing with 1 per page::/,
  );
});

describe('annotations of GitHub', () => {
  const STALE = '::error title=a known failure passes::rollcall conform: --strict-baseline%0ARemove it.';

  test('have its escapes, and leave out known failures', () => {
    const finding = {
      ...{ request: shown('GET /a?b=%20'), expected: shown('200'), actual: shown('500 a\r\nb::c \u0007') },
    };
    const result = { ...failed('listAutomations', finding), rule: 'list.b,c:d%' };
    expect(annotations({ ...RUN, results: [PASSED, result, NOT_CHECKED], baseline: NONE })).toEqual([
      '::error title=GET /a?b=%2520%3A 500%2C expected 200::rollcall conform: list.b,c:d%25%0A' +
        'rule        a < b & "c"%0Ain          listAutomations%0Arequest     GET /a?b=%2520%0Aexpected    200%0Aactual      500 a%0D%0Ab::c \ufffd',
    ]);
    expect(annotations({ ...RUN, results: [FAILED], baseline: KNOWN })).toEqual([]);
    expect(annotations({ ...RUN, results: [PASSED], baseline: KNOWN, stale: 'Remove it.' })).toEqual([STALE]);
  });

  test('are one for each rule, with all operations that break it', () => {
    const other = failed('listContactImports', { ...FINDING, actual: shown('404 {}') });
    expect(annotations({ ...RUN, results: [FAILED, other], baseline: NONE })).toEqual([
      expect.stringMatching(
        /^::error title=[^:]+::rollcall conform: list\.b%0Arule {8}a < b & "c"%0Ain {10}listAutomations, listContactImports%0Arequest /,
      ),
    ]);
  });

  test('begin with the rule that is to be mended first', () => {
    const late: Result = { ...FAILED, rule: 'list.late' };
    const blocked: Result = { ...NOT_CHECKED, reason: shown('blocked by list.late, which failed'), cause: 'list.late' };
    const [first] = annotations({ ...RUN, results: [FAILED, late, blocked, blocked, blocked], baseline: NONE });
    expect(first).toMatch(/^::error title=[^:]+::rollcall conform: list\.late%0A/);
  });

  /** @returns the rules of the annotations of a run in which so many rules have failed. */
  const rulesOf = (rules: number, stale?: string): readonly (string | undefined)[] => {
    const results = Array.from({ length: rules }, (_, at): Result => ({ ...FAILED, rule: `list.r${String(at + 1)}` }));
    return annotations({ ...RUN, results, baseline: NONE, stale }).map(
      (it) => /title=[^:]+::rollcall conform: (.*?)(%0A|$)/.exec(it)?.[1],
    );
  };
  const ids = (first: number, last: number): readonly string[] =>
    Array.from({ length: last - first + 1 }, (_, at) => `list.r${String(first + at)}`);

  test('are at most ten, which GitHub keeps of a step; the tenth says how many more there are', () => {
    expect(rulesOf(10)).toEqual(ids(1, 10));
    expect(rulesOf(11)).toEqual([...ids(1, 9), 'list.r10, list.r11']);
    expect(rulesOf(9, 'Remove it.')).toEqual(['--strict-baseline', ...ids(1, 9)]);
    expect(rulesOf(10, 'Remove it.')).toEqual(['--strict-baseline', ...ids(1, 8), 'list.r9, list.r10']);
    const results = ids(1, 24).map((rule): Result => ({ ...FAILED, rule }));
    expect(annotations({ ...RUN, results, baseline: NONE }).at(-1)).toBe(
      `::error title=15 more rules failed::rollcall conform: ${ids(10, 24).join(', ')}`,
    );
  });
});
