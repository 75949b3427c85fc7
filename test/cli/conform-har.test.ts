/** `rollcall conform --har`: its options, files and exit codes. What is judged: test/conform/har.test.ts. */
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { contract } from '../support/app.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';

const CAPTURE = join(ROOT, 'test/fixtures/capture.har');
const NOT_CONFORMING = 'rollcall: The traffic in capture.har does not conform to the contract.\n';
beforeEach(() => {
  copyFileSync(CAPTURE, folder.path('capture.har'));
});

interface Output {
  readonly results: readonly { readonly rule: string; readonly outcome: string }[];
  readonly [name: string]: unknown;
}
const parse = (stdout: string): Output => JSON.parse(stdout) as Output;

test('it needs neither a URL nor a key, and says what was judged as JSON', async () => {
  const { code, stdout, stderr } = await folder.call(['conform', '--har', 'capture.har', '--json']);
  expect([code, stderr]).toEqual([1, NOT_CONFORMING]);
  const { results, ...rest } = parse(stdout);
  const captured: readonly string[] = ['listContactImports', 'getContactImport'];
  const absent = contract.operations.map((it) => it.id).filter((it) => !captured.includes(it));
  expect(results.filter((it) => it.outcome === 'failed').map((it) => it.rule)).toEqual(['har.cursor']);
  expect(rest).toEqual({
    ...{ har: 'capture.har', urls: ['https://api.example.com'], exchanges: 11, judged: 10, accounts: 1 },
    ...{ not_judged: { OPTIONS: 1 }, withoutKey: 10, absent },
    ...{ passed: expect.any(Number) as unknown, failed: 1, not_checked: expect.any(Number) as unknown },
    ...{ known: 0, fixed: 0, pages: { 'har.skipped': { checked: 4, concerned: 9 } } },
  });
});

test('--only and --skip select rules; - is standard input; keys of the environment have no meaning', async () => {
  const input = readFileSync(CAPTURE);
  const options = ['--json', '--only', 'har,list.order', '--skip', 'har.cursor'];
  const env = { ROLLCALL_API_KEY: 'k', ROLLCALL_API_KEY2: 'k' };
  const { code, stdout, stderr } = await folder.call(['conform', '--har', '-', ...options], { input, env });
  expect([code, stderr]).toEqual([0, '']);
  expect(parse(stdout).results.map((it) => it.rule)).toEqual([
    ...['list.order', 'har.limit', 'har.filter', 'har.skipped', 'har.ended_early', 'har.repeated'],
  ]);
});

test('a baseline has the failures of captured traffic; JUnit and annotations too', async () => {
  const conform = ['conform', '--har', 'capture.har'];
  expect(await folder.call([...conform, '--write-baseline', 'known'])).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(folder.path('known'), 'utf8')).toMatch(/\nlistContactImports har\.cursor\n$/);
  const again = await folder.call([...conform, '--baseline', 'known', '--junit', 'junit.xml']);
  expect(again).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('1 failed (1 of them known)') });
  expect(readFileSync(folder.path('junit.xml'), 'utf8')).toContain('classname="listContactImports.har.cursor"');
  const { stdout } = await folder.call([...conform, '--github']);
  expect(stdout.match(/^::error .*$/gm)).toEqual([
    expect.stringMatching(/^::error title=rollcall conform%3A har\.cursor::/),
  ]);
});

test('a URL selects the exchanges below it; if nothing is judged, the exit code is 3', async () => {
  const of = (url: string): ReturnType<typeof folder.call> => folder.call(['conform', url, '--har', 'capture.har']);
  expect(await of('https://api.example.com/')).toMatchObject({ code: 1, stderr: NOT_CONFORMING });
  expect(await of('https://other.example.com')).toEqual({
    ...{ code: 3, signal: null, stdout: '\nChecked: 0 of 11 exchanges.\nIgnored: 11 of other paths.\n' },
    stderr:
      'rollcall: The traffic in capture.har could not be tested. It contains no exchange of the API that can be checked.\n',
  });
});

const FOR_SERVERS = ['--key k', '--key2 k', '--seeded', '--dry-run', '--timeout 3', '--max-requests 3'];
test.each([
  ...[...FOR_SERVERS, '--max-items 3', '--random-seed 3', '--allow-key-in-url'].map((it): [string, string] => [
    `--har capture.har ${it}`,
    `error: ${it.replace(/ .*/, '')} cannot be used with --har, which sends no requests`,
  ]),
  ['--har none.har', 'error: the --har file none.har does not exist'],
  ['--har .', 'error: the --har file . is a directory'],
  ['--har wrong.har', 'error: the --har file wrong.har is not a HAR file: log must be an object'],
  [
    '--har large.har',
    'error: the --har file large.har is larger than the limit of 256 MB: capture fewer exchanges, or only those of the API',
  ],
  [
    '--har capture.har --only list.limit',
    'error: unknown rule "list.limit"; the rules are list.order, list.ties, har.',
  ],
  ['--har capture.har --baseline none', 'error: the --baseline file none does not exist'],
])('wrong usage, %s', async (words, message) => {
  writeFileSync(folder.path('wrong.har'), '{}');
  writeFileSync(folder.path('large.har'), '');
  truncateSync(folder.path('large.har'), 256 * 1024 * 1024 + 1); // Takes no room on the disk.
  const { code, stdout, stderr } = await folder.call(['conform', ...words.split(' ')]);
  expect([code, stdout, stderr.slice(0, message.length)]).toEqual([2, '', message]);
});

test('control characters of a file are escaped', async () => {
  const text = readFileSync(CAPTURE, 'utf8').replaceAll(
    'https://api.example.com/contacts/imports?',
    '$&status=%1b%5b31m&',
  );
  writeFileSync(folder.path('capture.har'), text);
  const { stdout } = await folder.call(['conform', '--har', 'capture.har']);
  expect(stdout).toContain('status=\\u001b[31m');
  expect(stdout).not.toContain('\u001b');
});
