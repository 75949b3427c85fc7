/** `rollcall conform`: which rules and keys its options select. As a process, with all that it prints: `npm run test:e2e -- processes`. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { NotTestedError } from '../../server/cli/errors.ts';
import { createProgram } from '../../server/cli/run.ts';
import type { Result } from '../../server/conform/conform.ts';
import { open } from '../conform/target.ts';
import { openTestApp } from '../support/app.ts';

let [printed, errors] = ['', ''];
beforeEach(() => {
  [printed, errors] = ['', ''];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Runs the command in this process. @returns its results. @throws what ends it. */
async function conform(url: string, ...options: readonly string[]): Promise<readonly Result[]> {
  const program = await createProgram('', 'conform');
  for (const it of [program, ...program.commands]) {
    it.exitOverride().configureOutput({ writeErr: (text) => (errors += text) });
  }
  await program.parseAsync(['conform', url, '--json', ...options], { from: 'user' });
  return (JSON.parse(printed) as { results: readonly Result[] }).results;
}
const rulesOf = (results: readonly Result[]): string[] => [...new Set(results.map((it) => it.rule))].sort();

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
  expect(rulesOf(await conform(url, ...only, '--skip', 'auth.in_query,auth.precedence'))).toEqual([
    ...['auth.missing', 'auth.scheme_case', 'auth.unknown', 'list.invalid_limit'],
  ]);
});

test('--key is the key of every request, --key2 adds the rules of two accounts', async () => {
  const { url, keys, used } = await target();
  const only = ['--only', 'isolation,list.invalid_limit'];
  expect(rulesOf(await conform(url, '--key', keys[1], ...only))).toEqual(['list.invalid_limit']);
  expect(used).toEqual(new Set([keys[1]]));
  printed = '';
  expect(rulesOf(await conform(url, '--key', keys[1], '--key2', keys[0], ...only))).toEqual([
    ...['isolation.cursor', 'isolation.etag', 'isolation.get', 'isolation.list', 'list.invalid_limit'],
  ]);
  expect(used).toEqual(new Set(keys));
});

test.each([
  ['--key', 'key', ['nonsense', 1]],
  ['--key2', 'second key (--key2)', [0, 'nonsense']],
] as const)('a %s that is rejected ends the run, and is named', async (_, which, [first, second]) => {
  const { url, keys } = await target();
  const [key, key2] = [first, second].map((it) => (typeof it === 'number' ? keys[it] : it));
  const run = conform(url, '--key', key ?? '', '--key2', key2 ?? '');
  const note = which === 'key' ? '' : ' (with the second key)';
  await expect(run).rejects.toEqual(
    new NotTestedError(`${url} could not be tested. The ${which} was rejected: GET /automations${note} responded 401.`),
  );
  expect(printed + errors).not.toContain('nonsense');
});

test.each([
  [['--key', 'same', '--key2', 'same'], 'error: --key2 must be a key of another account than --key'],
  [['--key', 'two words'], 'error: --key must be printable ASCII without spaces and quotes'],
  [['--key', 'k', '--key2', 'two words'], 'error: --key2 must be printable ASCII without spaces and quotes'],
  [['--key', 'k', '--only', 'list.orders'], 'error: there is no rule "list.orders"; there are list.pagination, '],
  [['--key', 'k', '--only', 'list.'], 'error: there is no rule "list."; there are list.pagination, '],
])('wrong usage, %j, sends nothing', async (options, message) => {
  await expect(conform('http://127.0.0.1:1', ...options)).rejects.toMatchObject({ code: 'commander.error' });
  expect(errors.slice(0, message.length)).toBe(message);
  expect([printed, errors.includes('two words')]).toEqual(['', false]);
});
