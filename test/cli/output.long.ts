/** What becomes of a command whose output is closed, and of one that meets a fault of our own. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { automation } from '../../testkit/builders.ts';
import { startList } from '../audit/lists/server.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';

describe('closed output', () => {
  const bad = JSON.stringify({ ...automation(), status: 'paused' });
  test.each([
    ['stdout', JSON.stringify(automation()), 0],
    ['stderr', bad, 1],
  ] as const)('a closed %s does not change how an import of %s ends', async (name, record, code) => {
    const running = folder.start(['import', 'automations', '--account', 'acme']);
    running.process[name].destroy();
    running.process.stdin.end(record);
    expect(await running.ended).toMatchObject({ code, signal: null });
    const listed = await folder.call(['import', 'automations', '--account', 'acme', '--allow-empty']);
    expect(listed.stdout).toContain(code === 0 ? 'it now has 1 (previously 1)' : 'it now has 0 (previously 0)');
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
  test('under its output makes a command fail', async () => {
    expect(await folder.run(['--version'], { setUp: 'exec > /dev/full' })).toMatchObject({
      code: 1,
      stderr:
        'rollcall: The output is incomplete: no space left on device. Free up space, or write the output elsewhere.\n',
    });
  });

  test('under its log does not end a server', async () => {
    const server = folder.start(['serve', '--create', '--port', '0'], {}, 'exec 2> /dev/full');
    const [, url = ''] = await server.printed(/listens on (\S+)\n/);
    expect(await askBroken(url)).toEqual([500, 500]);
    server.process.kill('SIGTERM');
    expect((await server.ended).code).toBe(1); // What it had to say at its start was lost.
  });
});

test('a capture that does not fit on the disk leaves no file', async () => {
  await using list = await startList({ style: 'token' });
  const argv = ['audit', list.url, '--save-items', 'all.ndjson'];
  expect(await folder.run(argv, { setUp: 'ulimit -f 4' })).toMatchObject({
    code: 1,
    stderr:
      'Sends at most 1,000 GET requests.\nrollcall: The --save-items file all.ndjson.part cannot be written: file too large.\n',
  });
  expect(readdirSync(folder.path('.'))).toEqual([]);
});

describe('a fault of our own', () => {
  const create = (fault: string, more: Record<string, string> = {}): Promise<Ran> => {
    const injected = encodeURIComponent(`import fs from 'node:fs'; Date.prototype.toISOString = () => { ${fault} }`);
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${injected}`, ...more };
    return folder.run(['keys', 'create', '--account', 'acme'], { env });
  };
  const FAULT = 'throw new TypeError("injected")';

  test('is said to be one, in a sentence', async () => {
    const stderr = 'rollcall: Internal error. Set ROLLCALL_DEBUG=1 to see the details.\n';
    expect(await create(FAULT)).toEqual({ code: 1, signal: null, stdout: '', stderr });
  });

  test('shows its details to who asks for them', async () => {
    const { code, stderr } = await create(FAULT, { ROLLCALL_DEBUG: '1' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^rollcall: Internal error\.\nTypeError: injected\n {4}at /);
  });

  test('is not blamed for an error of the operating system, wherever that occurs', async () => {
    expect(await create('return fs.readdirSync("/missing")')).toMatchObject({
      code: 1,
      stderr: 'rollcall: System call "scandir" on /missing failed: no such file or directory (ENOENT).\n',
    });
  });
});
