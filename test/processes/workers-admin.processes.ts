/** The admin port of `rollcall serve --workers N`: one for all. */
import { renameSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Running } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, isAlive, until } from '../support/processes.ts';
import { exchange } from '../support/raw.ts';

const adminOf = async (server: Running): Promise<string> =>
  (await server.printed(/\/metrics are on (http:\/\/127\.0\.0\.1:\d+)\n/))[1] ?? '';
const ask = async (url: string): Promise<[number, string]> => {
  const response = await fetch(url);
  return [response.status, await response.text()];
};
/** Asks until the status is the one. @returns the body. */
const responseOnce = async (url: string, status: number): Promise<string> => {
  let response: [number, string] = [0, ''];
  await until(async () => {
    response = await ask(url);
    return response[0] === status;
  });
  return response[1];
};
const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, it) => total + it, 0);

test('it is ready while every worker serves and the store responds', async () => {
  const server = await folder.serve(['--workers', '2', '--admin-port', '0']);
  const ready = `${await adminOf(server)}/readyz`;
  expect(await ask(ready)).toEqual([200, 'ok\n']);
  const [first = 0] = childrenOf(server.process.pid);
  process.kill(first, 'SIGKILL');
  expect(await responseOnce(ready, 503)).toBe('not ready: 1 of 2 workers serve\n');
  expect(await responseOnce(ready, 200)).toBe('ok\n');
  const replacements = childrenOf(server.process.pid);
  expect(replacements).toHaveLength(2);
  expect(replacements).not.toContain(first);
  renameSync(folder.path('rollcall.db'), folder.path('moved.db'));
  expect(await responseOnce(ready, 503)).toMatch(/^not ready: \.\/rollcall\.db has been removed/);
});

test('it has the metrics of each worker by its number, and a replacement has the number of the one before', async () => {
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve(['--workers', '2', '--admin-port', '0']);
  const metrics = `${await adminOf(server)}/metrics`;
  const counts = async (): Promise<Record<string, number>> => {
    const pattern =
      /^rollcall_http_request_duration_seconds_count\{operation="listAutomations",status="200",worker="(.*)"\} (\d+)$/gm;
    const found = [...(await ask(metrics))[1].matchAll(pattern)].map((it) => [it[1] ?? '', Number(it[2])] as const);
    return Object.fromEntries(found);
  };
  const request = `GET /automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
  for (let at = 0; at < 10; at += 1) await exchange(server.url, request);
  const before = await counts();
  expect(Object.keys(before)).toEqual(['1', '2']);
  expect(sum(before)).toBe(10);
  const [, text] = await ask(metrics);
  expect(text.match(/^process_resident_memory_bytes\{worker="[12]"\} \d+$/gm)).toHaveLength(2);

  const [first = 0] = childrenOf(server.process.pid);
  process.kill(first, 'SIGTERM');
  await until(() => !childrenOf(server.process.pid).includes(first));
  await responseOnce(metrics.replace('metrics', 'readyz'), 200);
  for (let at = 0; at < 10; at += 1) await exchange(server.url, request);
  const after = await counts();
  expect(Object.keys(after)).toEqual(['1', '2']);
  expect(sum(after)).toBe(20 - (before['1'] ?? 0));
  expect(after['2']).toBeGreaterThan(before['2'] ?? 0);
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});

test('it is not ready from the moment they are signalled to stop, while they take new connections for the delay', async () => {
  const server = await folder.serve(['--workers', '2', '--admin-port', '0', '--drain-delay', '600']);
  const workers = childrenOf(server.process.pid);
  const ready = `${await adminOf(server)}/readyz`;
  for (const pid of [...workers, server.process.pid ?? 0]) process.kill(pid, 'SIGTERM'); // As service managers do.
  await until(async () => (await ask(ready))[1] === 'not ready: the server is stopping\n');
  const request = 'GET /automations HTTP/1.1\r\nConnection: close\r\n\r\n';
  for (let at = 0; at < 4; at += 1) expect(await exchange(server.url, request)).toMatch(/^HTTP\/1\.1 401 /);
  expect(workers.filter(isAlive)).toEqual([...workers]);
  server.process.kill('SIGTERM'); // The second signal ends all at once.
  expect(await server.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  await until(() => !workers.some(isAlive));
});

test('on a port that is taken is said so, by its flag', async () => {
  const { port } = new URL((await folder.serve()).url);
  expect(await folder.run(['serve', '--workers', '2', '--port', '0', '--admin-port', port])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `rollcall: Port ${port} on 127.0.0.1 is taken. Choose another with --admin-port N, or any free one with --admin-port 0.\n`,
  });
});
