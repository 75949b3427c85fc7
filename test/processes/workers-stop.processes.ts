/** How `rollcall serve --workers N` stops: all workers drain, whichever process gets a signal and when, and none is left. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { startLoad } from '../support/load.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, isAlive, until } from '../support/processes.ts';
import { key, start, status, workersOf } from './two-workers.ts';

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s to the first process', async (signal) => {
  const server = await start();
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
});

test('under load, by signals to every process at once, and twice, as service managers send them', async () => {
  const server = await start();
  const load = startLoad(server.url, key);
  try {
    await load.untilResponses(200);
    const all = [...workersOf(server), server.process.pid ?? 0];
    for (const pid of all) process.kill(pid, 'SIGTERM');
    for (const pid of workersOf(server)) process.kill(pid, 'SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  } finally {
    await load.end();
  }
  expect(load.statuses).toEqual(new Set(['HTTP/1.1 200']));
  // Connections that have just been opened when the last worker leaves may be reset: node:cluster accepts them for it.
  expect(load.lost - load.lostAtFirst).toBe(0);
});

test('under load, with a delay in which they take new connections', async () => {
  const server = await folder.serve(['--workers', '2', '--drain-delay', '1']);
  const load = startLoad(server.url, key);
  let stopping = 0;
  try {
    await load.untilResponses(200);
    stopping = performance.now();
    server.process.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  } finally {
    await load.end();
  }
  expect(performance.now() - stopping).toBeGreaterThanOrEqual(1000);
  expect(load.statuses).toEqual(new Set(['HTTP/1.1 200']));
  expect(load.lost - load.lostAtFirst).toBe(0);
});

test('before they serve', async () => {
  const running = folder.start(['serve', '--create', '--port', '0', '--workers', '2']);
  await until(() => childrenOf(running.process.pid).length === 2);
  running.process.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test.each([
  ['sent half a request', (it: ReturnType<typeof connect>) => it.write('GET /automations HTTP/1.1\r\nHost:')],
  ['closed its side alone', (it: ReturnType<typeof connect>) => it.end()],
  ['sent nothing', () => undefined],
])('soon, with a connection that has %s', async (_, act) => {
  const server = await start();
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  act(socket);
  expect(await status(server)).toBe(200); // Later than the connection, which has come to a worker by then.
  const stopping = performance.now();
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(performance.now() - stopping).toBeLessThan(5000);
  socket.destroy();
});

test('when the first process is killed: none is left', async () => {
  const server = await start();
  const workers = workersOf(server);
  server.process.kill('SIGKILL');
  await until(() => !workers.some(isAlive));
  await expect(status(server)).rejects.toThrow('fetch failed');
});
