/** The write-ahead log stays bounded while one process reads without a pause and others load again and again. */
import { statSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { schemaHashes } from '../../../server/contract/schema.ts';
import type { Account } from '../../../server/contract/types.ts';
import { createChecks } from '../../../server/import/check.ts';
import { openStore, openWriter } from '../../../server/store/sqlite/open.ts';
import { contactImport } from '../../../server/testing/builders.ts';
import type { Change } from '../../cache/writer-process.ts';
import { startOtherProcess } from '../../cache/other-process.ts';
import { contract } from '../../support/app.ts';
import { file } from '../../support/own-folder.ts';
import { series } from '../../support/series.ts';

const ACCOUNT = 1 as Account; // The first one of a store.
const RECORDS = 500;
const LOADS = 40;
const ROUNDS = 2;
// What SQLite folds into the file at a time, what is kept of it, and a load.
const MAX_LOG_BYTES = 12 * 1024 * 1024;

test('under constant reads and loads', async () => {
  const hashes = schemaHashes(contract);
  const check = createChecks(contract).contactImports;
  await openWriter(file).close();
  const store = openStore(file, hashes);
  const other = startOtherProcess();
  const records = series(RECORDS, contactImport).flatMap((it) => check(it).record ?? []);
  const load: Change = {
    kind: 'load',
    account: 'acme',
    collection: 'contactImports',
    records,
    options: { replace: true, schemaHash: hashes.contactImports },
  };
  let [reads, largest, written, isDone] = [0, 0, 0, false];
  const loads = (async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) await other.change(file, Array<Change>(LOADS).fill(load));
  })().finally(() => (isDone = true));
  let last = 0;
  while (!isDone) {
    await store.list(ACCOUNT, 'contactImports', { limit: 100 });
    reads += 1;
    const { size } = statSync(`${file}-wal`);
    written += Math.max(size - last, 0);
    [last, largest] = [size, Math.max(largest, size)];
    await new Promise(setImmediate);
  }
  await loads;
  await other.stop();
  await store.close();
  expect(reads).toBeGreaterThan(100);
  expect(written).toBeGreaterThan(0);
  expect(largest).toBeLessThan(MAX_LOG_BYTES);
}, 120_000);
