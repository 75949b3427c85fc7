/** `server.requests`: the requests that the server has received. */
import { expect, test } from '@jest/globals';
import type { Exchange } from '../../server/http/exchange.ts';
import { automation } from '../../testkit/index.ts';
import { createRecorder } from '../../testkit/requests.ts';
import type { SeenRequest } from '../../testkit/requests.ts';
import { ask, start } from '../support/kit.ts';

test('has each request and its result, without the key', async () => {
  const server = await start({ automations: [automation()] });
  server.fail({ status: 429, operation: 'listAutomations' });
  server.fail({ disconnect: true, operation: 'listContactProperties' });
  await ask(server, '/automations?limit=5&status=enabled', { 'x-request-id': 'mine' });
  await ask(server, '//automations?limit=1&limit=%32');
  await ask(server, '/contact-properties').catch(() => undefined);
  await ask(server, '/contacts/imports/00000000-0000-4000-8000-000000000000');
  await fetch(`${server.url}/nope`, { method: 'POST', body: '{}' });
  expect(server.requests).toMatchObject([
    {
      method: 'GET',
      path: '/automations',
      query: { limit: '5', status: 'enabled' },
      headers: { 'x-request-id': 'mine', host: new URL(server.url).host },
      operation: 'listAutomations',
      status: 429,
      fault: { status: 429, operation: 'listAutomations' },
    },
    { path: '/automations', query: { limit: ['1', '2'] }, operation: 'listAutomations', status: 422, fault: undefined },
    { operation: 'listContactProperties', status: undefined, fault: { disconnect: true } },
    { operation: 'getContactImport', query: {}, status: 404 },
    { method: 'POST', path: '/nope', operation: undefined, status: 404 },
  ]);
  expect(JSON.stringify(server.requests)).not.toContain(server.apiKey);
  expect(Object.keys(server.requests[0] ?? {})).toEqual([
    ...['method', 'path', 'query', 'headers', 'operation', 'status', 'fault', 'cues'],
  ]);
});

test('has a request as soon as it has arrived', async () => {
  const server = await start();
  server.fail({ delayMs: 600_000 });
  const left = new AbortController();
  const asked = fetch(server.url, { signal: left.signal }).catch(() => undefined);
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(server.requests).toMatchObject([{ path: '/', status: undefined, fault: { delayMs: 600_000 } }]);
  left.abort();
  await asked;
});

test('the logs of accounts have the latest thousand each, and the latest fifty thousand in all', () => {
  const { record } = createRecorder();
  const logs = Array.from({ length: 51 }, (): SeenRequest[] => []);
  const add = (number: number, log: SeenRequest[] | undefined): void => {
    const path = `/${String(number)}`;
    const exchange = { req: { headers: {} }, res: {}, method: 'GET', target: path, path } as unknown as Exchange; // All that is recorded.
    record(exchange, undefined, { cues: [], fault: undefined }, log);
  };
  const seen = (): unknown => [logs.map((it) => it.length), logs[0]?.[0]?.path, logs[0]?.at(-1)?.path];
  for (let number = 0; number <= 50_000; number += 1) add(number, logs[Math.ceil(number / 1000) - 1] ?? logs[0]);
  // The first request of all was also one too many for its account, so it is dropped once.
  expect(seen()).toEqual([[...Array<number>(50).fill(1000), 0], '/1', '/1000']);
  add(50_001, logs[50]);
  expect(seen()).toEqual([[999, ...Array<number>(49).fill(1000), 1], '/2', '/1000']);
});

test('is emptied by reset(), and has the latest thousand', async () => {
  const server = await start();
  const { requests } = server;
  await ask(server, '/automations');
  await server.reset();
  expect(requests).toEqual([]);
  await ask(server, '/first');
  for (let at = 0; at < 50; at += 1) await Promise.all(Array.from({ length: 20 }, () => ask(server, '/some')));
  await ask(server, '/last');
  expect(requests).toHaveLength(1000);
  expect(new Set(requests.map((it) => it.path))).toEqual(new Set(['/some', '/last']));
  expect(requests.at(-1)?.path).toBe('/last');
});
