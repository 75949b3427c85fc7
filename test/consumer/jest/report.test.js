import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createClient } from '@rollcall/client';
import { automation, contactImport, startRollcall } from 'rollcall/testing';
import { enabledNames, importReport } from '../src/report.js';

let server;
let client;
beforeAll(async () => {
  server = await startRollcall({
    automations: [automation({ name: 'Welcome' }), automation({ name: 'Old', status: 'disabled' })],
  });
  client = createClient({ baseUrl: server.url, apiKey: server.apiKey });
}, 30_000); // A first start on a busy machine.
beforeEach(() => server.reset());
afterAll(() => server.close());

test('only what is switched on is listed', async () => {
  expect(await enabledNames(client)).toEqual(['Welcome']);
});

test('a rate limit is waited out', async () => {
  server.fail({ status: 429, operation: 'listAutomations' });
  expect(await enabledNames(client)).toEqual(['Welcome']);
  expect(server.requests.map(({ operation, status }) => ({ operation, status }))).toEqual([
    { operation: 'listAutomations', status: 429 },
    { operation: 'listAutomations', status: 200 },
  ]);
});

test('a report waits for the import to end', async () => {
  const queued = contactImport({ status: 'queued' });
  await server.put('contactImports', [queued]);
  await server.moveImport(queued.id, { total: 100 });
  await server.moveImport(queued.id);
  expect(await importReport(client, queued.id)).toBe('completed: 77 of 100 created');
});
