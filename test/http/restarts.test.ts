/** A server that is stopped and started again under load: no request that was sent on an open connection fails. */
import { expect, test } from '@jest/globals';
import { startLoad } from '../support/load.ts';
import { folder } from '../support/own-folder.ts';

test('stopped by SIGTERM and SIGHUP', async () => {
  const key = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
  let server = await folder.serve();
  const load = startLoad(server.url, key);
  try {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      await load.untilResponses(500);
      server.process.kill(signal);
      expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
      server = await folder.serve(['--port', new URL(server.url).port]);
    }
  } finally {
    await load.end();
  }
  expect(load).toMatchObject({ lost: 0, statuses: new Set(['HTTP/1.1 200']) });
});
