/** Databases of the previous release in this one, and the way back. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import Database from 'better-sqlite3';
import { COLLECTIONS, pathOf } from '../../server/contract/collections.ts';
import { shownAddress } from '../../server/store/address.ts';
import { newerStore, olderStore, olderStoreWithKeys } from '../../server/store/errors.ts';
import type { Folder } from '../support/cli.ts';
import { FIXTURE_KEY } from '../support/fixtures.ts';
import { ROOT } from '../support/project.ts';
import { importSamples } from '../support/samples.ts';
import type { Clients } from './clients.ts';
import { get, ran, readAll, serve } from './servers.ts';
import type { Bodies } from './servers.ts';

export interface Releases {
  /** The commands of each release, in folders of their own. */
  readonly previous: Folder;
  readonly current: Folder;
  /** The database of both. */
  readonly db: string;
  readonly clients: Clients;
}
type State = () => unknown;

const [FIRST = ''] = COLLECTIONS.map(pathOf);
const UPGRADED = / checked in \S+ s; 0 records changed\.$/;

/** @returns what a command prints. @throws AssertionError if it fails. */
async function ok(folder: Folder, ...argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await ran(folder, argv);
  equal(code, 0, `${argv.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Asserts that commands that read, write and serve fail with a message, and change nothing. */
async function assertRejected(folder: Folder, message: string, state: State): Promise<void> {
  const before = await state();
  for (const argv of [
    ['serve', '--port', '0'],
    ['keys', 'list'],
    ['keys', 'create', '--account', 'acme'],
  ]) {
    const { code, stdout, stderr } = await ran(folder, argv);
    deepEqual([code, stdout, stderr], [1, '', `rollcall: ${message}\n`], argv.join(' '));
  }
  deepEqual(await state(), before);
}

/**
 * The previous release fills a database. This release serves it as it is, because both have the same tables and schemas;
 * upgrades it; and the previous one serves it again.
 * @returns a key of it.
 */
export async function checkSame(name: string, releases: Releases, state: State): Promise<string> {
  const { previous, current, clients } = releases;
  await importSamples(previous, 'acme');
  await ok(previous, 'import', 'automations', join(ROOT, 'server/samples/automations.json'), '--account', 'other');
  const key = await ok(previous, 'keys', 'create', '--account', 'acme', '--label', 'nightly job');
  const revoked = await createAndRevoke(previous);

  const check = async (folder: Folder, expected?: Bodies): Promise<Bodies> => {
    const server = await serve(folder, ['--port', '0']);
    const bodies = await readAll(server.url, key);
    if (expected !== undefined) deepEqual(bodies, expected);
    equal((await get(`${server.url}${FIRST}`, revoked)).status, 401);
    await clients(server.url, key, bodies);
    await server.stop();
    return bodies;
  };
  const bodies = await check(previous);
  const before = await state();
  await check(current, bodies);
  deepEqual(await state(), before, 'serve has changed the database');
  match(await ok(current, 'upgrade'), UPGRADED);
  match(await ok(current, 'check'), /^No errors found in /m);
  await check(current, bodies);
  await check(previous, bodies); // The way back.
  process.stdout.write(
    `${name}: ${String(bodies.size)} responses are the same from both releases, before and after the upgrade and back, for both clients\n`,
  );
  return key;
}

/** @returns a revoked key. */
async function createAndRevoke(folder: Folder): Promise<string> {
  const idsOf = async (): Promise<string[]> =>
    (JSON.parse(await ok(folder, 'keys', 'list', '--json')) as readonly { id: string }[]).map(({ id }) => id);
  const others = await idsOf();
  const key = await ok(folder, 'keys', 'create', '--account', 'acme', '--label', 'to be revoked');
  await ok(folder, 'keys', 'revoke', ...(await idsOf()).filter((it) => !others.includes(it)));
  return key;
}

/** While another process wrote, the previous release left new and revoked keys in a file beside the database. */
export async function checkPendingKeys({ previous, current, db }: Releases, key: string): Promise<void> {
  const other = new Database(db);
  other.exec('BEGIN IMMEDIATE');
  const created = await ok(previous, 'keys', 'create', '--account', 'acme');
  const revoked = await createAndRevoke(previous);
  other.exec('ROLLBACK');
  other.close();
  const left = `${db}-pending-keys`;
  const state = (): string[] => [db, left].map((it) => readFileSync(it, 'base64'));

  await assertRejected(current, olderStoreWithKeys(db, left).message, state);
  match(await ok(current, 'upgrade'), UPGRADED);
  equal(existsSync(left), false);
  for (const folder of [current, previous]) {
    const server = await serve(folder, ['--port', '0']);
    const statuses = [key, created, revoked].map(async (it) => (await get(`${server.url}${FIRST}`, it)).status);
    deepEqual(await Promise.all(statuses), [200, 200, 401]);
    await server.stop();
  }
  process.stdout.write('Keys that the previous release left in a file: rejected, upgraded, and served by both\n');
}

/** This release rejects a database with older tables until it is upgraded; then both serve the same. */
export async function checkOlder({ previous, current, db }: Releases): Promise<void> {
  await assertRejected(current, olderStore(db).message, () => readFileSync(db, 'base64'));
  match(await ok(current, 'upgrade'), UPGRADED);
  const bodies: Bodies[] = [];
  for (const folder of [current, previous]) {
    const server = await serve(folder, ['--port', '0']);
    bodies.push(await readAll(server.url, FIXTURE_KEY));
    await server.stop();
  }
  deepEqual(bodies[0], bodies[1]);
  process.stdout.write(
    'A database with older tables: rejected with the command to run, upgraded, and served by both\n',
  );
}

/**
 * The previous release rejects a database that a later one has upgraded, and so does this one.
 * @param version of the tables of both releases.
 * @param alter marks the database as one of another version.
 */
export async function checkNewer(
  { previous, current, db }: Releases,
  version: number,
  alter: (version: number) => unknown,
): Promise<void> {
  await alter(version + 1);
  const shown = shownAddress(db);
  const state: State = () => (shown === db ? readFileSync(db, 'base64') : '');
  const old = `${shown} was written by a newer Rollcall (store version ${String(version + 1)}; this one knows up to ${String(version)}). Use that version.`;
  await assertRejected(previous, old, state);
  await assertRejected(current, newerStore(shown, version + 1, version).message, state);
  await alter(version);
  await ok(previous, 'check');
  process.stdout.write(`${shown === db ? 'SQLite' : 'PostgreSQL'}: tables of a later version are rejected by both\n`);
}
