/** The reading side on PostgreSQL: prepared statements over a pool. Each read is one round trip. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection, Resources } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import type { Account, Json } from '../../contract/types.ts';
import { changed, collectionIn } from '../schema-hashes.ts';
import { KeyNotLive, StoreUnavailable } from '../store.ts';
import type { ListQuery, Page, Records, Store } from '../store.ts';
import type { Prepared } from './batches.ts';
import type { Db } from './sql.ts';
import { OTHER_VERSION, codeOf } from './errors.ts';
import { VERSION } from './schema.ts';
import { AUTHENTICATE, NOT_LIVE, STATE, UNKNOWN_CURSOR, getOf, pageOf } from './statements.ts';
import type { Direction } from './statements.ts';

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

// The server rejects anything else as an id, and text with NUL.
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

// More of them during one request than an upgrade and some loads could begin.
const MAX_GENERATIONS = 5;

/** What does not change without another epoch. */
interface State {
  readonly epoch: string;
  readonly numbers: Readonly<Record<Collection, number>>;
}
/** A store across a network, which asks of every read whether the key is live. */
export type PostgresStore = Store & { readonly readerOf: NonNullable<Store['readerOf']> };

type Rows = readonly unknown[][];
type KeyRow = readonly [account: string | null, accountName: string, keyId: string, expiresAt: string | null];

/**
 * @param db an up-to-date database; closed with the store.
 * @param hashes what its records were checked against; once they have been checked against others, it is unavailable.
 * @returns the store that reads from it.
 */
export async function createPostgresStore(db: Db, hashes: SchemaHashes): Promise<PostgresStore> {
  let state = await readState(db, hashes);

  /** Executes in the epoch of the state, and reads the state again if that is over. @returns no row only if it is not. */
  const ask = async (statement: Prepared, parametersIn: (state: State) => readonly unknown[]): Promise<Rows> => {
    for (let tries = 0; tries < MAX_GENERATIONS; tries += 1) {
      const asked = state;
      const rows = await orOther(db.prepared(statement, parametersIn(asked)));
      if (rows.length > 0) return rows;
      state = await readState(db, hashes);
      if (state.epoch === asked.epoch) return rows;
    }
    throw new StoreUnavailable('The database changes all the time.');
  };

  /** @param more the parameters of the statements that come last. */
  const recordsBy = (statements: Statements, more: () => readonly unknown[]): Records => {
    const { pages, filteredPages } = statements;
    return {
      list: async (account, collection, query) => {
        if (query.cursor !== undefined && !UUID.test(query.cursor.id)) return undefined;
        const { limit, cursor, filter } = query;
        const statement = (filter === undefined ? pages : filteredPages)[cursor?.direction ?? 'first'];
        const rows = await ask(statement, ({ epoch, numbers }) => {
          // One row more than asked: its presence is has_more.
          const parameters: unknown[] = [account, numbers[collection], limit + 1, epoch];
          if (filter !== undefined) parameters.push(filter);
          if (cursor !== undefined) parameters.push(cursor.id);
          return [...parameters, ...more()];
        });
        return pageFrom(rows, query);
      },

      get: async <C extends Collection>(account: Account, collection: C, id: string) => {
        if (!UUID.test(id)) return undefined;
        const [row] = await ask(statements.get, ({ epoch, numbers }) => [
          account,
          numbers[collection],
          id,
          epoch,
          ...more(),
        ]);
        assertLive(row);
        // What is held of a collection was checked to be that when it was loaded; here and in `pageFrom`.
        return (row?.[0] ?? undefined) as Json<Resources[C]> | undefined;
      },
    };
  };

  return {
    authenticate: async (hash) => {
      const [row] = await ask(AUTHENTICATE, ({ epoch }) => [hash, epoch]);
      if (row === undefined) return undefined;
      const [account, accountName, keyId, expiresAt] = row as unknown as KeyRow; // What the statement selects.
      if (account === null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())) return undefined;
      return { account: Number(account) as Account, accountName, keyId }; // The mark exists in types only.
    },

    ...recordsBy(FOR_ALL, () => []),

    readerOf: (hash) => recordsBy(FOR_KEY, () => [hash, new Date(Date.now()).toISOString()]),

    revision: () => undefined, // To ask for one would take as long as to read a page.

    close: () => db.close(),
  };
}

/** @throws KeyNotLive if that is what the row says. */
function assertLive(row: readonly unknown[] | undefined): void {
  if (row?.[0] === NOT_LIVE) throw new KeyNotLive();
}

function pageFrom<C extends Collection>(rows: Rows, { limit, cursor }: ListQuery<C>): Page<C> | undefined {
  const [row] = rows;
  assertLive(row);
  if (row === undefined || row[0] === UNKNOWN_CURSOR) return undefined;
  const texts = rows.map(([text]) => text) as (Json<Resources[C]> | null)[];
  const items = texts.filter((it) => it !== null); // One NULL alone, if there is nothing on that side.
  const hasMore = items.length > limit;
  if (hasMore) items.pop();
  if (cursor?.direction === 'before') items.reverse();
  return { items, hasMore };
}

/** @returns the state of the store. @throws StoreUnavailable if it is not the one that this process knows. */
async function readState(db: Db, hashes: SchemaHashes): Promise<State> {
  const rows = (await orOther(db.prepared(STATE, []))) as [
    number | string,
    string,
    string,
    number | string,
    string | null,
  ][]; // What the statement selects.
  const known = new Map(rows.map(([, , name, id, hash]) => [name, { number: Number(id), hash }]));
  const [[version, epoch] = []] = rows;
  if (Number(version) !== VERSION || epoch === undefined || changed(known, hashes).length > 0) {
    throw new StoreUnavailable(OTHER_VERSION);
  }
  const numbers = COLLECTIONS.map((it) => [it, collectionIn(known, it).number]);
  return { epoch, numbers: Object.fromEntries(numbers) as State['numbers'] }; // One for each.
}

// No such table, no such column, and another type of one.
const OTHER_TABLES = ['42P01', '42703', '0A000'];

async function orOther<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!OTHER_TABLES.includes(codeOf(error))) throw error;
    throw new StoreUnavailable(OTHER_VERSION, { cause: error });
  }
}
