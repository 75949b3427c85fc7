/** The commands of README.md, CONTRIBUTING.md and docs/{install,running,conform,ci,test-kit}.md, run as they stand. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { COLLECTIONS, commandName } from '../../contract/collections.ts';
import { createBuilders } from '../../testkit/index.ts';
import { codeBelow, onlyCodeBelow } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';
import { importSamples } from '../support/samples.ts';
import { openShell } from '../support/shell.ts';

const { build } = createBuilders({ seed: 'docs' });
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

describe('the scripts that npm runs are there:', () => {
  test.each([
    [
      'README.md',
      'Start',
      ['git clone https://github.com/rollcall-api/rollcall.git rollcall', 'npm ci', 'npm run demo', 'npm test'],
    ],
    [
      'CONTRIBUTING.md',
      'Set up',
      [
        'git clone https://github.com/you/rollcall.git rollcall',
        ...['npm ci', 'npm test -- test/cli/check.test.ts', 'git switch --create my-change'],
        ...['npm run format', 'npm run check', 'npm test'],
        'git add --all',
        'git commit --message What changes for users, and why',
        'git push --set-upstream origin my-change',
      ],
    ],
  ])('%s, %s', (page, heading, expected) => {
    const { sh, calls } = openShell(folder, { git: '[ "$1" != clone ] || mkdir "$3"' });
    sh(codeBelow(page, heading).join('\n'));
    expect(calls()).toEqual(expected);
    const named = calls().flatMap((it) => /^npm (?:run )?(?!ci$)(\S+)/.exec(it)?.[1] ?? []);
    expect(named.filter((it) => !(it in scripts))).toEqual([]);
    const files = calls().flatMap((it) => /^npm test -- (\S+)$/.exec(it)?.[1] ?? []);
    expect(files.filter((it) => !existsSync(join(ROOT, it)))).toEqual([]);
    expect(scripts['demo']).toBe('node cli/main.ts demo'); // As the demo's own tests start it.
  });
});

test('docs/install.md, Commands: the quick start reaches a response', async () => {
  const commands = onlyCodeBelow('docs/install.md', 'Commands');
  const lines = commands.trimEnd().split('\n');
  const serve = lines.pop()?.replace(/^npm run --silent rollcall -- /, '') ?? '';
  cpSync(join(ROOT, 'server/samples'), folder.path('server/samples'), { recursive: true });
  const key = openShell(folder).sh(lines.join('\n'));
  const { printed } = folder.start(serve.split(' '), { ROLLCALL_PORT: '0' });
  const [, url = ''] = await printed(/listens on (http\S+)\n/);
  for (const path of ['/automations', '/contact-properties', '/contacts/imports']) {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${key.trim().split('\n').at(-1) ?? ''}` },
    });
    expect([response.status, await response.json()]).toMatchObject([200, { has_more: true }]);
  }
});

test('docs/running.md, Settings: the file sets what it says', async () => {
  const file = onlyCodeBelow('docs/running.md', 'Settings', 'json');
  const settings = JSON.parse(file) as Record<string, unknown>;
  expect(Object.keys(settings).length).toBeGreaterThan(1);
  writeFileSync(folder.path('rollcall.json'), JSON.stringify({ ...settings, db: 'own.db', create: 'on', port: 0 }));
  const [, url = ''] = await folder.start(['serve', '--config', 'rollcall.json']).printed(/listens on (http\S+)\n/);
  expect((await fetch(`${url}/automations`)).status).toBe(401);
});

const DEMO_COLLECTIONS = 3;

describe('conform:', () => {
  /** Starts a server with two accounts. @returns a function that fills in its address and keys, and runs a script. */
  async function openServer(): Promise<(script: string) => string> {
    await importSamples(folder, 'acme');
    for (const it of COLLECTIONS) {
      const records = [build[it](), build[it]()].map((it) => JSON.stringify(it)).join('\n');
      await folder.call(['import', commandName(it), '--account', 'other'], { input: records });
    }
    const keyOf = async (account: string): Promise<string> =>
      (await folder.call(['keys', 'create', '--account', account])).stdout.trim();
    const [key, otherKey] = [await keyOf('acme'), await keyOf('other')];
    const { url } = await folder.serve();
    const { sh } = openShell(folder);
    const variables = `export API_URL=${url} ROLLCALL_API_KEY=${key} ROLLCALL_OTHER_API_KEY=${otherKey}`;
    return (script) => {
      const filledIn = script
        .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/api\.example\.com/g, url)
        .replaceAll('ROLLCALL_API_KEY=rollcall_…', `ROLLCALL_API_KEY=${key}`)
        .replaceAll('--key rollcall_…', `--key ${key}`)
        .replaceAll('--other-key rollcall_…', `--other-key ${otherKey}`);
      expect(filledIn).not.toContain('…');
      // The samples suffice for every rule. Only those of a collection that has been added may be few: then it ends with 3.
      const isWhole = COLLECTIONS.length === DEMO_COLLECTIONS;
      return sh(`${variables}\n${isWhole ? filledIn : `(${filledIn}\n) || [ $? -eq 3 ]`}`);
    };
  }
  const GREEN = /^\d{3} rules passed, 0 failed, .*\.$/gm;

  test('no rule fails, and there is a report', async () => {
    const run = await openServer();
    const requireReport = (script: string, report: string): void => {
      expect(run(script).match(GREEN)).toHaveLength(1);
      expect(readFileSync(folder.path(report), 'utf8')).toMatch(/^<\?xml/);
    };
    requireReport(onlyCodeBelow('README.md', 'Check a list, a client or a server'), 'report.xml');
    rmSync(folder.path('report.xml'));
    requireReport(onlyCodeBelow('docs/conform.md', 'Check a server of the contract'), 'report.xml');
    const file = onlyCodeBelow('docs/ci.md', 'Reports', 'yaml');
    const [step, upload] = parse(file) as { run: string; env: Record<string, string>; with: { path: string } }[];
    expect(Object.keys(step?.env ?? {})).toEqual(['ROLLCALL_API_KEY', 'ROLLCALL_OTHER_API_KEY']);
    requireReport(step?.run ?? '', upload?.with.path ?? '');
  });

  test('docs/ci.md, Known failures: a file of them is written, and read again', async () => {
    const run = await openServer();
    const [write = '', read = ''] = onlyCodeBelow('docs/ci.md', 'Known failures').split('\n');
    const [, file = ''] = / --write-baseline (\S+)$/.exec(write) ?? [];
    const known = onlyCodeBelow('docs/ci.md', 'Known failures', 'text');
    expect(run(write).match(GREEN)).toHaveLength(1);
    const [comment = ''] = known.split('\n');
    expect(readFileSync(folder.path(file), 'utf8')).toBe(`${comment}\n`); // Rollcall has none.
    // Of those that the page shows each passes.
    writeFileSync(folder.path(file), known);
    expect(() => run(read)).toThrow('2 known failures passed');
  });
});
