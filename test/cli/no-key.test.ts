/** `rollcall serve` says how to create a key where none opens anything. */
import { expect, test } from '@jest/globals';
import { createKey } from '../../server/cli/keys.ts';
import { database, folder, shown } from '../support/own-database.ts';

test.each([
  ['no key', [], true],
  ['a revoked key alone', ['revoked'], true],
  ['a key', ['live'], false],
  ['an expired key alone', ['expired'], true],
  ['a key beside dead ones', ['revoked', 'expired', 'live'], false],
])('with %s', async (_, keys, says) => {
  const writer = await database.openWriter();
  for (const state of keys) {
    const { id } = await createKey(writer, 'acme', '', state === 'expired' ? '2026-01-01T00:00:00.000Z' : undefined);
    if (state === 'revoked') await writer.revokeKey(id, '2026-01-01T00:00:00.000Z');
  }
  await writer.close();
  const { process, ended } = await folder.serve();
  process.kill('SIGTERM');
  expect((await ended).stderr).toBe(
    says ? `No key opens it yet. Create one: rollcall keys create --account NAME --db ${shown}\n` : '',
  );
});
