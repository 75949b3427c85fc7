/** The reading side on SQLite: prepared statements over one connection. */
import type { Statement } from 'better-sqlite3';
import { filterOf } from '../../contract/collections.ts';
import type { Collection, Resources } from '../../contract/collections.ts';
import type { Account, Json } from '../../contract/types.ts';
import type { ListQuery, Page, Store } from '../store.ts';
import { unlessBusy } from './database.ts';
import type { Db } from './database.ts';
import { AUTHENTICATE, getSql, pageSql, positionSql } from './statements.ts';
import type { Direction } from './statements.ts';

type PageStatements<C extends Collection> = Readonly<Record<Direction, Statement<unknown[], Json<Resources[C]>>>>;

interface CollectionStatements<C extends Collection> {
  readonly get: Statement<[Account, string], Json<Resources[C]>>;
  readonly position: Statement<[Account, string], bigint>;
  readonly page: PageStatements<C>;
  readonly filteredPage: PageStatements<C> | undefined;
}

/**
 * @param db a connection of an up-to-date store; closed with the store.
 * @returns the store that reads from it.
 */
export function createSqliteStore(db: Db): Store {
  const authenticate = db.prepare<[Buffer], Account>(AUTHENTICATE).pluck();
  const statements: { readonly [C in Collection]: CollectionStatements<C> } = {
    automations: prepare(db, 'automations'),
    contactProperties: prepare(db, 'contactProperties'),
    contactImports: prepare(db, 'contactImports'),
  };
  return {
    authenticate: (hash) => unlessBusy(() => authenticate.get(hash)),
    list: (account, collection, query) => unlessBusy(() => readPage(statements[collection], account, query)),
    get: (account, collection, id) => unlessBusy(() => statements[collection].get.get(account, id)),
    close: () => {
      db.close();
    },
  };
}

/** The statements of a collection. That its rows hold `Json` of its schema was checked when they were loaded. */
function prepare<C extends Collection>(db: Db, collection: C): CollectionStatements<C> {
  const page = (direction: Direction, filtered: boolean): Statement<unknown[], Json<Resources[C]>> =>
    db.prepare<unknown[], Json<Resources[C]>>(pageSql(collection, direction, filtered)).pluck();
  const pages = (filtered: boolean): PageStatements<C> => ({
    first: page('first', filtered),
    after: page('after', filtered),
    before: page('before', filtered),
  });
  return {
    get: db.prepare<[Account, string], Json<Resources[C]>>(getSql(collection)).pluck(),
    position: db.prepare<[Account, string], bigint>(positionSql(collection)).pluck().safeIntegers(),
    page: pages(false),
    filteredPage: filterOf(collection) !== undefined ? pages(true) : undefined,
  };
}

function readPage<C extends Collection>(
  statements: CollectionStatements<C>,
  account: Account,
  { limit, cursor, filter }: ListQuery<C>,
): Page<C> | undefined {
  const pages = filter === undefined ? statements.page : statements.filteredPage;
  if (pages === undefined) throw new TypeError('This collection has no filter.');

  const where: unknown[] = filter === undefined ? [account] : [account, filter];
  if (cursor !== undefined) {
    const createdUs = statements.position.get(account, cursor.id);
    if (createdUs === undefined) return undefined;
    where.push(createdUs, cursor.id);
  }
  // One row more than asked: its presence is has_more.
  const rows = pages[cursor?.direction ?? 'first'].all(...where, limit + 1);
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (cursor?.direction === 'before') rows.reverse();
  return { items: rows, hasMore };
}
