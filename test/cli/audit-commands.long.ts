/** `rollcall audit` with the user's own commands: what runs, what never does, and what is said of it. */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from '@jest/globals';
import { runInShell } from '../../command/shell.ts';
import type { Result } from '../../audit/rules/rule.ts';
import { serve } from '../audit/conform/bad-servers.ts';
import { Store } from '../audit/lists/movable.ts';
import { rowsOf } from '../audit/lists/server.ts';
import type { Reply } from '../audit/lists/server.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { show } from '../support/text.ts';
import { audit, start } from './lists.ts';

const DONE: Reply = { status: 200, headers: {}, body: {} };
/** Starts a list that POST adds to, DELETE removes from, and PUT sets up; /truth has its ids. */
async function startChanging(): Promise<{
  readonly url: string;
  readonly root: string;
  readonly changes: readonly string[];
}> {
  const store = new Store('token');
  const changes: string[] = [];
  const url = await start({
    style: 'token',
    rows: store.rows,
    order: () => store.rows,
    before: ({ req: { method = '' }, url: { pathname } }) => {
      if (pathname === '/truth') return { ...DONE, body: store.rows.map(({ id }) => id) };
      if (method === 'GET') return undefined;
      changes.push(`${method} ${pathname}`);
      const last = pathname.split('/').at(-1) ?? '';
      if (method === 'POST') store.add();
      else if (method === 'DELETE') store.remove(last);
      else store.setUp(Number(last));
      return DONE;
    },
  });
  return { url, root: url.replace(/\/items$/, ''), changes };
}
/** A command that sends a request. */
const send = (method: string, url: string): string =>
  `"${process.execPath}" -e 'fetch(process.argv[1], { method: "${method}" })' "${url}"`;
const outcomesOf = ({ stdout }: Ran): Readonly<Record<string, string>> => {
  const { results } = JSON.parse(stdout) as { readonly results: readonly Result[] };
  return Object.fromEntries(results.map((it) => [it.rule, it.outcome === 'not_checked' ? it.reason : it.outcome]));
};

test('the commands run between two pages, set up each length, and name the truth; what may run is said before', async () => {
  const { url, root, changes } = await startChanging();
  const [add, remove] = [send('POST', url), send('DELETE', `${url}/{id}`)];
  const [setup, truth] = [send('PUT', `${url}/{count}`), `${root}/truth`];
  const commands = ['--add', add, '--remove', remove, '--resize', setup, '--expect-ids', truth];
  const ran = await audit(url, '--json', '--only', 'change,cursor.removed-item,end.lengths,expected', ...commands);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    [
      `Runs at most 4 times, with a shell: ${add}`,
      `Runs at most 8 times, with a shell: ${remove}`,
      `Runs at most 6 times, with a shell: ${setup}`,
      '',
    ].join('\n'),
  ]);
  expect(outcomesOf(ran)).toEqual({
    ...{ 'expected.missing': 'passed', 'change.insert': 'passed', 'change.remove': 'passed' },
    ...{ 'cursor.removed-item': 'passed', 'end.lengths': 'passed' },
  });
  // Those that were added are the first ones to go. Then the last item of page one, and the first one of page two.
  expect(changes).toEqual([
    'POST /items',
    'POST /items',
    'DELETE /items/9002',
    'DELETE /items/9001',
    'DELETE /items/101',
    'DELETE /items/99',
    ...[0, 1, 2, 3, 4, 6].map((count) => `PUT /items/${String(count)}`),
  ]);
});

test('nothing is changed without a command, and the rules that need one are left out', async () => {
  const { url, changes } = await startChanging();
  const ran = await audit(url, '--json');
  expect(Object.keys(outcomesOf(ran)).filter((it) => /move|gone|lengths|truth/.test(it))).toEqual([]);
  expect(changes).toEqual([]);
});

describe('a rule is not checked if its command', () => {
  test.each([
    ['fails', "echo 'first' >&2; echo 'no connection' >&2; exit 7", 'it exited with 7: no connection'],
    ['is unknown', 'no-such-program 2> /dev/null', 'it exited with 127'],
    ['is killed', 'kill -9 $$', 'it was ended by SIGKILL'],
    ['prints without end', 'yes', 'it printed more than 1 MB'],
  ])('%s', async (_, add, why) => {
    const { url } = await startChanging();
    const ran = await audit(url, '--json', '--only', 'change.insert', '--add', add);
    expect([ran.code, outcomesOf(ran)]).toEqual([3, { 'change.insert': `the command of --add failed: ${why}` }]);
  });

  test('would be given what a server has made to be run', async () => {
    const url = await start({ style: 'token', rows: rowsOf(40, (n) => `$(touch pwned)${String(n)}`) });
    const remove = `touch ${folder.path('ran')} # {id}`;
    const ran = await audit(url, '--json', '--only', 'change.remove', '--remove', remove);
    expect(outcomesOf(ran)).toEqual({
      'change.remove':
        'the id "$(touch pwned)40" has characters that a shell may interpret, so it is not passed to --remove',
    });
    expect(existsSync(folder.path('ran'))).toBe(false);
  });
});

describe('the truth', () => {
  test.each([
    ['is no JSON', '[1, 2', '--expect-ids begins like an array, but is not JSON'],
    ['is an array of objects', '[{"id": 1}]', '--expect-ids is not an array of strings and numbers only'],
    ['is empty', '\n', '--expect-ids prints no id'],
  ])('%s: not checked', async (_, text, why) => {
    const { url } = await startChanging();
    const ran = await audit(url, '--json', '--only', 'expected', '--expect-ids', `printf '%s' '${text}'`);
    expect(outcomesOf(ran)).toEqual({ 'expected.missing': why });
  });

  test('of another origin is requested without the key, and its errors are named', async () => {
    const { url } = await startChanging();
    const keys: (string | undefined)[] = [];
    const other = await serve((req, res) => {
      keys.push(req.headers.authorization);
      res.writeHead(503, { 'retry-after': '0' }).end();
    });
    const options = ['-H', 'Authorization: Bearer key-of-the-list', '--expect-ids', `${other}/ids`];
    expect(outcomesOf(await audit(url, '--json', '--only', 'expected', ...options))).toEqual({
      'expected.missing': '--expect-ids fails: 503',
    });
    expect(new Set(keys)).toEqual(new Set([undefined]));
  });

  test('that the list lacks is a failure', async () => {
    const { url } = await startChanging();
    const ran = await audit(url, '--only', 'expected', '--expect-ids', 'seq -w 1 122');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(
      'FAIL  expected.missing     101 of 122 items of --expect-ids are missing; first: 001\n',
    );
  });
});

test('an interrupt ends the command and the audit', async () => {
  const { url } = await startChanging();
  const argv = ['audit', url, '--only', 'change.insert', '--add', 'kill -TERM $PPID; sleep 600'];
  const { code, stderr } = await folder.run(argv);
  expect([code, stderr.split('\n').at(-2)]).toEqual([
    3,
    'rollcall: The list could not be audited. The audit was interrupted.',
  ]);
});

test('a command that does not end is killed', async () => {
  const { failure, output } = await runInShell('sleep 600', 20);
  expect([failure && show(failure), output]).toEqual(['it did not end within 0.02 s', '']);
});

test('wrong usage ends with 2, before a request', async () => {
  for (const [argv, message] of [
    [['--remove', 'rm it'], 'the command of --remove has no {id}: the item to remove'],
    [['--resize', 'make it'], 'the command of --resize has no {count}: the length of the list'],
  ] as const)
    expect(await audit('http://127.0.0.1:1/a', ...argv)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`error: ${message}\n`) as unknown,
    });
});
