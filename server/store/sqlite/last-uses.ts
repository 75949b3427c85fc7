/** When each key was last used: in a side file, because each write to the database would empty what servers remember. */
import type { SideFile } from './side-file.ts';
import { useSideFile, writeSideFile } from './side-file.ts';

const FILE: SideFile = {
  end: '-last-used',
  table: 'CREATE TABLE IF NOT EXISTS last_uses (key TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID',
  isDurable: false, // To wait for the disk would hold up answers.
  holds: 'when keys were last used',
};
const PUT = 'INSERT INTO last_uses VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)';

/**
 * Files when keys were used, in one transaction. Several processes may do so: the later time stays.
 * @param db the file of the records.
 * @param uses milliseconds since 1970, by the id of the key.
 * @throws StoreRefused, StoreUnavailable, and errors of SQLite.
 */
export function putLastUses(db: string, uses: ReadonlyMap<string, number>): void {
  writeSideFile(db, FILE, (file) => {
    const put = file.prepare(PUT);
    for (const [key, at] of uses) put.run(key, new Date(at).toISOString());
  });
}

/** @returns when keys were last used: ISO 8601, UTC, by the id of the key. @throws as `putLastUses` does. */
export function lastUses(db: string): ReadonlyMap<string, string> {
  const read = useSideFile(db, FILE, (file) =>
    file.prepare<[], [string, string]>('SELECT key, at FROM last_uses').raw().all(),
  );
  return new Map(read);
}

/** Forgets keys. @throws as `putLastUses` does. */
export function forgetLastUses(db: string, keys: readonly string[]): void {
  useSideFile(db, FILE, (file) => {
    const forget = file.prepare('DELETE FROM last_uses WHERE key = ?');
    for (const key of keys) forget.run(key);
  });
}
