/** `--exit-with-parent`: a server ends with the process that has started it, however that one ends. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { afterTest } from '../support/after-test.ts';
import type { Running } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, isAlive, until } from '../support/processes.ts';

const DEMO = ['demo', '--port', '0', '--json', '--exit-with-parent'];
const SERVE = ['serve', '--create', '--port', '0', '--exit-with-parent'];
const SERVERS: [string, string[]][] = [
  ['demo', DEMO],
  ['serve', SERVE],
  ['serve with workers', [...SERVE, '--workers', '2']],
];
/** Starts the command from a process of its own, which holds the pipe; the output is that of the server. */
const FROM_PARENT = `exec '${process.execPath}' -e '
  require("child_process").spawn(process.argv[1], process.argv.slice(2), { stdio: ["pipe", "inherit", "inherit"] });' "$@"`;
const ENDED = { code: 0, signal: null };

/** @returns the list of a server, once it listens. */
const listOf = async ({ printed }: Running): Promise<string> =>
  `${String(await printed(/http:\/\/[\d.:]+(?=[^]*\n)/))}/automations`;

test.each(SERVERS)('%s ends when the process that started it is killed', async (_, argv) => {
  const parent = folder.start(argv, {}, FROM_PARENT);
  const list = await listOf(parent);
  const servers = childrenOf(parent.process.pid);
  const workers = servers.flatMap((it) => childrenOf(it));
  const started = [...servers, ...workers];
  afterTest(() => {
    for (const it of started.filter(isAlive)) process.kill(it, 'SIGKILL');
  });
  expect([servers.length, workers.length]).toEqual([1, argv.includes('--workers') ? 2 : 0]);
  expect((await fetch(list)).status).toBe(401);
  parent.process.kill('SIGKILL');
  expect(await parent.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  await until(() => !started.some(isAlive)); // The pipe closes before a process has ended.
  await expect(fetch(list)).rejects.toThrow('fetch failed');
});

test.each(SERVERS)('%s ends with 0 when its standard input does, whatever came before', async (_, argv) => {
  const server = folder.start(argv);
  const list = await listOf(server);
  server.process.stdin.write('x'.repeat(1_000_000)); // More than a pipe holds.
  expect((await fetch(list)).status).toBe(401);
  server.process.stdin.end();
  expect(await server.ended).toMatchObject(ENDED);
});

test('a signal stops it while its standard input is open', async () => {
  const server = folder.start(DEMO);
  await listOf(server);
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject(ENDED);
});

test.each([
  ['has no content', '< /dev/null'],
  ['is closed', '<&-'],
  ['cannot be read', '< .'],
])('standard input that %s ends it at once', async (_, redirection) => {
  expect(await folder.start(DEMO, {}, `exec ${redirection}`).ended).toMatchObject(ENDED);
});

test('standard input that is a pipe ends it with the program at its other end', async () => {
  const shell = folder.start(DEMO, {}, 'cat | "$@"; exit');
  await listOf(shell);
  shell.process.stdin.end();
  expect(await shell.ended).toMatchObject(ENDED);
});

test('standard input that is reset ends it', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  afterTest(() => listener.close());
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // It listens on a port.
  const accepted = once(listener, 'connection') as Promise<[Socket]>;
  const server = folder.start(DEMO, {}, `exec < /dev/tcp/127.0.0.1/${String(port)}`);
  await listOf(server);
  const [peer] = await accepted;
  peer.resetAndDestroy();
  expect(await server.ended).toMatchObject(ENDED);
});
