/** The processes of clients: they are bounded in time and output, and none outlives its run. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { runChild } from '../../audit/child.ts';
import type { ChildOptions, Ran } from '../../audit/child.ts';
import { folder } from '../support/own-folder.ts';

/** No program takes so long, however busy the machine is. */
const LIMIT_MS = 600_000;

/** Runs a program of Node. */
const run = (program: string, options: Partial<ChildOptions> = {}): Promise<Ran> =>
  runChild([process.execPath, '-e', program], {
    ...{ env: process.env, timeLimitMs: LIMIT_MS, signal: new AbortController().signal },
    ...options,
  });

test('a command gets its arguments and environment, and no input; its output and exit code are kept', async () => {
  const program = `
    process.stdin.on('data', () => {}).on('end', () => {
      console.log(process.argv[1], process.env.ROLLCALL_API_KEY);
      console.error('oops');
      process.exitCode = 10;
    });`;
  const ran = await runChild([process.execPath, '-e', program, 'a "b"'], {
    ...{ env: { ...process.env, ROLLCALL_API_KEY: 'k' }, timeLimitMs: LIMIT_MS, signal: new AbortController().signal },
  });
  expect(ran).toMatchObject({ ending: { kind: 'exited', code: 10 }, stdout: 'a "b" k\n', stderr: 'oops\n' });
});

test.each([
  ['does not exist', ['./no-such-command'], /ENOENT/],
  ['is empty', [''], /./],
  ['has a NUL character', ['node', '\0'], /null bytes/],
])('a command that %s is not started', async (_, command, reason) => {
  const { ending } = await runChild(command, {
    ...{ env: process.env, timeLimitMs: LIMIT_MS, signal: new AbortController().signal },
  });
  expect(ending).toEqual({ kind: 'not_started', reason: expect.stringMatching(reason) });
});

test('a command that crashes, or ends by a signal, is a result', async () => {
  const { ending, stderr } = await run("throw new Error('boom')");
  expect(ending).toEqual({ kind: 'exited', code: 1 });
  expect(stderr).toContain('Error: boom');
  expect((await run("process.kill(process.pid, 'SIGTERM')")).ending).toEqual({ kind: 'killed', signal: 'SIGTERM' });
});

/** Runs a program until it has made the file `ready`, after which its time limit is over. */
async function runBeyondLimit(program: string): Promise<Ran> {
  jest.useFakeTimers({ now: Date.now(), doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  try {
    const ready = JSON.stringify(folder.path('ready'));
    const ran = run(`${program}; require('node:fs').writeFileSync(${ready}, '');`);
    while (!existsSync(folder.path('ready'))) await new Promise(setImmediate);
    jest.advanceTimersByTime(LIMIT_MS);
    return await ran;
  } finally {
    jest.useRealTimers();
  }
}

test('a command that hangs is killed, even if it ignores signals; its output is kept', async () => {
  const program = "process.on('SIGTERM', () => {}); console.log('here'); setInterval(() => {}, 1000)";
  const { ending, stdout } = await runBeyondLimit(program);
  expect([ending, stdout]).toEqual([{ kind: 'hung' }, 'here\n']);
});

test.each(['stdout', 'stderr'])('a command that floods %s is killed', async (stream) => {
  const program = `const go = () => process.${stream}.write('x'.repeat(65536), go); go();`;
  const ran = await run(program);
  expect(ran.ending).toEqual({ kind: 'flooded' });
  expect(ran.stdout.length + ran.stderr.length).toBeLessThan(2 * 1024 * 1024);
});

test('a long standard error is kept', async () => {
  const { ending, stderr } = await run("for (let i = 0; i < 9000; i += 1) console.error('line', i);");
  expect(ending).toEqual({ kind: 'exited', code: 0 });
  expect(stderr.split('\n')).toEqual([...Array.from({ length: 9000 }, (_, it) => `line ${String(it)}`), '']);
});

test('a character that is split between two chunks is read', async () => {
  const program =
    "const b = Buffer.from('a\\u00e9\\n'); process.stdout.write(b.subarray(0, 2), () => setTimeout(() => process.stdout.write(b.subarray(2)), 50));";
  expect((await run(program)).stdout).toBe('a\u00e9\n');
});

/** Resolves when a process is gone. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      // A killed process that its parent has not asked about yet.
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))) return;
    } catch {
      return;
    }
    await sleep(20);
  }
}

describe('processes that a command has started end with it', () => {
  const child = (options: string): string => `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], ${options});
    console.log(child.pid);`;

  test('if the command ends before them', async () => {
    const { ending, stdout } = await run(`${child("{ stdio: 'inherit' }")} child.unref();`);
    expect(ending).toEqual({ kind: 'exited', code: 0 });
    await gone(Number(stdout));
  });

  test('if the command is killed', async () => {
    const { ending, stdout } = await runBeyondLimit(child("{ stdio: 'inherit' }"));
    expect(ending).toEqual({ kind: 'hung' });
    await gone(Number(stdout));
  });

  test('a process of another group that holds the output does not delay the run', async () => {
    const { ending, stdout } = await run(`${child("{ stdio: 'inherit', detached: true }")} child.unref();`);
    expect(ending).toEqual({ kind: 'exited', code: 0 });
    process.kill(Number(stdout), 'SIGKILL');
  });

  test('a process of another group that writes to the output for ever ends with the abort of the run', async () => {
    const pidFile = folder.path('pid');
    const writer = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => console.log('x'), 10)`;
    const program = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', ${JSON.stringify(writer)}], { stdio: 'inherit', detached: true }).unref();`;
    const controller = new AbortController();
    const ran = run(program, { signal: controller.signal });
    while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(20);
    controller.abort(new Error('stopped'));
    await expect(ran).rejects.toThrow('stopped');
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  });
});

test('an aborted run kills its command, and rejects with the reason', async () => {
  const controller = new AbortController();
  const file = folder.path('pid');
  const program = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000);`;
  const running = run(program, { signal: controller.signal });
  let pid = '';
  while (pid === '') {
    await sleep(20);
    try {
      pid = readFileSync(file, 'utf8');
    } catch {
      // It has not started yet.
    }
  }
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await gone(Number(pid));
  await expect(run('', { signal: controller.signal })).rejects.toThrow('enough');
});
