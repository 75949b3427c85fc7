/** Statements on the connections of a pool, with their errors translated. */
import type { Pool, PoolClient } from 'pg';
import { runAsync, streamAsync } from '../sql.ts';
import type { Steps, Stream } from '../sql.ts';
import { batchesOver } from './batches.ts';
import type { Prepared } from './batches.ts';
import type { Driver } from './driver.ts';
import { translateError, unreachable } from './errors.ts';

const CLOSE_MS = 2000;

/**
 * Executes statements one after the other: on one connection, or on any of a pool.
 * @returns the rows. An `int8` comes as a text. @throws what `translateError` returns.
 */
export type Sql = <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>;

export interface Db {
  readonly driver: Driver;
  /** The address, without what may be a password. */
  readonly name: string;
  /** Where it is, for messages. */
  readonly server: string;
  /** On any connection. */
  readonly sql: Sql;
  /** On any connection. @returns the rows, each an array. */
  readonly prepared: (statement: Prepared, values: readonly unknown[]) => Promise<readonly unknown[][]>;
  /** Has a connection to itself. */
  readonly alone: <T>(work: (sql: Sql, client: PoolClient) => Promise<T>) => Promise<T>;
  /** Has a connection to itself, in one transaction. @param begin what begins it. */
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>, begin?: string) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** @returns a database over a pool, which is closed with it. */
export function databaseOver(driver: Driver, pool: Pool, name: string, server: string): Db {
  const take = async (): Promise<PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw unreachable(error);
    }
  };
  const sqlOf =
    (client: PoolClient): Sql =>
    async <R extends object>(text: string, values: readonly unknown[] = []) => {
      try {
        return (await client.query<R>(text, [...values])).rows;
      } catch (error) {
        throw translateError(error, server);
      }
    };
  const alone: Db['alone'] = async (work) => {
    const client = await take();
    try {
      const result = await work(sqlOf(client), client);
      client.release();
      return result;
    } catch (error) {
      client.release(true); // Nobody knows what state it is in.
      throw error;
    }
  };
  return {
    driver,
    name,
    server,
    alone,
    sql: (text, values) => alone((sql) => sql(text, values)),
    transaction: async (work, begin = 'BEGIN') => {
      const client = await take();
      const sql = sqlOf(client);
      try {
        await sql(begin);
        const result = await work(sql);
        await sql('COMMIT');
        client.release();
        return result;
      } catch (error) {
        // If that fails as well, it is the connection that does.
        client.release(
          await sql('ROLLBACK').then(
            () => false,
            () => true,
          ),
        );
        throw error;
      }
    },
    prepared: batchesOver(pool, (error) => translateError(error, server)),
    close: () => endWithin(pool, CLOSE_MS),
  };
}

/** Executes the steps of administration on a connection, or on any of a pool. */
export const run = <T>(sql: Sql, steps: Steps<T>): Promise<T> =>
  runAsync(steps, (it) => sql<object>(it.sql, it.values));

/** The same, as the items are asked for. */
export const stream = <T>(sql: Sql, steps: Stream<T>): AsyncGenerator<T> =>
  streamAsync(steps, (it) => sql<object>(it.sql, it.values));

/** Ends a pool. What is still at work after a time is left to end by itself. */
async function endWithin(pool: Pool, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([pool.end(), late]);
  clearTimeout(timer);
}
