/** Abuse of the control API by programs: without a key, with huge bodies, a cue that always fires, and too many accounts. */
import { request } from 'node:http';
import { automation } from '../../testkit/index.ts';
import { cpuNs, memoryMb } from '../support/measure.ts';
import { exchange, statusesOf } from '../../test/support/raw.ts';
import { report } from '../support/report.ts';
import { eachOf, openClient } from './client.ts';
import type { Client, Target } from './client.ts';

const MAX_ACCOUNTS = 10_000;
const CREATIONS = 20_000;
const REQUESTS = 2000;
const HUGE_BYTES = 100 * 1024 * 1024;
/** Beside what a body of 16 MiB takes while it is read. */
const MAX_GROWTH_MB = 150;
/** What 10,000 accounts may take. */
const MAX_ACCOUNTS_MB = 400;

const mb = (value: number): string => `${value.toFixed(0)} MB`;

export async function abuse(demo: Target & { readonly pid: number }, control: Target, client: Client): Promise<void> {
  const { pid } = demo;
  const { send } = client;
  const bounded = async (what: string, limit: number, work: () => Promise<void>): Promise<void> => {
    const before = memoryMb(pid);
    await work();
    const isAlive = (await send('GET', '/requests?status=599')).status === 200;
    const after = memoryMb(pid);
    report(isAlive && after - before < limit, `${what}: alive, ${mb(before)} before it and ${mb(after)} after`);
  };

  await bounded('without a key', MAX_GROWTH_MB, async () => {
    const thief = openClient({ ...control, key: 'nonsense' });
    const statuses = new Set<number>();
    await eachOf(0, 1000, async () => {
      statuses.add((await thief.send('POST', '/reset')).status);
    });
    thief.close();
    report([...statuses].join() === '401', `1,000 requests without a key: ${[...statuses].join(', ')}`);
  });
  await bounded('huge bodies', MAX_GROWTH_MB, () => sendHuge(control));
  await bounded('a body of 8,000,000 numbers', MAX_GROWTH_MB * 3, async () => {
    const got = await send('POST', '/accounts/demo/remove', { collection: 'automations', ids: Array(8e6).fill(1) });
    report(got.status === 422 || got.status === 413, `8,000,000 ids: ${String(got.status)}`);
  });
  await bounded('a cue that always fires', MAX_GROWTH_MB, () => fireAlways(demo, client));
  await bounded('accounts', MAX_ACCOUNTS_MB, () => createMany(pid, client));
}

async function sendHuge({ url, key }: Target): Promise<void> {
  const authorization = `Bearer ${key}`;
  let sent = 0;
  const status = await new Promise<number | string>((resolve) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const req = request(`${url}/faults`, { method: 'POST', headers: { authorization } }, (res) => {
      resolve(res.statusCode ?? 0);
      req.destroy();
    });
    // A server that closes the connection may do so before its response has arrived.
    req.on('error', (error) => {
      resolve(error.message);
    });
    const write = (): void => {
      if (req.destroyed || sent >= HUGE_BYTES) return;
      sent += chunk.length;
      req.write(chunk, write);
    };
    write();
  });
  const isEarly = status === 413 || (typeof status === 'string' && /EPIPE|ECONNRESET/.test(status));
  report(isEarly && sent < HUGE_BYTES, `a body of 100 MB in chunks: ${String(status)}, after ${mb(sent / 1024 ** 2)}`);

  const head = (length: string): string =>
    `POST /faults HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: ${length}\r\n\r\n`;
  const body = '{"fault":{"status":503}}';
  const lies = {
    'that is too short': `${head('5')}${body}`,
    twice: `${head('5').replace('\r\n\r\n', '\r\nContent-Length: 24\r\n\r\n')}${body}`,
    'that is negative': `${head('-1')}${body}`,
    'with chunks beside it': `${head('5').replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n')}${body}`,
  };
  for (const [what, text] of Object.entries(lies)) {
    const statuses = statusesOf(await exchange(url, text));
    const isRejected = statuses.length > 0 && statuses.every((it) => it >= 400 && it < 500);
    report(isRejected, `a Content-Length ${what}: ${statuses.join(', ')}`);
  }
}

async function fireAlways({ url, key }: Target, { send }: Client): Promise<void> {
  await send('DELETE', '/accounts/demo/cues');
  const record = automation();
  const added = await send('POST', '/accounts/demo/cues', {
    when: {},
    then: [
      { put: { collection: 'automations', records: [record] } },
      { remove: { collection: 'automations', ids: ['00000000-0000-4000-8000-000000000000'] } },
      { fail: { status: 503 } },
    ],
    always: true,
  });
  const api = openClient({ url, key });
  const statuses = new Set<number>();
  await eachOf(0, REQUESTS, async () => {
    statuses.add((await api.send('GET', '/automations?limit=1')).status);
  });
  api.close();
  const { data } = (await send('GET', '/accounts/demo/cues')).body as {
    readonly data: readonly { readonly fired: number; readonly errors: readonly string[] }[];
  };
  const { count } = (await send('GET', '/accounts/demo/requests')).body as { readonly count: number };
  const [cue] = data;
  report(
    added.status === 201 && cue?.fired === REQUESTS && cue.errors.length === 10 && [...statuses].join() === '503',
    `a cue that always fires: ${String(cue?.fired)} times, with ${String(cue?.errors.length)} errors kept`,
  );
  report(count === 1000, `of ${String(REQUESTS)} requests ${String(count)} are in the log`);
  await send('DELETE', '/accounts/demo/cues');
}

async function createMany(pid: number, { send }: Client): Promise<void> {
  const existing = ((await send('GET', '/accounts')).body as { readonly data: readonly unknown[] }).data.length;
  const room = MAX_ACCOUNTS - existing;
  const results = new Map<string, number>();
  const create = async (at: number): Promise<void> => {
    const { status, body } = await send('POST', '/accounts', { name: `n${String(at)}` });
    const { message = '' } = body as { readonly message?: string };
    const result = `${String(status)} ${message}`.trim();
    results.set(result, (results.get(result) ?? 0) + 1);
  };
  const full = `409 There are ${String(MAX_ACCOUNTS)} accounts, which is the maximum. Delete some first.`;

  const cpu = cpuNs(pid);
  await eachOf(0, room, create);
  const cpuMs = (cpuNs(pid) - cpu) / 1e6 / room;
  report(results.get('201') === room && results.size === 1, `accounts: ${JSON.stringify([...results])}`);
  process.stdout.write(`     creating an account takes ${cpuMs.toFixed(2)} ms of CPU\n`);
  const early = memoryMb(pid);

  results.clear();
  await eachOf(room, CREATIONS, create);
  const isFull = results.size === 1 && results.get(full) === CREATIONS - room;
  report(isFull, `more accounts: ${JSON.stringify([...results])}`);
  const late = memoryMb(pid);
  report(
    late - early < MAX_GROWTH_MB,
    `memory: ${mb(early)} with 10,000 accounts, ${mb(late)} after those that do not fit`,
  );

  const deleted = await send('DELETE', '/accounts/n1');
  const again = await send('POST', '/accounts', { name: 'again' });
  const [more, gone] = [await send('POST', '/accounts', { name: 'n1' }), await send('DELETE', '/accounts/n1')];
  const statuses = [deleted, again, more, gone].map((it) => it.status);
  report(statuses.join() === '204,201,409,404', `one is deleted, another fits: ${statuses.join(', ')}`);

  const started = performance.now();
  const reset = await send('POST', '/reset');
  report(
    reset.status === 204,
    `a reset of all: ${String(reset.status)}, ${(performance.now() - started).toFixed(0)} ms`,
  );
}
