/** How results are shown: as a tree, as totals, and as JUnit XML. */
import { expect, test } from '@jest/globals';
import type { Result } from '../../server/conform/conform.ts';
import { junit, needsOf, sentLine, totalsLine, treeLines } from '../../server/conform/report.ts';

const PASSED: Result = { operation: 'listAutomations', rule: 'list.a', title: 'it is so', outcome: 'passed' };
const FAILED: Result = {
  ...{ operation: 'listAutomations', rule: 'list.b', title: 'a < b & "c"', outcome: 'failed' },
  ...{ request: 'GET /a?b&c', expected: '200', actual: '500 \u0007\u202e' },
};
const SKIPPED: Result = {
  ...{ operation: 'getContactImport', rule: 'get.c', title: 'nothing', outcome: 'skipped', reason: 'it is empty' },
  needs: ['1 contact import'],
};
const results = [PASSED, FAILED, SKIPPED, SKIPPED];

test('the tree has the reason below each rule that did not pass', () => {
  expect(results.slice(0, 3).map(treeLines)).toEqual([
    ['  ✓ list.a                     it is so'],
    [
      '  ✗ list.b                     a < b & "c"',
      '      request   GET /a?b&c',
      '      expected  200',
      '      actual    500 \u0007\u202e',
    ],
    ['  – get.c                      nothing', '      skipped: it is empty'],
  ]);
});

test('the totals count each outcome, and what is needed is named once', () => {
  expect(totalsLine(results)).toBe('1 rule passed, 1 failed, 2 skipped.');
  expect(sentLine({ GET: 12, POST: 3 })).toBe('Sent: 12 GET, 3 POST; with a key only GET and HEAD.');
  expect(needsOf(results)).toEqual(['1 contact import']);
});

test('JUnit has a suite for each operation, and an error if the run broke off', () => {
  const report = { url: 'http://x', sent: {}, results: results.slice(0, 3) };
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rollcall conform">\n';
  const suites = `  <testsuite name="listAutomations" tests="2" failures="1" skipped="0">
    <testcase classname="listAutomations.list.a" name="it is so"/>
    <testcase classname="listAutomations.list.b" name="a &lt; b &amp; &quot;c&quot;"><failure message="expected 200">request GET /a?b&amp;c
expected 200
actual 500 \ufffd\ufffd</failure></testcase>
  </testsuite>
  <testsuite name="getContactImport" tests="1" failures="0" skipped="1">
    <testcase classname="getContactImport.get.c" name="nothing"><skipped message="it is empty"/></testcase>
  </testsuite>
`;
  const error = `  <testsuite name="run" tests="1" errors="1">
    <testcase classname="run" name="it could be tested"><error message="&gt;"/></testcase>
  </testsuite>
`;
  expect(junit({ ...report, untestable: undefined })).toBe(`${head}${suites}</testsuites>\n`);
  expect(junit({ ...report, untestable: '>' })).toBe(`${head}${suites}${error}</testsuites>\n`);
});
