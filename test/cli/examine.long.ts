/** `rollcall examine`: its options, its output, and how it ends. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SCENARIOS } from '../../audit/fake/scenarios.ts';
import type { Ran } from '../support/cli.ts';
import { shellWord } from '../../command/shell.ts';
import { folder } from '../support/own-folder.ts';

const PROFILE = `url: http://localhost:8000/orders
headers: { Authorization: 'Bearer \${KEY}' }
items: items
id: id
size: { param: limit, max: 100, default: 10 }
next: { token: cursor, from: next_cursor }
`;
/** It takes every status for a page: an error has no items, and is the end. */
const CLIENT = `
const url = new URL(process.env.ROLLCALL_URL);
url.searchParams.set('limit', '2');
for (;;) {
  const response = await fetch(url, { headers: { authorization: 'Bearer ' + process.env.KEY } });
  const body = await response.json();
  for (const { id } of body.items ?? []) console.log(id);
  if (!body.next_cursor) break;
  url.searchParams.set('cursor', body.next_cursor);
}
`;

let client: readonly string[];
beforeEach(() => {
  writeFileSync(folder.path('orders.yaml'), PROFILE);
  writeFileSync(folder.path('client.mjs'), CLIENT);
  client = ['orders.yaml', '--', process.execPath, 'client.mjs'];
});
const examine = (...argv: readonly string[]): Promise<Ran> => folder.call(['examine', ...argv, ...client]);
const writes = (text: string): void => {
  writeFileSync(folder.path('client.mjs'), text);
};

interface Printed {
  readonly passed: number;
  readonly failed: number;
  readonly not_checked: number;
  readonly known: number;
  readonly results: readonly { readonly rule: string; readonly outcome: string }[];
}
const read = ({ stdout }: Ran): Printed => JSON.parse(stdout) as Printed;

test('--rules prints what the server does in each scenario', async () => {
  const { code, stdout } = await folder.call(['examine', '--rules']);
  expect(code).toBe(0);
  const names = stdout
    .split('\n')
    .slice(1, -1)
    .flatMap((line) => (line.startsWith(' ') ? [] : [line.split(' ', 1)[0]]));
  expect(names).toEqual(SCENARIOS.map(({ name }) => name));
});

test('a failure says what was printed, what was requested, what to change, and how to run it again', async () => {
  const { code, stdout, stderr } = await examine('--only', 'status.500,length.1,link.comma');
  const lines = stdout.replaceAll(/cursor=\S+/g, 'cursor=…').replaceAll(shellWord(process.execPath), 'node');
  expect(lines).toBe(`FAIL  status.500               the command printed 2 of 7 items, and exited with 0; the server
      returns 500 for page 2, every time
      GET /orders?limit=2 200, 2 items, next; GET /orders?limit=2&cursor=… 500
      why it matters: Items are missing, without an error.
      what to change: The client must report an error; it may retry for a long time.
      again: rollcall examine orders.yaml --only status.500 -- node client.mjs
do not apply: link.comma (it needs link, not token)
1 passed, 1 failed, 0 notes, 1 does not apply; 4 runs of the command
`);
  expect([code, stderr]).toEqual([1, 'rollcall: The client breaks 1 rule.\n']);
});

test('--only and --skip take names and areas', async () => {
  const { code, stdout } = await examine('--json', '--only', 'length', '--skip', 'length.260-pages,length.size');
  const { passed, failed, results } = read({ code, stdout, stderr: '', signal: null });
  expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual(
    ['length.0', 'length.1', 'length.size-plus-1', 'length.two-pages', 'length.several'].map((name) => [
      name,
      'passed',
    ]),
  );
  expect([code, passed, failed]).toEqual([0, 5, 0]);
});

test('a client that sends the filter of the profile must print the items that have it', async () => {
  writeFileSync(folder.path('orders.yaml'), `${PROFILE}filter: { status: open }\n`);
  writes(
    CLIENT.replace("'limit', '2'", "'limit', '2');\nurl.searchParams.set(...process.env.ROLLCALL_PARAMS.split('=')"),
  );
  const { code, stdout } = await examine('--param', 'status=open', '--only', 'length.several,params.kept,status.500');
  expect(stdout).toContain('the command printed 2 of 7 items');
  expect(stdout).toContain('again: rollcall examine orders.yaml --param status=open --only status.500 -- ');
  expect(stdout).toContain('2 passed, 1 failed');
  expect(code).toBe(1);
});

describe('reports', () => {
  const only = ['--only', 'length.1,status.500'];

  test('--junit and --github', async () => {
    const { stdout } = await examine(...only, '--junit', folder.path('report.xml'), '--github');
    const xml = readFileSync(folder.path('report.xml'), 'utf8');
    expect(xml).toContain('<testsuites name="rollcall examine">');
    expect(xml).toContain('<testcase classname="status.500"');
    expect(stdout).toContain(
      '::error title=status.500%3A the command printed 2 of 7 items%2C and exited with 0::rollcall examine: status.500%0A',
    );
  });

  test('known failures are written, read, and reported once they pass', async () => {
    const file = folder.path('known.txt');
    expect((await examine(...only, '--write-baseline', file)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('# Known failures of rollcall examine: a rule on each line.\nstatus.500\n');
    const known = await examine(...only, '--json', '--baseline', file, '--strict-baseline');
    expect([known.code, read(known).known]).toEqual([0, 1]);
    writeFileSync(file, 'length.1\n');
    const fixed = await examine('--only', 'length.1', '--baseline', file, '--strict-baseline');
    expect([fixed.code, fixed.stderr]).toEqual([
      1,
      `rollcall: 1 known failure passed. Remove from ${file}: length.1.\n`,
    ]);
  });
});

test.each([
  ['no profile', ['examine'], 'error: missing the profile of the list: a file, or a name such as github'],
  ['no command', ['examine', 'orders.yaml'], "error: missing the command of the client after '--'"],
  [
    'no such profile',
    ['examine', 'gitlub', '--', 'x'],
    'error: no profile is called "gitlub". Give a file, or one of ',
  ],
  [
    'a profile that cannot be served',
    ['examine', 'bad.yaml', '--', 'x'],
    'error: the profile bad.yaml cannot be served: items is missing',
  ],
  [
    'an unknown rule',
    ['examine', '--only', 'nope', 'orders.yaml', '--', 'x'],
    'error: unknown rule "nope"; there are the areas length, ',
  ],
  [
    'a time limit of 0',
    ['examine', '--timeout', '0', 'orders.yaml', '--', 'x'],
    'It must be a whole number of seconds from 1 to 3600.',
  ],
  [
    'a baseline whose line is no rule',
    ['examine', '--baseline', 'b.txt', 'orders.yaml', '--', 'x'],
    'line 1 must be a rule, such as body.cut, not "listAutomations list.after"',
  ],
])('incorrect usage exits with 2: %s', async (_, argv, message) => {
  writeFileSync(folder.path('b.txt'), 'listAutomations list.after\n');
  writeFileSync(folder.path('bad.yaml'), 'url: http://localhost:8000/orders\n');
  const { code, stderr } = await folder.call(argv);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  [
    'prints what is not an id',
    "console.log('Reading'); await fetch(process.env.ROLLCALL_URL, { headers: { authorization: 'Bearer ' + process.env.KEY } })",
    /printed Reading, which is not the id of an item: print one on each line, such as \S+, or the item as JSON\./,
  ],
  [
    'prints nothing',
    "await fetch(process.env.ROLLCALL_URL, { headers: { authorization: 'Bearer ' + process.env.KEY } })",
    /printed no id of 250 items: print one on each line, such as \S+\./,
  ],
  ['requests nothing', '', /requested no page of the list at ROLLCALL_URL: it requested nothing, and exited with 0\./],
  [
    'requests something else',
    "await fetch(process.env.ROLLCALL_BASE_URL + '/other')",
    /it requested GET \/other 404, and exited with 0\./,
  ],
  [
    'requests the list below a base path',
    "await fetch(process.env.ROLLCALL_BASE_URL + '/v2/orders')",
    /it requested GET \/v2\/orders 404, and exited with 0\. It requested \/v2\/orders, but the list is at \/orders: add --base-path \/v2, and/,
  ],
  [
    'fails on a list without a fault',
    "await fetch(process.env.ROLLCALL_URL, { headers: { authorization: 'Bearer ' + process.env.KEY } }); console.error('boom'); process.exit(4)",
    /read a correct list, but exited with 4: boom\./,
  ],
])('a command that %s ends with 3, and says what is expected', async (_, text, message) => {
  writes(text);
  const { code, stdout, stderr } = await examine();
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/^rollcall: The client was not examined\. The command /);
  expect(stderr).toMatch(message);
});

test('what is said to a client that appends a base path helps', async () => {
  writes(CLIENT.replace('process.env.ROLLCALL_URL', "process.env.API_URL + '/v2/orders'"));
  client = [
    'orders.yaml',
    '--',
    'sh',
    '-c',
    `API_URL="\${ROLLCALL_BASE_URL%/v2}" exec "${process.execPath}" client.mjs`,
  ];
  const { code } = await examine('--base-path', '/v2', '--only', 'length.1');
  expect(code).toBe(0);
});

test('a command that cannot be started ends with 3', async () => {
  const { code, stdout, stderr } = await folder.call(['examine', 'orders.yaml', '--', './no-such-client']);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toBe(
    'rollcall: The client was not examined. The command could not be started: spawn ./no-such-client ENOENT.\n',
  );
});

test('the variables of the profile have the key of the fake, and no temporary file is left', async () => {
  writes(`
    import { writeFileSync } from 'node:fs';
    import { join } from 'node:path';
    writeFileSync(join(process.env.TMPDIR, 'left'), '');
    writeFileSync(${JSON.stringify(folder.path('env.json'))}, JSON.stringify(process.env));
    ${CLIENT}`);
  const { code } = await examine('--only', 'length.1', '--param', 'status=open', '--param', 'a=b');
  expect(code).toBe(0);
  const env = JSON.parse(readFileSync(folder.path('env.json'), 'utf8')) as Record<string, string>;
  expect(env).toMatchObject({
    KEY: 'rollcall-fake-key',
    ROLLCALL_API_KEY: 'rollcall-fake-key',
    ROLLCALL_PARAMS: 'status=open&a=b',
  });
  expect(env['ROLLCALL_URL']).toBe(`${String(env['ROLLCALL_BASE_URL'])}/orders`);
  expect(existsSync(String(env['TMPDIR']))).toBe(false);
});

test('SIGINT kills the command, and ends the run', async () => {
  const pidFile = folder.path('pid');
  writes(
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`,
  );
  const running = folder.start(['examine', ...client]);
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(20);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  running.process.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([3, 'rollcall: The client was not examined. The run was interrupted.\n']);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
