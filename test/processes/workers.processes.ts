/** `rollcall serve --workers N`: a worker that ends is replaced on the same port, unless all crash again and again. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { startLoad } from '../support/load.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, isAlive, until } from '../support/processes.ts';
import type { Ran } from '../support/cli.ts';
import { key, start, status, workersOf } from './two-workers.ts';
import type { Server } from './two-workers.ts';

/** Has a server end. @returns how. */
async function stop(server: Server): Promise<Ran> {
  server.process.kill('SIGTERM');
  return server.ended;
}

describe('one', () => {
  test('that is killed under load is replaced, and the others go on', async () => {
    const server = await start();
    const load = startLoad(server.url, key);
    const [first = 0, second = 0] = workersOf(server);
    try {
      await load.untilResponses(200);
      process.kill(first, 'SIGKILL');
      await until(() => workersOf(server).filter((it) => it !== first).length === 2);
      await load.untilResponses(200);
    } finally {
      await load.end();
    }
    expect(workersOf(server)).toContain(second);
    expect(load.statuses).toEqual(new Set(['HTTP/1.1 200']));
    expect(await stop(server)).toMatchObject({
      code: 0,
      stderr: `rollcall: A worker ${String(first)} ended by SIGKILL. Another takes its place in 100 ms.\n`,
    });
  });

  test('that is told to stop is replaced under load, and no request is lost', async () => {
    const server = await start();
    const load = startLoad(server.url, key);
    try {
      await load.untilResponses(200);
      const [first = 0] = workersOf(server);
      process.kill(first, 'SIGTERM');
      await until(() => !workersOf(server).includes(first) && workersOf(server).length === 2);
      await load.untilResponses(200);
    } finally {
      await load.end();
    }
    expect(load).toMatchObject({ lost: 0, statuses: new Set(['HTTP/1.1 200']) });
    expect(await stop(server)).toMatchObject({ code: 0, stderr: '' });
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'whose replacements get %s before they serve, more often than a crash loop allows, is no crash',
    async (signal) => {
      const server = await start();
      const [first = 0, second = 0] = workersOf(server);
      let last = first;
      for (let at = 0; at < 6; at += 1) {
        process.kill(last, signal);
        await until(() => workersOf(server).some((it) => it !== last && it !== second));
        last = workersOf(server).find((it) => it !== last && it !== second) ?? 0;
      }
      expect(await status(server)).toBe(200);
      expect(await stop(server)).toMatchObject({ code: 0, stderr: '' });
    },
  );
});

test('the port stays the same, also when none is left to hold it', async () => {
  const server = await start();
  const workers = workersOf(server);
  for (const pid of workers) process.kill(pid, 'SIGKILL');
  await until(() => workersOf(server).filter((it) => !workers.includes(it)).length === 2);
  await until(() =>
    status(server)
      .catch(() => 0)
      .then((it) => it === 200),
  );
  expect((await stop(server)).code).toBe(0);
});

test('a crash loop ends all', async () => {
  const server = await start();
  const [first = 0, second = 0] = workersOf(server);
  writeFileSync(folder.path('rollcall.db'), 'x'.repeat(100_000));
  process.kill(first, 'SIGKILL');
  const { code, stderr } = await server.ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`A worker ${String(first)} ended by SIGKILL. Another takes its place in 100 ms.\n`);
  expect(stderr.match(/\.\/rollcall\.db is not a database\. Name another file\.\n/g)).toHaveLength(5);
  expect(stderr).toMatch(
    /rollcall: 5 workers in a row ended before they listened, the last of them: worker \d+ ended with code 1\. See above\.\n$/,
  );
  expect(isAlive(second)).toBe(false);
});

test('one that is killed again and again before it listens is no crash loop, and a stop does not wait for its next start', async () => {
  const server = await start();
  const [first = 0, second = 0] = workersOf(server);
  let [last, killedAt] = [first, 0];
  for (let at = 0; at < 7; at += 1) {
    process.kill(last, 'SIGKILL');
    killedAt = performance.now();
    if (at === 6) break;
    const isNew = (it: number): boolean => it !== last && it !== second;
    await until(() => workersOf(server).some(isNew));
    last = workersOf(server).find(isNew) ?? 0;
  }
  await until(() => workersOf(server).length === 1);
  expect(await status(server)).toBe(200);
  const { code, stderr } = await stop(server);
  expect(performance.now() - killedAt).toBeLessThan(6000);
  expect(code).toBe(0);
  const pauses = [
    ...stderr.matchAll(/^rollcall: A worker \d+ ended by SIGKILL\. Another takes its place in (\d+) ms\.\n/gm),
  ];
  expect(pauses.map((it) => Number(it[1]))).toEqual([100, 200, 400, 800, 1600, 3200, 6400]);
});

test('one that is killed before all serve for the first time is replaced too', async () => {
  const running = folder.start(['serve', '--create', '--port', '0', '--workers', '2']);
  await until(() => childrenOf(running.process.pid).length === 2);
  const [first = 0] = childrenOf(running.process.pid);
  process.kill(first, 'SIGKILL');
  await running.printed(/Rollcall listens on/);
  running.process.kill('SIGTERM');
  expect(await running.ended).toMatchObject({
    code: 0,
    stderr: `rollcall: A worker ${String(first)} ended by SIGKILL. Another takes its place in 100 ms.\n`,
  });
});

test('the last use of a key is written down when they stop', async () => {
  const server = await start();
  expect(await status(server)).toBe(200);
  expect((await stop(server)).code).toBe(0);
  const [{ lastUsedAt } = {}] = JSON.parse((await folder.run(['keys', 'list', '--json'])).stdout) as {
    lastUsedAt?: string | null;
  }[];
  expect(Date.parse(String(lastUsedAt))).toBeGreaterThan(Date.now() - 60_000);
});

describe('what cannot start', () => {
  test('on a port that is taken says so once', async () => {
    const { port } = new URL((await folder.serve()).url);
    expect(await folder.run(['serve', '--workers', '2', '--port', port])).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `rollcall: Port ${port} on 127.0.0.1 is taken. Choose another with --port N, or any free one with --port 0.\n`,
    });
  });

  test.each(['0', '65', '1.5', 'x'])('--workers %s is wrong usage', async (workers) => {
    const { code, stderr } = await folder.run(['serve', '--workers', workers]);
    expect(code).toBe(2);
    expect(stderr).toContain('It must be a whole number from 1 to 64.');
  });
});
