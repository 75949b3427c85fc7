/** The PostgreSQL server of a run of Jest, with a migrated database to copy. */
import process from 'node:process';
import { databaseOf } from '../../server/commands/database.ts';
import { SERVER, TEMPLATE, execute } from './postgres-database.ts';
import { startPostgres } from './postgres.ts';
import type { PostgresServer } from './postgres.ts';

/** Where the teardown finds it: Jest runs both in one process. */
export const run = globalThis as { postgres?: PostgresServer };

export default async function setup(): Promise<void> {
  run.postgres = await startPostgres();
  await execute(run.postgres.address(), `CREATE DATABASE ${TEMPLATE}`);
  const writer = await databaseOf(run.postgres.address(TEMPLATE)).openWriter();
  await writer.close();
  process.env[SERVER] = run.postgres.address(); // Tests run in processes of their own, which inherit it.
}
