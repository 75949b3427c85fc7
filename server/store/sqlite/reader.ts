/** The reading side on SQLite: prepared statements over one connection. */
import type { Statement } from 'better-sqlite3';
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection, Resources } from '../../contract/collections.ts';
import type { Fingerprints } from '../../contract/fingerprint.ts';
import type { Account, Json } from '../../contract/types.ts';
import { StoreUnavailable } from '../store.ts';
import type { ListQuery, Page, Store } from '../store.ts';
import { unlessBusy } from './busy.ts';
import type { Db } from './busy.ts';
import { changed, numberOf } from './collections.ts';
import { isUpToDate } from './database.ts';
import { AUTHENTICATE, GET, pageSql } from './statements.ts';
import type { Direction } from './statements.ts';

/**
 * @param db a connection of an up-to-date store; closed with the store.
 * @param fingerprints what its records were checked against; once they have been checked against others, it is unavailable.
 * @returns the store that reads from it.
 */
export function createSqliteStore(db: Db, fingerprints: Fingerprints): Store {
  const authenticate = db.prepare<[Buffer], Account>(AUTHENTICATE).pluck();
  const get = db.prepare<unknown[], string>(GET).pluck();
  const pages = preparePages(db, false);
  const filteredPages = preparePages(db, true);
  const numbers = new Map(COLLECTIONS.map((it) => [it, numberOf(db, it)]));
  const version = versionOf(db);
  const revision = (): number | undefined => version.get();
  const demandUnchanged = watch(db, fingerprints, revision);

  const read = <T>(work: () => T): T =>
    unlessBusy(() => {
      try {
        return work();
      } catch (error) {
        demandUnchanged(); // It may have failed because the tables are other ones now.
        throw error;
      }
    });
  const readRecords = <T>(work: () => T): T =>
    read(() => {
      const result = work();
      demandUnchanged(); // Afterwards, so that no change comes between.
      return result;
    });
  return {
    authenticate: (hash) => read(() => authenticate.get(hash)),
    list: (account, collection, query) => {
      const statements = query.filter === undefined ? pages : filteredPages;
      return readRecords(() => readPage(statements, account, numbers.get(collection), query));
    },
    get: <C extends Collection>(account: Account, collection: C, id: string) =>
      // What `records` holds of a collection was checked to be that when it was loaded; here and in `readPage`.
      readRecords(() => get.get(account, numbers.get(collection), id) as Json<Resources[C]> | undefined),
    revision: () => unlessBusy(revision),
    close: () => {
      db.close();
    },
  };
}

/** @returns what moves when another connection has committed; in memory, where there is none, when this one has. */
function versionOf(db: Db): Statement<[], number> {
  // Prepared, it costs 2 µs.
  return db.prepare<[], number>(db.memory ? 'SELECT total_changes()' : 'PRAGMA data_version').pluck();
}

/** @returns what throws once another process has changed what the store is: its tables, or what the records are. */
function watch(db: Db, fingerprints: Fingerprints, revision: () => number | undefined): () => void {
  let seen: number | undefined;
  let isUnchanged = true;
  return () => {
    const now = revision();
    if (now !== seen) {
      isUnchanged = isUpToDate(db) && changed(db, fingerprints).length === 0;
      seen = now;
    }
    if (!isUnchanged) {
      throw new StoreUnavailable(
        'The database is now of another version of Rollcall. Start the server again with that.',
      );
    }
  };
}

type Pages = Readonly<Record<Direction, Statement<unknown[], string | null>>>;

function preparePages(db: Db, filtered: boolean): Pages {
  const page = (direction: Direction): Pages[Direction] =>
    db.prepare<unknown[], string | null>(pageSql(direction, filtered)).pluck();
  return { first: page('first'), after: page('after'), before: page('before') };
}

function readPage<C extends Collection>(
  pages: Pages,
  account: Account,
  collection: number | undefined,
  { limit, cursor, filter }: ListQuery<C>,
): Page<C> | undefined {
  const parameters: unknown[] = [account, collection];
  if (filter !== undefined) parameters.unshift(filter);
  if (cursor !== undefined) parameters.push(cursor.id);
  // One row more than asked: its presence is has_more.
  const rows = pages[cursor?.direction ?? 'first'].all(...parameters, limit + 1);
  if (rows.length === 0 && cursor !== undefined) return undefined;
  if (rows[0] === null) rows.pop(); // The cursor's item, and nothing on that side of it.
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (cursor?.direction === 'before') rows.reverse();
  return { items: rows as Json<Resources[C]>[], hasMore };
}
