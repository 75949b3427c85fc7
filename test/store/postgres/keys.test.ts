/** Keys and accounts that several processes change at once. */
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

test('an account is deleted only as it was agreed: what another process has revoked meanwhile is seen', async () => {
  const { address, database } = await openDatabase();
  const writer = await database.openWriter();
  afterTest(() => writer.close());
  const at = '2026-01-02T00:00:00.000Z';
  await writer.createKey({ id: 'k', account: 'main', label: '', createdAt: at }, keyHash('k'));
  const other = await connectTo(address);
  await other.query(`BEGIN; UPDATE rollcall_keys SET revoked_at = '${at}' WHERE id = 'k'`);
  const agreed: number[] = [];
  const removed = writer.removeAccount('main', ({ keys }) => agreed.push(keys));
  await untilActivity(address, "wait_event_type = 'Lock'");
  await other.query('COMMIT');
  expect(await removed).toBe(true);
  expect(agreed.at(-1)).toBe(0);
});

test('a record is not removed while another process deletes its account', async () => {
  const { address, database } = await openDatabase();
  const writer = await database.openWriter();
  afterTest(() => writer.close());
  await writer.createKey({ id: 'k', account: 'main', label: '', createdAt: '' }, keyHash('k'));
  const other = await connectTo(address);
  await other.query('BEGIN; SELECT FROM rollcall_accounts FOR UPDATE');
  const id = '00000000-0000-4000-8000-000000000000';
  const removed = Promise.resolve(writer.remove('main', 'automations', [id])).then(() => 'removed');
  const waiting = untilActivity(address, "wait_event_type = 'Lock'").then(() => 'waiting');
  expect(await Promise.race([removed, waiting])).toBe('waiting');
  await other.query('COMMIT');
  await removed;
});
