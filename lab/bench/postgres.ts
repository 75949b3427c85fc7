/** A PostgreSQL server of the bench's own, with the records of a seed. */
import { startPostgres } from '../../test/support/postgres.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';
import { createDatabase } from '../../test/support/postgres-database.ts';
import { rollcall } from './processes.ts';
import type { Seed } from './seed.ts';

const SETTINGS = { shared_buffers: '256MB', autovacuum: 'on' };
let server: Promise<PostgresServer> | undefined;
const copied = new Map<string, Promise<string>>();

/** @returns the address of an empty database. It is gone with this process. */
export async function emptyDatabase(): Promise<string> {
  server ??= startPostgres({ settings: SETTINGS });
  return (await createDatabase((await server).address())).address;
}

/** @returns the address of a database with the records and keys of a seed. */
export function copyOf({ db }: Seed): Promise<string> {
  const known = copied.get(db);
  if (known !== undefined) return known;
  const made = emptyDatabase().then(async (address) => {
    await rollcall('db', 'copy', db, address);
    return address;
  });
  copied.set(db, made);
  return made;
}

/** Ends the server, if there is one. */
export async function endPostgres(): Promise<void> {
  await (await server)?.remove();
}
