/** `rollcall conform`: what its options do, and how it ends. As a process, with all that it prints: `npm run test:long`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Result } from '../../audit/conform/conform.ts';
import { seedRecords } from '../../audit/conform/seed-records.ts';
import { serve } from '../audit/conform/bad-servers.ts';
import { RECORDS, open, openBehind } from '../audit/conform/target.ts';
import type { Server } from '../audit/conform/target.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';

/** Runs the command. @returns the rules that it has tried, by their names. */
async function rulesOf(url: string, ...options: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await folder.call(['conform', url, '--json', ...options]);
  const { results } = JSON.parse(stdout) as { results: readonly Result[] };
  return [...new Set(results.map((it) => it.rule))].sort();
}

interface Target {
  readonly url: string;
  readonly keys: readonly [first: string, second: string];
  /** The keys that requests had. */
  readonly used: ReadonlySet<string>;
}

/** @returns a server with two accounts, none of which has records. */
async function target(): Promise<Target> {
  const t = await openTestApp();
  const keys = [t.key, await t.keyOf('other')] as const;
  const used = new Set<string>();
  const { url } = await open({
    ...t,
    app: (req, res) => {
      const key = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1];
      if (key !== undefined) used.add(key);
      t.app(req, res);
    },
  });
  return { url, keys, used };
}

test('--only selects rules by id or area, --skip leaves out some of them', async () => {
  const { url, keys } = await target();
  const only = ['--key', keys[0], '--only', 'auth, list.invalid_limit'];
  expect(await rulesOf(url, ...only, '--skip', 'auth.in_query,auth.precedence')).toEqual([
    ...['auth.missing', 'auth.scheme_case', 'auth.several', 'auth.unknown', 'list.invalid_limit'],
  ]);
});

test('--key is the key of every request, --other-key that of the rules of two accounts', async () => {
  const { url, keys, used } = await target();
  const only = ['--only', 'isolation,list.invalid_limit'];
  await rulesOf(url, '--key', keys[1], ...only);
  expect(used).toEqual(new Set([keys[1]]));
  expect(await rulesOf(url, '--key', keys[1], '--other-key', keys[0], ...only)).toEqual([
    ...['isolation.cursor', 'isolation.disclosure', 'isolation.etag', 'isolation.get', 'isolation.list'],
    'list.invalid_limit',
  ]);
  expect(used).toEqual(new Set(keys));
});

test('a key or a second key that is rejected ends the run, and is named', async () => {
  const { url, keys } = await target();
  for (const [key, otherKey, which, note] of [
    ['nonsense', keys[1], 'key', ''],
    [keys[0], 'nonsense', 'other key (--other-key)', ' (with the other key)'],
  ] as const) {
    expect(await folder.call(['conform', url, '--json', '--key', key, '--other-key', otherKey])).toEqual({
      code: 3,
      signal: null,
      stdout: expect.not.stringContaining('nonsense') as unknown,
      stderr: `rollcall: ${url} could not be tested. The ${which} was rejected: GET /automations${note} returned 401.\n`,
    });
  }
});

interface Printed extends Readonly<Record<'passed' | 'failed' | 'not_checked' | 'known' | 'fixed', number>> {
  readonly untestable?: string;
  readonly results: readonly Result[];
}
const read = ({ stdout }: Ran): Printed => JSON.parse(stdout) as Printed;

/** Runs the command with a key. */
const conform = ({ url, key }: Server, ...argv: readonly string[]): Promise<Ran> =>
  folder.call(['conform', url, '--key', key, ...argv]);

const untested = ({ url }: Server, why: string): string => `rollcall: ${url} was not tested: ${why}.\n`;

describe('where nothing was tested, it says so and exits with 3:', () => {
  test('an account without records', async () => {
    const server = await open(await openTestApp());
    const ran = await conform(server);
    expect(ran).toMatchObject({
      code: 3,
      stderr: untested(server, 'the account has no records, so no page was compared'),
    });
    expect(ran.stdout).toContain('  – list.limit ');
    expect(ran.stdout).toContain('not checked: the account needs 1 automation (it has 0)\n');
    expect(ran.stdout).toMatch(
      /\nTo check all rules, the account needs:\n {2}101 automations .*\n {2}101 contact properties .*\n {2}101 contact imports .*\n/,
    );
    expect(ran.stdout).toMatch(/\n\d+ rules passed, 0 failed, \d+ not checked, \d+ need records\.\n/);
  });

  test.each([
    ['isolation', 'it requires the key of another account (--other-key)'],
    ['record.example', 'it requires an account with the example records (--seeded)'],
  ])('--only %s without the option that it needs', async (only, why) => {
    const server = await openBehind(() => undefined);
    const { code, stderr } = await conform(server, '--only', only);
    expect([code, stderr]).toEqual([3, untested(server, `no rule could be checked: ${why}`)]);
  });

  test('two keys of one account, some lists of which are empty', async () => {
    const t = await openTestApp({ automations: RECORDS.automations ?? [] });
    const server = await open(t);
    const { code, stderr } = await conform(
      server,
      '--other-key',
      await t.keyOf('main'),
      '--only',
      'isolation,list.limit',
    );
    const why = 'both keys return the same records, so they may belong to one account';
    expect([code, stderr]).toEqual([3, untested(server, why)]);
  });
});

/** Starts a server that takes a limit of 0, until it is repaired. */
async function openFaulty(): Promise<{ server: Server; repair: () => void }> {
  let isFaulty = true;
  const server = await openBehind((req) => {
    if (isFaulty) req.url = req.url?.replace(/limit=0$/, 'limit=1') ?? '';
  });
  const repair = (): void => {
    isFaulty = false;
  };
  return { server, repair };
}
const FAULT = 'list.invalid_limit';
const ONLY = ['--only', `${FAULT},list.limit`];
const LISTS = contract.operations.map((it) => it.id).filter((it) => it.startsWith('list'));
const nonconforming = ({ url }: Server): string => `rollcall: ${url} does not conform to the contract.\n`;

describe('a baseline', () => {
  const baseline = (): string => readFileSync(folder.path('known.txt'), 'utf8');
  const BASELINE = ['--baseline', 'known.txt'];

  test('has the failures of a run, which do not fail the next one; new ones do', async () => {
    const { server } = await openFaulty();
    expect(await conform(server, ...ONLY, '--write-baseline', 'known.txt')).toMatchObject({
      ...{ code: 0, stderr: `${String(LISTS.length)} failures written to known.txt.\n` },
    });
    expect(baseline().split('\n').slice(1, -1)).toEqual(LISTS.map((it) => `${it} ${FAULT}`));
    const known = await conform(server, ...ONLY, ...BASELINE, '--junit', 'out.xml');
    expect(known).toMatchObject({ code: 0, stderr: '' });
    expect(known.stdout).toContain(`\nKnown failures\n${LISTS.map((it) => `  ${it} ${FAULT}\n`).join('')}`);
    expect(known.stdout).toContain(` ${String(LISTS.length)} failed (${String(LISTS.length)} of them known), `);
    expect(known.stdout).not.toContain('\nFailures\n');
    expect(readFileSync(folder.path('out.xml'), 'utf8')).not.toContain('<failure');

    writeFileSync(folder.path('known.txt'), baseline().replace(`listAutomations ${FAULT}\n`, ''));
    const other = await conform(server, ...ONLY, ...BASELINE);
    expect(other).toMatchObject({ code: 1, stderr: nonconforming(server) });
    expect(other.stdout).toContain(`\nFailures\n  ${FAULT}: `);
    expect(other.stdout).toContain('\n      in          listAutomations\n');
    expect(read(await conform(server, ...ONLY, ...BASELINE, '--json'))).toMatchObject({
      ...{ failed: LISTS.length, known: LISTS.length - 1, fixed: 0 },
    });
  });

  test('whose failures pass again says so, and fails with --strict-baseline', async () => {
    const { server, repair } = await openFaulty();
    await conform(server, ...ONLY, '--write-baseline', 'known.txt');
    repair();
    const ran = await conform(server, ...ONLY, ...BASELINE);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain(
      `\nPassed: remove from the baseline\n${LISTS.map((it) => `  ${it} ${FAULT}\n`).join('')}`,
    );
    const stale = `${String(LISTS.length)} known failures passed. Remove from known.txt: ${LISTS.map((it) => `${it} ${FAULT}`).join(', ')}.`;
    expect(await conform(server, ...ONLY, ...BASELINE, '--strict-baseline', '--junit', 'report.xml')).toMatchObject({
      ...{ code: 1, stderr: `rollcall: ${stale}\n` },
    });
    expect(readFileSync(folder.path('report.xml'), 'utf8')).toContain(`<failure message="${stale}"/>`);
    // Written again, it has none of them.
    const both = [...BASELINE, '--strict-baseline', '--write-baseline', 'known.txt'];
    expect(await conform(server, ...ONLY, ...both)).toMatchObject({
      code: 0,
      stderr: '0 failures written to known.txt.\n',
    });
    expect(baseline()).toMatch(/^#[^\n]*\n$/);
  });

  test('is not written by a run that broke off', async () => {
    writeFileSync(folder.path('known.txt'), 'listAutomations list.after\n');
    const { server } = await openFaulty();
    expect(await conform(server, '--max-requests', '30', '--write-baseline', 'known.txt')).toMatchObject({ code: 3 });
    expect(baseline()).toBe('listAutomations list.after\n');
    expect(await conform(server, '--max-requests', '30', '--write-baseline', 'new.txt')).toMatchObject({ code: 3 });
    expect(existsSync(folder.path('new.txt'))).toBe(false);
  });
});

test('a run whose requests are used up exits with 1 if a rule failed before, else with 3', async () => {
  const { server, repair } = await openFaulty();
  const few = ['--only', `${FAULT},auth`, '--max-requests', '60'];
  const why = 'The run requires more than 60 requests (--max-requests).';
  const failed = await conform(server, ...few);
  expect([failed.code, failed.stderr]).toEqual([
    ...[1, `rollcall: ${server.url} does not conform to the contract. The run was aborted: ${why}\n`],
  ]);
  expect(failed.stdout).toContain(`      not checked: ${why}\n`);
  repair();
  const { code, stderr } = await conform(server, ...few);
  expect([code, stderr]).toEqual([3, `rollcall: ${server.url} could not be tested. ${why}\n`]);
});

test('--max-items is how much of a list is read', async () => {
  const server = await openBehind(() => undefined);
  const ran = await conform(server, '--only', 'list.end,list.order', '--max-items', '100');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain(
    'not checked: the list has more than 100 items, so its end was not read (--max-items)\n',
  );
});

test('--random-seed is printed, and repeats a run', async () => {
  const server = await openBehind(() => undefined);
  const only = ['--only', 'list.order'];
  const line = /^To repeat the random choices: --random-seed (\d+)$/m;
  const [, seed = ''] = line.exec((await conform(server, ...only)).stdout) ?? [];
  expect(seed).not.toBe('');
  const { stdout } = await conform(server, ...only, '--random-seed', seed, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ seed: Number(seed) });
});

test('--github prints an annotation for each rule that failed', async () => {
  const { server } = await openFaulty();
  const { code, stdout } = await conform(server, ...ONLY, '--github');
  expect(code).toBe(1);
  expect(stdout.split('\n').filter((it) => it.startsWith('::'))).toEqual([
    expect.stringMatching(
      `^::error title=GET /automations\\?limit=0%3A 200%2C expected 422 validation_error::rollcall conform: ${FAULT}%0Arule [^%]+%0Ain {10}${LISTS.join(', ')}%0Arequest     GET /automations\\?limit=0%0Aexpected    422 validation_error%0Aactual      200 \\{`,
    ) as unknown,
  ]);
});

test('--print-records prints the records of two accounts, and needs neither URL nor key', async () => {
  const { code, stdout, stderr } = await folder.call(['conform', '--print-records']);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(seedRecords(contract))));
  const without = await folder.call(['conform']);
  expect([without.code, without.stdout]).toEqual([2, '']);
  expect(without.stderr).toBe("error: missing required argument 'url'\nSee: rollcall conform --help\n");
});

test('--dry-run sends nothing, and lists the requests, without keys and ids', async () => {
  let count = 0;
  const url = await serve((_req, res) => {
    count += 1;
    res.end();
  });
  const keys = ['secret-key-of-mine', 'secret-key-of-others'] as const;
  const argv = ['--dry-run', '--other-key', keys[1], '--only', 'auth.missing,auth.unknown,get.found,isolation.list'];
  const { code, stdout, stderr } = await conform({ url, key: keys[0] }, ...argv);
  expect([code, stderr, count]).toEqual([0, '', 0]);
  const lines = stdout.split('\n');
  expect(lines.slice(0, 2)).toEqual(['GET /automations', 'GET /contact-properties']);
  for (const line of [
    'GET /automations (with the other key)',
    'GET /contacts/imports/<id>',
    `GET /automations (Authorization: Bearer rollcall_${'0'.repeat(40)})`,
  ])
    expect(lines).toContain(line);
  // Operations send it in turn.
  expect(lines.filter((it) => /^GET \S+ \(Authorization: <key>\)$/.test(it)).length).toBeGreaterThan(0);
  expect(stdout).not.toMatch(/secret|[0-9a-f]{8}-[0-9a-f]{4}/);
  const total = lines.filter((it) => /^[A-Z]+ \//.test(it)).length;
  expect(stdout).toMatch(
    new RegExp(`\n\n${String(total)} requests would be sent for an account with 130 records in each collection\\.\n$`),
  );
});

const KEY = ['--key', 'k'] as const;
test.each([
  [['--key', 'same', '--other-key', 'same'], 'error: --other-key must be a key of a different account than --key'],
  [['--key', 'two words'], 'error: --key must be printable ASCII without spaces or quotes'],
  [['--key', 'k', '--other-key', 'two words'], 'error: --other-key must be printable ASCII without spaces or quotes'],
  [['--key', 'k', '--only', 'list.orders'], 'error: unknown rule "list.orders"; the rules of list are list.'],
  [['--key', 'k', '--only', 'list.'], 'error: unknown rule "list."; the rules of list are list.'],
  [[...KEY, '--github', '--json'], 'error: --github and --json cannot be used together'],
  [[...KEY, '--strict-baseline'], 'error: --strict-baseline requires --baseline'],
  [[...KEY, '--baseline', 'none'], 'error: the --baseline file none does not exist'],
  [[...KEY, '--baseline', '.'], 'error: the --baseline file . is a directory'],
  [
    [...KEY, '--baseline', 'wrong'],
    'error: the --baseline file wrong is invalid: line 2 must be an operation and a rule, ',
  ],
  [[...KEY, '--write-baseline', 'no/x'], 'error: the --write-baseline file no/x cannot be written: its folder '],
  [[...KEY, '--random-seed', '-1'], "error: option '--random-seed <number>' argument '-1' is invalid."],
  [[...KEY, '--max-items', '0'], "error: option '--max-items <count>' argument '0' is invalid."],
  [[...KEY, '--max-requests', '1e3'], "error: option '--max-requests <count>' argument '1e3' is invalid."],
])('wrong usage, %j, sends nothing', async (options, message) => {
  writeFileSync(folder.path('wrong'), 'listAutomations list.after\nlistAutomations\n');
  const { code, stdout, stderr } = await folder.call(['conform', 'http://127.0.0.1:1', ...options]);
  expect([code, stdout, stderr.slice(0, message.length)]).toEqual([2, '', message]);
  expect(stderr).not.toContain('two words');
});
