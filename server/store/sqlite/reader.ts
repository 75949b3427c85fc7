/** The reading side on SQLite: prepared statements over one connection. */
import { statSync } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import { COLLECTIONS } from '../../../contract/collections.ts';
import type { Collection, Resources } from '../../../contract/collections.ts';
import type { SchemaHashes } from '../../../contract/schema.ts';
import type { Account, Json } from '../../../contract/types.ts';
import { atTurnEnd } from '../../real-time.ts';
import { changed, collectionIn, readCollections } from '../schema-hashes.ts';
import { NOBODY, StoreUnavailable } from '../store.ts';
import type { Caller, Direction, ListQuery, RecordPage, Records, Store } from '../store.ts';
import { isUpToDate } from './database.ts';
import { translatingErrors } from './sqlite-errors.ts';
import { SQLITE, run } from './sql.ts';
import type { Db } from './sql.ts';
import { AUTHENTICATE, GET, NEXT_EXPIRY, pageSql } from './statements.ts';

/**
 * @param db a connection to an up-to-date database. Closing the store closes it.
 * @param hashes the schemas that the records were checked against. The store becomes unavailable once the records have
 *   been checked against other schemas.
 * @returns the store that reads from it.
 */
export function createSqliteStore(db: Db, hashes: SchemaHashes): Store {
  const authenticate = db.prepare<[Buffer], KeyFound>(AUTHENTICATE);
  const nextExpiry = db.prepare<[string], string | null>(NEXT_EXPIRY).pluck();
  const get = db.prepare<unknown[], string>(GET).pluck();
  const pages = preparePages(db, false);
  const filteredPages = preparePages(db, true);
  const stored = run(db, readCollections(SQLITE));
  const numbers = Object.fromEntries(
    COLLECTIONS.map((collection) => [collection, collectionIn(stored, collection).number]),
  ) as Record<Collection, number>; // One for each.
  const version = db.prepare<[], number>(db.memory ? 'SELECT total_changes()' : 'PRAGMA data_version').pluck();
  let revision = 0;
  let state: State = { version: undefined, since: 0, until: 0 };
  let isUnchanged = true;
  let now = 0;

  const isInPlace = db.memory ? () => true : watchFile(db.name);

  const poll = (): void => {
    if (!isInPlace()) {
      throw new StoreUnavailable(`${db.name} was removed or replaced. Restore the file, or restart the server.`);
    }
    now = Date.now();
    const found = version.get();
    if (found === state.version && now >= state.since && now < state.until) return;
    isUnchanged = isUpToDate(db) && changed(run(db, readCollections(SQLITE)), hashes).length === 0;
    const expiry = isUnchanged ? nextExpiry.get(new Date(now).toISOString()) : null;
    state = { version: found, since: now, until: typeof expiry === 'string' ? Date.parse(expiry) : Infinity };
    revision += 1;
  };
  // A database in memory needs no snapshots: its only connection is also the writer's.
  const snapshots = db.memory ? { poll, enter: poll } : createSnapshots(db, poll);
  const read = <T>(work: () => T): T =>
    translatingErrors(db.name, () => {
      snapshots.enter();
      if (isUnchanged) return work();
      throw new StoreUnavailable(
        'The database was upgraded to another version of Rollcall. Restart the server with that version.',
      );
    });
  const records: Records = {
    list: (account, collection, query) => {
      const statements = query.filter === undefined ? pages : filteredPages;
      return read(() => readPage(statements, account, numbers[collection], query));
    },
    get: <C extends Collection>(account: Account, collection: C, id: string) =>
      // The records of a collection were checked to be of its type when they were loaded; here and in `readPage`.
      read(() => get.get(account, numbers[collection], id) as Json<Resources[C]> | undefined),
  };
  return {
    ...records,
    authenticate: (hash) =>
      read(() => {
        const key = authenticate.get(hash);
        if (key === undefined || (key.expiresAt !== null && Date.parse(key.expiresAt) <= now)) return undefined;
        const { account, accountName, keyId } = key;
        return { account, accountName, keyId, records };
      }),
    revision: () => {
      try {
        snapshots.poll();
        return revision;
      } catch {
        return undefined; // The next read throws the reason.
      }
    },
    probe: () => records.list(NOBODY, 'automations', { limit: 1 }),
    close: () => {
      db.close();
    },
  };
}

/** A state of the database. Every write begins another state, and so does the expiry of a key. */
interface State {
  readonly version: number | undefined;
  /** In milliseconds since 1970. The state ends when the next key expires, or when the clock is set back. */
  readonly since: number;
  readonly until: number;
}

interface KeyFound extends Caller {
  /** ISO 8601, UTC. */
  readonly expiresAt: string | null;
}

type PageStatements = Readonly<Record<Direction, Statement>>;

function preparePages(db: Db, filtered: boolean): PageStatements {
  const page = (direction: Direction): PageStatements[Direction] => db.prepare(pageSql(direction, filtered)).pluck();
  return { first: page('first'), after: page('after'), before: page('before') };
}

function readPage<C extends Collection>(
  pages: PageStatements,
  account: Account,
  number: number,
  { limit, cursor, filter }: ListQuery<C>,
): RecordPage<C> | undefined {
  const count = limit + 1; // One row more than the limit: if it exists, `has_more` is true.
  const parameters: unknown[] = cursor === undefined ? [account, number, count] : [account, number, cursor.id, count];
  if (filter !== undefined) parameters.unshift(filter);
  const rows = pages[cursor?.direction ?? 'first'].all(...parameters);
  if (rows.length === 0 && cursor !== undefined) return undefined;
  // One NULL: the cursor's item exists, and there are no items on that side of it.
  if (cursor !== undefined && rows.length === 1 && rows[0] === null) rows.pop();
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const items = rows as Json<Resources[C]>[];
  if (cursor?.direction === 'before') items.reverse();
  return { items, hasMore };
}

export interface Snapshots {
  /** Polls for changes, unless that was done in this turn of the event loop. Without a read, this is the only cost. */
  readonly poll: () => void;
  /** Begins a snapshot, unless one is open. Called before every read. */
  readonly enter: () => void;
}

/**
 * Provides one snapshot of the database for all reads in one turn of the event loop, so that they share its cost.
 * @param db a read-only connection.
 * @param poll called at the start of every snapshot, before anything else is read in it. If it throws, the snapshot
 *   ends.
 */
export function createSnapshots(db: Db, poll: () => void): Snapshots {
  const [begin, end] = [db.prepare('BEGIN'), db.prepare('ROLLBACK')];
  let isWithin = false;
  let hasPolled = false;
  const leave = (): void => {
    if (isWithin && db.open && db.inTransaction) end.run(); // SQLite itself ends the transaction on some errors.
    isWithin = false;
    hasPolled = false;
  };
  const pollForTurn = (): void => {
    poll();
    // The snapshot ends when all requests that arrived together have been read: later requests must get another one.
    if (!hasPolled) atTurnEnd(leave);
    hasPolled = true;
  };
  return {
    poll: () => {
      if (!hasPolled) pollForTurn();
    },
    enter: () => {
      if (isWithin) return;
      begin.run();
      isWithin = true;
      try {
        pollForTurn(); // Even if this turn has polled: the database may have changed since.
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

const POLL_EVERY_MS = 1000;

/**
 * Detects that an open file is no longer the file at its path. SQLite would continue to read a file that no other
 * process sees.
 * @param file the path of the file that is open now.
 * @returns a function that returns whether the file is still at its path. It polls at most once a second.
 */
function watchFile(file: string): () => boolean {
  const opened = identityOf(file);
  let [isInPlace, polledAt] = [true, performance.now()];
  return () => {
    const now = performance.now();
    if (now - polledAt >= POLL_EVERY_MS) [isInPlace, polledAt] = [identityOf(file) === opened, now];
    return isInPlace;
  };
}

function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  } catch {
    return undefined; // The file does not exist, or its folder is no longer readable.
  }
}
