/** The short form of `npm run --prefix lab hostile`: a server responds to hostile requests as the contract says, and survives. */
import { expect, test } from '@jest/globals';
import { serve } from '../conform/bad-servers.ts';
import { folder } from '../support/own-folder.ts';
import { costOf, quietCostOf, runAttacks } from './attack-run.ts';

const ATTACKS = 1500;

test('hostile requests get declared responses alone, and the log reports no fault', async () => {
  const key = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve();
  const seed = Date.now() % 2 ** 31;
  const { faults, statuses } = await runAttacks({
    ...{ url: server.url, key, pid: server.process.pid ?? 0 },
    ...{ attacks: ATTACKS, seed },
  });
  expect({ seed, faults }).toEqual({ seed, faults: [] });
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '204', '401', '404', '405', '422']));
  await costOf({ url: server.url, key, pid: server.process.pid ?? 0 }, 10); // Each of them is a 200.
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});

test('what an ordinary request costs is measured again where a server was busy, and only there', async () => {
  const { process: idle } = await folder.serve();
  const measure = async (statusOf: (nth: number) => number): Promise<{ cost: number | string; requests: number }> => {
    let requests = 0;
    const url = await serve((_req, res) => res.writeHead(statusOf((requests += 1)), { 'Retry-After': '1' }).end());
    const target = { url, key: 'key', pid: idle.pid ?? 0 };
    return { cost: await quietCostOf(target, 3).catch(String), requests };
  };
  expect(await measure((nth) => (nth === 2 ? 503 : 200))).toEqual({ cost: expect.any(Number), requests: 5 });
  const says = (status: number): string => `Error: An ordinary request ends with ${String(status)}, Retry-After 1.`;
  expect(await measure(() => 503)).toEqual({ cost: says(503), requests: 5 });
  expect(await measure(() => 500)).toEqual({ cost: says(500), requests: 1 });
});
