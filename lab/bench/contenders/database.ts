/** Rollcall's database, read by hand: the very statements, without the house around them. */
import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import { AUTHENTICATE, GET, pageSql } from '../../../server/store/sqlite/statements.ts';
import type { Direction } from '../../../server/store/store.ts';
import { setting } from './setting.ts';

export interface Query {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
  readonly status?: string;
}

const db = new Database(setting('BENCH_DB'), { readonly: true });
const COLLECTION = db.prepare("SELECT id FROM collections WHERE name = 'contactImports'").pluck().get();
const keys = db.prepare<[Buffer], number>(AUTHENTICATE).pluck();
const records = db.prepare<unknown[], string>(GET).pluck();
const page = (direction: Direction, isFiltered: boolean): Database.Statement<unknown[], string | null> =>
  db.prepare<unknown[], string | null>(pageSql(direction, isFiltered)).pluck();
const all = { first: page('first', false), after: page('after', false), before: page('before', false) };
const filtered = { first: page('first', true), after: page('after', true), before: page('before', true) };

/** @returns the account that an `Authorization` header opens. */
export function accountOf(authorization: string | undefined): number | undefined {
  const token = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : keys.get(hash('sha256', token, 'buffer'));
}

/** @returns a page as it is served; `undefined` where the cursor is unknown. */
export function readPage(account: unknown, { limit, after, before, status }: Query): string | undefined {
  const cursor = after ?? before;
  const direction = after !== undefined ? 'after' : before !== undefined ? 'before' : 'first';
  const parameters: unknown[] = [account, COLLECTION];
  if (status !== undefined) parameters.unshift(status);
  if (cursor !== undefined) parameters.push(cursor.toLowerCase());
  const rows = (status === undefined ? all : filtered)[direction].all(...parameters, limit + 1);
  if (rows.length === 0 && cursor !== undefined) return undefined;
  if (rows[0] === null) rows.pop();
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (direction === 'before') rows.reverse();
  return `{"object":"list","has_more":${String(hasMore)},"data":[${rows.join(',')}]}`;
}

/** @returns a record as it is served. */
export function readRecord(account: unknown, id: string): string | undefined {
  return records.get(account, COLLECTION, id.toLowerCase());
}
