/** The interface of a storage engine. Results may be promises, because an engine may be remote. */
import type { Collection, FilterValue, Resources } from '../../contract/collections.ts';
import type { Account, Json } from '../../contract/types.ts';

/** Where a page starts and in which direction it continues. */
export const DIRECTIONS = ['first', 'after', 'before'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * The item that a page continues from, by its lower-case id. `after` continues to older items, `before` to newer ones.
 */
export interface Cursor {
  readonly direction: Exclude<Direction, 'first'>;
  readonly id: string;
}

export interface ListQuery<C extends Collection> {
  /** The maximum number of items, 1 or more. */
  readonly limit: number;
  readonly cursor?: Cursor | undefined;
  /** The value of the collection's filter (see `filterOf`). */
  readonly filter?: FilterValue<C> | undefined;
}

export interface RecordPage<C extends Collection> {
  /** Newest first, whatever the direction. */
  readonly items: readonly Json<Resources[C]>[];
  /** Whether more items exist in the direction of the traversal. */
  readonly hasMore: boolean;
}

/** The caller, as identified by a key. */
export interface Caller {
  readonly account: Account;
  /** The account's name, for people. */
  readonly accountName: string;
  /** The id of the key, as `keys list` shows it. It grants no access. */
  readonly keyId: string;
}

export type MaybePromise<T> = T | Promise<T>;

/** Passes a value to `next`: at once, unless the value is a promise. @returns the result of `next`. */
export function whenReady<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Reads the records of accounts. Every method may throw `StoreUnavailable`. */
export interface Records {
  /** @returns a page of the collection; `undefined` if the account has no item with the cursor's id. */
  list<C extends Collection>(
    account: Account,
    collection: C,
    query: ListQuery<C>,
  ): MaybePromise<RecordPage<C> | undefined>;
  /** @returns the record with this lower-case id; `undefined` if the account has none. */
  get<C extends Collection>(account: Account, collection: C, id: string): MaybePromise<Json<Resources[C]> | undefined>;
}

/** An id that no account has (see `Account`). A read with this id queries the store, but finds no records. */
export const NOBODY = 0 as Account;

/** A caller, and its reads. */
export interface AuthenticatedCaller extends Caller {
  /** Their methods throw `KeyNotLive` if the store finds in them that the key is not live. */
  readonly records: Records;
  /**
   * Verifies the key. Absent if the key was verified by `authenticate`; otherwise every read verifies it.
   * @throws KeyNotLive if the key no longer identifies the caller.
   */
  readonly confirm?: (() => Promise<void>) | undefined;
}

/** The reading side, for the server. Every method may throw `StoreUnavailable`, unless its comment states otherwise. */
export interface Store extends Records {
  /**
   * Authenticates the caller of one request, or of all requests until the revision changes.
   * @param keyHash the SHA-256 of a key.
   * @returns the caller that the key identifies, with its reads; `undefined` if there is no such live key.
   */
  authenticate(keyHash: Buffer): MaybePromise<AuthenticatedCaller | undefined>;
  /**
   * @returns a number that changes whenever the data behind the other methods has changed, or a key has expired. The
   *   number has no other meaning. `undefined` if the engine cannot detect changes, or only at the cost of a read.
   *   Never throws.
   */
  revision(): number | undefined;
  /** Reads as requests do, but finds nothing. Throws, or its promise is rejected, if requests cannot be served. */
  probe(): unknown;
  /** Frees the resources of the store. No other method may be called afterwards. */
  close(): MaybePromise<void>;
}

/** A record that has been checked against the contract, with its position in the list. */
export interface CheckedRecord {
  readonly id: string;
  /** The instant of `created_at` in microseconds since 1970. A bigint, because it exceeds 2^53 in the year 2255. */
  readonly createdUs: bigint;
  /** The value of the property that the collection is filtered by; `null` if the collection has no filter. */
  readonly filter: string | null;
  /** The text that will be served. */
  readonly json: string;
}

export interface LoadOptions {
  /** Replace the whole collection: remove the records of the account that are not in the load. */
  readonly replace: boolean;
  /** The schema that the records were checked against (see `schemaHash`). */
  readonly schemaHash: string;
}
export interface LoadResult {
  readonly accountIsNew: boolean;
  /** The number of records in the account's collection, before and after the load. */
  readonly before: number;
  readonly after: number;
}

/** A record as it is stored. A disk may have altered it since it was checked. */
export interface StoredRecord extends CheckedRecord {
  /** The name of its account. */
  readonly account: string;
  readonly collection: Collection;
}

export interface Key {
  readonly id: string;
  readonly account: string;
  readonly label: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /**
   * The instant from which on the key is not live; `null` if it never expires. With milliseconds, like the other times.
   */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}
/** A key with its SHA-256. */
export interface HashedKey extends Key {
  readonly hash: Buffer;
}
/** A key that by default neither expires nor is revoked. */
export type NewKey = Omit<Key, 'revokedAt' | 'expiresAt'> & Partial<Pick<Key, 'revokedAt' | 'expiresAt'>>;

/** What an account holds. */
export interface AccountSummary {
  readonly name: string;
  /** The number of live keys. */
  readonly keys: number;
  /** The number of records in each collection. */
  readonly records: Readonly<Record<Collection, number>>;
}

/**
 * The writing side, for the command line. Every method may throw `StoreUnavailable`: `StoreBusy` if another process
 * still writes after the wait.
 */
export interface Writer {
  /**
   * Inserts records and replaces records with the same id, in one transaction. If `batches` repeats an id, the last
   * record wins. Creates the account if it is new. If `batches` throws, nothing is loaded and the error is passed on.
   * @throws StoreError if other records of the collection were checked against another schema.
   */
  load(
    account: string,
    collection: Collection,
    batches: AsyncIterable<readonly CheckedRecord[]>,
    options: LoadOptions,
  ): Promise<LoadResult>;
  /**
   * Removes the records with these lower-case ids from an account, in one transaction.
   * @returns the ids that the account does not have.
   */
  remove(account: string, collection: Collection, ids: readonly string[]): MaybePromise<readonly string[]>;
  /**
   * Removes an account with its records and keys, in one transaction.
   * @param agree called with what the account holds, for each attempt. If it throws, nothing is removed.
   * @returns whether the account existed.
   */
  removeAccount(name: string, agree?: (held: AccountSummary) => void): MaybePromise<boolean>;
  /** Stores a key by its hash. Creates the account if it is new. */
  createKey(key: NewKey, hash: Buffer): MaybePromise<Pick<LoadResult, 'accountIsNew'>>;
  /** @returns every key, oldest first. */
  listKeys(): MaybePromise<readonly Key[]>;
  /** Revokes a key immediately and permanently. @returns the key as it was before; `undefined` if there is none. */
  revokeKey(id: string, revokedAt: string): MaybePromise<Key | undefined>;
  close(): MaybePromise<void>;
}

/** A key that was live before is no longer live. */
export class KeyNotLive extends Error {
  override readonly name = 'KeyNotLive';
}

/** The engine cannot respond at the moment: the database is locked or unreachable. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** Another process is writing. The attempt has changed nothing and may be repeated (see `whenFree`). */
export class StoreBusy extends StoreUnavailable {
  override readonly name = 'StoreBusy';
}

/**
 * The store cannot be used as it is: for example, it belongs to another program, has a newer version, or is not
 * readable. The message is for people.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
