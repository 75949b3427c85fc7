/** The file of known failures, and what a run is compared with. */
import { describe, expect, test } from '@jest/globals';
import { compareWithBaseline, formatBaseline, parseBaseline } from '../../../audit/report/baseline.ts';
import { EVERY_RESPONSE } from '../../../audit/conform/conform.ts';
import type { Result } from '../../../audit/conform/conform.ts';
import { shown } from '../../support/text.ts';

const OPERATIONS: readonly string[] = ['listAutomations', EVERY_RESPONSE];
const RULES: readonly string[] = ['list.a', 'header.b'];
const parse = (text: string): string[] => [...parseBaseline(text, OPERATIONS, RULES, 'conform')];

const head = { title: 'it is so', ms: 1 };
const FAILED: Result = {
  ...{ ...head, operation: 'listAutomations', rule: 'list.a', outcome: 'failed' },
  findings: [{ request: shown('GET /'), expected: shown('200'), actual: shown('500') }],
};
const OF_ALL: Result = { ...FAILED, operation: EVERY_RESPONSE, rule: 'header.b' };
const PASSED: Result = { ...head, operation: 'listAutomations', rule: 'header.b', outcome: 'passed' };

test('failures are written, one on a line, and read again', () => {
  const text = formatBaseline([FAILED, PASSED, OF_ALL], 'conform');
  expect(text).toBe(
    '# Known failures of rollcall conform: an operation and a rule on each line.\nlistAutomations list.a\nevery response header.b\n',
  );
  expect(parse(text)).toEqual(['listAutomations list.a', 'every response header.b']);
  expect(parse(formatBaseline([], 'conform'))).toEqual([]);
});

test('comments, empty lines and blanks are ignored, and a line twice counts once', () => {
  expect(parse('\r\n  # a comment\n\n\tlistAutomations \t list.a \r\nlistAutomations list.a')).toEqual([
    'listAutomations list.a',
  ]);
});

test.each([
  ['listAutomations', '"listAutomations"'],
  ['list.a', '"list.a"'],
  ['listAutomation list.a', '"listAutomation list.a"'],
  ['listAutomations list.a # since May', '"listAutomations list.a # since May"'],
])('a line that is something else is said with its number: %s', (line, named) => {
  expect(() => parse(`# one\nlistAutomations list.a\n${line}\n`)).toThrow(
    `line 3 must be an operation and a rule, such as listAutomations list.after, not ${named}`,
  );
});

test('a rule that there is not is answered by those of its area', () => {
  expect(() => parse('listAutomations list.z')).toThrow(
    'line 1 has the unknown rule "list.z"; the rules of list are list.a',
  );
});

describe('a run is compared by operation and rule', () => {
  const none = { unexpected: [], known: [], fixed: [] };
  test.each<[string, readonly string[], object]>([
    ['nothing is known', [], { unexpected: [FAILED, OF_ALL] }],
    ['one failure is known', ['listAutomations list.a'], { unexpected: [OF_ALL], known: [FAILED] }],
    ['the rule is known elsewhere', ['every response list.a'], { unexpected: [FAILED, OF_ALL] }],
    ['a known one passes', ['listAutomations header.b'], { unexpected: [FAILED, OF_ALL], fixed: [PASSED] }],
  ])('%s', (_, keys, expected) => {
    expect(compareWithBaseline([FAILED, PASSED, OF_ALL], new Set(keys))).toEqual({ ...none, ...expected });
  });

  test('a known one that was not checked is not fixed', () => {
    const unchecked: Result = {
      ...head,
      operation: 'listAutomations',
      rule: 'list.a',
      outcome: 'not_checked',
      reason: shown(''),
    };
    expect(compareWithBaseline([unchecked], new Set(['listAutomations list.a']))).toEqual(none);
  });
});
