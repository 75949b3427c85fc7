import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@rollcall/client';
import { automation, startRollcall } from 'rollcall/testing';
import { enabledNames } from '../src/report.js';

test('a cut connection is retried', async (t) => {
  const server = await startRollcall({ automations: [automation({ name: 'Welcome' })] });
  t.after(() => server.close());
  server.fail({ disconnect: true });
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey });
  assert.deepEqual(await enabledNames(client), ['Welcome']);
});
