/** The driver protocol: the arguments of tasks, and how printed results are read. */
import { describe, expect, test } from '@jest/globals';
import type { Ending } from '../../../testkit/examine/child.ts';
import { argumentsOf, parsePrinted } from '../../../testkit/examine/task.ts';
import type { Printed } from '../../../testkit/examine/task.ts';

test('a task is given as words', () => {
  expect(argumentsOf({ do: 'get', id: 'a b' })).toEqual(['get', 'a b']);
  expect(argumentsOf({ do: 'list', collection: 'automations' })).toEqual(['list', 'automations']);
  const options = { limit: 2, status: 'queued', after: 'x', before: 'y' };
  expect(argumentsOf({ do: 'list-all', collection: 'contactImports', ...options })).toEqual([
    ...['list-all', 'contact-imports', '--limit', '2', '--status', 'queued', '--after', 'x', '--before', 'y'],
  ]);
});

const exited = (code: number): Ending => ({ kind: 'exited', code });
const read = (stdout: string, ending = exited(0), stderr = ''): Printed =>
  parsePrinted({ stdout, stderr, ending, ms: 1 }, 20_000);

describe('what is printed:', () => {
  test('lines, without spaces and empty lines', () => {
    const printed = read('a\r\n\n  b \n');
    expect(printed).toMatchObject({ lines: ['a', 'b'], error: undefined, broken: undefined, isUnsupported: false });
  });

  test.each([
    ['after lines', 'a\nerror 503 service_unavailable\n', '', ['a']],
    ['on standard error', 'a\n', 'log\nerror 503 service_unavailable\n', ['a']],
    ['twice', 'error 503 service_unavailable\n', 'error 503 service_unavailable\n', []],
  ])('an error %s', (_, stdout, stderr, lines) => {
    const { error, broken, lines: all } = read(stdout, exited(10), stderr);
    expect({ error, broken, all }).toEqual({
      ...{ error: { status: 503, name: 'service_unavailable' }, broken: undefined, all: lines },
    });
  });

  test.each(['error', 'error 503', 'error x y', 'Error 503 x', 'an error 503 x', 'error 503 x y'])(
    'no error: %s',
    (line) => {
      expect(read(line)).toMatchObject({ error: undefined, lines: [line] });
    },
  );

  test('that a task is not supported', () => {
    expect(read('unsupported\n').isUnsupported).toBe(true);
    expect(read('a\nunsupported\n').isUnsupported).toBe(false);
  });
});

test.each<[string, Ending, string, string]>([
  [
    'a crash',
    exited(1),
    'Traceback\nValueError: x\n',
    'ended with exit code 1; the last line of standard error: ValueError: x',
  ],
  ['a silent error', exited(10), '', 'ended with exit code 10 without a line `error <status> <name>`'],
  ['a signal', { kind: 'killed', signal: 'SIGSEGV' }, '', 'was ended by SIGSEGV'],
  ['a hang', { kind: 'hung' }, '', 'did not end within 20 seconds and was killed'],
  ['a flood', { kind: 'flooded' }, '', 'printed more than 1 MB and was killed'],
  ['no start', { kind: 'not_started', reason: 'x' }, '', 'the command could not be started: x'],
])('%s is no result', (_, ending, stderr, broken) => {
  expect(read('', ending, stderr).broken).toBe(broken);
});

test('an error counts whatever the exit code is, which has its own rule; a hang after it does not', () => {
  expect(read('error 404 not_found', exited(1)).broken).toBeUndefined();
  expect(read('error 404 not_found', { kind: 'hung' }).broken).toBe('did not end within 20 seconds and was killed');
});
