import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRollcall } from 'rollcall/testing';

test('a server is closed at the end of its block', async () => {
  let url = '';
  {
    await using server = await startRollcall();
    ({ url } = server);
  }
  await assert.rejects(fetch(url), { message: 'fetch failed' });
});
