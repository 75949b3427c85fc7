/** The versions of a database's tables, on any engine. */
import { newerStore, unreleasedStore } from './errors.ts';

/** The tables of an engine, and how older ones become these. */
export interface Schema {
  /** The first version that was released. `upgrade` accepts no earlier one. */
  readonly first: number;
  /**
   * The statements that create the tables of the first version, followed by those that bring the tables to each further
   * version. Never edit those of a released version.
   */
  readonly scripts: readonly string[];
}

/** @returns the version of tables on which all scripts have run. */
export const currentVersion = ({ first, scripts }: Schema): number => first + scripts.length - 1;

/**
 * @param version the version of the tables; 0 if there are none.
 * @returns the scripts that are still to be run.
 */
export const pendingScripts = ({ first, scripts }: Schema, version: number): readonly string[] =>
  scripts.slice(version === 0 ? 0 : version - first + 1);

/**
 * @param db the database's name for display.
 * @param version the version of its tables.
 * @throws StoreError if the version is newer than the current one, or earlier than the first.
 */
export function assertKnownVersion(db: string, version: number, schema: Schema): void {
  if (version > currentVersion(schema)) throw newerStore(db, version, currentVersion(schema));
  if (version < schema.first) throw unreleasedStore(db, version, schema.first);
}
