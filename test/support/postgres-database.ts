/** Databases of a test's own, on a PostgreSQL server. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** The variable of the environment that has the address of the server of a run of Jest. */
export const SERVER = 'ROLLCALL_TEST_POSTGRES';
/** The database of it that has the tables of a store, and nobody is connected to. */
export const TEMPLATE = 'migrated';

const RESPONSE_MS = 120_000; // For what hangs.

export interface OwnDatabase {
  /** Its URL. */
  readonly address: string;
  /** Removes it, whoever is connected to it. */
  readonly drop: () => Promise<void>;
}

/**
 * @param server the URL of a database of the server.
 * @param template the database that it is a copy of; nobody may be connected to that.
 */
export async function createDatabase(server: string, template = 'template1'): Promise<OwnDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const address = new URL(server);
  address.pathname = name;
  return { address: address.href, drop: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

export async function execute(address: string, sql: string): Promise<void> {
  await query(address, sql);
}

/** Executes a statement on a connection of its own. @returns its rows. */
export async function query<T extends object>(address: string, sql: string): Promise<T[]> {
  const client = new Client({
    connectionString: address,
    connectionTimeoutMillis: RESPONSE_MS,
    query_timeout: RESPONSE_MS,
  });
  client.on('error', () => undefined); // Its query tells as well.
  try {
    await client.connect();
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}
