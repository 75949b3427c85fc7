/** The writing side of every engine. Bulk loads are in the engine; everything else is here. */
import { everyKey, findKey, insertKey, removeAccount, revokeKey } from './accounts.ts';
import { removeRecords } from './records.ts';
import type { Dialect, Steps } from './sql.ts';
import type { Key, MaybePromise, Writer } from './store.ts';

/** A connection for writing. */
export interface WriterParts extends Pick<Writer, 'load' | 'close'> {
  readonly dialect: Dialect;
  /** Executes steps that only read. */
  readonly read: <T>(steps: Steps<T>) => MaybePromise<T>;
  /**
   * Executes steps in one transaction.
   * @param begin returns the steps. Called for each attempt: there may be several while another process writes.
   */
  readonly transaction: <T>(begin: () => Steps<T>) => Promise<T>;
}

/** @returns the writer over a connection. Closing the writer closes the connection. */
export function createWriter({ dialect, read, transaction, load, close }: WriterParts): Writer {
  return {
    load,
    // In a transaction, so that a process that is killed while it waits has removed nothing.
    remove: (account, collection, ids) => transaction(() => removeRecords(dialect, account, collection, ids)),
    removeAccount: (name, agree) => transaction(() => removeAccount(dialect, name, agree)),
    createKey: async ({ expiresAt = null, revokedAt = null, ...rest }, hash) => ({
      accountIsNew: await transaction(() => insertKey(dialect, { ...rest, expiresAt, revokedAt, hash })),
    }),
    listKeys: async () => (await read(everyKey(dialect))).map(({ hash: _, ...key }): Key => key),
    revokeKey: async (id, revokedAt) => {
      const key = await read(findKey(dialect, id)); // Only a change needs to wait for other writers.
      return key?.revokedAt === null ? transaction(() => revokeKey(dialect, id, revokedAt)) : key;
    },
    close,
  };
}
