/** Keys that several processes change at once. */
import { expect, test } from '@jest/globals';
import { keyHash } from '../../../server/store/keys.ts';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';
import { connectTo, untilActivity } from './rows.ts';

test('a key that another process has revoked meanwhile keeps its time', async () => {
  const { address, database } = await openDatabase();
  const writer = await database.openWriter();
  afterTest(() => writer.close());
  const [first, second] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
  await writer.createKey({ id: 'k', account: 'main', label: '', createdAt: first }, keyHash('k'));
  const other = await connectTo(address);
  await other.query(`BEGIN; UPDATE rollcall_keys SET revoked_at = '${first}' WHERE id = 'k'`);
  const revoked = writer.revokeKey('k', second);
  await untilActivity(address, "wait_event_type = 'Lock'"); // It has read the key, which was live.
  await other.query('COMMIT');
  expect(await revoked).toMatchObject({ revokedAt: first });
  expect(await writer.listKeys()).toMatchObject([{ id: 'k', revokedAt: first }]);
});
