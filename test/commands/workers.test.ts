/** `rollcall serve --workers N`: one port, a crashed worker is replaced, a crash loop ends it, signals drain all. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';
import { startLoad } from '../support/load.ts';

type Server = Awaited<ReturnType<Folder['serve']>>;

let folder: Folder;
let key: string;
beforeEach(async () => {
  folder = openFolder();
  key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
});
afterEach(() => {
  folder.remove();
});

/** @returns the process ids of the workers of a server. */
function workersOf({ process }: Server): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map(Number)
    .filter((it) => it > 0);
}

const status = async ({ url }: Server): Promise<number> =>
  (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 100));
}
const isAlive = (pid: number): boolean => spawnSync('ps', ['-p', String(pid)]).status === 0;

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'two serve on one port until %s, which drains both',
  async (signal) => {
    const server = await folder.serve(['--workers', '2']);
    const workers = workersOf(server);
    expect(workers).toHaveLength(2);
    expect(await status(server)).toBe(200);
    server.process.kill(signal);
    expect(await server.ended).toEqual({
      code: 0,
      signal: null,
      stdout: `Rollcall listens on ${server.url}\n`,
      stderr: '',
    });
    expect(workers.filter(isAlive)).toEqual([]);
  },
);

test('one that is killed is replaced, and the service goes on', async () => {
  const server = await folder.serve(['--workers', '2']);
  const [first = 0, second = 0] = workersOf(server);
  process.kill(first, 'SIGKILL');
  await until(() => workersOf(server).filter((it) => it !== first).length === 2);
  expect(workersOf(server)).toContain(second);
  expect(await status(server)).toBe(200);
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({
    code: 0,
    stderr: `rollcall: A worker ${String(first)} ended by SIGKILL. Another takes its place in 100 ms.\n`,
  });
});

test('one that is told to stop is replaced under load, and no request is lost', async () => {
  const server = await folder.serve(['--workers', '2']);
  const load = startLoad(server.url, key);
  try {
    await load.untilAnswered(300);
    const [first = 0] = workersOf(server);
    process.kill(first, 'SIGTERM');
    await until(() => !workersOf(server).includes(first) && workersOf(server).length === 2);
    await load.untilAnswered(300);
  } finally {
    await load.end();
  }
  expect(load).toMatchObject({ lost: 0, statuses: new Set(['HTTP/1.1 200']) });
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
}, 60_000);

test('a crash loop ends the whole', async () => {
  const server = await folder.serve(['--workers', '2']);
  const [first = 0, second = 0] = workersOf(server);
  writeFileSync(folder.path('rollcall.db'), 'x'.repeat(100_000));
  process.kill(first, 'SIGKILL');
  const { code, stderr } = await server.ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`A worker ${String(first)} ended by SIGKILL. Another takes its place in 100 ms.\n`);
  expect(stderr.match(/\.\/rollcall\.db is not a database\. Name another file\.\n/g)).toHaveLength(4);
  expect(stderr).toMatch(
    /rollcall: The workers crash again and again, 5 times now: the last worker \d+ ended with code 1\. See above\.\n$/,
  );
  expect(isAlive(second)).toBe(false);
}, 60_000);

describe('that cannot start', () => {
  test('end the whole', async () => {
    const { url } = await folder.serve();
    const { port } = new URL(url);
    const ran = await folder.run(['serve', '--workers', '2', '--port', port]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`rollcall: Port ${port} on 127.0.0.1 is taken.`);
    expect(ran.stderr).toMatch(/rollcall: The workers cannot start: worker \d+ ended with code 1\. See above\.\n/);
  });

  test('with an admin port are wrong usage: it tells of one process', async () => {
    expect(await folder.run(['serve', '--workers', '2', '--admin-port', '0'])).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        'error: --admin-port tells of one process. It cannot be used with --workers above 1.\nSee: rollcall serve --help\n',
    });
  });

  test.each(['0', '65', '1.5', 'x'])('%s is wrong usage', async (workers) => {
    const { code, stderr } = await folder.run(['serve', '--workers', workers]);
    expect(code).toBe(2);
    expect(stderr).toContain('It must be a whole number from 1 to 64.');
  });
});
