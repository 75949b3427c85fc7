/**
 * A disk of the PostgreSQL server that is full, for real: of the records, of temporary tables, and of its log. What was committed
 * is served as long as the server can read, nothing is half done, and all goes on once there is room, without a new start of Rollcall.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { contactImport } from '../../testkit/builders.ts';
import { afterTest } from '../../test/support/after-test.ts';
import { openFolder } from '../../test/support/cli.ts';
import type { Folder, Ran } from '../../test/support/cli.ts';
import { countedOf } from '../../test/support/collections.ts';
import { execute } from '../../test/support/postgres-database.ts';
import { PASSWORD, give, startPostgres } from '../../test/support/postgres.ts';
import type { PostgresOptions, PostgresServer } from '../../test/support/postgres.ts';
import { until } from '../../test/support/processes.ts';
import { ndjson, series } from '../../test/support/series.ts';
import { UNAVAILABLE as REFUSED } from '../../test/processes/postgres/served.ts';
import { DISK, fill, makeRoom } from './small-disk.ts';

const UNAVAILABLE = { status: 503, body: REFUSED.body };
const NO_ROOM =
  /^rollcall: PostgreSQL at 127\.0\.0\.1:\d+ \(database "postgres", user "rollcall"\) has no disk space left\. Unfinished changes were rolled back\. Free up space and try again \(.+\)\.\n$/;
const CRASHED = /^rollcall: (The connection to the database was lost|The database is shutting down or starting)\.\n$/;
const LOAD = ['import', 'contact-imports', '--account', 'acme'];
const all = series(2500, contactImport);
const [some, old] = [all.slice(0, 2000), all.slice(2000)];
const more = series(20_000, contactImport); // 5 MB as text.

let postgres: PostgresServer;
let folder: Folder;
let rollcall: Awaited<ReturnType<Folder['serve']>>;
let key: string;

/** @returns a folder for the server. */
function folderFor(parent: string): string {
  const path = mkdtempSync(join(parent, 'rollcall-postgres-'));
  give(path);
  afterTest(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

async function start(options?: PostgresOptions): Promise<void> {
  postgres = await startPostgres(options);
  afterTest(() => postgres.remove());
  folder = openFolder(undefined, { ROLLCALL_DB: postgres.address() });
  afterTest(folder.remove);
}

async function serve(): Promise<void> {
  expect(await folder.run(LOAD, { input: ndjson(old) })).toMatchObject({ code: 0, stderr: '' });
  key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  rollcall = await folder.serve();
  await expectServed(old);
}

async function ask(): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${rollcall.url}/contacts/imports?limit=100`, { headers });
  return { status: response.status, body: await response.json() };
}
const pageOf = (records: readonly object[]): object => ({
  status: 200,
  body: { object: 'list', has_more: true, data: records.slice(0, 100) },
});
const expectServed = async (records: readonly object[]): Promise<void> => {
  expect(await ask()).toEqual(pageOf(records));
};

async function expectHeld(contactImports: number): Promise<void> {
  const held = `acme: ${countedOf({ contactImports })}\n`;
  const ran = await folder.run(['db', 'check']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout.startsWith(held)).toBe(true);
}

function expectNoRoom({ code, stdout, stderr }: Ran): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(NO_ROOM);
  expect(stderr).not.toContain(PASSWORD);
}

beforeEach(() => {
  afterTest(makeRoom);
});

describe.each(['default_tablespace', 'temp_tablespaces'])('of what is in %s', (setting) => {
  beforeEach(async () => {
    await start();
    await execute(postgres.address(), `CREATE TABLESPACE small LOCATION '${folderFor(DISK)}'`);
    await execute(postgres.address(), `ALTER ROLE CURRENT_USER SET ${setting} = small`);
    await serve();
  });

  test('an import is rejected as a whole, pages are served meanwhile, and it is loaded once there is room', async () => {
    fill();
    expectNoRoom(await folder.run(LOAD, { input: ndjson(more) }));
    await expectServed(old);
    await expectHeld(500);
    makeRoom();
    expect(await folder.run(LOAD, { input: ndjson(some) })).toMatchObject({ code: 0, stderr: '' });
    await expectHeld(2500);
    await expectServed(some);
    rollcall.process.kill('SIGTERM');
    expect(await rollcall.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

test('of its log: the server of the database crashes, which is 503s, and once it is back all is as it was', async () => {
  const made = join(folderFor(tmpdir()), 'log');
  const init = ['--wal-segsize=1', `--waldir=${made}`, '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=2MB'];
  await start({ init });
  await execute(postgres.address(), "ALTER SYSTEM SET max_wal_size = '1GB'"); // From its next start on.
  await postgres.stop('fast'); // At first it is larger than the disk; a stop makes it small.
  const small = folderFor(DISK);
  expect(spawnSync('cp', ['-a', made, small])).toMatchObject({ status: 0 });
  rmSync(made, { recursive: true });
  symlinkSync(join(small, 'log'), made);
  await postgres.start();
  await serve();

  fill();
  const { code, stdout, stderr } = await folder.run(LOAD, { input: ndjson(more) });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  // By which of its processes it is that finds no room.
  expect([NO_ROOM.test(stderr), CRASHED.test(stderr)]).toContain(true);
  // The server tries to start again, and comes as far as it has room.
  expect([pageOf(old), UNAVAILABLE]).toContainEqual(await ask());
  await postgres.stop('immediate');
  expect(await ask()).toEqual(UNAVAILABLE);
  makeRoom();
  await postgres.start();
  await until(async () => {
    const response = await ask();
    expect([pageOf(old), UNAVAILABLE]).toContainEqual(response);
    return response.status === 200;
  });
  await expectHeld(500);
  expect(await folder.run(LOAD, { input: ndjson(some) })).toMatchObject({ code: 0, stderr: '' });
  await expectHeld(2500);
  await expectServed(some);
});
