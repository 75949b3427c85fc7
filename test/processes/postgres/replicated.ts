/** A primary and a standby of it, and a store that reads from both. */
import { databaseOf } from '../../../cli/database.ts';
import { schemaHashes } from '../../../contract/schema.ts';
import type { ReplicaEvent } from '../../../server/store/database.ts';
import type { Store, Writer } from '../../../server/store/store.ts';
import { afterTest } from '../../support/after-test.ts';
import type { After } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { createDatabase, query } from '../../support/postgres-database.ts';
import { startPostgres } from '../../support/postgres.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { until } from '../../support/processes.ts';

export interface Pair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
}

/** @returns a primary and a standby of a test's own, or of a file's. */
export async function startPair(after: After): Promise<Pair> {
  const primary = await startPostgres();
  after(() => primary.remove());
  const standby = await primary.standby();
  after(() => standby.remove());
  return { primary, standby };
}

/** @returns the first value of the first row of a statement; on a connection of its own. */
export const valueOf = async (address: string, sql: string): Promise<unknown> =>
  Object.values((await query(address, sql))[0] ?? {})[0];

/** Waits until the standby has all that the primary has now. */
export async function caughtUp({ primary, standby }: Pair): Promise<void> {
  const at = String(await valueOf(primary.address(), 'SELECT pg_current_wal_lsn()'));
  await until(async () => (await valueOf(standby.address(), `SELECT pg_last_wal_replay_lsn() >= '${at}'`)) === true);
}

/** Has the standby lag, until it is resumed or promoted, or the test ends. */
export async function pauseReplay({ standby }: Pair): Promise<void> {
  await valueOf(standby.address(), 'SELECT pg_wal_replay_pause()');
  await until(async () => (await valueOf(standby.address(), 'SELECT pg_get_wal_replay_pause_state()')) === 'paused');
  afterTest(() => resumeReplay(standby));
}
export const resumeReplay = (standby: PostgresServer): Promise<unknown> =>
  valueOf(standby.address(), 'SELECT pg_wal_replay_resume() WHERE pg_is_in_recovery()');

export interface Replicated {
  /** Of its database, on each of them. */
  readonly addresses: { readonly primary: string; readonly standby: string };
  readonly writer: Writer;
  /** @returns a store that reads from replicas. @param by the address of the primary. */
  readonly open: (addresses: readonly string[], by?: string) => Promise<{ store: Store; events: ReplicaEvent[] }>;
}

/** @returns a database of a test's own, whose tables are on the standby too. */
export async function replicate(pair: Pair): Promise<Replicated> {
  const { address, drop } = await createDatabase(pair.primary.address());
  afterTest(drop);
  const writer = await databaseOf(address).openWriter();
  afterTest(() => writer.close());
  await caughtUp(pair);
  return {
    addresses: { primary: address, standby: pair.standby.address(new URL(address).pathname.slice(1)) },
    writer,
    open: async (addresses, by = address) => {
      const events: ReplicaEvent[] = [];
      const replicas = { addresses, emit: (it: ReplicaEvent) => events.push(it) };
      const store = await databaseOf(by).openStore(schemaHashes(contract), replicas);
      afterTest(() => store.close());
      return { store, events };
    },
  };
}
