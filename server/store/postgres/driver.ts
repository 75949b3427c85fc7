/** The driver: loaded when a database of PostgreSQL is opened, so that who stays with SQLite need not install it. */
import type { Client, Pool } from 'pg';
import type { from } from 'pg-copy-streams';
import { StoreRefused } from '../store.ts';

export interface Driver {
  readonly Client: typeof Client;
  readonly Pool: typeof Pool;
  readonly copyFrom: typeof from;
}

/** @throws StoreRefused if its packages are not installed. */
export async function loadDriver(): Promise<Driver> {
  try {
    const [pg, copyStreams] = await Promise.all([import('pg'), import('pg-copy-streams')]);
    return { Client: pg.Client, Pool: pg.Pool, copyFrom: copyStreams.from };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new StoreRefused(
      'PostgreSQL needs the packages pg and pg-copy-streams. Run: npm install pg pg-copy-streams',
      {
        cause: error,
      },
    );
  }
}
