/** `rollcall examine`: its options, its output, and how it ends. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { quoted } from '../../testkit/examine/judge.ts';
import { RULES } from '../../testkit/examine/rules.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';

// One page, without retries, and without a word about errors.
const DRIVER = `
const [task, name] = process.argv.slice(2);
const url = process.env.ROLLCALL_BASE_URL + (task === 'get' ? '/contacts/imports/' + name : '/automations');
const response = await fetch(url, { headers: { authorization: 'Bearer ' + process.env.ROLLCALL_API_KEY } });
const body = await response.json();
if (task === 'get') console.log('unsupported');
else for (const it of body.data ?? []) console.log(it.id);
`;

const DOCS = join(ROOT, 'docs');
let driver: readonly string[];
beforeEach(() => {
  writeFileSync(folder.path('driver.mjs'), DRIVER);
  driver = ['--', process.execPath, folder.path('driver.mjs')];
});
const examine = (...argv: readonly string[]): Promise<Ran> => folder.call(['examine', ...argv, ...driver]);

interface Printed {
  readonly passed: number;
  readonly failed: number;
  readonly not_checked: number;
  readonly known: number;
  readonly untestable?: string;
  readonly results: readonly { readonly rule: string; readonly outcome: string; readonly link: string }[];
}
const read = ({ stdout }: Ran): Printed => JSON.parse(stdout) as Printed;

test('--rules prints every rule', async () => {
  const { code, stdout } = await folder.call(['examine', '--rules']);
  expect(code).toBe(0);
  expect(
    stdout
      .split('\n')
      .slice(1, -1)
      .map((it) => it.split(' ', 1)[0]),
  ).toEqual(RULES.map((it) => it.id));
});

test('--only takes ids and areas, several times; what they depend on runs too', async () => {
  const ran = await examine('--json', '--only', 'driver', '--only', 'requests.method,errors.missing_api_key');
  const { passed, failed, not_checked, results } = read(ran);
  expect(results.map((it) => [it.rule, it.outcome])).toEqual([
    ['driver.runs', 'passed'],
    ['driver.exit_code', 'not_checked'],
    ['errors.missing_api_key', 'failed'],
    ['requests.method', 'passed'],
  ]);
  expect([passed, failed, not_checked]).toEqual([2, 1, 1]);
  expect(results[2]?.link).toBe(`${DOCS}/examine-rules.md#errors.missing_api_key`);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toBe('rollcall: The client breaks 1 rule.\n');
});

test('a failure shows task, requests, expectation and output, and how to run it again', async () => {
  const { stdout, code } = await examine('--only', 'errors.missing_api_key');
  expect(stdout.replace(/^Ran the command .*\n/m, '')).toBe(`
errors
  ✗ errors.missing_api_key       a 401 is an error with its name, missing_api_key

Failures
  errors.missing_api_key: a 401 is an error with its name, missing_api_key
      why         A program without a key must not look like one whose account is empty.
      task        list automations
      requests    GET /automations -> 401 missing_api_key: Send an API key: \`Authorization: Bearer <key>\`.
      expected    \`error 401 missing_api_key\`
      actual      no ids, and no error
      run again   rollcall examine --only errors.missing_api_key ${driver.map(quoted).join(' ')}
      see         ${DOCS}/examine-rules.md#errors.missing_api_key

0 rules passed, 1 failed, 0 not checked.
`);
  expect(code).toBe(1);
});

describe('reports', () => {
  const only = ['--only', 'driver.runs,errors.missing_api_key'];

  test('--junit and --github', async () => {
    const { stdout } = await examine(...only, '--junit', folder.path('report.xml'), '--github');
    const xml = readFileSync(folder.path('report.xml'), 'utf8');
    expect(xml).toContain('<testsuites name="rollcall examine">\n  <testsuite name="driver" tests="1" failures="0"');
    expect(xml).toContain('<testcase classname="errors.missing_api_key" name="a 401 is an error');
    expect(stdout).toContain('::error title=rollcall examine%3A errors.missing_api_key::a 401 is an error');
  });

  test('known failures are written, read, and reported once they pass', async () => {
    const file = folder.path('known.txt');
    const written = await examine(...only, '--write-baseline', file);
    expect(written.code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(
      '# Known failures of rollcall examine: a rule on each line.\nerrors.missing_api_key\n',
    );
    const known = await examine(...only, '--json', '--baseline', file, '--strict-baseline');
    expect([known.code, read(known).known]).toEqual([0, 1]);
    writeFileSync(file, 'driver.runs\n');
    const fixed = await examine('--only', 'driver.runs', '--baseline', file, '--strict-baseline');
    expect([fixed.code, fixed.stderr]).toEqual([
      1,
      `rollcall: 1 known failure passed. Remove from ${file}: driver.runs.\n`,
    ]);
  });
});

test.each([
  ['no command', ['examine'], "error: missing the command of the client after '--'"],
  [
    'an unknown rule',
    ['examine', '--only', 'nope', '--', 'x'],
    'error: unknown rule "nope"; there are the areas driver, ',
  ],
  [
    'a time limit of 0',
    ['examine', '--timeout', '0', '--', 'x'],
    'It must be a whole number of seconds from 1 to 3600.',
  ],
  ['a baseline that is not there', ['examine', '--baseline', 'none.txt', '--', 'x'], 'does not exist'],
  [
    'a baseline whose line is no rule',
    ['examine', '--baseline', 'b.txt', '--', 'x'],
    'line 1 must be a rule, such as pagination.cursor, not "listAutomations list.after"',
  ],
])('incorrect usage exits with 2: %s', async (_, argv, message) => {
  writeFileSync(folder.path('b.txt'), 'listAutomations list.after\n');
  const { code, stderr } = await folder.call(argv);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('a command that cannot be started ends the examination with one message and 3', async () => {
  const { code, stdout, stderr } = await folder.call(['examine', '--', './no-such-driver']);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toBe(
    'rollcall: The client was not examined: the command could not be started: spawn ./no-such-driver ENOENT.\n',
  );
});

test('a client that supports no task exits with 3', async () => {
  writeFileSync(folder.path('driver.mjs'), "console.log('unsupported');");
  const { code, stderr } = await examine();
  expect([code, stderr]).toEqual([
    3,
    'rollcall: No rule could be checked: the client does not support list automations.\n',
  ]);
});

test('a driver that crashes is one failure, with the end of its standard error', async () => {
  writeFileSync(folder.path('driver.mjs'), "throw new Error('boom');");
  const ran = await examine('--json');
  const { results, failed } = read(ran);
  expect([ran.code, failed, results.length]).toEqual([1, 1, RULES.length]);
  expect(results[0]).toMatchObject({ rule: 'driver.runs', outcome: 'failed' });
});

test('SIGINT kills the driver, and ends the examination', async () => {
  writeFileSync(
    folder.path('driver.mjs'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(folder.path('pid'))}, String(process.pid)); setInterval(() => {}, 1000);`,
  );
  const running = folder.start(['examine', ...driver]);
  while (!existsSync(folder.path('pid')) || readFileSync(folder.path('pid'), 'utf8') === '') await sleep(20);
  const pid = Number(readFileSync(folder.path('pid'), 'utf8'));
  running.process.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([3, 'rollcall: The client was not examined: the examination was interrupted.\n']);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
