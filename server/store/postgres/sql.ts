/** Executes statements on the connections of a pool, and translates their errors. */
import type { Pool, PoolClient } from 'pg';
import { runAsync, streamAsync } from '../sql.ts';
import type { Steps, Stream } from '../sql.ts';
import { batchesOver } from './batches.ts';
import type { Prepared } from './batches.ts';
import type { Driver } from './driver.ts';
import { translateError, unreachable } from './postgres-errors.ts';

const CLOSE_MS = 2000;

/**
 * Executes statements one after the other, on one connection or on any connection of a pool.
 * @returns the rows. An `int8` is a text. @throws the error that `translateError` returns.
 */
export type Sql = <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>;

export interface Db {
  readonly driver: Driver;
  /** The address for display, without the parts that may hold a password. */
  readonly name: string;
  /** The server, for messages. */
  readonly server: string;
  /** Executes a statement on any connection. */
  readonly sql: Sql;
  /** Executes a prepared statement on any connection. @returns the rows, each an array. */
  readonly prepared: (statement: Prepared, values: readonly unknown[]) => Promise<readonly unknown[][]>;
  /** Runs work with exclusive use of a connection. */
  readonly alone: <T>(work: (sql: Sql, client: PoolClient) => Promise<T>) => Promise<T>;
  /** Runs work with exclusive use of a connection, in one transaction. @param begin the statement that begins it. */
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>, begin?: string) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** @returns a database over a pool. Closing the database closes the pool. */
export function databaseOver(driver: Driver, pool: Pool, name: string, server: string): Db {
  const take = async (): Promise<PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw unreachable(error, server);
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
      client.release(true); // Closes the connection, because its state is unknown.
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
        // If the ROLLBACK fails as well, the connection is broken and is closed.
        client.release(
          await sql('ROLLBACK').then(
            () => false,
            () => true,
          ),
        );
        throw error;
      }
    },
    prepared: batchesOver(pool, server),
    close: () => endWithin(pool, CLOSE_MS),
  };
}

/** Executes the steps of administration on one connection, or on any connection of a pool. */
export const run = <T>(sql: Sql, steps: Steps<T>): Promise<T> =>
  runAsync(steps, (step) => sql<object>(step.sql, step.values));

/** Executes the steps of administration as their items are requested. */
export const stream = <T>(sql: Sql, steps: Stream<T>): AsyncGenerator<T> =>
  streamAsync(steps, (step) => sql<object>(step.sql, step.values));

/** Ends a pool. After `ms` milliseconds, connections that still work are left to end by themselves. */
async function endWithin(pool: Pool, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([pool.end(), late]);
  clearTimeout(timer);
}
