/**
 * Upgrades from the previous release, and the way back: `npm run test:e2e -- upgrades`. The packed packages of the previous release make
 * a database of each engine; both releases serve it, each to the clients of both.
 */
import { rejects } from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { VERSION } from '../../server/store/postgres/schema.ts';
import { MIGRATIONS } from '../../server/store/sqlite/schema.ts';
import { openFolder } from '../support/cli.ts';
import { execute, query } from '../support/postgres-database.ts';
import { startPostgres } from '../support/postgres.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { ROOT } from '../support/project.ts';
import { must } from '../testers/tester.ts';
import { clientsOf } from './clients.ts';
import { checkNewer, checkOlder, checkPendingKeys, checkSame } from './databases.ts';
import type { Releases } from './databases.ts';
import { installPrevious, requirePrevious } from './previous.ts';
import type { Previous } from './previous.ts';
import { checkReplicas, checkSettings } from './settings.ts';

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

function alterVersion(db: string, version: number): void {
  const file = new Database(db);
  file.pragma(`user_version = ${String(version)}`);
  file.close();
}

async function checkSqlite(previous: Previous): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'rollcall-upgrades-'));
  const db = join(scratch, 'rollcall.db');
  try {
    let key = '';
    await withReleases(previous, db, async (releases) => {
      key = await checkSame('SQLite', releases, () => readFileSync(db, 'base64'));
      await checkPendingKeys(releases, key);
    });
    await withReleases(previous, db, (releases) => checkSettings(releases, key), {});
    copyFileSync(join(ROOT, 'test/fixtures/sqlite/version-3.db'), db);
    await withReleases(previous, db, async (releases) => {
      await checkOlder(releases);
      await checkNewer(releases, MIGRATIONS.length, (version) => {
        alterVersion(db, version);
      });
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Does something with a standby. @param work gets its address, and what counts the connections of others to it. */
async function withStandby(
  server: PostgresServer,
  work: (address: string, connections: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const standby = await server.standby();
  const sql = `SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  try {
    await work(standby.address(), async () => (await query<{ count: number }>(standby.address(), sql))[0]?.count ?? 0);
  } finally {
    await standby.remove();
  }
}

async function checkPostgres(previous: Previous): Promise<void> {
  const server = await startPostgres();
  const db = server.address();
  // Who has used a key is written while it is served.
  const tables = ['store', 'accounts', 'keys', 'collections', 'records'].map((it) => `rollcall_${it}`);
  const state = (): Promise<unknown> =>
    Promise.all(tables.map((it) => query(db, `SELECT xmin, ctid, * FROM ${it} ORDER BY ctid`)));
  try {
    let key = '';
    await withReleases(previous, db, async (releases) => {
      key = await checkSame('PostgreSQL', releases, state);
    });
    await withStandby(server, (standby, connections) =>
      withReleases(previous, db, (releases) => checkReplicas(releases, key, standby, connections), {}),
    );
    await withReleases(previous, db, async (releases) => {
      await checkNewer(releases, VERSION, (version) =>
        execute(db, `UPDATE rollcall_store SET version = ${String(version)}`),
      );
    });
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
