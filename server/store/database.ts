/**
 * A database as commands use it, whatever its engine. Every method may throw `StoreUnavailable` and `StoreError`. One of an older
 * version (its tables, its collections, keys beside it, or for a server the schema hash of one) is changed by `upgrade` alone: `backUp` copies it, all
 * else rejects it and leaves it as it was.
 */
import type { SchemaHashes } from '../contract/schema.ts';
import type { Inspector } from './inspector.ts';
import type { CheckedRecord, MaybePromise, Store, StoredRecord, Writer } from './store.ts';
import type { Wait } from './wait.ts';

/** Servers that have the same records a moment later, for an engine that has them. */
export interface Replicas {
  readonly addresses: readonly string[];
  /** Called when one is left out, for another reason for that, and when it is back. */
  readonly emit?: ((event: ReplicaEvent) => void) | undefined;
}

export interface ReplicaEvent {
  /** Without what may be a password. */
  readonly address: string;
  readonly state: 'unavailable' | 'available';
  /** Why it is left out. */
  readonly reason?: string;
}

export interface UpgradeOptions {
  /** How long it waits while another process writes; a minute unless given. */
  readonly wait?: Wait;
  /** Called before the first record, and again if another process was in the way and all are checked once more. */
  readonly begin?: () => void;
}

export interface Database {
  /**
   * Opens it to serve from.
   * @param hashes what the records must have been checked against (see `schemaHashes`). Others are rejected.
   * @param replicas read from too. One that does not respond is no reason not to open.
   */
  openStore(hashes: SchemaHashes, replicas?: Replicas): MaybePromise<Store>;
  /**
   * Opens it to write to. One that does not exist, or was created by half only, is created.
   * @param mustExist reject it instead.
   * @param wait how long that and each write wait while another process writes; a minute unless given.
   */
  openWriter(mustExist?: boolean, wait?: Wait): MaybePromise<Writer>;
  /** Opens it to inspect it as a whole. Nothing of it is changed. */
  openInspector(): MaybePromise<Inspector>;
  /**
   * Brings its tables up to date, stores keys that an older version has left beside it, and has every record of every
   * collection checked again, in one transaction.
   * @param recheck gives the record as it is to be kept, its id unchanged; `undefined` if it cannot be kept. Then nothing
   *   is changed, but the others are checked all the same. If it throws, nothing is changed and the error is passed on.
   * @returns whether all records are kept, and were checked against `hashes` from now on.
   */
  upgrade(
    hashes: SchemaHashes,
    recheck: (stored: StoredRecord) => CheckedRecord | undefined,
    options?: UpgradeOptions,
  ): MaybePromise<boolean>;
  /** Copies one state of it, of whatever version, to a new file; servers and imports go on meanwhile. */
  backUp(to: string): MaybePromise<void>;
  /**
   * Stores when keys were used. Several processes may do so: the later time stays.
   * @param uses milliseconds since 1970, by the id of the key.
   */
  putLastUses(uses: ReadonlyMap<string, number>): MaybePromise<void>;
  /** @returns when keys were last used: ISO 8601, UTC, by the id of the key. */
  lastUses(): MaybePromise<ReadonlyMap<string, string>>;
  /** Deletes when keys were last used. */
  forgetLastUses(keys: readonly string[]): MaybePromise<void>;
  /** @returns what is wrong with the place where it is stored when keys were last used, a line each. */
  lastUsesFaults(): MaybePromise<readonly string[]>;
}
