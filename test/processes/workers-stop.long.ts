/** How `rollcall serve --workers N` stops: all workers drain, whichever process gets a signal and when, and none is left. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { startLoad } from '../support/load.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, isAlive, until } from '../support/processes.ts';
import { key, start, status, workersOf } from './two-workers.ts';
import type { Server } from './two-workers.ts';

/** Stops a server under load: no response but 200, and no worker is left. That no request is lost: test/restarts. */
async function stopUnderLoad(server: Server, stop: () => void): Promise<void> {
  const load = startLoad(server.url, key);
  const workers = workersOf(server);
  try {
    await load.untilResponses(200);
    stop();
    const stdout = `Rollcall listens on ${server.url}\n`;
    expect(await server.ended).toEqual({ code: 0, signal: null, stdout, stderr: '' });
  } finally {
    await load.end();
  }
  expect(workers.filter(isAlive)).toEqual([]);
  expect(load.statuses).toEqual(new Set(['HTTP/1.1 200']));
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'under load, by %s to every process at once, and twice, as service managers send it',
  async (signal) => {
    const server = await start();
    const workers = workersOf(server);
    expect(workers).toHaveLength(2);
    await stopUnderLoad(server, () => {
      for (const pid of [...workers, server.process.pid ?? 0, ...workers]) process.kill(pid, signal);
    });
  },
);

test('under load, with a delay in which they take new connections', async () => {
  const server = await start('--drain-delay', '1');
  const started = performance.now();
  await stopUnderLoad(server, () => server.process.kill('SIGTERM'));
  expect(performance.now() - started).toBeGreaterThanOrEqual(1000);
});

test('before they serve', async () => {
  const running = folder.start(['serve', '--create', '--port', '0', '--workers', '2']);
  await until(() => childrenOf(running.process.pid).length === 2);
  running.process.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('without being killed, with connections that have sent half a request, have closed their side alone, or have sent nothing', async () => {
  const server = await start('--log', 'json');
  const sockets = Array.from({ length: 6 }, () =>
    connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true }),
  );
  for (const it of sockets) it.on('error', () => undefined); // Not of the test whether they are reset.
  await Promise.all(sockets.map((it) => once(it, 'connect')));
  for (const it of sockets.slice(0, 2)) it.write('GET /automations HTTP/1.1\r\nHost:');
  for (const it of sockets.slice(2, 4)) it.end();
  expect(await status(server)).toBe(200); // Later than the connections, which have come to a worker by then.
  server.process.kill('SIGTERM');
  const { code, signal, stderr } = await server.ended;
  expect([code, signal]).toEqual([0, null]);
  // A worker that the first process has to kill says nothing more.
  expect(stderr.match(/"state":"stopped"/g)).toHaveLength(2);
  for (const it of sockets) it.destroy();
});

test('when the first process is killed: none is left', async () => {
  const server = await start();
  const workers = workersOf(server);
  server.process.kill('SIGKILL');
  await until(() => !workers.some(isAlive));
  await expect(status(server)).rejects.toThrow('fetch failed');
});
