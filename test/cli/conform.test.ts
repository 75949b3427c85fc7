/** `rollcall conform`: which rules and keys its options select. As a process, with all that it prints: `npm run test:e2e -- processes`. */
import { expect, test } from '@jest/globals';
import type { Result } from '../../server/conform/conform.ts';
import { open } from '../conform/target.ts';
import { openTestApp } from '../support/app.ts';
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
    ...['auth.missing', 'auth.scheme_case', 'auth.unknown', 'list.invalid_limit'],
  ]);
});

test('--key is the key of every request, --key2 adds the rules of two accounts', async () => {
  const { url, keys, used } = await target();
  const only = ['--only', 'isolation,list.invalid_limit'];
  expect(await rulesOf(url, '--key', keys[1], ...only)).toEqual(['list.invalid_limit']);
  expect(used).toEqual(new Set([keys[1]]));
  expect(await rulesOf(url, '--key', keys[1], '--key2', keys[0], ...only)).toEqual([
    ...['isolation.cursor', 'isolation.etag', 'isolation.get', 'isolation.list', 'list.invalid_limit'],
  ]);
  expect(used).toEqual(new Set(keys));
});

test('a key or a second key that is rejected ends the run, and is named', async () => {
  const { url, keys } = await target();
  for (const [key, key2, which, note] of [
    ['nonsense', keys[1], 'key', ''],
    [keys[0], 'nonsense', 'second key (--key2)', ' (with the second key)'],
  ] as const) {
    expect(await folder.call(['conform', url, '--json', '--key', key, '--key2', key2])).toEqual({
      code: 3,
      signal: null,
      stdout: expect.not.stringContaining('nonsense') as unknown,
      stderr: `rollcall: ${url} could not be tested. The ${which} was rejected: GET /automations${note} responded 401.\n`,
    });
  }
});

test.each([
  [['--key', 'same', '--key2', 'same'], 'error: --key2 must be a key of another account than --key'],
  [['--key', 'two words'], 'error: --key must be printable ASCII without spaces and quotes'],
  [['--key', 'k', '--key2', 'two words'], 'error: --key2 must be printable ASCII without spaces and quotes'],
  [['--key', 'k', '--only', 'list.orders'], 'error: there is no rule "list.orders"; there are list.pagination, '],
  [['--key', 'k', '--only', 'list.'], 'error: there is no rule "list."; there are list.pagination, '],
])('wrong usage, %j, sends nothing', async (options, message) => {
  const { code, stdout, stderr } = await folder.call(['conform', 'http://127.0.0.1:1', ...options]);
  expect([code, stdout, stderr.slice(0, message.length)]).toEqual([2, '', message]);
  expect(stderr).not.toContain('two words');
});
