/** `rollcall audit` of a profile with several lists, known failures, JUnit and annotations. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ProfileError } from '../../audit/lists/profile-values.ts';
import { parseProfiles } from '../../audit/lists/profiles.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { audit as auditOne, start, startFaulty } from './lists.ts';

/** Writes a profile with a sound list and a faulty one. */
async function writeLists(more = ''): Promise<void> {
  const [sound, faulty] = [await start({ style: 'token' }), await startFaulty()];
  writeFileSync(
    folder.path('lists.yaml'),
    `lists:\n  orders: { url: ${sound} }\n  invoices: { url: ${faulty} }\n${more}`,
  );
}
const audit = (...options: readonly string[]): Promise<Ran> =>
  folder.call(['audit', '--profile', 'lists.yaml', '--only', 'page,end.never,items,order.unstable', ...options]);

describe('a file with lists:', () => {
  const parse = (text: string, base?: string): unknown => parseProfiles(text, { KEY: 'k' }, base);

  test('each has what stands above them, unless it says otherwise', () => {
    const text = `
url: http://a/v1/
headers: { Authorization: 'Bearer \${KEY}', X-Api-Version: 7 }
params: { a: 1, b: 2 }
size: limit
lists:
  orders: { url: /orders, params: { b: 3 } }
  others: { url: 'https://b/c?d=e', size: { param: n, max: 9 }, headers: { X-Api-Version: 8 } }
  same: {}
`;
    const headers = { Authorization: 'Bearer k', 'X-Api-Version': '7' };
    const shared = { headers, params: { a: '1', b: '2' }, size: { param: 'limit' } };
    expect(parse(text)).toEqual([
      { name: 'orders', profile: { ...shared, url: 'http://a/v1/orders', params: { a: '1', b: '3' } } },
      {
        name: 'others',
        profile: {
          ...shared,
          url: 'https://b/c?d=e',
          size: { param: 'n', max: 9 },
          headers: { ...headers, 'X-Api-Version': '8' },
        },
      },
      { name: 'same', profile: { ...shared, url: 'http://a/v1/' } },
    ]);
    expect(parse(text, 'http://127.0.0.1:9')).toMatchObject([
      { profile: { url: 'http://127.0.0.1:9/orders' } },
      { profile: { url: 'https://b/c?d=e' } },
      { profile: { url: 'http://127.0.0.1:9' } },
    ]);
  });

  test.each([
    ['lists: []', 'lists must be an object'],
    ['lists: {}', 'lists must have a list, such as { orders: { url: /orders } }'],
    ['lists: { a: 1 }', 'lists.a: it must be an object'],
    ['lists: { a b: { url: http://a/ } }', 'the name of a list has no spaces: "a b"'],
    ['lists: { "": { url: http://a/ } }', 'the name of a list has no spaces: ""'],
    ['lists: { "#a": { url: http://a/ } }', 'the name of a list has no spaces: "#a"'],
    [
      'lists: { a: { url: /a } }',
      'lists.a: url is a path; add a base above `lists`, such as url: http://localhost:8000',
    ],
    ['url: http://a\nlists: { a: { url: b } }', 'lists.a: url must be a URL such as http://localhost:8000/orders'],
    ['url: http://a\nlists: { a: { headers: 1 } }\nheaders: {}', 'lists.a: headers must be an object'],
    ['url: http://a\nlists: { a: { id: [] } }', 'lists.a: id must be a text'],
  ])('%j: %s', (text, message) => {
    expect(() => parse(text)).toThrow(new ProfileError(message));
  });
});

test('each list has its results, and a table ends them; the worst list decides', async () => {
  await writeLists();
  const { code, stdout, stderr } = await audit();
  expect([code, stderr]).toEqual([
    1,
    'Sends at most 1,000 GET requests.\nSends at most 1,000 GET requests.\nrollcall: 1 of 2 lists break 1 rule.\n',
  ]);
  const lines = stdout.split('\n');
  expect(lines.slice(0, 2)).toEqual(['', 'orders']);
  expect(lines[6]).toMatch(/^5 passed, 0 failed, 0 notes, 0 not checked; \d+ GET requests$/);
  expect(lines[8]).toBe('invoices');
  expect(lines.slice(-4).map((it) => it.replace(/\b\d{2,}\b/, 'N'))).toEqual([
    'list      passed  failed  notes  not checked  requests  result',
    'orders    5       0       0      0            N       ok',
    'invoices  4       1       0      0            N       breaks items.missing',
    '',
  ]);
});

test('--lists chooses', async () => {
  await writeLists();
  const ran = await audit('--lists', 'orders', '--json');
  expect(ran.code).toBe(0);
  const { lists, ...counts } = JSON.parse(ran.stdout) as { readonly lists: readonly { readonly name: string }[] };
  expect([lists.map((it) => it.name), counts]).toEqual([
    ['orders'],
    { passed: 5, failed: 0, notes: 0, not_checked: 0 },
  ]);
});

test('3 if a list could not be audited, and none breaks a rule', async () => {
  await writeLists('  gone: { url: http://127.0.0.1:1/a }\n');
  const { code, stdout, stderr } = await audit('--lists', 'orders,gone');
  expect(code).toBe(3);
  expect(stderr).toContain('rollcall: 1 of 2 lists could not be audited, or not to the end.\n');
  expect(stdout).toMatch(/\ngone +0 +0 +0 +0 +\d +No usable response to GET \/a: connect ECONNREFUSED/);
});

describe('known failures', () => {
  test('are written, and do not fail the run', async () => {
    await writeLists();
    expect((await audit('--write-baseline', 'known.txt')).code).toBe(0);
    expect(readFileSync(folder.path('known.txt'), 'utf8')).toBe(
      '# Known failures of rollcall audit: a rule, or a list of several and a rule on each line.\ninvoices items.missing\n',
    );
    const { code, stdout } = await audit('--baseline', 'known.txt', '--strict-baseline');
    expect([code, stdout.includes('FAIL')]).toEqual([0, false]);
    expect(stdout).toMatch(/\nknown items\.missing {8}13 of 89 items are missing with 1 per page/);
  });

  test('of lists that are not chosen are of no account', async () => {
    await writeLists();
    await audit('--write-baseline', 'known.txt');
    const { code, stdout } = await audit('--baseline', 'known.txt', '--strict-baseline', '--lists', 'orders');
    expect([code, stdout.includes('FAIL')]).toEqual([0, false]);
  });

  test('of one list are its rules alone', async () => {
    const url = await startFaulty();
    const run = (...options: readonly string[]): Promise<Ran> =>
      auditOne(url, '--only', 'page,end.never,items,order.unstable', ...options);
    await run('--write-baseline', 'known.txt');
    expect(readFileSync(folder.path('known.txt'), 'utf8')).toMatch(/\nitems\.missing\n$/);
    expect((await run('--baseline', 'known.txt')).code).toBe(0);
    writeFileSync(folder.path('known.txt'), 'items.missing\nitems.repeated\n');
    const { code, stderr } = await run('--baseline', 'known.txt', '--strict-baseline');
    expect([code, stderr]).toEqual([
      1,
      'Sends at most 1,000 GET requests.\nrollcall: 1 known failure passed. Remove from known.txt: items.repeated.\n',
    ]);
  });

  test('name lists and rules that there are', async () => {
    await writeLists();
    writeFileSync(folder.path('known.txt'), 'others items.missing\n');
    const { code, stderr } = await audit('--baseline', 'known.txt');
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'error: the --baseline file known.txt is invalid: line 1 must be a rule, or a list of several and a rule, such as orders items.missing, not "others items.missing"',
    ]);
  });
});

test('--junit has a suite for each list, and --github an annotation for each rule that failed', async () => {
  await writeLists('  gone: { url: http://127.0.0.1:1/a }\n');
  const { stdout } = await audit('--junit', 'audit.xml', '--github');
  expect(stdout).toContain(
    '::error title=invoices%3A 13 of 89 items are missing with 1 per page::rollcall audit: items.missing%0Arule        every page size returns the same items%0Ain          invoices%0A',
  );
  const xml = readFileSync(folder.path('audit.xml'), 'utf8');
  expect(xml).toContain('<testsuites name="rollcall audit">');
  expect(xml).toMatch(/<testsuite name="orders" tests="5" failures="0" skipped="0"/);
  expect(xml).toMatch(/<testsuite name="invoices" tests="5" failures="1" skipped="0"/);
  expect(xml).toContain('<error message="gone: No usable response to GET /a: connect ECONNREFUSED');
});

test('wrong usage ends with 2, before a request', async () => {
  await writeLists();
  for (const [argv, message] of [
    [['--lists', 'orders,others'], 'unknown list "others"; the lists are orders, invoices'],
    [['--add', 'x'], '--add is for one list, and the file has 2: choose one with --lists'],
    [['--save-profile', 'x'], '--save-profile is for one list, and the file has 2: choose one with --lists'],
    [['--strict-baseline'], '--strict-baseline requires --baseline'],
    [['--github', '--json'], '--github and --json cannot be used together'],
    [['--junit', './lists.yaml'], './lists.yaml is both the --junit file and the --profile file. Choose another file.'],
  ] as const) {
    const { code, stdout, stderr } = await audit(...argv);
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', `error: ${message}`]);
  }
  const alone = await auditOne('http://127.0.0.1:1/a', '--lists', 'a');
  expect([alone.code, alone.stderr.split('\n')[0]]).toEqual([2, 'error: --lists needs a file that names lists']);
  expect(existsSync(folder.path('x'))).toBe(false);
});
