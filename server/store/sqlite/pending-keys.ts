/**
 * Keys that were created or revoked while another process wrote to the database, such as an import that files a million
 * records: SQLite lets one write at a time. They wait in a side file, which servers read too, until somebody files them.
 */
import { existsSync } from 'node:fs';
import type { Db } from './busy.ts';
import { write } from './busy.ts';
import { isSqlite } from './faults.ts';
import type { HashedKey } from '../store.ts';
import { fileKey, fileRevocation, filedKeys } from './filed-keys.ts';
import { watchFile } from './file-watch.ts';
import { openSideFile, sideFileOf, toldOfSideFile, useSideFile, writeSideFile } from './side-file.ts';
import type { SideFile } from './side-file.ts';

/** What is to be filed of a key. */
export interface PendingKey extends HashedKey {
  /** Whether the key is to be filed, rather than that it is revoked alone. */
  readonly isNew: boolean;
  /** 1 or more; no other pending key has it. */
  readonly number: number;
}

const FILE: SideFile = {
  end: '-pending-keys',
  table: `CREATE TABLE IF NOT EXISTS pending_keys (
    number INTEGER PRIMARY KEY,
    is_new INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    hash BLOB NOT NULL,
    label TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
  ) STRICT`,
  isDurable: true,
  holds: 'keys that were created or revoked while records were loaded, and are not filed yet',
};
const PUT = `INSERT INTO pending_keys (is_new, id, account, hash, label, created_at, expires_at, revoked_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET revoked_at = coalesce(revoked_at, excluded.revoked_at)`;
const ALL = `SELECT number, is_new AS isNew, id, account, hash, label, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt FROM pending_keys`;
// Not one that was revoked since it was read.
const FORGET = 'DELETE FROM pending_keys WHERE number = ? AND revoked_at IS ?';

/** How often servers look for pending keys, at least. */
const LOOK_EVERY_MS = 50;
/** After so long every server that is not held up knows of what is pending. */
export const KNOWN_AFTER_MS = 4 * LOOK_EVERY_MS;

/**
 * Leaves a key to be filed, or that it is revoked.
 * @param db the file of the records; here and below.
 * @throws StoreRefused, StoreUnavailable, and errors of SQLite; here and below.
 */
export function putPending(db: string, key: HashedKey, isNew: boolean): void {
  const { id, account, hash, label, createdAt, expiresAt, revokedAt } = key;
  writeSideFile(db, FILE, (file) => {
    file.prepare(PUT).run(Number(isNew), id, account, hash, label, createdAt, expiresAt, revokedAt);
  });
}

/** @returns what is to be filed. */
export const pendingKeys = (db: string): readonly PendingKey[] => useSideFile(db, FILE, all) ?? [];

/** @returns every key, filed or pending, oldest first. */
export function everyKey(db: Db): readonly HashedKey[] {
  const keys = new Map(filedKeys(db).map((it) => [it.id, it]));
  for (const { isNew, number: _, ...pending } of db.memory ? [] : pendingKeys(db.name)) {
    const filed = keys.get(pending.id);
    if (filed !== undefined) keys.set(pending.id, { ...filed, revokedAt: filed.revokedAt ?? pending.revokedAt });
    else if (isNew) keys.set(pending.id, pending);
  }
  return [...keys.values()].sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1));
}

/** Files what is pending. Not within a transaction: what is filed is forgotten only once it is there for good. */
export function filePending(db: Db): void {
  const keys = db.memory ? [] : pendingKeys(db.name);
  if (keys.length === 0) return;
  write(db, () => {
    fileKeys(db, keys);
  });
  useSideFile(db.name, FILE, (file) => {
    const forget = file.prepare(FORGET);
    for (const { number, revokedAt } of keys) forget.run(number, revokedAt);
  });
}

/** Files keys, which may be filed already. */
export function fileKeys(db: Db, keys: readonly PendingKey[]): void {
  for (const key of keys) {
    if (key.isNew) fileKey(db, key);
    if (key.revokedAt !== null) fileRevocation(db, key);
  }
}

/** Pending keys, for a server. */
export interface PendingKeys {
  /** Looks for them if it is time to. @returns whether they are others than before. */
  look(): boolean;
  readonly all: () => readonly PendingKey[];
  close(): void;
}

/** Those of a database in memory, which nobody else writes to. */
export const NO_PENDING_KEYS: PendingKeys = { look: () => false, all: () => [], close: () => undefined };

/** @returns those of a database, which others write to. */
export function watchPendingKeys(db: string): PendingKeys {
  const name = sideFileOf(db, FILE);
  let open: { readonly file: Db; readonly isInPlace: () => boolean } | undefined;
  let keys: readonly PendingKey[] = [];
  let version: number | undefined;
  let lookedAt = -Infinity;

  const close = (): void => {
    open?.file.close();
    [open, version] = [undefined, undefined];
  };
  const read = (): boolean => {
    if (open?.isInPlace() === false) close();
    if (open === undefined && existsSync(name)) open = { file: openSideFile(db, FILE), isInPlace: watchFile(name) };
    const found = open?.file.prepare<[], number>('PRAGMA data_version').pluck().get();
    if (found === version) return false;
    const before = keys.length;
    keys = open === undefined ? [] : all(open.file);
    version = found;
    return before + keys.length > 0;
  };
  const readUnlessBusy = (): boolean => {
    try {
      return read();
    } catch (error) {
      if (isSqlite(error, 'SQLITE_BUSY')) return false; // It is being written, and is read the next time.
      throw toldOfSideFile(error, db, FILE);
    }
  };
  return {
    look: () => {
      const now = performance.now();
      // What is known may be filed and changed at any time, so it is never old.
      if (keys.length === 0 && now - lookedAt < LOOK_EVERY_MS) return false;
      const hasOthers = readUnlessBusy();
      lookedAt = now; // Not if it threw: without knowing what is revoked, nobody is let in.
      return hasOthers;
    },
    all: () => keys,
    close,
  };
}

function all(file: Db): readonly PendingKey[] {
  const isMade = file.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;
  if (!isMade) return [];
  const rows = file.prepare<[], Omit<PendingKey, 'isNew'> & { isNew: number }>(ALL).all();
  return rows.map((it) => ({ ...it, isNew: it.isNew === 1 }));
}
