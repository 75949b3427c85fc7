/** Servers that are stopped and started again under load: no request that was sent on an open connection fails. */
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGTERM', 'SIGHUP'] as const;
const CONNECTIONS = 20;
const ANSWERS_BETWEEN = 500;
const PAUSE_MS = 5; // Before another connection is tried.

let folder: Folder;
beforeEach(() => {
  folder = openFolder();
});
afterEach(() => {
  folder.remove();
});

interface Load {
  answered: number;
  /** Requests that were sent and not answered. */
  lost: number;
  readonly statuses: Set<string>;
  isOver: boolean;
}

/** Asks again and again on a connection that is kept, until it is closed: by this side where the answer says so. */
function askOnOne(port: number, request: string, load: Load): Promise<void> {
  return new Promise((resolve) => {
    let isWaiting = false;
    const socket = connect(port, '127.0.0.1');
    const ask = (): void => {
      isWaiting = true;
      socket.write(request);
    };
    socket.on('connect', ask);
    socket.on('data', (answer: Buffer) => {
      const text = answer.toString(); // It is shorter than a segment.
      isWaiting = false;
      load.answered += 1;
      load.statuses.add(text.slice(0, 'HTTP/1.1 200'.length));
      if (load.isOver || text.includes('Connection: close')) socket.destroy();
      else ask();
    });
    socket.on('error', () => undefined); // Refused while no server listens; whatever else it is, the request is lost.
    socket.on('close', () => {
      if (isWaiting) load.lost += 1;
      resolve();
    });
  });
}

async function ask(port: number, key: string, load: Load): Promise<void> {
  const request = `GET /automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  while (!load.isOver) {
    await askOnOne(port, request, load);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

test('stopped by SIGTERM and SIGHUP', async () => {
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  let server = await folder.serve();
  const { port } = new URL(server.url);
  const load: Load = { answered: 0, lost: 0, statuses: new Set(), isOver: false };
  const clients = Array.from({ length: CONNECTIONS }, () => ask(Number(port), key, load));
  try {
    for (const signal of SIGNALS) {
      const enough = load.answered + ANSWERS_BETWEEN;
      while (load.answered < enough) await new Promise(setImmediate);
      server.process.kill(signal);
      expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
      server = await folder.serve(['--port', port]);
    }
  } finally {
    load.isOver = true;
    await Promise.all(clients);
  }
  expect(load).toMatchObject({ lost: 0, statuses: new Set(['HTTP/1.1 200']) });
  expect(load.answered).toBeGreaterThan(SIGNALS.length * ANSWERS_BETWEEN);
});
