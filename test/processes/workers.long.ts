/** `rollcall serve --workers N`: a worker that ends is replaced on the same port. When all crash: workers-log.long.ts.
 * That no request is lost: lab/restarts, because a client that is held up for 250 ms loses one. */
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Ran } from '../support/cli.ts';
import { startLoad } from '../support/load.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, until } from '../support/processes.ts';
import { exchange } from '../support/raw.ts';
import { key, start, untilServed, workersOf } from './two-workers.ts';
import type { Server } from './two-workers.ts';

const replacedAfter = (pid: number, ms = 100): string =>
  `rollcall: Worker ${String(pid)} was killed by SIGKILL. Replacing it in ${String(ms)} ms.\n`;

async function stop(server: Server): Promise<Ran> {
  server.process.kill('SIGTERM');
  return server.ended;
}

test.each(['SIGKILL', 'SIGTERM'])('one that gets %s under load is replaced, and the others go on', async (signal) => {
  const server = await start();
  const load = startLoad(server.url, key);
  const [first = 0, second = 0] = workersOf(server);
  try {
    await load.untilResponses(200);
    process.kill(first, signal);
    await until(() => !workersOf(server).includes(first) && workersOf(server).length === 2);
    await load.untilResponses(200);
  } finally {
    await load.end();
  }
  expect(workersOf(server)).toContain(second);
  expect(load.statuses).toEqual(new Set(['HTTP/1.1 200']));
  expect(await stop(server)).toMatchObject({ code: 0, stderr: signal === 'SIGTERM' ? '' : replacedAfter(first) });
});

test('the port stays the same, also when none is left to hold it', async () => {
  const server = await start();
  const workers = workersOf(server);
  for (const pid of workers) process.kill(pid, 'SIGKILL');
  await until(() => workersOf(server).filter((it) => !workers.includes(it)).length === 2);
  await untilServed(server);
  expect((await stop(server)).code).toBe(0);
});

test('one that is killed again and again is replaced after longer pauses, and a stop does not wait for its next start', async () => {
  const server = await start();
  const [first = 0, second = 0] = workersOf(server);
  const killed: number[] = [];
  for (let last = first; killed.length < 4; last = workersOf(server).find((it) => it !== second) ?? 0) {
    process.kill(last, 'SIGKILL');
    killed.push(last);
    await until(() => !workersOf(server).includes(last));
    if (killed.length < 4) await until(() => workersOf(server).length === 2);
  }
  await untilServed(server);
  const stderr = killed.map((pid, at) => replacedAfter(pid, 100 * 2 ** at)).join('');
  expect(await stop(server)).toMatchObject({ code: 0, stderr });
});

test.each([
  ['names another database', '{ "db": "other.db" }'],
  ['has a typing error', '{ "db": '],
  ['is gone', undefined],
])('one that is replaced has the settings of its server, although their file %s', async (_, text) => {
  writeFileSync(folder.path('settings.json'), '{ "db": "rollcall.db" }');
  const server = await start('--config', 'settings.json', '--admin-port', '0');
  const [, adminUrl = ''] = await server.printed(/metrics are on (http\S+)\n/);
  const [first = 0] = workersOf(server);
  rmSync(folder.path('settings.json'));
  if (text !== undefined) writeFileSync(folder.path('settings.json'), text);
  process.kill(first, 'SIGKILL');
  await until(() => !workersOf(server).includes(first) && workersOf(server).length === 2);
  await until(async () => (await fetch(`${adminUrl}/readyz`)).ok); // Both serve.
  // A connection for each request, which the workers get in turn.
  const head = `GET /automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
  for (let at = 0; at < 4; at += 1) expect(await exchange(server.url, head)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await stop(server)).toMatchObject({ code: 0, stderr: replacedAfter(first) });
});

test('one that is killed before all serve for the first time is replaced too', async () => {
  const running = folder.start(['serve', '--create', '--port', '0', '--workers', '2']);
  await until(() => childrenOf(running.process.pid).length === 2);
  const [first = 0] = childrenOf(running.process.pid);
  process.kill(first, 'SIGKILL');
  await running.printed(/Rollcall listens on/);
  running.process.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, stderr: replacedAfter(first) });
});

test.each([
  ['port', []],
  ['admin-port', ['--port', '0']],
])('what cannot start on a --%s that is taken says so once', async (flag, argv) => {
  const { port } = new URL((await folder.serve()).url);
  expect(await folder.run(['serve', '--workers', '2', ...argv, `--${flag}`, port])).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: `rollcall: Port ${port} on 127.0.0.1 is already in use. Choose another port with --${flag} <n>, or a free one with --${flag} 0.\n`,
  });
});
