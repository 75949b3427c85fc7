/**
 * Upgrades from the previous release, and the way back: `npm run test:e2e -- upgrades`. The packed packages of the previous release make
 * a database of each engine; both releases serve it, each to the clients of both.
 */
import { rejects } from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../server/store/postgres/schema.ts';
import { MIGRATIONS } from '../../server/store/sqlite/schema.ts';
import { openFolder } from '../support/cli.ts';
import { createDatabase, query } from '../support/postgres-database.ts';
import { startPostgres } from '../support/postgres.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { ROOT } from '../support/project.ts';
import { must } from '../testers/tester.ts';
import { clientsOf } from './clients.ts';
import { checkPendingKeys, checkUpgrade } from './databases.ts';
import type { Releases } from './databases.ts';
import { installPrevious, requirePrevious } from './previous.ts';
import type { Previous } from './previous.ts';
import { checkReplicas, checkSettings } from './settings.ts';
import type { Standby } from './settings.ts';

/** A shallow clone says what to run. */
async function checkShallow(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'rollcall-shallow-'));
  try {
    await must(['git', 'clone', '--quiet', '--no-checkout', '--depth', '1', `file://${ROOT}`, scratch], {
      cwd: tmpdir(),
    });
    await rejects(requirePrevious(scratch), /^Error: This clone is shallow .*\. Run: git fetch --unshallow$/);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Does something with the commands of both releases, in folders of their own and with the same database.
 * @param env their environment: the database, unless a settings file has it.
 */
async function withReleases(
  previous: Previous,
  db: string,
  work: (releases: Releases) => Promise<void>,
  env: Record<string, string> = { ROLLCALL_DB: db },
): Promise<void> {
  const folders = [previous.main, undefined].map((main) => openFolder(tmpdir(), env, main));
  const [old, current] = folders;
  if (old === undefined || current === undefined) throw new Error('There are two.');
  try {
    await work({ previous: old, current, db, clients: clientsOf(previous) });
  } finally {
    for (const it of folders) it.remove();
  }
}

async function checkSqlite(previous: Previous): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'rollcall-upgrades-'));
  const [db, backup, pending] = [join(scratch, 'rollcall.db'), join(scratch, 'backup.db'), join(scratch, 'pending.db')];
  try {
    let key = '';
    await withReleases(previous, db, async (releases) => {
      const made = await checkUpgrade(releases, {
        name: 'SQLite',
        state: () => readFileSync(db, 'base64'),
        versions: { previous: 4, current: MIGRATIONS.length },
        backUp: async () => {
          const { code, stderr } = await releases.current.run(['backup', backup]); // As docs/operations.md says.
          if (code !== 0) throw new Error(stderr);
          return backup;
        },
      });
      key = made.key;
    });
    copyFileSync(backup, pending);
    await withReleases(previous, pending, (releases) => checkPendingKeys(releases, key));
    await withReleases(previous, db, (releases) => checkSettings(releases, backup, key), {});
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Does something with a standby. @param work gets the address of a database of it, and counts the connections of others to it. */
async function withStandby(server: PostgresServer, work: (standby: Standby) => Promise<void>): Promise<void> {
  const standby = await server.standby();
  const sql = `SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  try {
    await work({
      address: (db) => standby.address(new URL(db).pathname.slice(1)),
      connections: async () => (await query<{ count: number }>(standby.address(), sql))[0]?.count ?? 0,
    });
  } finally {
    await standby.remove();
  }
}

async function checkPostgres(previous: Previous): Promise<void> {
  const server = await startPostgres();
  try {
    const { address: db } = await createDatabase(server.address());
    // Who has used a key is written while it is served.
    const tables = ['store', 'accounts', 'keys', 'collections', 'records'].map((it) => `rollcall_${it}`);
    let [key, backup] = ['', ''];
    await withReleases(previous, db, async (releases) => {
      const made = await checkUpgrade(releases, {
        name: 'PostgreSQL',
        state: () => Promise.all(tables.map((it) => query(db, `SELECT xmin, ctid, * FROM ${it} ORDER BY ctid`))),
        versions: { previous: 1, current: VERSION },
        // There is no pg_dump among the programs of this server.
        backUp: async () => (await createDatabase(server.address(), new URL(db).pathname.slice(1))).address,
      });
      ({ key, backup } = made);
    });
    await withStandby(server, (standby) =>
      withReleases(previous, db, (releases) => checkReplicas(releases, backup, key, standby), {}),
    );
  } finally {
    await server.remove();
  }
}

await checkShallow();
const previous = await installPrevious();
try {
  await checkSqlite(previous);
  await checkPostgres(previous);
} finally {
  previous.remove();
}
