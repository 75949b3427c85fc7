/** A database as commands use it, whatever its engine. Every method may throw `StoreUnavailable` and `StoreRefused`. */
import type { Fingerprints } from '../contract/fingerprint.ts';
import type { Inspector } from './inspector.ts';
import type { MaybePromise, Store, Writer } from './store.ts';

/** Servers that have the same records a moment later, for an engine that has them. */
export interface Replicas {
  readonly addresses: readonly string[];
  /** Told when one is left out, of another reason for that, and when it is back. */
  readonly noticed?: ((notice: ReplicaNotice) => void) | undefined;
}

export interface ReplicaNotice {
  /** Without what may be a password. */
  readonly address: string;
  readonly state: 'left_out' | 'back';
  /** Why it is left out. */
  readonly reason?: string;
}

export interface Database {
  /**
   * Opens it to serve from. What does not exist is made, what is of an older version is migrated.
   * @param fingerprints what the records must have been checked against (see `fingerprintsOf`). Others are refused.
   * @param replicas who answers too. One that cannot answer is no reason not to open.
   */
  openStore(fingerprints: Fingerprints, replicas?: Replicas): MaybePromise<Store>;
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
