/** Databases of the previous release in this one, and the way back. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import Database from 'better-sqlite3';
import { COLLECTIONS, pathOf } from '../../server/contract/collections.ts';
import { shownAddress } from '../../server/store/address.ts';
import { olderStore, olderStoreWithKeys } from '../../server/store/errors.ts';
import type { Folder } from '../support/cli.ts';
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

const COMMANDS = [
  ['serve', '--port', '0'],
  ['keys', 'list'],
  ['keys', 'create', '--account', 'acme'],
];

/** Asserts that commands that read, write and serve fail with a message, and change nothing. */
async function assertRejected(folder: Folder, message: string, state: State): Promise<void> {
  const before = await state();
  for (const argv of COMMANDS) {
    const { code, stdout, stderr } = await ran(folder, argv);
    deepEqual([code, stdout, stderr], [1, '', `rollcall: ${message}\n`], argv.join(' '));
  }
  deepEqual(await state(), before);
}

export interface Case {
  readonly name: string;
  /** Everything in the database that a command could change. */
  readonly state: State;
  /** The version of the tables of each release. */
  readonly versions: { readonly previous: number; readonly current: number };
  /** @returns the address of a copy of the database. */
  readonly backUp: () => Promise<string>;
}

/**
 * The previous release fills a database. This release rejects it until it is upgraded, and then serves the same. The previous release
 * rejects it from then on, and serves the backup.
 * @returns a key of both databases, and the backup.
 */
export async function checkUpgrade(
  { previous, current, db, clients }: Releases,
  { name, state, versions, backUp }: Case,
): Promise<{ readonly key: string; readonly backup: string }> {
  const shown = shownAddress(db);
  await importSamples(previous, 'acme', db);
  await ok(previous, 'import', 'automations', join(ROOT, 'server/samples/automations.json'), '--account', 'other');
  const key = await ok(previous, 'keys', 'create', '--account', 'acme', '--label', 'nightly job');
  const revoked = await createAndRevoke(previous);

  const check = async (folder: Folder, address: string, expected?: Bodies): Promise<Bodies> => {
    const server = await serve(folder, ['--port', '0', '--db', address]);
    const bodies = await readAll(server.url, key);
    if (expected !== undefined) deepEqual(bodies, expected);
    equal((await get(`${server.url}${FIRST}`, revoked)).status, 401);
    await clients(server.url, key, bodies);
    await server.stop();
    return bodies;
  };
  const bodies = await check(previous, db);
  await assertRejected(current, olderStore(shown).message, state);
  const backup = await backUp();
  match(await ok(current, 'upgrade'), UPGRADED);
  match(await ok(current, 'check'), /^No errors found in /m);
  await check(current, db, bodies);
  // The way back.
  const newer =
    `${shown} was written by a newer Rollcall (store version ${String(versions.current)}; ` +
    `this one knows up to ${String(versions.previous)}). Use that version.`;
  await assertRejected(previous, newer, state);
  await check(previous, backup, bodies);
  process.stdout.write(
    `${name}: rejected until it is upgraded, then by the previous release; ${String(bodies.size)} responses of both are the same, for both clients\n`,
  );
  return { key, backup };
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
