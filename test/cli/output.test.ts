/** What becomes of a command whose output is closed, and of one that meets a fault of our own. */
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { printable } from '../../server/cli/output.ts';
import { automation } from '../../server/testing/builders.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';

let folder: Folder;
beforeEach(() => {
  folder = openFolder();
});
afterEach(() => {
  folder.remove();
});

test.each([
  ['plain é 👋 \u200d text', 'plain é 👋 \u200d text'],
  ['a\r\n\tb', String.raw`a\u000d\u000a\u0009b`],
  ['\0\u001b\u007f\u0080\u009f', String.raw`\u0000\u001b\u007f\u0080\u009f`],
  [
    '\u2028\u2029\u061c\u200e\u200f\u202a\u202e\u2066\u2069',
    String.raw`\u2028\u2029\u061c\u200e\u200f\u202a\u202e\u2066\u2069`,
  ],
])('%j is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

describe('closed output', () => {
  const bad = JSON.stringify({ ...automation(), status: 'paused' });
  test.each([
    ['stdout', JSON.stringify(automation()), 0],
    ['stderr', JSON.stringify(automation()), 0],
    ['stdout', bad, 1],
    ['stderr', bad, 1],
  ] as const)('a closed %s does not change how an import of %s ends', async (name, record, code) => {
    const running = folder.start(['import', 'automations', '--account', 'acme']);
    running.process[name].destroy();
    running.process.stdin.end(record);
    expect(await running.ended).toMatchObject({ code, signal: null });
    const listed = await folder.call(['import', 'automations', '--account', 'acme', '--allow-empty'], { input: '' });
    expect(listed.stdout).toContain(code === 0 ? 'it holds 1 now, 1 before' : 'it holds 0 now, 0 before');
  });

  test('a server goes on when nobody reads its log', async () => {
    const { url, process, ended } = await folder.serve();
    process.stdout.destroy();
    process.stderr.destroy();
    expect(await askBroken(url)).toEqual([500, 500]);
    process.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, signal: null });
  });
});

/** Makes each request a fault that is logged. @returns the statuses of two. */
async function askBroken(url: string): Promise<number[]> {
  new Database(folder.path('rollcall.db')).exec('DROP TABLE keys').close();
  const ask = async (): Promise<number> =>
    (await fetch(`${url}/automations`, { headers: { authorization: 'Bearer x' } })).status;
  return [await ask(), await ask()];
}

(existsSync('/dev/full') ? describe : describe.skip)('a full disk', () => {
  const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
  let child: ChildProcess;
  let code: Promise<unknown>;
  const start = (argv: readonly string[], stdio: (full: number) => StdioOptions): void => {
    const full = openSync('/dev/full', 'w');
    child = spawn(process.execPath, [MAIN, ...argv], { cwd: folder.path('.'), stdio: stdio(full) });
    closeSync(full);
    code = new Promise((resolve) => child.on('close', resolve));
  };
  afterEach(async () => {
    child.kill('SIGKILL');
    await code;
  });

  test('under its output makes a command fail', async () => {
    start(['--version'], (full) => ['ignore', full, 'pipe']);
    expect(await code).toBe(1);
  });

  test('under its log does not end a server', async () => {
    start(['serve', '--create', '--port', '0'], (full) => ['ignore', 'pipe', full]);
    const url = await new Promise<string>((resolve) => {
      child.stdout?.on('data', (text: Buffer) => {
        resolve(/http\S+/.exec(text.toString())?.[0] ?? '');
      });
    });
    expect(await askBroken(url)).toEqual([500, 500]);
    child.kill('SIGTERM');
    expect(await code).toBe(1); // What it had to say at its start was lost.
  });
});

describe('a fault of our own', () => {
  const injected = encodeURIComponent('Date.prototype.toISOString = () => { throw new TypeError("injected"); }');
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${injected}` };
  const create = ['keys', 'create', '--account', 'acme'];

  test('is said to be one, in a sentence', async () => {
    expect(await folder.run(create, { env })).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'rollcall: This is a fault of Rollcall itself. Set ROLLCALL_DEBUG=1 to see its details.\n',
    });
  });

  test('shows its details to who asks for them', async () => {
    const { code, stderr } = await folder.run(create, { env: { ...env, ROLLCALL_DEBUG: '1' } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^rollcall: This is a fault of Rollcall itself\.\nTypeError: injected\n {4}at /);
  });

  test('is not blamed for an error of the operating system, wherever that occurs', async () => {
    const missing = encodeURIComponent(
      'import fs from "node:fs"; Date.prototype.toISOString = () => fs.readdirSync("/missing")',
    );
    const ran = await folder.run(create, { env: { NODE_OPTIONS: `--import=data:text/javascript,${missing}` } });
    expect(ran).toMatchObject({
      code: 1,
      stderr: 'rollcall: The system did not allow "scandir" of /missing: no such file or directory (ENOENT).\n',
    });
  });
});
