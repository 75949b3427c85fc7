/** The server that a client is examined with: every request belongs to the run that is being served. */
import { expect, test } from '@jest/globals';
import { openExamServer } from '../../../testkit/examine/server.ts';
import { automations } from '../../../testkit/examine/scenario.ts';
import type { Scenario } from '../../../testkit/examine/scenario.ts';

const LIST: Scenario = {
  task: { do: 'list', collection: 'automations' },
  records: { automations: automations(2) },
};

test('a request with the key of a run that has ended gets no response, and is not in the log of the next run', async () => {
  const server = await openExamServer();
  try {
    const get = (url: string, key: string): Promise<Response> =>
      fetch(`${url}/automations`, { headers: { Authorization: `Bearer ${key}` } });
    const first = await server.serve(LIST);
    expect((await get(first.url, first.key)).status).toBe(200);
    await first.end();

    const second = await server.serve(LIST);
    await expect(get(second.url, first.key)).rejects.toThrow('fetch failed');
    expect(second.log.requests).toEqual([]);
    expect((await get(second.url, second.key)).status).toBe(200);
    expect(second.log.requests).toHaveLength(1);
    await second.end();
    expect(server.errors).toEqual([]);
  } finally {
    await server.close();
  }
});
