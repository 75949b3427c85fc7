/**
 * A server responds to hostile requests as the contract says, and survives. `npm run --prefix lab hostile` sends many more: ROLLCALL_TEST_ATTACKS.
 */
import { expect, test } from '@jest/globals';
import { SEED } from '../support/fast-check.ts';
import { folder } from '../support/own-folder.ts';
import { runAttacks } from './attack-run.ts';

const ATTACKS = Number(process.env['ROLLCALL_TEST_ATTACKS'] ?? 1500);

test('hostile requests get declared responses alone, and the log reports no fault', async () => {
  const key = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve();
  const { faults, statuses } = await runAttacks({ url: server.url, key, attacks: ATTACKS, seed: SEED });
  expect(faults).toEqual([]);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '204', '401', '404', '405', '422']));
  const headers = { authorization: `Bearer ${key}` };
  expect(await fetch(`${server.url}/automations`, { headers })).toMatchObject({ status: 200 });
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});
