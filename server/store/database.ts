/**
 * A database as commands use it, on any engine. Every method may throw `StoreUnavailable` and `StoreError`.
 *
 * A database has an older version if its tables or its collections are out of date. For a server, a database with an
 * outdated schema hash has an older version too. Only `upgrade` changes such a database, and `backUp` copies it. The
 * other methods that open the database reject it and leave it unchanged.
 */
import type { SchemaHashes } from '../../contract/schema.ts';
import type { Inspector } from './inspector.ts';
import type { CheckedRecord, MaybePromise, Store, StoredRecord, Writer } from './store.ts';
import type { Usage } from './usage.ts';
import type { Wait } from './wait.ts';

/** Replicas of a database: servers that have the same records a moment later. Only some engines support them. */
export interface Replicas {
  readonly addresses: readonly string[];
  /** Called when a replica is left out, when the reason changes, and when the replica is back. */
  readonly emit?: ((event: ReplicaEvent) => void) | undefined;
}

export interface ReplicaEvent {
  /** For display: without the parts that may hold a password. */
  readonly address: string;
  readonly state: 'unavailable' | 'available';
  /** Why the replica is left out. */
  readonly reason?: string;
}

export interface UpgradeOptions {
  /** How long the upgrade waits while another process writes; by default a minute. */
  readonly wait?: Wait;
  /** Called before the first record is checked, and again each time that all are checked once more. */
  readonly begin?: () => void;
}

export interface Database {
  /**
   * Opens the database for serving.
   * @param hashes the schemas that the records must have been checked against (see `schemaHashes`). A database with
   *   other hashes is rejected.
   * @param replicas servers to read from as well. The store opens even if a replica does not respond.
   */
  openStore(hashes: SchemaHashes, replicas?: Replicas): MaybePromise<Store>;
  /**
   * Opens the database for writing. Creates it if it does not exist, or if its creation was interrupted.
   * @param mustExist reject such a database instead of creating it.
   * @param wait how long the creation and each write wait while another process writes; by default a minute.
   */
  openWriter(mustExist?: boolean, wait?: Wait): MaybePromise<Writer>;
  /** Opens the database for inspecting all of it. Changes nothing. */
  openInspector(): MaybePromise<Inspector>;
  /**
   * Brings the tables up to date, and rechecks every record of every collection, in one transaction.
   * @param recheck returns the record to store, with the same id; `undefined` if the record cannot be kept. If a record
   *   cannot be kept, the remaining records are still checked, but nothing is changed. If `recheck` throws, nothing is
   *   changed and the error is passed on.
   * @returns whether all records were kept. If so, the database now states that they were checked against `hashes`.
   */
  upgrade(
    hashes: SchemaHashes,
    recheck: (stored: StoredRecord) => CheckedRecord | undefined,
    options?: UpgradeOptions,
  ): MaybePromise<boolean>;
  /** Copies one state of the database, also of an older version, to a new file. Servers and imports continue during the copy. */
  backUp(to: string): MaybePromise<void>;
  /** Measures the database for monitoring, on a connection of its own. Takes a few milliseconds, whatever its size. */
  usage(): MaybePromise<Usage>;
}
