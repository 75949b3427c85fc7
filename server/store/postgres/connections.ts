/** Connections to a database: each with bounds on every wait, and with somebody who hears its errors. */
import type { Client, Pool, PoolClient, PoolConfig } from 'pg';
import { shownAddress } from '../address.ts';
import { StoreRefused } from '../store.ts';
import { SERVING, WRITING } from './dialect.ts';
import { loadDriver } from './driver.ts';
import type { Driver } from './driver.ts';
import { asError, isOfStatement, notOpened, told, unreachable } from './faults.ts';

const CONNECT_MS = 2000;
const ANSWER_MS = 2000;
// The server ends a statement by itself; this is for one that is not there any more.
const SILENCE_MS = ANSWER_MS + 500;
const KEEP_ALIVE_MS = 10_000;
// A command may take its turn behind a large import.
const LOCK_MS = 60_000;
const CLOSE_MS = 2000;
const SERVING_CONNECTIONS = 10;
const WRITING_CONNECTIONS = 3;

/**
 * Executes statements one after the other: on one connection, or on any of a pool.
 * @returns the rows. An `int8` comes as a text. @throws as `told` tells.
 */
export type Sql = <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** A statement that is prepared once for each connection, by its name. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
}

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

const WAYS = {
  serving: {
    ...{ max: SERVING_CONNECTIONS, statement_timeout: ANSWER_MS, query_timeout: SILENCE_MS },
    ...{ settings: SERVING },
  },
  // Loads, upgrades and whole reads take as long as they take.
  writing: { max: WRITING_CONNECTIONS, lock_timeout: LOCK_MS, settings: WRITING },
} as const;

/**
 * @param way whether requests wait for it.
 * @returns connections, after the first of them has been made.
 * @throws StoreRefused, StoreUnavailable, with a message that names the server.
 */
export async function connect(address: string, way: keyof typeof WAYS): Promise<Db> {
  const driver = await loadDriver();
  const { settings, ...bounds } = WAYS[way];
  const config: PoolConfig = {
    connectionString: address,
    application_name: 'rollcall',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...bounds,
    Client: endingFailed(driver),
    verify: (client, done) => {
      client.query(settings, (error: Error | null) => {
        done(error ?? undefined);
      });
    },
  };
  const server = serverOf(driver, config);
  const pool = new driver.Pool(config);
  pool.on('error', ignore); // An idle connection is lost: the pool makes another when it needs one.
  pool.on('connect', (client) => client.on('error', ignore)); // Its query tells as well.
  const db = create(driver, pool, shownAddress(address), server);
  try {
    (await pool.connect()).release();
    return db;
  } catch (error) {
    await db.close();
    throw notOpened(error, server);
  }
}

const ignore = (): void => undefined;

type Opened = ((error: Error) => void) | ((error: null, client: Client) => void);

/** @returns clients that end what they could not open. The driver's leave it half open, and a server waits for half-open ones. */
const endingFailed = ({ Client: Base }: Driver): typeof Client =>
  class extends Base {
    override connect(): Promise<Client>;
    override connect(opened: Opened): void;
    override connect(opened?: Opened): Promise<Client> | undefined {
      if (opened === undefined) return super.connect();
      const callback = opened as (error: Error | null, client: Client) => void; // It is one function of both.
      super.connect((error: Error | null) => {
        if (error !== null) void this.end();
        callback(error, this);
      });
      return undefined;
    }
  };

/** @returns where a configuration leads, with what comes from the environment: host, port, database and user. */
function serverOf(driver: Driver, config: PoolConfig): string {
  let client: Client;
  try {
    client = new driver.Client(config);
  } catch (error) {
    // An error of the URL holds the URL, and with it the password.
    const isFile = error instanceof Error && 'syscall' in error;
    const why = isFile ? error.message : 'it must be like postgres://user:password@host:5432/database';
    throw new StoreRefused(`The address ${shownAddress(String(config.connectionString))} cannot be used: ${why}.`);
  }
  const { host, port, database, user } = client;
  return `PostgreSQL at ${host}:${String(port)} (database "${String(database)}", user "${String(user)}")`;
}

function create(driver: Driver, pool: Pool, name: string, server: string): Db {
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
        throw told(error, server);
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
    // With callbacks: of each request, promises in between would be the larger part of what it costs here.
    prepared: (statement, values) =>
      new Promise((resolve, reject) => {
        pool.connect((failed, client, release) => {
          if (client === undefined) {
            reject(unreachable(failed));
            return;
          }
          const query = { ...statement, values: [...values], rowMode: 'array' as const };
          client.query<unknown[]>(query, (error: Error | null, result?: { readonly rows: unknown[][] }) => {
            // One of which the answer is still to come is of no more use.
            release(error !== null && !isOfStatement(error));
            if (error === null) resolve(result?.rows ?? []);
            else reject(asError(told(error, server)));
          });
        });
      }),
    close: () => endWithin(pool, CLOSE_MS),
  };
}

/** Ends a pool. What is still at work after a time is left to end by itself. */
async function endWithin(pool: Pool, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([pool.end(), late]);
  clearTimeout(timer);
}
