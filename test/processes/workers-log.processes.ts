/** The log of `rollcall serve --workers N`: one for all, whose lines are whole, and that nobody has to read. */
import { expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';
import { childrenOf, until } from '../support/processes.ts';

const REQUESTS = 4000;
const AT_ONCE = 50;
/** Listening, stopping, stopped. */
const STATES = 3;

test('every request is answered, also by workers that took the place of others', async () => {
  await folder.run(['keys', 'create', '--account', 'acme']); // Else it is said that there is none.
  const server = await folder.serve(['--workers', '2', '--admin-port', '0', '--log', 'json']);
  const [, adminUrl = ''] = await server.printed(/metrics are on (http\S+)\n/);
  for (const pid of childrenOf(server.process.pid)) {
    process.kill(pid, 'SIGTERM');
    await until(() => !childrenOf(server.process.pid).includes(pid));
    await until(async () => (await fetch(`${adminUrl}/readyz`)).ok);
  }
  server.process.stderr.pause();
  const statuses = new Set<number>();
  const ask = async (): Promise<void> => {
    for (let at = 0; at < REQUESTS / AT_ONCE; at += 1) {
      const response = await fetch(`${server.url}/${'x'.repeat(250)}`);
      await response.arrayBuffer();
      statuses.add(response.status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  expect([...statuses]).toEqual([404]);

  server.process.stderr.resume();
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  const lines = stderr.split('\n').filter((it) => it !== '');
  const events = lines.map((it) => JSON.parse(it) as { event: string; lines?: number });
  const dropped = events.filter((it) => it.event === 'dropped');
  const count = events.length - dropped.length + dropped.reduce((sum, it) => sum + (it.lines ?? 0), 0);
  expect(count).toBe(REQUESTS + STATES * 4); // Of two workers, and those before them.
}, 60_000);
