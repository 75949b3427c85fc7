/** A database as commands use it, whatever its engine. Every method may throw `StoreUnavailable` and `StoreRefused`. */
import type { Fingerprints } from '../contract/fingerprint.ts';
import type { Inspector } from './inspector.ts';
import type { MaybePromise, Store, Writer } from './store.ts';

export interface Database {
  /**
   * Opens it to serve from. What does not exist is made, what is of an older version is migrated.
   * @param fingerprints what the records must have been checked against (see `fingerprintsOf`). Others are refused.
   */
  openStore(fingerprints: Fingerprints): MaybePromise<Store>;
  /**
   * Opens it to write to; makes or migrates it as `openStore` does.
   * @param mustExist refuse what does not exist instead.
   */
  openWriter(mustExist?: boolean): MaybePromise<Writer>;
  /** Opens it to look at it as a whole, if it is up to date. Nothing is made, migrated or changed. */
  openInspector(): MaybePromise<Inspector>;
  /** Copies one state of it, of whatever version, to a new file; servers and imports go on meanwhile. */
  backUp(to: string): MaybePromise<void>;
  /**
   * Files when keys were used. Several processes may do so: the later time stays.
   * @param uses milliseconds since 1970, by the id of the key.
   */
  putLastUses(uses: ReadonlyMap<string, number>): MaybePromise<void>;
  /** @returns when keys were last used: ISO 8601, UTC, by the id of the key. */
  lastUses(): MaybePromise<ReadonlyMap<string, string>>;
  /** Forgets when keys were last used. */
  forgetLastUses(keys: readonly string[]): MaybePromise<void>;
}
