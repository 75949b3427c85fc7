/** The admin port: its responses, and that the public port has none of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadContract } from '../../contract/document.ts';
import { freePort } from '../../server/http/listener.ts';
import { startAdmin } from '../../server/observe/admin.ts';
import type { Admin } from '../../server/observe/admin.ts';
import { version } from '../../server/runtime.ts';
import type { Running } from '../support/cli.ts';
import { textOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { until } from '../support/processes.ts';
import { exchange, parseResponse, splitResponses, statusesOf } from '../support/raw.ts';

const contract = loadContract();
const url = 'http://127.0.0.1:3000';
const ask = async (at: string, init: RequestInit = {}): Promise<[number, string]> => {
  const response = await fetch(at, init);
  return [response.status, await response.text()];
};

describe('alone', () => {
  let admin: Admin;
  let fault: Error | undefined;
  beforeEach(async () => {
    fault = undefined;
    admin = await startAdmin({
      ...{ contract, host: '127.0.0.1', port: 0 },
      probe: () => {
        if (fault !== undefined) throw fault;
      },
    });
  });
  afterEach(() => admin.stop());

  test('it lives from the start, and is ready while the server listens and the store responds', async () => {
    const ready = (): Promise<[number, string]> => ask(`${admin.url}/readyz`);
    expect(await ask(`${admin.url}/livez`)).toEqual([200, 'ok\n']);
    expect(await ready()).toEqual([503, 'not ready: the server is starting\n']);
    admin.observer.lifecycle?.({ state: 'listening', url });
    expect(await ready()).toEqual([200, 'ok\n']);
    fault = new Error('injected');
    expect(await ready()).toEqual([503, 'not ready: injected\n']);
    fault = undefined;
    expect(await ready()).toEqual([200, 'ok\n']);
    admin.observer.lifecycle?.({ state: 'stopping', url });
    expect(await ready()).toEqual([503, 'not ready: the server is stopping\n']);
    expect(await ask(`${admin.url}/livez`)).toEqual([200, 'ok\n']);
  });

  test.each([
    ['GET', '/', 404],
    ['GET', '/metrics/', 404],
    ['POST', '/livez', 405],
    ['HEAD', '/livez?x', 200],
  ])('%s %s is %d', async (method, path, status) => {
    expect((await ask(admin.url + path, { method }))[0]).toBe(status);
  });

  test('the health check of the container asks the port of ROLLCALL_ADMIN_PORT', async () => {
    const [, quoted = ''] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(textOf('docs/Containerfile')) ?? [];
    const [, ...argv] = JSON.parse(quoted) as readonly string[];
    expect(parse(textOf('docs/compose.yaml'))).toHaveProperty('services.rollcall.healthcheck.test', [
      'CMD',
      'node',
      ...argv,
    ]);
    const check = async (port: string): Promise<unknown> =>
      (await once(spawn(process.execPath, argv, { env: { ROLLCALL_ADMIN_PORT: port } }), 'close'))[0];
    expect(await check(new URL(admin.url).port)).toBe(0);
    expect(await check('0')).toBe(1);
  });

  test('a peer that resets its connection does not end it', async () => {
    for (const text of ['', 'nonsense\r\n\r\n', 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n']) {
      const socket = connect(Number(new URL(admin.url).port), '127.0.0.1');
      await new Promise((resolve) => socket.write(text, resolve));
      socket.resetAndDestroy();
    }
    expect((await ask(`${admin.url}/livez`))[0]).toBe(200);
  });

  test.each([
    ['Upgrade', '\r\nConnection: upgrade\r\nUpgrade: x', 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n', []],
    ['a last request', '\r\nConnection: close', 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n', []],
    ['CONNECT', '', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', [405]],
    ['nonsense', '', 'nonsense\r\n\r\n', [405]],
    ['the preface of HTTP/2', '', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [422]],
  ])('it responds to what comes before %s, and closes the connection', async (_, headers, rest, statuses) => {
    // The response waits for the store, and the rest is there before.
    const text = `GET /readyz HTTP/1.1\r\nHost: x${headers}\r\n\r\n${rest}`;
    admin.observer.lifecycle?.({ state: 'listening', url });
    const responses = await exchange(admin.url, text);
    expect(statusesOf(responses)).toEqual([200, ...statuses]);
    expect(parseResponse(splitResponses(responses).at(-1) ?? '').headers['connection']).toBe('close');
  });

  test('it counts the events of the server', async () => {
    const { observer } = admin;
    const completed = {
      ...({ id: 'x', method: 'GET', path: '/automations', operation: 'listAutomations' } as const),
      ...{ account: undefined, keyId: undefined, address: undefined, problem: undefined, parameter: undefined },
      ...{ status: 200, ms: 3, bytes: 1000, isCached: false, isComplete: true },
    };
    observer.completed?.(completed);
    observer.completed?.({ ...completed, ms: 0.1, isCached: true });
    observer.completed?.({ ...completed, operation: undefined, status: undefined, bytes: 0, isComplete: false });
    observer.read?.({ work: 'list', ms: 2 });
    observer.read?.({ work: 'list', ms: 4 });
    observer.rejected?.({ reason: 'too_long', id: undefined, status: undefined });
    observer.failed?.({ error: new Error(), id: 'x' });
    const [, text] = await ask(`${admin.url}/metrics`);
    expect(text.split('\n').filter((it) => /^rollcall_(?!.*_bucket)/.test(it))).toEqual([
      'rollcall_http_request_duration_seconds_sum{operation="listAutomations",status="200"} 0.0031',
      'rollcall_http_request_duration_seconds_count{operation="listAutomations",status="200"} 2',
      'rollcall_http_request_duration_seconds_sum{operation="none",status="none"} 0.003',
      'rollcall_http_request_duration_seconds_count{operation="none",status="none"} 1',
      'rollcall_store_read_duration_seconds_sum{operation="list"} 0.006',
      'rollcall_store_read_duration_seconds_count{operation="list"} 2',
      'rollcall_http_response_bytes_total 2000',
      'rollcall_cache_hits_total 1',
      'rollcall_http_requests_aborted_total 1',
      'rollcall_http_rejections_total{reason="too_long"} 1',
      'rollcall_failures_total 1',
    ]);
    const bucket = 'rollcall_http_request_duration_seconds_bucket';
    expect(text).toContain(`${bucket}{le="0.0005",operation="listAutomations",status="200"} 1\n`);
    expect(text).toContain(`${bucket}{le="0.005",operation="listAutomations",status="200"} 2\n`);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });
});

describe('of a server', () => {
  test('it has what the server does; one that is told to stop is not ready first, and takes connections until its delay is over', async () => {
    const server = await folder.serve(['--admin-port', '0', '--drain-delay', '600', '--log', 'json']);
    const [, admin = ''] = await server.printed(/\/metrics are on (http:\/\/127\.0\.0\.1:\d+)\n/);
    expect(await ask(`${admin}/readyz`)).toEqual([200, 'ok\n']);
    for (const path of ['/livez', '/readyz', '/metrics']) expect((await ask(server.url + path))[0]).toBe(404);
    expect((await ask(`${server.url}/automations`))[0]).toBe(401);
    await exchange(server.url, 'nonsense\r\n\r\n');
    const [, text] = await ask(`${admin}/metrics`);
    const counted = 'rollcall_http_request_duration_seconds_count';
    expect(text).toContain(`${counted}{operation="none",status="404"} 3\n`);
    expect(text).toContain(`${counted}{operation="listAutomations",status="401"} 1\n`);
    expect(text).toContain('rollcall_http_rejections_total{reason="method"} 1\n');
    const { node } = process.versions;
    expect(text).toContain(
      `rollcall_build_info{version="${version}",contract_version="${contract.version}",node_version="${node}",engine="sqlite"} 1\n`,
    );
    expect(Number(/^rollcall_database_size_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(4096);

    server.process.kill('SIGTERM');
    await until(async () => (await ask(`${admin}/readyz`))[0] === 503);
    expect(await ask(`${admin}/readyz`)).toEqual([503, 'not ready: the server is stopping\n']);
    const texts = [
      'GET /automations HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ];
    const response = parseResponse(await exchange(server.url, texts.join('')));
    expect(response.status).toBe(401);
    expect(response.headers['connection']).toBe('keep-alive');
    server.process.kill('SIGTERM'); // The second signal ends it at once.
    const { signal, stderr } = await server.ended;
    expect(signal).toBe('SIGTERM');
    expect(stderr.match(/"state":"\w+"/g)).toEqual(['"state":"listening"', '"state":"stopping"']);
  });

  test('has drained when its delay is over, and its admin port may have the same number at another address', async () => {
    const server = await serveOnOnePort();
    const stopping = performance.now();
    server.process.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(performance.now() - stopping).toBeGreaterThanOrEqual(1000);
    expect(stderr.match(/"state":"\w+"/g)).toEqual(['"state":"listening"', '"state":"stopping"', '"state":"stopped"']);
  });
});

/** Starts a server on a port, with its admin port of the same number at another address. Other processes may take one first: then with another. */
async function serveOnOnePort(): Promise<Running> {
  for (;;) {
    const port = String(await freePort({ host: '127.0.0.1', port: 0 }));
    const addresses = ['--port', port, '--admin-host', '127.0.0.2', '--admin-port', port];
    const server = folder.start(['serve', '--create', ...addresses, '--drain-delay', '1', '--log', 'json']);
    const listens = server.printed(new RegExp(`/metrics are on http://127\\.0\\.0\\.2:${port}\n`));
    const isFree = await listens.then(
      () => true,
      (error: unknown) => {
        if (!String(error).includes('is already in use')) throw error;
        return false;
      },
    );
    if (isFree) return server;
  }
}
