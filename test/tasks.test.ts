/** The tasks of `npm run check`, `test:e2e` and `bench`: which commands they run, and how the process ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { GROUPS, commandsOf, plan } from '../scripts/tasks.ts';
import { textOf } from './support/docs.ts';
import { ROOT } from './support/project.ts';
import './support/slow.ts';

const TASKS = join(ROOT, 'scripts/tasks.ts');
const names = (script: string): readonly string[] => Object.keys(GROUPS[script]?.tasks ?? {});

/** Runs the table as npm does. */
async function run(...words: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [TASKS, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

describe('what is run', () => {
  test('check without a name runs every task, and ends with the tests', () => {
    const all = Object.values(GROUPS['check']?.tasks ?? {}).flatMap((it) => commandsOf(it));
    expect(plan('check', [])).toEqual(all);
    expect(all.at(-1)).toEqual(['npm', 'test', '--']);
    expect(plan('check', ['drift'])).toEqual([['node', 'scripts/generate.ts', '--check']]);
  });

  test('arguments go to the last command, unchanged', () => {
    const args = ['--minutes', '1', '--', '-x y', ''];
    expect(plan('test:e2e', ['soak', ...args])).toEqual([['node', 'test/soak/run.ts', ...args]]);
    expect(plan('bench', ['scale', '--help'])).toEqual([
      ['tsc', '-p', 'server'],
      ['node', 'test/bench/scale/run.ts', '--help'],
    ]);
  });

  test('bench without a name compares servers', () => {
    for (const args of [[], ['--only', 'x'], ['--help']])
      expect(plan('bench', args)).toEqual(plan('bench', ['servers', ...args]));
  });

  test.each(Object.keys(GROUPS))('%s: every file that a command names is there', (script) => {
    const commands = Object.values(GROUPS[script]?.tasks ?? {}).flatMap((it) => commandsOf(it));
    const files = commands.flat().filter((it) => /^(test|scripts|generated)\//.test(it));
    expect(files.filter((it) => !existsSync(join(ROOT, it)))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts[script]).toBe(`node scripts/tasks.ts ${script}`);
  });

  test('CONTRIBUTING.md has every task, in these words', () => {
    const page = textOf('CONTRIBUTING.md').replaceAll(/ +\|$/gm, ' |').replaceAll(/` +\|/g, '` |');
    for (const [script, { tasks }] of Object.entries(GROUPS)) {
      for (const [name, { does, needs }] of Object.entries(tasks)) {
        expect(page).toContain(
          `| \`npm run ${script} -- ${name}\` | ${does}${needs === undefined ? '' : `; requires ${needs}`} |\n`,
        );
      }
    }
  });
});

describe('names', () => {
  test('test:e2e without one lists all, with what they do and how long they take', async () => {
    const { code, stdout, stderr } = await run('test:e2e');
    expect([code, stderr]).toEqual([0, '']);
    const listed = stdout.split('\n').slice(2, -1);
    expect(listed.map((it) => /^ {2}([a-z-]+) +\S.* \((?:\d+ (?:s|min|h))(?:; requires .+)?\)$/.exec(it)?.[1])).toEqual(
      names('test:e2e'),
    );
  });

  test.each([
    ['test:e2e', 'disc'],
    ['test:e2e', '--all'],
    ['test:e2e', 'toString'],
    ['check', 'tipes'],
    ['check', '--fix'],
    ['bench', 'slow'],
  ])('%s: %s is none, and the error has all that are', async (script, name) => {
    const { code, stdout, stderr } = await run(script, name);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`npm run ${script} has no task ${name}. Tasks: ${names(script).join(', ')}.\n`);
  });
});

describe('how it ends', () => {
  /** Runs commands of Node, each a script, as the tasks do. */
  const start = (...scripts: readonly string[]): ReturnType<typeof spawn> => {
    const commands = JSON.stringify(scripts.map((it) => [process.execPath, '-e', it]));
    const program = `import { runAll } from ${JSON.stringify(TASKS)}; await runAll(${commands});`;
    return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  };
  const ended = async (child: ReturnType<typeof spawn>): Promise<[number | null, string | null, string]> => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await once(child, 'close');
    return [child.exitCode, child.signalCode, printed];
  };

  test('with 0 after the last command', async () => {
    expect(await ended(start("console.log('a')", "console.log('b')"))).toEqual([0, null, 'a\nb\n']);
  });

  test('with the exit code of the first command that fails', async () => {
    expect(await ended(start('process.exit(3)', "console.log('b')"))).toEqual([3, null, '']);
  });

  test('by the signal that ended a command', async () => {
    expect(await ended(start("process.kill(process.pid, 'SIGKILL')", "console.log('b')"))).toEqual([
      null,
      'SIGKILL',
      '',
    ]);
  });

  const WAIT = "setTimeout(() => undefined, 60_000); console.log('a');";
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s, which the command gets', async (signal) => {
    const child = start(WAIT, "console.log('b')");
    child.stdout?.once('data', () => child.kill(signal));
    expect(await ended(child)).toEqual([null, signal, 'a\n']);
  });

  test('as a command ends that handles a signal, and nothing runs after it', async () => {
    const handling = (code: number): string => `process.once('SIGTERM', () => process.exit(${String(code)})); ${WAIT}`;
    const failing = start(handling(5), "console.log('b')");
    failing.stdout?.once('data', () => failing.kill('SIGTERM'));
    expect(await ended(failing)).toEqual([5, null, 'a\n']);
    const succeeding = start(handling(0), "console.log('b')");
    succeeding.stdout?.once('data', () => succeeding.kill('SIGTERM'));
    expect(await ended(succeeding)).toEqual([null, 'SIGTERM', 'a\n']);
  });
});
