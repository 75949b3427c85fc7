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

/** What the previous release prints about a database that a later one has upgraded. */
const tooNew = (db: string, version: number, known: number): string =>
  `${shownAddress(db)} was written by a newer Rollcall (store version ${String(version)}; this one knows up to ${String(known)}). Use that version.`;

/** The numbers of the tables of both releases. */
export interface Versions {
  readonly previous: number;
  readonly current: number;
}

/**
 * The previous release fills a database. This release rejects it until it is upgraded, and then serves it as before. The previous
 * one rejects it from then on, and serves the backup that was made before. So does everything at the end.
 * @param backUp copies the database. @returns what restores the copy.
 * @returns a key of it.
 */
export async function checkUpgrade(
  name: string,
  releases: Releases,
  versions: Versions,
  state: State,
  backUp: () => Promise<() => Promise<void>>,
): Promise<string> {
  const { previous, current, db, clients } = releases;
  await importSamples(previous, 'acme', db);
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
  await assertRejected(current, olderStore(shownAddress(db)).message, state);
  const restore = await backUp();
  match(await ok(current, 'upgrade'), UPGRADED);
  match(await ok(current, 'check'), /^No errors found in /m);
  await check(current, bodies);
  // The way back.
  await assertRejected(previous, tooNew(db, versions.current, versions.previous), state);
  await restore();
  await check(previous, bodies);
  process.stdout.write(
    `${name}: ${String(bodies.size)} responses are the same from both releases, before and after the upgrade, and from the backup, for both clients\n`,
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
  const server = await serve(current, ['--port', '0']);
  const statuses = [key, created, revoked].map(async (it) => (await get(`${server.url}${FIRST}`, it)).status);
  deepEqual(await Promise.all(statuses), [200, 200, 401]);
  await server.stop();
  process.stdout.write('Keys that the previous release left in a file: rejected, upgraded, and served\n');
}

/**
 * This release rejects a database with tables that are older still, until it is upgraded; then it serves the same as the previous
 * release after its own upgrade.
 * @param place puts the database there.
 */
export async function checkOlder({ previous, current, db }: Releases, place: () => void): Promise<void> {
  const bodies: Bodies[] = [];
  for (const folder of [previous, current]) {
    place();
    if (folder === current) await assertRejected(current, olderStore(db).message, () => readFileSync(db, 'base64'));
    match(await ok(folder, 'upgrade'), UPGRADED);
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
 * Both releases reject a database that a later one has upgraded.
 * @param alter marks the database, which this release has upgraded, as one of another version.
 */
export async function checkNewer(
  { previous, current, db }: Releases,
  versions: Versions,
  alter: (version: number) => unknown,
): Promise<void> {
  const later = versions.current + 1;
  await alter(later);
  const shown = shownAddress(db);
  const state: State = () => (shown === db ? readFileSync(db, 'base64') : '');
  await assertRejected(previous, tooNew(db, later, versions.previous), state);
  await assertRejected(current, newerStore(shown, later, versions.current).message, state);
  await alter(versions.current);
  await ok(current, 'check');
  process.stdout.write(`${shown === db ? 'SQLite' : 'PostgreSQL'}: tables of a later version are rejected by both\n`);
}
