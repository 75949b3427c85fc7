/** The short form of `npm run test:e2e -- hostile`: a server responds to hostile requests as the contract says, and survives. */
import { expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';
import { runAttacks, costOf } from './attack-run.ts';

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
