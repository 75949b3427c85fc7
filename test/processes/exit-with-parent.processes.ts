/** `--exit-with-parent`: a server ends with the process that has started it, however that one ends. */
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { afterTest } from '../support/after-test.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, isAlive } from '../support/processes.ts';

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const DEMO = ['demo', '--port', '0', '--json', '--exit-with-parent'];
const SERVE = ['serve', '--create', '--port', '0', '--exit-with-parent'];

/** Starts a program in the folder, and ends it after the test. */
function open(command: string, argv: readonly string[], stdio: StdioOptions = 'pipe'): ChildProcess {
  const child = spawn(command, argv, { cwd: folder.path('.'), stdio });
  child.on('error', () => undefined);
  afterTest(() => child.kill('SIGKILL'));
  return child;
}
/** @returns the address in the first line that has one. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    text += String(chunk);
    const url = /http:\/\/[\d.:]+/.exec(text)?.[0];
    if (url !== undefined && text.endsWith('\n')) return url;
  }
  throw new Error(`It has printed no address: ${text}`);
}
/** @returns how a program ends, once nobody holds its output any more. */
async function endOf(child: ChildProcess): Promise<unknown> {
  child.stdout?.resume();
  const [code, signal] = (await once(child, 'close')) as [unknown, unknown];
  return { code, signal };
}
const ENDED = { code: 0, signal: null };

describe.each([
  ['demo', DEMO],
  ['serve', SERVE],
  ['serve with workers', [...SERVE, '--workers', '2']],
])('%s', (_, argv) => {
  test('ends when the process that started it is killed', async () => {
    // The output is that of the server: it is closed when both have ended.
    const script = `require('child_process').spawn(process.execPath, ${JSON.stringify([MAIN, ...argv])}, { stdio: ['pipe', 'inherit', 'inherit'] })`;
    const parent = open(process.execPath, ['-e', script]);
    const url = await addressOf(parent);
    const servers = childrenOf(parent.pid);
    const workers = servers.flatMap((it) => childrenOf(it));
    const started = [...servers, ...workers];
    afterTest(() => {
      for (const it of started.filter(isAlive)) process.kill(it, 'SIGKILL');
    });
    expect([servers.length, workers.length]).toEqual([1, argv.includes('--workers') ? 2 : 0]);
    expect((await fetch(`${url}/automations`)).status).toBe(401);
    parent.kill('SIGKILL');
    expect(await endOf(parent)).toEqual({ code: null, signal: 'SIGKILL' });
    expect(started.filter(isAlive)).toEqual([]);
    await expect(fetch(`${url}/automations`)).rejects.toThrow('fetch failed');
  });

  test('ends with 0 when its standard input does, whatever came before', async () => {
    const server = open(process.execPath, [MAIN, ...argv]);
    const url = await addressOf(server);
    server.stdin?.write('x'.repeat(1_000_000)); // More than a pipe holds.
    expect((await fetch(`${url}/automations`)).status).toBe(401);
    server.stdin?.end();
    expect(await endOf(server)).toEqual(ENDED);
  });

  test('is stopped by a signal as ever, while its standard input is open', async () => {
    const server = open(process.execPath, [MAIN, ...argv]);
    await addressOf(server);
    server.kill('SIGTERM');
    expect(await endOf(server)).toEqual(ENDED);
  });
});

describe('standard input', () => {
  test.each([
    ['of no content', '< /dev/null'],
    ['that is closed', '<&-'],
    ['that cannot be read', '< .'],
  ])('%s ends it at once', async (_, redirection) => {
    const argv = ['-c', `exec "$@" ${redirection}`, 'sh', process.execPath, MAIN, ...DEMO];
    const server = open('sh', argv);
    expect(await endOf(server)).toEqual(ENDED);
  });

  test('that is a pipe ends it with the program at its other end', async () => {
    const shell = open('sh', ['-c', 'cat | "$@"', 'sh', process.execPath, MAIN, ...DEMO]);
    await addressOf(shell);
    shell.stdin?.end();
    expect(await endOf(shell)).toEqual(ENDED);
  });

  test('that is reset ends it', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const accepted = once(listener, 'connection') as Promise<[Socket]>;
    const socket = connect((listener.address() as AddressInfo).port, '127.0.0.1'); // It listens on a port.
    socket.on('error', () => undefined);
    afterTest(() => {
      socket.destroy();
      listener.close();
    });
    const [peer] = await accepted;
    const server = open(process.execPath, [MAIN, ...DEMO], [socket, 'pipe', 'pipe']);
    await addressOf(server);
    peer.resetAndDestroy();
    expect(await endOf(server)).toEqual(ENDED);
  });
});
