/** `rollcall conform` as a command: what it prints, how it ends, and that it ends. Which rules and keys it takes: `test/cli/conform`. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Result } from '../../audit/conform/conform.ts';
import { version } from '../../server/runtime.ts';
import { afterTest } from '../support/after-test.ts';
import { openTestApp } from '../support/app.ts';
import { openFolder } from '../support/cli.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';
import { BAD_SERVERS, serve } from '../audit/conform/bad-servers.ts';
import { recordsOf } from '../audit/conform/records.ts';
import { RECORDS, open } from '../audit/conform/target.ts';

interface Printed {
  readonly passed: number;
  readonly failed: number;
  readonly not_checked: number;
  readonly untestable?: string;
  readonly needs: readonly string[];
  readonly sent: Readonly<Record<string, number>>;
  readonly results: readonly Result[];
}
const read = ({ stdout }: Ran): Printed => JSON.parse(stdout) as Printed;

/** Serves an application that answers some requests on its own. @param answer says whether it has. */
async function serveBut(
  answer: (...of: Parameters<RequestListener>) => boolean,
): Promise<{ url: string; key: string }> {
  const t = await openTestApp(RECORDS);
  return open({
    ...t,
    app: (req, res) => {
      if (!answer(req, res)) t.app(req, res);
    },
  });
}
const conform = (url: string, key: string, ...argv: readonly string[]): Promise<Ran> =>
  folder.call(['conform', url, '--key', key, ...argv]);
const JUNIT = ['--junit', 'out.xml'];
const junit = (): string => readFileSync(folder.path('out.xml'), 'utf8');

test('exits with 0, prints a tree and what was sent, and writes JUnit', async () => {
  const t = await openTestApp(RECORDS);
  await t.put(recordsOf('other', 12), { account: 'other' });
  const { url, key } = await open(t);
  const env = { ROLLCALL_API_KEY: key, ROLLCALL_OTHER_API_KEY: await t.keyOf('other') };
  expect(await conform(url, key, '--seeded', '--only', 'auth')).toMatchObject({ code: 0, stderr: '' });
  const ran = await folder.run(['conform', `${url}/`, ...JUNIT], { env });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain('\nlistAutomations\n  ✓ operation.exists ');
  expect(ran.stdout).toMatch(
    /\n\d+ rules passed, 0 failed, .*\.\nSent [\d,]+ requests \(\d+ GET, .*\)\. Requests with a key: GET and HEAD only\.\nTo repeat the random choices: --random-seed \d+\n$/,
  );
  expect(junit()).toMatch(
    /^<\?xml .*\n<testsuites name="rollcall conform">\n {2}<testsuite name="listAutomations" tests="\d+" failures="0" skipped="\d+" time="\d+\.\d{3}">/,
  );
  expect(junit()).not.toContain(key);
});

test('exits with 1, and prints the request, the expectation and the response', async () => {
  const { url, key } = await serveBut((req, res) => {
    if (req.url !== '/automations?limit=0') return false;
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    return true;
  });
  const ran = await conform(url, key, '--only', 'list.invalid_limit', '--json', ...JUNIT);
  expect(ran).toMatchObject({ code: 1, stderr: `rollcall: ${url} does not conform to the contract.\n` });
  expect(read(ran)).toMatchObject({
    passed: COLLECTIONS.length - 1,
    failed: 1,
    not_checked: 0,
    sent: { GET: expect.any(Number) as unknown },
  });
  expect(read(ran).results[0]).toEqual({
    operation: 'listAutomations',
    rule: 'list.invalid_limit',
    title: 'a limit that is out of range or not written in plain digits is rejected, not clamped',
    change: expect.stringMatching(/^Match the whole string of `limit` /) as unknown,
    outcome: 'failed',
    findings: [{ request: 'GET /automations?limit=0', expected: '422 validation_error', actual: '200 {}' }],
    ms: expect.any(Number) as unknown,
  });
  expect(junit()).toContain('<failure message="GET /automations?limit=0: 200, expected 422 validation_error">');
});

test('with --seeded it exits with 3 and names the records that are missing', async () => {
  const { url, key } = await open(await openTestApp({ automations: RECORDS.automations ?? [] }));
  const ran = await conform(url, key, '--seeded', '--only', 'list.filter,list.limit');
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/^rollcall: \d+ rules could not be checked for \S+\.\n$/);
  const needs = ran.stdout.split('\n').slice(ran.stdout.split('\n').indexOf('To check all rules, the account needs:'));
  expect(needs.slice(1, 3)).toEqual([
    '  101 contact properties (it has 0)',
    '  101 contact imports (it has 0): 4 with status queued, in_progress, completed, failed',
  ]);
});

test('with --seeded one list is enough for an operation: a rule of several lists does not apply', async () => {
  const t = await openTestApp(RECORDS);
  await t.put(recordsOf('other', 30), { account: 'other' });
  const { url, key } = await open({
    ...t,
    app: (req, res) => {
      if (!/^\/+automations/.test(req.url ?? '')) req.url = '/unknown';
      t.app(req, res);
    },
  });
  const ran = await conform(url, key, '--other-key', await t.keyOf('other'), '--seeded', '--only', 'listAutomations');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toMatch(/ 0 failed, 1 does not apply\.\n/);
  expect(ran.stdout).toMatch(
    /list\.foreign_cursor .*\s+does not apply: the server has no other list that can be read\n/s,
  );
});

test('the program of @rollcall/audit has the same command, without a dry run; SIGUSR1 opens no debugger', async () => {
  const audit = openFolder(tmpdir(), {}, join(ROOT, 'audit/main.ts'));
  afterTest(audit.remove);
  const { url, key } = await serveBut(() => {
    running.process.kill('SIGUSR1');
    return false;
  });
  const running = audit.start(['conform', url, '--key', key, '--only', 'auth']);
  const { code, stdout, stderr } = await running.ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('\nlistAutomations\n  ✓ auth.missing ');
  expect(await audit.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  const dry = await audit.run(['conform', url, '--key', key, '--dry-run']);
  expect(dry).toMatchObject({ code: 2, stdout: '' });
  expect(dry.stderr).toMatch(/^error: unknown option '--dry-run'\nSee: rollcall-audit conform --help\n$/);
});

describe('what cannot be tested exits with 3, in a sentence', () => {
  const late = 'The run did not end within 2 s (--timeout)';
  /** A busy machine may need those seconds before the first request, or before its response. */
  const sentences: Readonly<Record<keyof typeof BAD_SERVERS, readonly string[]>> = {
    hangs: [`${late}; the last request was GET /automations.`, `${late}.`],
    drips: [`${late}; the last request was GET /automations.`, `${late}.`],
    floods: ['the response is larger than 32 MB.', 'no complete response within 10 s.'].map(
      (why) => `No usable response to GET /automations: ${why}`,
    ),
    redirects: [
      'The server redirects to http://elsewhere.example/login: GET /automations returned 302. Redirects are not followed: use the final URL.',
    ],
    limits: [
      `${late}: GET /automations returned 429, retry after 1 s.`,
      `${late}; the last request was GET /automations.`,
      `${late}.`,
    ],
  };

  // As processes, which wait at the same time.
  test('servers that hang, drip, flood, redirect or limit for ever', async () => {
    const endings = Object.entries(BAD_SERVERS).map(async ([name, listener]) => {
      const url = await serve(listener);
      const seconds = ['floods', 'redirects'].includes(name) ? '60' : '2'; // These end at once.
      const options = ['--timeout', seconds, '--json', '--junit', `${name}.xml`];
      const ran = await folder.run(['conform', url, '--key', 'secret-key-of-mine', ...options]);
      const { untestable, ...others } = read(ran);
      expect(sentences[name as keyof typeof BAD_SERVERS]).toContain(untestable);
      expect(ran).toMatchObject({ code: 3, stderr: `rollcall: ${url} could not be tested. ${String(untestable)}\n` });
      expect(others).toMatchObject({ passed: 0, failed: 0, not_checked: 0, results: [] });
      const xml = readFileSync(folder.path(`${name}.xml`), 'utf8');
      expect(xml).toContain('<testsuite name="run" tests="1" errors="1">');
      expect(ran.stdout + ran.stderr + xml).not.toContain('secret-key');
    });
    await Promise.all(endings);
  });

  test('a server that is down', async () => {
    const why = 'No usable response to GET /automations: connect ECONNREFUSED 127.0.0.1:1.';
    const stderr = `rollcall: http://127.0.0.1:1 could not be tested. ${why}\n`;
    const ran = await folder.run(['conform', 'http://127.0.0.1:1', '--key', 'k']);
    expect(ran).toEqual({ code: 3, signal: null, stdout: '', stderr });
  });

  test('an address where something else is', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
    });
    const why =
      'No operation of the contract exists at this URL: GET /automations returned 404. Check the base URL of the API.';
    const stderr = `rollcall: ${url} could not be tested. ${why}\n`;
    expect(await conform(url, 'k')).toMatchObject({ code: 3, stdout: '', stderr });
  });

  test('a server that goes away in the middle', async () => {
    let count = 0;
    const { url, key } = await serveBut((_req, res) => {
      count += 1;
      if (count > 100) res.destroy();
      return count > 100;
    });
    const ran = await conform(url, key);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('✓ list.pagination');
    expect(ran.stdout).toMatch(/\n\d\d rules passed, 0 failed, \d{3} not checked\.\n/); // With those that were not reached.
    expect(ran.stderr).toMatch(
      /could not be tested\. The server no longer responds: GET \/automations\?.*: the connection was closed without a response\.\n$/,
    );
  });
});

test.each([
  [['nonsense', '--key', 'k'], 'the URL must be one such as http://127.0.0.1:3000'],
  [['http://me:word@127.0.0.1:1', '--key', 'k'], 'no user, query or fragment'],
  [['http://127.0.0.1:1/?a=b', '--key', 'k'], 'no user, query or fragment'],
  [['http://me:word@127.0.0.1:1', '--key', 'k', '--dry-run'], 'no user, query or fragment'],
  [['http://127.0.0.1:1'], "required option '--key <key>' not specified"],
  [['http://127.0.0.1:1', '--key', 'k', '--skip', ''], 'unknown rule ""; there are the areas operation, '],
  [['http://127.0.0.1:1', '--key', 'k', '--timeout', '0'], 'It must be a whole number of seconds from 1 to 86400.'],
])('%j is wrong usage, which exits with 2', async (argv, message) => {
  const { code, stdout, stderr } = await folder.call(['conform', ...argv]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('word');
});

test('the content of a response is printed escaped and cut, without the key', async () => {
  const hostile = '\u001b[31mred\u0007\r\nline \u202e \u0085 <b>&"';
  const { url, key } = await serveBut((req, res) => {
    if (req.url?.includes('nonsense=1') !== true) return false;
    const body = JSON.stringify({ echo: req.headers.authorization, text: hostile, more: 'x'.repeat(5000) });
    res.writeHead(200, { 'content-type': 'application/json' }).end(body + hostile);
    return true;
  });
  const options = ['--only', 'request.unknown_parameter,response', ...JUNIT];
  const [tree, json] = [await conform(url, key, ...options), await conform(url, key, ...options, '--json')];
  expect([tree.code, json.code]).toEqual([1, 1]);
  for (const [text, shown] of [
    [tree.stdout, '<key>'],
    [json.stdout, '<key>'],
    [junit(), '&lt;key&gt;'],
  ] as const) {
    expect(text).toContain(shown);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(Math.max(...text.split('\n').map((it) => it.length))).toBeLessThan(800);
  }
  expect(tree.stdout + tree.stderr + json.stdout + json.stderr + junit()).not.toContain(key.slice(0, -1));
});

test('nobody reads what it prints any more: it goes on to its end', async () => {
  const { url, key } = await open(await openTestApp());
  const running = folder.start(['conform', url, '--key', key, '--only', 'auth']);
  running.process.stdout.destroy();
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('a report that has no room is said to be missing', async () => {
  const { url, key } = await open(await openTestApp());
  const ran = await folder.run(['conform', url, '--key', key, '--only', 'auth', ...JUNIT], { setUp: 'ulimit -f 1' });
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain(' rules passed, 0 failed, ');
  expect(ran.stderr).toBe(
    'rollcall: The --junit file out.xml cannot be written: file too large.\nrollcall: The results were not written to out.xml. See above.\n',
  );
});
