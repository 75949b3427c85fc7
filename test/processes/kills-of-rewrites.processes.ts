/** `upgrade` and `backup`, killed while they write: everything is as it was, or done, and the same command works. */
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { schemaHashes } from '../../server/contract/schema.ts';
import { JSON_OF_STORED } from '../../server/store/sqlite/checksum.ts';
import { openStore, openWriter } from '../../server/store/sqlite/open.ts';
import { automation, contactImport } from '../../server/testing/builders.ts';
import { contract } from '../support/app.ts';
import { contractWith } from '../support/contract.ts';
import { killAt } from '../support/kill.ts';
import { file, folder } from '../support/own-folder.ts';
import { series } from '../support/series.ts';
import { loadInto } from '../support/store.ts';

const TIMEOUT_MS = 120_000;

function read<T>(from: string, look: (db: Database.Database) => T): T {
  const db = new Database(from, { readonly: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}

test(
  'an upgrade leaves everything as it was, or has done it all',
  async () => {
    const older = contractWith(({ Id, ContactImport }) => {
      Object.assign(Id, { description: 'as before', maxLength: 40 });
      ContactImport.properties = Object.fromEntries(Object.entries(ContactImport.properties).reverse());
    });
    const records = series(25_000, contactImport);
    const writer = openWriter(file);
    await loadInto(writer, 'contactImports', records, { contract: older, account: 'acme' });
    await writer.close();
    const saved = folder.path('saved.db');
    copyFileSync(file, saved);
    const texts = (): readonly string[] =>
      read(file, (db) =>
        db.prepare<[], string>(`SELECT ${JSON_OF_STORED} FROM records ORDER BY created_us DESC`).pluck().all(),
      );
    const before = texts();
    await killAt(
      // The write-ahead log grows once the changes are more than the memory that is set aside for them.
      () => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) >= 1_000_000,
      () => {
        for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
        copyFileSync(saved, file);
        return folder.start(['upgrade']);
      },
    );
    const found = texts();
    expect(await folder.run(['upgrade'])).toMatchObject({ code: 0 });
    const after = texts();
    expect(after[0]).not.toBe(before[0]); // The properties have another order.
    expect([before[0], after[0]]).toContain(found[0]);
    expect(found).toEqual(found[0] === before[0] ? before : after);
    await openStore(file, schemaHashes(contract)).close(); // It is of today's contract.
    expect(after.map((it) => JSON.parse(it) as unknown)).toEqual(records);
  },
  TIMEOUT_MS,
);

test(
  'a backup leaves no copy but a whole one, and the next one works',
  async () => {
    const records = 50_000;
    const writer = openWriter(file);
    await loadInto(writer, 'automations', series(records, automation), { contract, account: 'acme' });
    await writer.close();
    const count = (of: string): unknown => read(of, (db) => db.prepare('SELECT count(*) FROM records').pluck().get());
    const copy = folder.path('copy.db');
    await killAt(
      () => readdirSync(folder.path('.')).some((it) => it.endsWith('.partial')),
      () => {
        rmSync(copy, { force: true });
        return folder.start(['backup', 'copy.db']);
      },
    );
    // As its last step, which may be just done.
    expect([undefined, records]).toContain(existsSync(copy) ? count(copy) : undefined);
    expect(await folder.run(['backup', 'next.db'])).toMatchObject({ code: 0 });
    expect(count(folder.path('next.db'))).toBe(records);
  },
  TIMEOUT_MS,
);
