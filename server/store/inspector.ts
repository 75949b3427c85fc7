/** Inspects a whole database, for the command line. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import { accountSummaries, accountsByName, everyKey } from './accounts.ts';
import { damaged } from './store-errors.ts';
import { everyRecord, textsOf } from './records.ts';
import type { AccountRow } from './records.ts';
import { assertServable, collectionIn, readCollections } from './schema-hashes.ts';
import { query } from './sql.ts';
import type { Dialect, Int, Steps, Stream } from './sql.ts';
import { whenReady } from './store.ts';
import type { AccountSummary, StoredRecord, HashedKey, MaybePromise } from './store.ts';

/** Statistics of one collection of one account. */
export interface CollectionStats {
  readonly account: string;
  readonly collection: Collection;
  readonly records: number;
  /** The total size of the texts that are served. */
  readonly bytes: number;
  /** `created_at` of the first and the last record in the list; `null` if there is none. */
  readonly newest: string | null;
  readonly oldest: string | null;
}

/** Items that are read one at a time: asynchronously if the engine is remote. */
type Each<T> = Iterable<T> | AsyncIterable<T>;

/**
 * Reads one state of a database, unaffected by concurrent writes. Every method may throw `StoreError` if the database is
 * damaged.
 */
export interface Inspector {
  /** @returns every account, sorted by name. */
  accounts(): MaybePromise<readonly AccountSummary[]>;
  /** @returns every key, oldest first. */
  keys(): MaybePromise<readonly HashedKey[]>;
  /** @returns statistics of every collection of every account, sorted by the name of the account. */
  stats(): MaybePromise<readonly CollectionStats[]>;
  /**
   * @returns the texts of an account's records in list order, one at a time; `undefined` if there is no such account.
   */
  texts(account: string, collection: Collection): MaybePromise<Each<string> | undefined>;
  /** @returns every record, one at a time. */
  records(): Each<StoredRecord>;
  /**
   * @param hashes the schemas that the records should have been checked against.
   * @returns the faults of the database itself, one line each: up to 100.
   */
  faults(hashes: SchemaHashes): MaybePromise<readonly string[]>;
  close(): MaybePromise<void>;
}

/** A connection to an up-to-date database, in a transaction that reads one state. */
export interface Inspected {
  /** The database's name for display. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly run: <T>(steps: Steps<T>) => MaybePromise<T>;
  readonly stream: <T>(steps: Stream<T>) => Each<T>;
  /** Checks the tables. @returns a line for each fault. */
  readonly integrityFaults: () => Steps<readonly string[]>;
  /** @returns whether an error is a fault of the database, with a message for people. */
  readonly isFault: (error: unknown) => error is Error;
  readonly close: () => MaybePromise<void>;
}

/** @returns the inspector over a connection. Closing the inspector closes the connection. */
export function createInspector(inspected: Inspected): Inspector {
  const { name, dialect, run, stream, close } = inspected;
  return {
    accounts: () => run(accountSummaries(dialect)),
    keys: () => run(everyKey(dialect)),
    stats: () => run(collectionStats(dialect, name)),
    texts: (account, collection) =>
      whenReady(
        run(findAccountAndNumber(dialect, account, collection)),
        (found) => found && stream(textsOf(dialect, found.account, collection, found.number)),
      ),
    records: () => stream(everyRecord(dialect)),
    faults: (hashes) => run(faultsIn(inspected, hashes)),
    close,
  };
}

function* collectionStats(dialect: Dialect, db: string): Steps<readonly CollectionStats[]> {
  const { prefix } = dialect;
  const stored = yield* readCollections(dialect);
  const all: CollectionStats[] = [];
  for (const { id, name } of yield* accountsByName(dialect)) {
    for (const collection of COLLECTIONS) {
      const parameters = [id, collectionIn(stored, collection).number];
      const [sums] = yield* query<{ records: Int; bytes: Int }>(
        `SELECT count(*) AS records, coalesce(sum(octet_length(json)), 0) AS bytes FROM ${prefix}records
          WHERE account = $1 AND collection = $2`,
        parameters,
      );
      const newest = yield* firstCreatedAt(dialect, db, parameters, 'DESC');
      const oldest = yield* firstCreatedAt(dialect, db, parameters, 'ASC');
      all.push({
        account: name,
        collection,
        records: Number(sums?.records),
        bytes: Number(sums?.bytes),
        newest,
        oldest,
      });
    }
  }
  return all;
}

/**
 * @param parameters the id of the account and the number of the collection.
 * @returns `created_at` of the first record in an order; `null` if there is none.
 * @throws StoreError if a disk has altered the record.
 */
function* firstCreatedAt(
  { prefix }: Dialect,
  db: string,
  parameters: readonly unknown[],
  order: 'ASC' | 'DESC',
): Steps<string | null> {
  const [found] = yield* query<{ json: string }>(
    `SELECT json FROM ${prefix}records WHERE account = $1 AND collection = $2
      ORDER BY created_us ${order}, id ${order} LIMIT 1`,
    parameters,
  );
  if (found === undefined) return null;
  try {
    return (JSON.parse(found.json) as { created_at: string }).created_at; // Every record has it.
  } catch (cause) {
    throw damaged(db, 'the text of a record is not JSON; rollcall db check lists it', { cause });
  }
}

/** @returns an account and the number of a collection; `undefined` if there is no such account. */
function* findAccountAndNumber(
  dialect: Dialect,
  name: string,
  collection: Collection,
): Steps<{ readonly account: AccountRow; readonly number: number } | undefined> {
  const [account] = yield* query<AccountRow>(`SELECT id, name FROM ${dialect.prefix}accounts WHERE name = $1`, [name]);
  if (account === undefined) return undefined;
  return { account, number: collectionIn(yield* readCollections(dialect), collection).number };
}

function* faultsIn(
  { name, dialect, integrityFaults, isFault }: Inspected,
  hashes: SchemaHashes,
): Steps<readonly string[]> {
  const faults = yield* integrityFaults();
  try {
    yield* assertServable(dialect, name, hashes);
    return faults;
  } catch (error) {
    if (isFault(error)) return [...faults, error.message];
    throw error;
  }
}
