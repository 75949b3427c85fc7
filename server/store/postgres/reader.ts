/** The reading side on PostgreSQL: prepared statements over a pool. Each read is one round trip. */
import { COLLECTIONS } from '../../../contract/collections.ts';
import type { Collection, Resources } from '../../../contract/collections.ts';
import type { SchemaHashes } from '../../../contract/schema.ts';
import type { Account, Json } from '../../../contract/types.ts';
import { changed, collectionIn } from '../schema-hashes.ts';
import { KeyNotLive, NOBODY, StoreUnavailable } from '../store.ts';
import type { Caller, Direction, ListQuery, MaybePromise, RecordPage, Records } from '../store.ts';
import type { Prepared } from './batches.ts';
import type { Db } from './sql.ts';
import { OTHER_VERSION, asError, asOutage } from './postgres-errors.ts';
import { VERSION } from './database.ts';
import { AUTHENTICATE, NOT_LIVE, STATE, UNKNOWN_CURSOR, getOf, pageOf } from './statements.ts';

interface Statements {
  readonly get: Prepared;
  readonly pages: Readonly<Record<Direction, Prepared>>;
  readonly filteredPages: Readonly<Record<Direction, Prepared>>;
}
const statementsOf = (forKey: boolean): Statements => {
  const pagesOf = (filtered: boolean): Statements['pages'] => ({
    first: pageOf('first', filtered, forKey),
    after: pageOf('after', filtered, forKey),
    before: pageOf('before', filtered, forKey),
  });
  return { get: getOf(forKey), pages: pagesOf(false), filteredPages: pagesOf(true) };
};
const FOR_ALL = statementsOf(false);
const FOR_KEY = statementsOf(true);

// The server rejects any other text as an id, and any text with NUL.
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

// A hash and an id that are of nothing.
const NO_KEY = Buffer.alloc(32);
const NO_ID = '00000000-0000-0000-0000-000000000000';

// More generations than an upgrade and some loads could begin during one request.
const MAX_GENERATIONS = 5;

/** The part of the store's state that only changes together with the epoch. */
interface State {
  readonly epoch: string;
  readonly numbers: Readonly<Record<Collection, number>>;
}
/** What one server, or a primary with its replicas, can read. `withCallers` makes a store of it. */
export interface PostgresReads extends Records {
  /** @returns the caller that a live key identifies; `undefined` if there is no such live key. */
  authenticate(keyHash: Buffer): Promise<Caller | undefined>;
  /** @returns reads that check, in the same round trip, that the key is live. They throw `KeyNotLive` if it is not. */
  readerOf(keyHash: Buffer): Records;
  /** See `Store.probe`. @returns a value, unlike a read that finds nothing. */
  probe(): Promise<unknown>;
  close(): MaybePromise<void>;
}

type Rows = readonly unknown[][];
type KeyRow = readonly [account: string | null, accountName: string, keyId: string, expiresAt: string | null];

/**
 * @param db an up-to-date database. Closing the reads closes it.
 * @param hashes the schemas that the records were checked against. The store becomes unavailable once the records have
 *   been checked against other schemas.
 * @returns the reads of it.
 */
export async function openReads(db: Db, hashes: SchemaHashes): Promise<PostgresReads> {
  let state = await readState(db, hashes);

  /**
   * Executes a statement in the epoch of the state. If that epoch is over, reads the state and executes the statement
   * again.
   * @returns the rows: none only if the epoch is not over.
   */
  const execute = async (statement: Prepared, parametersIn: (state: State) => readonly unknown[]): Promise<Rows> => {
    for (let tries = 0; tries < MAX_GENERATIONS; tries += 1) {
      const used = state;
      const rows = await read(db, statement, parametersIn(used));
      if (rows.length > 0) return rows;
      state = await readState(db, hashes);
      if (state.epoch === used.epoch) return rows;
    }
    throw new StoreUnavailable('The database keeps changing. Try again.');
  };

  /** @param keyParameters returns the last parameters of the statements: those of `FOR_KEY`, or none. */
  const recordsBy = (statements: Statements, keyParameters: () => readonly unknown[]): Records => {
    const { pages, filteredPages } = statements;
    return {
      list: async (account, collection, query) => {
        if (query.cursor !== undefined && !UUID.test(query.cursor.id)) return undefined;
        const { limit, cursor, filter } = query;
        const statement = (filter === undefined ? pages : filteredPages)[cursor?.direction ?? 'first'];
        const rows = await execute(statement, ({ epoch, numbers }) => {
          // One row more than the limit: if it exists, `has_more` is true.
          const parameters: unknown[] = [account, numbers[collection], limit + 1, epoch];
          if (filter !== undefined) parameters.push(filter);
          if (cursor !== undefined) parameters.push(cursor.id);
          return [...parameters, ...keyParameters()];
        });
        return pageFrom(rows, query);
      },

      get: async <C extends Collection>(account: Account, collection: C, id: string) => {
        if (!UUID.test(id)) return undefined;
        const [row] = await execute(statements.get, ({ epoch, numbers }) => [
          account,
          numbers[collection],
          id,
          epoch,
          ...keyParameters(),
        ]);
        assertLive(row);
        // The records of a collection were checked to be of its type when they were loaded; here and in `pageFrom`.
        return (row?.[0] ?? undefined) as Json<Resources[C]> | undefined;
      },
    };
  };

  return {
    authenticate: async (hash) => {
      const [row] = await execute(AUTHENTICATE, ({ epoch }) => [hash, epoch]);
      if (row === undefined) return undefined;
      const [account, accountName, keyId, expiresAt] = row as unknown as KeyRow; // What the statement selects.
      if (account === null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())) return undefined;
      return { account: Number(account) as Account, accountName, keyId }; // The brand exists only in types.
    },

    ...recordsBy(FOR_ALL, () => []),

    readerOf: (hash) => recordsBy(FOR_KEY, () => [hash, new Date(Date.now()).toISOString()]),

    // Together, these statements read every table and column that those of requests read.
    probe: () =>
      Promise.all([
        execute(AUTHENTICATE, ({ epoch }) => [NO_KEY, epoch]),
        execute(FOR_KEY.filteredPages.after, ({ epoch, numbers }) => [
          ...[NOBODY, numbers.automations, 1, epoch],
          ...['', NO_ID, NO_KEY, ''],
        ]),
      ]),

    close: () => db.close(),
  };
}

/** @throws KeyNotLive if the row states that the key is not live. */
function assertLive(row: readonly unknown[] | undefined): void {
  if (row?.[0] === NOT_LIVE) throw new KeyNotLive();
}

function pageFrom<C extends Collection>(rows: Rows, { limit, cursor }: ListQuery<C>): RecordPage<C> | undefined {
  const [row] = rows;
  assertLive(row);
  if (row === undefined || row[0] === UNKNOWN_CURSOR) return undefined;
  const texts = rows.map(([text]) => text) as (Json<Resources[C]> | null)[];
  const items = texts.filter((text) => text !== null); // A single NULL means that the page is empty.
  const hasMore = items.length > limit;
  if (hasMore) items.pop();
  if (cursor?.direction === 'before') items.reverse();
  return { items, hasMore };
}

/**
 * @returns the state of the store.
 * @throws StoreUnavailable if its version or its schema hashes are not those expected.
 */
async function readState(db: Db, hashes: SchemaHashes): Promise<State> {
  const rows = (await read(db, STATE, [])) as [number | string, string, string, number | string, string | null][]; // What the statement selects.
  const known = new Map(rows.map(([, , name, id, hash]) => [name, { number: Number(id), hash }]));
  const [[version, epoch] = []] = rows;
  if (Number(version) !== VERSION || epoch === undefined || changed(known, hashes).length > 0) {
    throw new StoreUnavailable(OTHER_VERSION);
  }
  const numbers = COLLECTIONS.map((collection) => [collection, collectionIn(known, collection).number]);
  return { epoch, numbers: Object.fromEntries(numbers) as State['numbers'] }; // One for each.
}

/** Executes a statement that requests depend on. @throws StoreUnavailable in an outage: see `asOutage`. */
async function read(db: Db, statement: Prepared, values: readonly unknown[]): Promise<Rows> {
  try {
    return await db.prepared(statement, values);
  } catch (error) {
    throw asError(asOutage(error, db.server));
  }
}
