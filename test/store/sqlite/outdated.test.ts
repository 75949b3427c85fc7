/** Records outlive their contract: what was checked against another one is not served, and not added to. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { upgradeRecords } from '../../../server/cli/upgrade.ts';
import type { Contract } from '../../../server/contract/document.ts';
import { schemaHashes } from '../../../server/contract/schema.ts';
import type { Account } from '../../../server/contract/types.ts';
import { openForWriting } from '../../../server/store/sqlite/database.ts';
import { openStore, openWriter, sqliteDatabase } from '../../../server/store/sqlite/open.ts';
import { StoreError, StoreUnavailable } from '../../../server/store/store.ts';
import type { Writer } from '../../../server/store/store.ts';
import { automation, contactImport, contactProperty } from '../../../server/testing/builders.ts';
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
const error = (type: typeof StoreError | typeof StoreUnavailable, message: string): unknown =>
  expect.objectContaining({ constructor: type, message });
const rejected = (what: string, db = file): unknown =>
  error(
    StoreError,
    `The ${what} in ${file} were checked against another version of the contract, and must be checked again. ` +
      `Back it up, then run: rollcall upgrade --db ${db}`,
  );
const create = async (): Promise<void> => openWriter(file).close();
const serve = (it: Contract): Promise<void> | void => openStore(file, schemaHashes(it)).close();

describe('a store with records of another contract', () => {
  beforeEach(() => withWriter((writer) => loadInto(writer, 'contactProperties', [contactProperty()], { contract })));

  test('is not served', () => {
    expect(() => serve(next)).toThrow(rejected('contact properties'));
  });

  test('is served by what it was made with', async () => {
    await serve(contract);
  });

  test('takes no records of the collection, and reads none', async () => {
    let hasRead = false;
    // eslint-disable-next-line @typescript-eslint/require-await -- a load takes an async source
    const source = async function* (): AsyncGenerator<never> {
      hasRead = true;
      yield* [];
    };
    const options = { replace: false, schemaHash: schemaHashes(next).contactProperties };
    await withWriter(async (writer) => {
      await expect(writer.load('main', 'contactProperties', source(), options)).rejects.toThrow(
        rejected('contact properties'),
      );
    });
    expect(hasRead).toBe(false);
  });

  test('takes records of the other collections', async () => {
    const loaded = await withWriter((writer) => loadInto(writer, 'automations', [automation()], { contract: next }));
    expect(loaded.after).toBe(1);
    await serve(contract); // Nothing has changed for them.
  });

  test('takes records that replace all of them', async () => {
    const record = { ...contactProperty(), unit: 'cm' };
    await withWriter((writer) => loadInto(writer, 'contactProperties', [record], { contract: next, replace: true }));
    await serve(next);
    expect(() => serve(contract)).toThrow(rejected('contact properties'));
  });

  test('takes none that replace those of one account while another has some', async () => {
    const load = { contract: next, replace: true, account: 'other' };
    await withWriter(async (writer) => {
      await expect(loadInto(writer, 'contactProperties', [contactProperty()], load)).rejects.toThrow(
        rejected('contact properties'),
      );
    });
    await serve(contract);
  });

  test('still has its keys created and listed', async () => {
    const key = { id: 'a', account: 'main', label: '', createdAt: '' };
    await withWriter(async (writer) => {
      await writer.createKey(key, Buffer.of(1));
      expect(await writer.listKeys()).toEqual([{ ...key, expiresAt: null, revokedAt: null }]);
    });
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
  expect(() => serve(all)).toThrow(rejected('contact properties and contact imports', quoted));
});

test('collections without records take the schema hash of who loads, and those without one are served by all', async () => {
  await create();
  await serve(contract);
  await serve(next);
  await serve(contract);
  await withWriter((writer) =>
    loadInto(writer, 'contactProperties', [{ ...contactProperty(), unit: 'm' }], { contract: next }),
  );
  expect(() => serve(contract)).toThrow(rejected('contact properties'));
  await serve(next);
});

describe('a store that is served while', () => {
  beforeEach(create);
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
        error(
          StoreUnavailable,
          'The database is now of another version of Rollcall. Start the server again with that.',
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
