/** The admin port of `rollcall serve --workers N`: one for all. */
import { renameSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';
import { isAlive, until } from '../support/processes.ts';
import { exchange, lastText } from '../support/raw.ts';
import { key, start as startWorkers, workersOf } from './two-workers.ts';
import type { Server } from './two-workers.ts';

/** Starts two workers. @returns their server, and the address of its admin port. */
async function start(...argv: readonly string[]): Promise<{ server: Server; admin: string }> {
  const server = await startWorkers('--admin-port', '0', ...argv);
  const [, admin = ''] = await server.printed(/\/metrics are on (http:\/\/127\.0\.0\.1:\d+)\n/);
  return { server, admin };
}
const ask = async (url: string): Promise<[number, string]> => {
  const response = await fetch(url);
  return [response.status, await response.text()];
};
/** Asks until the status is the one. @returns the body. */
const responseOnce = async (url: string, status: number): Promise<string> => {
  for (;;) {
    const response = await ask(url);
    if (response[0] === status) return response[1];
  }
};
/** @returns the reasons of the restarts that were counted: one for each worker that has one or more. */
const restarts = async (admin: string): Promise<readonly (string | undefined)[]> =>
  [
    ...(await ask(`${admin}/metrics`))[1].matchAll(
      /^rollcall_worker_restarts_total\{worker="[12]",reason="(\w+)"\} 1$/gm,
    ),
  ].map(([, reason]) => reason);
const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, it) => total + it, 0);

test('it is ready while every worker serves and the store responds', async () => {
  const { server, admin } = await start();
  const ready = `${admin}/readyz`;
  expect(await ask(ready)).toEqual([200, 'ok\n']);
  const [first = 0] = workersOf(server);
  process.kill(first, 'SIGKILL');
  expect(await responseOnce(ready, 503)).toBe('not ready: 1 of 2 workers are ready\n');
  expect(await responseOnce(ready, 200)).toBe('ok\n');
  const replacements = workersOf(server);
  expect(replacements).toHaveLength(2);
  expect(replacements).not.toContain(first);
  expect(await restarts(admin)).toEqual(['failed']);
  renameSync(folder.path('rollcall.db'), folder.path('moved.db'));
  expect(await responseOnce(ready, 503)).toMatch(/^not ready: \.\/rollcall\.db was removed/);
});

test('it has the metrics of each worker by its number, and a replacement has the number of the one before', async () => {
  const { server, admin } = await start();
  const metrics = `${admin}/metrics`;
  const counts = async (): Promise<Record<string, number>> => {
    const pattern =
      /^rollcall_http_request_duration_seconds_count\{operation="listAutomations",status="200",worker="(.*)"\} (\d+)$/gm;
    const found = [...(await ask(metrics))[1].matchAll(pattern)].map((it) => [it[1] ?? '', Number(it[2])] as const);
    return Object.fromEntries(found);
  };
  for (let at = 0; at < 10; at += 1) await exchange(server.url, lastText(key));
  const before = await counts();
  expect(Object.keys(before)).toEqual(['1', '2']);
  expect(sum(before)).toBe(10);
  const [, text] = await ask(metrics);
  expect(text.match(/^process_resident_memory_bytes\{worker="[12]"\} \d+$/gm)).toHaveLength(2);

  const [first = 0] = workersOf(server);
  process.kill(first, 'SIGTERM');
  await until(() => !workersOf(server).includes(first));
  await responseOnce(`${admin}/readyz`, 200);
  expect(await restarts(admin)).toEqual(['stopped']);
  for (let at = 0; at < 10; at += 1) await exchange(server.url, lastText(key));
  const after = await counts();
  expect(Object.keys(after)).toEqual(['1', '2']);
  expect(sum(after)).toBe(20 - (before['1'] ?? 0));
  expect(after['2']).toBeGreaterThan(before['2'] ?? 0);
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});

test('it is not ready from the moment they are signalled to stop, while they take new connections for the delay', async () => {
  const { server, admin } = await start('--drain-delay', '600');
  const workers = workersOf(server);
  const ready = `${admin}/readyz`;
  for (const pid of [...workers, server.process.pid ?? 0]) process.kill(pid, 'SIGTERM'); // As service managers do.
  await until(async () => (await ask(ready))[1] === 'not ready: the server is stopping\n');
  const request = 'GET /automations HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  for (let at = 0; at < 4; at += 1) expect(await exchange(server.url, request)).toMatch(/^HTTP\/1\.1 401 /);
  expect(workers.filter(isAlive)).toEqual([...workers]);
  server.process.kill('SIGTERM'); // The second signal ends all at once.
  expect(await server.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  await until(() => !workers.some(isAlive));
});
