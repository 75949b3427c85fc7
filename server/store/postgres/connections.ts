/** Connections to a database: each with bounds on every wait, and with a listener for its errors. */
import type { Client, PoolConfig } from 'pg';
import { shownAddress } from '../address.ts';
import { StoreError } from '../store.ts';
import { A_MINUTE, TRY_MS } from '../wait.ts';
import { SERVING, WRITING } from './dialect.ts';
import { loadDriver } from './driver.ts';
import type { Driver } from './driver.ts';
import { notOpened } from './errors.ts';
import { databaseOver } from './sql.ts';
import type { Db } from './sql.ts';

const CONNECT_MS = 2000;
const RESPONSE_MS = 2000;
// There is somebody else to ask, within the time that a request has.
const REPLICA_MS = 1000;
// The server ends a statement by itself; this is for one that is not there any more.
const SILENCE_MS = 500;
const KEEP_ALIVE_MS = 10_000;
const SERVING_CONNECTIONS = 10;
const WRITING_CONNECTIONS = 3;

const respondingWithin = (ms: number) =>
  ({
    max: SERVING_CONNECTIONS,
    statement_timeout: ms,
    query_timeout: ms + SILENCE_MS,
    settings: SERVING,
    pipeline: true,
  }) as const;
// Loads, upgrades and whole reads take as long as they take.
const COMMAND = { max: WRITING_CONNECTIONS, connectMs: CONNECT_MS, settings: WRITING } as const;
const WAYS = {
  serving: { connectMs: CONNECT_MS, ...respondingWithin(RESPONSE_MS) },
  replica: { connectMs: REPLICA_MS, ...respondingWithin(REPLICA_MS) },
  writing: { ...COMMAND, lock_timeout: TRY_MS }, // It is tried again, see `whenFree`.
  inspecting: { ...COMMAND, lock_timeout: A_MINUTE.ms }, // Nobody but a migration is in its way.
} as const;

/**
 * @param way who waits for it: requests, requests that may be asked of another server, or commands that write or read.
 * @returns connections, after the first of them has been made.
 * @throws StoreError, StoreUnavailable, with a message that names the server.
 */
export async function connect(address: string, way: keyof typeof WAYS): Promise<Db> {
  const driver = await loadDriver();
  const { settings, connectMs, ...bounds } = WAYS[way];
  const config: PoolConfig = {
    connectionString: address,
    application_name: 'rollcall',
    connectionTimeoutMillis: connectMs,
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
  pool.on('connect', (client) => client.on('error', ignore)); // Its query fails as well.
  const db = databaseOver(driver, pool, shownAddress(address), server);
  try {
    (await pool.connect()).release();
    return db;
  } catch (error) {
    await db.close();
    throw notOpened(error, server);
  }
}

/** @throws StoreError if it is no address, wherever it leads. */
export async function checkAddress(address: string): Promise<void> {
  serverOf(await loadDriver(), { connectionString: address });
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
    throw new StoreError(`The address ${shownAddress(String(config.connectionString))} cannot be used: ${why}.`);
  }
  const { host, port, database, user } = client;
  return `PostgreSQL at ${host}:${String(port)} (database "${String(database)}", user "${String(user)}")`;
}
