/** What a database holds as a whole, for the command line. */
import type { Collection } from '../contract/collections.ts';
import type { SchemaHashes } from '../contract/schema.ts';
import type { CheckedRecord, HashedKey, MaybePromise, StoredRecord } from './store.ts';

export interface AccountSummary {
  readonly name: string;
  /** Keys that open it. */
  readonly keys: number;
  /** How many records there are of each collection. */
  readonly records: Readonly<Record<Collection, number>>;
}

/** What an account has of a collection. */
export interface CollectionStats {
  readonly account: string;
  readonly collection: Collection;
  readonly records: number;
  /** Of the texts that are served. */
  readonly bytes: number;
  /** `created_at` of the first and the last in the list; `null` if there is none. */
  readonly newest: string | null;
  readonly oldest: string | null;
}

/** A record, and under what it is filed. */
export interface FiledRecord extends StoredRecord, CheckedRecord {
  /** Whether it is what was written. */
  readonly isIntact: boolean;
}

/** Many, one at a time: an engine may be across a network. */
type Each<T> = Iterable<T> | AsyncIterable<T>;

/** Reads one state of a database, whatever is written meanwhile. Every method may throw `StoreRefused` if it is damaged. */
export interface Inspector {
  /** @returns every account, by name. */
  accounts(): MaybePromise<readonly AccountSummary[]>;
  /** @returns every key, oldest first. */
  keys(): MaybePromise<readonly HashedKey[]>;
  /** @returns what every account has of every collection, by name. */
  stats(): MaybePromise<readonly CollectionStats[]>;
  /** @returns the texts of an account's records in list order, one at a time; `undefined` if there is no such account. */
  texts(account: string, collection: Collection): MaybePromise<Each<string> | undefined>;
  /** @returns every record, one at a time. */
  records(): Each<FiledRecord>;
  /**
   * @param fingerprints what the records should have been checked against.
   * @returns what is wrong with the database itself, a line each: up to 100.
   */
  faults(fingerprints: SchemaHashes): MaybePromise<readonly string[]>;
  close(): MaybePromise<void>;
}
