/** Opens connections to a database. Each has a bound on every wait, and a listener for its errors. */
import type { Client, ClientConfig, PoolConfig } from 'pg';
import { databaseIn, shownAddress } from '../address.ts';
import { StoreError } from '../store.ts';
import { A_MINUTE, TRY_MS } from '../wait.ts';
import { SERVING, WRITING } from './dialect.ts';
import { loadDriver } from './driver.ts';
import type { Driver } from './driver.ts';
import { notOpened } from './postgres-errors.ts';
import { databaseOver } from './sql.ts';
import type { Db } from './sql.ts';

const CONNECT_MS = 2000;
const RESPONSE_MS = 2000;
// Shorter, so that another server can be queried within the time limit of a request.
const REPLICA_MS = 1000;
// Added to the time after which the server itself ends a statement: bounds the wait for a server that no longer
// responds.
const SILENCE_MS = 500;
const KEEP_ALIVE_MS = 10_000;
const SERVING_CONNECTIONS = 10;
const WRITING_CONNECTIONS = 3;
const MAX_PORT = 65_535;
const EXAMPLE = 'postgres://user:password@host:5432/database';

const respondingWithin = (ms: number) =>
  ({
    max: SERVING_CONNECTIONS,
    statement_timeout: ms,
    query_timeout: ms + SILENCE_MS,
    settings: SERVING,
    pipeline: true,
  }) as const;
// Loads, upgrades and inspections have no time limit.
const COMMAND = { max: WRITING_CONNECTIONS, connectMs: CONNECT_MS, settings: WRITING } as const;
const PROFILES = {
  serving: { connectMs: CONNECT_MS, ...respondingWithin(RESPONSE_MS) },
  replica: { connectMs: REPLICA_MS, ...respondingWithin(REPLICA_MS) },
  writing: { ...COMMAND, lock_timeout: TRY_MS }, // The attempt is repeated (see `whenFree`).
  inspecting: { ...COMMAND, lock_timeout: A_MINUTE.ms }, // Only a migration can block it.
} as const;

/**
 * @param profile what the connections are for: `serving` for requests, `replica` for requests that another server can
 *   serve, `writing` for commands that write, `inspecting` for commands that read.
 * @returns the database, after the first connection has been opened.
 * @throws StoreError, StoreUnavailable, with a message that names the server.
 */
export async function connect(address: string, profile: keyof typeof PROFILES): Promise<Db> {
  const driver = await loadDriver();
  const { settings, connectMs, ...bounds } = PROFILES[profile];
  const Client = clientsFor(driver, address);
  const config: PoolConfig = {
    connectionString: address,
    application_name: 'rollcall',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...bounds,
    Client,
    verify: (client, done) => {
      client.query(settings, (error: Error | null) => {
        done(error ?? undefined);
      });
    },
  };
  const server = serverOf(Client, address);
  const pool = new driver.Pool(config);
  pool.on('error', ignore); // An idle connection was lost. The pool opens another when it needs one.
  pool.on('connect', (client) => client.on('error', ignore)); // The query on the connection fails as well.
  const db = databaseOver(driver, pool, shownAddress(address), server);
  try {
    (await pool.connect()).release();
    return db;
  } catch (error) {
    await db.close();
    throw notOpened(error, server);
  }
}

/** Checks the form of an address, without a connection. @throws StoreError if the form is invalid. */
export async function checkAddress(address: string): Promise<void> {
  serverOf(clientsFor(await loadDriver(), address), address);
}

const ignore = (): void => undefined;

type Opened = ((error: Error) => void) | ((error: null, client: Client) => void);

/**
 * @returns a class of clients for an address. Unlike the clients of the driver, they decode all of the database's name, and
 *   they close a connection that they could not open: a server waits for half-open connections.
 */
const clientsFor = ({ Client: Base }: Driver, address: string): typeof Client =>
  class extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      const database = databaseIn(address);
      // The driver copies the name from the parameters, which its types lack, and sends that of the parameters.
      if (database !== undefined) {
        this.database = database;
        (this as unknown as { connectionParameters: ClientConfig }).connectionParameters.database = database;
      }
    }

    override connect(): Promise<Client>;
    override connect(opened: Opened): void;
    override connect(opened?: Opened): Promise<Client> | undefined {
      if (opened === undefined) return super.connect();
      const callback = opened as (error: Error | null, client: Client) => void; // One function that takes both.
      super.connect((error: Error | null) => {
        if (error !== null) void this.end();
        callback(error, this);
      });
      return undefined;
    }
  };

/**
 * @returns the server of an address, for messages: host, port, database and user, also from the environment.
 * @throws StoreError if the address has another form, or if there is no user or no valid port.
 */
function serverOf(Client: Driver['Client'], address: string): string {
  let client: Client;
  try {
    client = new Client({ connectionString: address });
  } catch (error) {
    // The message of an error about the URL contains the URL, and thus the password.
    const isFile = error instanceof Error && 'syscall' in error;
    const why = isFile ? error.message : `it must be a URL such as ${EXAMPLE}`;
    throw new StoreError(`The address ${shownAddress(address)} cannot be used: ${why}.`);
  }
  const { host, port, database = '', user = '' } = client;
  const lacks = (what: string, variable: string): StoreError =>
    new StoreError(
      `The address ${shownAddress(address)} has no ${what}. Use a URL such as ${EXAMPLE}, or set ${variable}.`,
    );
  if (user === '') throw lacks('user', 'PGUSER');
  if (!(port >= 1 && port <= MAX_PORT)) throw lacks('valid port', 'PGPORT');
  return `PostgreSQL at ${host}:${String(port)} (database "${database}", user "${user}")`;
}
