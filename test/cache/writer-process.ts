/** Another process that changes a store as the command line does, and reports each job. */
import process from 'node:process';
import type { Collection } from '../../contract/collections.ts';
import { isPostgres } from '../../server/store/address.ts';
import { keyHash } from '../../server/store/keys.ts';
import { databaseOf } from '../../cli/database.ts';
import { openForWriting } from '../../server/store/sqlite/database.ts';
import { createSqliteWriter } from '../../server/store/sqlite/writer.ts';
import type { CheckedRecord, LoadOptions, Writer } from '../../server/store/store.ts';
import { each } from '../support/store.ts';

/** What one commit changes. */
export type Change =
  | {
      readonly kind: 'load';
      readonly account: string;
      readonly collection: Collection;
      readonly records: readonly CheckedRecord[];
      readonly options: LoadOptions;
    }
  | { readonly kind: 'remove'; readonly account: string; readonly collection: Collection; readonly ids: string[] }
  | { readonly kind: 'createKey'; readonly account: string; readonly key: string; readonly expiresAt?: string }
  | { readonly kind: 'revokeKey'; readonly key: string }
  | { readonly kind: 'removeAccount'; readonly account: string };

export interface Job {
  /** What `--db` takes. */
  readonly address: string;
  readonly changes: readonly Change[];
}

/** What became of a job, whose store has been closed again: what has failed, if anything. */
export interface Report {
  readonly failed?: string;
}

const AT = new Date(0).toISOString();
const report = (it: Report): void => {
  process.send?.(it);
};

async function apply(writer: Writer, change: Change): Promise<void> {
  switch (change.kind) {
    case 'load':
      await writer.load(change.account, change.collection, each([change.records]), change.options);
      return;
    case 'remove':
      await writer.remove(change.account, change.collection, change.ids);
      return;
    case 'createKey': {
      const { key, account, expiresAt = null } = change;
      await writer.createKey({ id: key, account, label: '', createdAt: AT, expiresAt }, keyHash(key));
      return;
    }
    case 'revokeKey':
      await writer.revokeKey(change.key, AT);
      return;
    case 'removeAccount':
      await writer.removeAccount(change.account);
  }
}

async function openWriter(address: string): Promise<Writer> {
  if (isPostgres(address)) return databaseOf(address).openWriter(true);
  const db = openForWriting(address, true);
  db.pragma('synchronous = OFF'); // This is no test of the disk.
  return createSqliteWriter(db);
}

async function run({ address, changes }: Job): Promise<void> {
  const writer = await openWriter(address);
  try {
    for (const change of changes) await apply(writer, change);
  } finally {
    await writer.close();
  }
  report({});
}

// One job at a time: the next comes when this one is done.
process.on('message', (job: Job) => {
  run(job).catch((error: unknown) => {
    report({ failed: String(error) });
  });
});
// It ends with the process that started it.
process.on('disconnect', () => {
  process.exit();
});
