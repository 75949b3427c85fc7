/** What the rest of Rollcall needs of a storage engine. Results may be promises: an engine may be across a network. */
import type { Collection, FilterValue, Resources } from '../contract/collections.ts';
import type { Account, Json } from '../contract/types.ts';

/** The item to go on from, by its lower-case id, and to which side: `after` to older items, `before` to newer. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  readonly id: string;
}

export interface ListQuery<C extends Collection> {
  /** How many items at most, 1 or more. */
  readonly limit: number;
  readonly cursor?: Cursor | undefined;
  /** The value of the collection's filter (see `filterOf`). */
  readonly filter?: FilterValue<C> | undefined;
}

export interface Page<C extends Collection> {
  /** Newest first, whatever the direction. */
  readonly items: readonly Json<Resources[C]>[];
  /** Whether more items exist in the direction of travel. */
  readonly hasMore: boolean;
}

/** The caller, as identified by a key. */
export interface Caller {
  readonly account: Account;
  /** The account's name, as people know it. */
  readonly accountName: string;
  /** Of the key, from `keys list`; it opens nothing. */
  readonly keyId: string;
}

export type MaybePromise<T> = T | Promise<T>;

/** @returns what `next` makes of a value: at once, unless the value is a promise. */
export function after<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What accounts have. Every method may throw `StoreUnavailable`. */
export interface Records {
  /** @returns a page of the collection; `undefined` if the account has no item with the cursor's id. */
  list<C extends Collection>(account: Account, collection: C, query: ListQuery<C>): MaybePromise<Page<C> | undefined>;
  /** @returns the record with this lower-case id; `undefined` if the account has none. */
  get<C extends Collection>(account: Account, collection: C, id: string): MaybePromise<Json<Resources[C]> | undefined>;
}

/** No account has it (see `Account`): who asks for it asks the store itself, and sees nobody's records. */
export const NOBODY = 0 as Account;

/** Reads a page without anything. @throws what the store throws if it cannot answer, perhaps by a promise. */
export const probe = (store: Records): unknown => store.list(NOBODY, 'automations', { limit: 1 });

/** The reading side, for the server. Every method may throw `StoreUnavailable`, unless it says otherwise. */
export interface Store extends Records {
  /** @returns whom a live key lets in, by the SHA-256 of the key; `undefined` if there is no such key. */
  authenticate(keyHash: Buffer): MaybePromise<Caller | undefined>;
  /**
   * Only of an engine across a network: reads for one key, and asks in the same round trip whether it is live.
   * @param caller whom the key has let in before.
   * @returns what they may read; its methods throw `KeyNotLive` once the key does not let them in any more. Never throws.
   */
  readonly readerOf?: ((keyHash: Buffer, caller: Caller) => Records) | undefined;
  /**
   * @returns a number that is another one whenever anything that the other methods read has changed, or a key has expired;
   *   it means nothing else. `undefined` when the engine cannot tell, or not without asking as much as they do. Never throws.
   */
  revision(): number | undefined;
  /** Frees what the store holds. No other method may be called afterwards. */
  close(): MaybePromise<void>;
}

/** A record that has been checked against the contract, with its place in the list. */
export interface CheckedRecord {
  readonly id: string;
  /** The instant of `created_at` in microseconds since 1970. Not a number: it passes 2^53 in the year 2255. */
  readonly createdUs: bigint;
  /** The value of the property that the collection is filtered by; `null` where there is no filter. */
  readonly filter: string | null;
  /** The text that will be served. */
  readonly json: string;
}

export interface LoadOptions {
  /** Make the collection exactly what is loaded: other records of the account are removed from it. */
  readonly replace: boolean;
  /** What the records were checked against (see `schemaHash`). */
  readonly schemaHash: string;
}
export interface LoadResult {
  readonly accountIsNew: boolean;
  /** Records of the account's collection before and after. */
  readonly before: number;
  readonly after: number;
}

/** A record as it is stored. */
export interface StoredRecord {
  /** The name of its account. */
  readonly account: string;
  readonly collection: Collection;
  readonly json: string;
}

/** A record, and under what it is stored. */
export interface FullRecord extends StoredRecord, CheckedRecord {
  /** Whether it is what was written. */
  readonly isIntact: boolean;
}

export interface Key {
  readonly id: string;
  readonly account: string;
  readonly label: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The instant from which on it opens nothing; `null` if there is none. With milliseconds, like the others. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}
/** A key with the SHA-256 of it. */
export interface HashedKey extends Key {
  readonly hash: Buffer;
}
/** A key that neither expires nor is revoked unless it says so. */
export type NewKey = Omit<Key, 'revokedAt' | 'expiresAt'> & Partial<Pick<Key, 'revokedAt' | 'expiresAt'>>;

/** The writing side, for the command line. Every method may throw `StoreUnavailable`: `StoreBusy` after a wait. */
export interface Writer {
  /**
   * Inserts records, or replaces those with the same id, in one transaction; the last of equal ids wins.
   * Makes the account if it is new. If `batches` throws, nothing is loaded and the error is passed on.
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
   * @returns those of the ids that it does not have.
   */
  remove(account: string, collection: Collection, ids: readonly string[]): MaybePromise<readonly string[]>;
  /** Removes an account with its records and keys, in one transaction. @returns whether there was one. */
  removeAccount(name: string): MaybePromise<boolean>;
  /** Stores a key by its hash. Makes the account if it is new. */
  createKey(key: NewKey, hash: Buffer): MaybePromise<Pick<LoadResult, 'accountIsNew'>>;
  /** @returns every key, oldest first. */
  listKeys(): MaybePromise<readonly Key[]>;
  /** Revokes a key at once, for good. @returns the key as it was before; `undefined` if there is none. */
  revokeKey(id: string, revokedAt: string): MaybePromise<Key | undefined>;
  close(): MaybePromise<void>;
}

/** A key that was live is so no more. */
export class KeyNotLive extends Error {
  override readonly name = 'KeyNotLive';
}

/** The engine cannot respond for now: it is locked, or out of reach. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** Another process writes, and what was tried has changed nothing: it may be tried again (see `whenFree`). */
export class StoreBusy extends StoreUnavailable {
  override readonly name = 'StoreBusy';
}

/** The store cannot be used as it is: not one of ours, of a newer version, not readable. The message is for people. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
