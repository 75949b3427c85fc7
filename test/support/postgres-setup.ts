/** The PostgreSQL server of a run of Jest, with a migrated database to copy. */
import process from 'node:process';
import { databaseOf } from '../../cli/database.ts';
import { SERVER, TEMPLATE, execute } from './postgres-database.ts';
import { startPostgres } from './postgres.ts';
import type { PostgresServer } from './postgres.ts';

/** Where the teardown finds it: Jest runs both in one process. */
export const run = globalThis as { postgres?: PostgresServer };

export default async function setup(): Promise<void> {
  let server = process.env[SERVER]; // Of another engine, to try that.
  if (server === undefined) {
    run.postgres = await startPostgres();
    server = run.postgres.address();
  }
  await execute(server, `DROP DATABASE IF EXISTS ${TEMPLATE}`);
  await execute(server, `CREATE DATABASE ${TEMPLATE}`);
  const template = new URL(server);
  template.pathname = TEMPLATE;
  const writer = await databaseOf(template.href).openWriter();
  await writer.close();
  process.env[SERVER] = server; // Tests run in processes of their own, which inherit it.
}
