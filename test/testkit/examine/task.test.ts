/** The driver protocol: the arguments of tasks, and how printed results are read. */
import { describe, expect, test } from '@jest/globals';
import type { Ending } from '../../../audit/child.ts';
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
  ['a failure', exited(1), 'log\ngiving up\n', 'ended with exit code 1; standard error: giving up'],
  ['a silent error', exited(10), '', 'ended with exit code 10 without a line `error <status> <name>`'],
  ['a signal', { kind: 'killed', signal: 'SIGSEGV' }, '', 'was ended by SIGSEGV'],
  ['a hang', { kind: 'hung' }, '', 'did not end within 20 seconds and was killed'],
  ['a flood', { kind: 'flooded' }, '', 'printed more than 1 MB and was killed'],
  ['no start', { kind: 'not_started', reason: 'x' }, '', 'the command could not be started: x'],
])('%s is no result', (_, ending, stderr, broken) => {
  expect(read('', ending, stderr).broken).toBe(broken);
});

const PYTHON = `Traceback (most recent call last):
  File "driver.py", line 3, in <module>
    json.loads(text)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "driver.py", line 4, in <module>
    raise Failed("cannot read")
Failed: cannot read
`;
const GO = `GET /automations: Error: retrying
panic: runtime error: index out of range [1] with length 0

goroutine 1 [running]:
main.main()
\t/driver.go:3 +0x52
exit status 2
`;
const NODE = `node:internal/modules/cjs/loader:1568
  throw err;
  ^

Error: Cannot find module 'client'
Require stack:
- /driver.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1564:15) {
  code: 'MODULE_NOT_FOUND',
}

Node.js v24.21.0
`;
const NODE_FETCH = `node:internal/modules/run_main:107
    triggerUncaughtException(
    ^

[TypeError: fetch failed] {
  [cause]: Error: bad port
      at makeNetworkError (node:internal/deps/undici/undici:11841:35)
}

Node.js v24.21.0
`;
const JAVA = `Exception in thread "main" java.lang.IllegalStateException: no page
\tat Driver.main(Driver.java:3)
Caused by: java.io.IOException: closed
\t... 1 more
`;
const RUST = `
thread 'main' (7) panicked at src/main.rs:2:5:
no page
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace
`;

test.each([
  ['Python', PYTHON, 'Failed: cannot read'],
  ['Go', GO, 'panic: runtime error: index out of range [1] with length 0'],
  ['Node', NODE, "Error: Cannot find module 'client'"],
  ['Node, of an error without a stack', NODE_FETCH, '[TypeError: fetch failed] {'],
  ['Node, of a value that is no error', '/driver.js:1\nthrow 5\n^\n5\n\nNode.js v24.21.0\n', '5'],
  ['Java', JAVA, 'Exception in thread "main" java.lang.IllegalStateException: no page'],
  ['Rust', RUST, 'no page'],
])('of a crash of %s, the line is shown that says what happened', (_, stderr, line) => {
  expect(read('', exited(1), stderr).broken).toBe(`ended with exit code 1; standard error: ${line}`);
});

test('an error counts whatever the exit code is, which has its own rule; a hang after it does not', () => {
  expect(read('error 404 not_found', exited(1)).broken).toBeUndefined();
  expect(read('error 404 not_found', { kind: 'hung' }).broken).toBe('did not end within 20 seconds and was killed');
});
