/** Records outlive their contract: what was checked against another one is not served, and not added to. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { upgradeRecords } from '../../../cli/upgrade.ts';
import { schemaHashes } from '../../../contract/schema.ts';
import type { Account } from '../../../contract/types.ts';
import { openForWriting } from '../../../server/store/sqlite/database.ts';
import { openStore, openWriter, sqliteDatabase } from '../../../server/store/sqlite/open.ts';
import { StoreError, StoreUnavailable } from '../../../server/store/store.ts';
import type { Writer } from '../../../server/store/store.ts';
import { automation, contactImport, contactProperty } from '../../../testkit/builders.ts';
import { contract } from '../../support/app.ts';
import { contractWith } from '../../support/contract.ts';
import { folder } from '../../support/own-folder.ts';
import { loadInto } from '../../support/store.ts';

/** Automations and contact imports that are the same in it, and contact properties of a new kind. */
const next = contractWith(({ ContactProperty: it }) => {
  it.properties['unit'] = { type: 'string' };
});
const ACCOUNT = 1 as Account; // The first one of a store.

let file: string;
beforeEach(() => {
  file = folder.path('it.db');
});

async function withWriter<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
  const writer = openWriter(file);
  try {
    return await work(writer);
  } finally {
    await writer.close();
  }
}

test('keys are created and listed whatever the contract of the records is', async () => {
  const key = { id: 'a', account: 'main', label: '', createdAt: '' };
  await withWriter(async (writer) => {
    await loadInto(writer, 'contactProperties', [contactProperty()], { contract: next });
    await writer.createKey(key, Buffer.of(1));
    expect(await writer.listKeys()).toEqual([{ ...key, expiresAt: null, revokedAt: null }]);
  });
});

test('all collections are named, and what is to be run works in a shell', async () => {
  file = folder.path("Anna's store.db");
  await withWriter(async (writer) => {
    await loadInto(writer, 'contactProperties', [contactProperty()], { contract });
    await loadInto(writer, 'contactImports', [contactImport()], { contract });
  });
  const all = contractWith(({ Id: it }) => Object.assign(it, { maxLength: 40 }));
  const quoted = `'${file.replace("'", "'\\''")}'`;
  expect(() => openStore(file, schemaHashes(all))).toThrow(
    new StoreError(
      `The contact properties and contact imports in ${file} were checked against another version of the contract ` +
        `and must be checked again. Back up the database, then run: rollcall db upgrade --db ${quoted}`,
    ),
  );
});

describe('a store that is served while', () => {
  beforeEach(() => openWriter(file).close());
  const id = '00000000-0000-4000-8000-000000000000';

  test.each<[string, () => unknown]>([
    [
      'a load brings records of another contract',
      () => withWriter((writer) => loadInto(writer, 'contactProperties', [contactProperty()], { contract: next })),
    ],
    [
      'its records are checked against another contract',
      () => sqliteDatabase(file).upgrade(schemaHashes(next), () => undefined),
    ],
    [
      'a newer version changes its tables',
      () => new Database(file).exec('DROP TABLE records; PRAGMA user_version = 99').close(),
    ],
  ])('%s answers no more', async (_, change) => {
    const store = openStore(file, schemaHashes(contract));
    expect(await store.list(ACCOUNT, 'automations', { limit: 1 })).toEqual({ items: [], hasMore: false });
    await change();
    await nextTurn(); // What comes in one turn of the event loop reads one state.
    for (const ask of [
      () => store.list(ACCOUNT, 'automations', { limit: 1 }),
      () => store.list(ACCOUNT, 'contactProperties', { limit: 1, cursor: { direction: 'after', id } }),
      () => store.get(ACCOUNT, 'contactImports', id),
    ]) {
      expect(ask).toThrow(
        new StoreUnavailable(
          'The database was upgraded to another version of Rollcall. Restart the server with that version.',
        ),
      );
    }
    await store.close();
  });

  test('a newer version removes its keys is unavailable too', async () => {
    const store = openStore(file, schemaHashes(contract));
    new Database(file).exec('DROP TABLE keys; PRAGMA user_version = 99').close();
    expect(() => store.authenticate(Buffer.of(1))).toThrow(StoreUnavailable);
    await store.close();
  });

  test('records of the same contract come goes on', async () => {
    const store = openStore(file, schemaHashes(contract));
    await withWriter((writer) => loadInto(writer, 'automations', [automation()], { contract }));
    await upgradeRecords(sqliteDatabase(file), contract);
    openForWriting(file).exec('VACUUM').close();
    expect((await store.list(ACCOUNT, 'automations', { limit: 1 }))?.items).toHaveLength(1);
    await store.close();
  });
});
