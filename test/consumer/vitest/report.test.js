import { ApiError, createClient } from '@rollcall/client';
import { automation, startRollcall } from 'rollcall/testing';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { enabledNames } from '../src/report.js';

let server;
beforeAll(async () => {
  await (await startRollcall()).close();
}, 30_000); // The first start of a file takes longer than the others.
afterEach(() => server.close());

test('a list of many pages', async () => {
  server = await startRollcall({
    automations: Array.from({ length: 250 }, (_, at) => automation({ name: `No. ${at}` })),
  });
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey });
  expect(await enabledNames(client)).toEqual(Array.from({ length: 250 }, (_, at) => `No. ${at}`));
});

test('a server that stays down is an error of ours to handle', async () => {
  server = await startRollcall();
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, retry: false });
  server.fail({ status: 503 });
  await expect(enabledNames(client)).rejects.toThrow(ApiError);
});

test('an invalid fixture is a clear error', async () => {
  server = await startRollcall();
  await expect(server.put('automations', [automation({ status: 'paused' })])).rejects.toThrow(
    'automations[0] does not match the contract: /status: must be one of "enabled", "disabled"',
  );
});
