/** Stores as version 1 of Rollcall made them. */
import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { createChecks } from '../../server/import/check.ts';
import { contactImport } from '../../server/testing/builders.ts';
import { contract } from './app.ts';
import { fixtureFile } from './fixtures.ts';
import { series } from './series.ts';

/** Makes a store of version 1, with so many contact imports in its first account. */
export function makeOldStore(file: string, count: number): void {
  const check = createChecks(contract).contactImports;
  copyFileSync(fixtureFile('sqlite', 1), file);
  const db = new Database(file);
  db.exec('DELETE FROM contact_imports');
  const insert = db.prepare('INSERT INTO contact_imports VALUES (1, ?, ?, ?, ?)');
  db.transaction(() => {
    for (const { record } of series(count, contactImport).map((it) => check(it))) {
      insert.run(record?.createdUs, record?.id, record?.filter, record?.json);
    }
  })();
  db.close();
}
