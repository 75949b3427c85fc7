/** The write-ahead log stays bounded while one process reads without a pause and another loads again and again. */
import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { schemaHashes } from '../../../contract/schema.ts';
import type { Account } from '../../../contract/types.ts';
import { createChecks } from '../../../import/check.ts';
import { openStore, openWriter } from '../../../server/store/sqlite/open.ts';
import type { CheckedRecord } from '../../../server/store/store.ts';
import { contactImport } from '../../../testkit/builders.ts';
import { contract } from '../../support/app.ts';
import { file } from '../../support/own-folder.ts';
import { series } from '../../support/series.ts';

const ACCOUNT = 1 as Account; // The first one of a store.
const BATCH = 50;
const BATCHES = 10;
const LOADS = 80;
// What SQLite folds into the file at a time, what is kept of it, and a load.
const MAX_LOG_BYTES = 12 * 1024 * 1024;

test('under constant reads and loads', async () => {
  const hashes = schemaHashes(contract);
  const check = createChecks(contract).contactImports;
  const writer = openWriter(file);
  const store = openStore(file, hashes);
  const records = series(BATCH * BATCHES, contactImport).flatMap((it) => check(it).record ?? []);
  const sizes: number[] = [];
  const read = async (): Promise<void> => {
    await store.list(ACCOUNT, 'contactImports', { limit: 100 }); // A snapshot, which ends in the next turn.
    sizes.push(statSync(`${file}-wal`).size);
  };
  // Of every two loads one commits while a snapshot is open, so that SQLite cannot fold all of the log into the file.
  async function* batches(isReadMeanwhile: boolean): AsyncGenerator<readonly CheckedRecord[]> {
    for (let at = 0; at < records.length; at += BATCH) {
      await read();
      yield records.slice(at, at + BATCH);
    }
    if (!isReadMeanwhile) await nextTurn();
  }
  for (let at = 0; at < LOADS; at += 1) {
    await writer.load('acme', 'contactImports', batches(at % 2 === 0), {
      replace: true,
      schemaHash: hashes.contactImports,
    });
  }
  await store.close();
  await writer.close();
  expect(new Set(sizes).size).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(MAX_LOG_BYTES);
});
