/**
 * A disk that is full, for real, in the way of everything that writes: each says what to do, leaves what was committed and
 * nothing half done, and works once there is room. A server over the same file answers all the while.
 */
import { closeSync, openSync, readdirSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openWriter } from '../../server/store/sqlite/open.ts';
import { contactImport } from '../../testkit/builders.ts';
import { openFolder } from '../../test/support/cli.ts';
import type { Folder, Ran } from '../../test/support/cli.ts';
import { countedOf } from '../../test/support/collections.ts';
import { contractWith } from '../../test/support/contract.ts';
import { ndjson, series } from '../../test/support/series.ts';
import { loadInto } from '../../test/support/store.ts';

const KIB = 1024;

/** Where `run.ts` has mounted a small disk. */
const DISK = process.env['ROLLCALL_SMALL_DISK'] ?? '';
if (DISK === '') throw new Error('There is no small disk. Run: npm run --prefix lab disk');

const ballast = join(DISK, 'ballast');

/** Fills the disk, but for so many bytes. */
function fill(leftBytes = 0): void {
  const file = openSync(ballast, 'w');
  let size = 0;
  try {
    for (;;) size += writeSync(file, Buffer.alloc(64 * KIB));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
  truncateSync(ballast, size - leftBytes);
}

/** Makes room again. */
function makeRoom(): void {
  rmSync(ballast, { force: true });
}

const LOAD = ['import', 'contact-imports', '--account', 'acme'];
const records = series(500, contactImport); // 126 KiB as text.

const noRoom = (path: string): string =>
  `No space left to write ${path}, or temporary files in SQLITE_TMPDIR, TMPDIR or /var/tmp ` +
  '(database or disk is full). Unfinished changes were rolled back. Free up space and try again.';
const rejected = (message: string): Ran => ({ code: 1, signal: null, stdout: '', stderr: `rollcall: ${message}\n` });
const filesOf = (folder: Folder): readonly string[] => readdirSync(folder.path('.')).toSorted();

/** A folder on the small disk. */
let small: Folder;
/** A folder on another one. */
let large: Folder;
beforeEach(() => {
  small = openFolder(DISK);
  large = openFolder();
});
afterEach(() => {
  makeRoom();
  for (const it of [small, large]) it.remove();
});

async function expectHeld(folder: Folder, contactImports: number): Promise<void> {
  const stdout = `acme: ${countedOf({ contactImports })}\nNo errors found in ./rollcall.db.\n`;
  expect(await folder.call(['db', 'check'])).toMatchObject({ code: 0, stdout, stderr: '' });
}

describe('of a database that is served, in the way of', () => {
  let key: string;
  let server: Awaited<ReturnType<Folder['serve']>>;
  const stop = (): Promise<Ran> => {
    server.process.kill('SIGTERM');
    return server.ended;
  };
  const expectServed = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${server.url}/contacts/imports?limit=100`, { headers });
    expect([response.status, await response.json()]).toMatchObject([200, { data: records.slice(0, 100) }]);
  };
  beforeEach(async () => {
    expect(await small.call(LOAD, { input: ndjson(records) })).toMatchObject({ code: 0 });
    key = (await small.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
    server = await small.serve();
    await expectServed();
  });

  test('an import', async () => {
    const input = ndjson(series(8000, contactImport));
    const env = { SQLITE_TMPDIR: large.path('.') };
    fill(1024 * KIB);
    expect(await small.run(LOAD, { input, env })).toEqual(rejected(noRoom('./rollcall.db')));
    expect(filesOf(large)).toEqual([]);
    await expectServed();
    await expectHeld(small, 500);
    makeRoom();
    expect(await small.run(LOAD, { input, env })).toMatchObject({ code: 0, stderr: '' });
    await expectHeld(small, 8500);
    expect(await stop()).toMatchObject({ code: 0 });
  });

  test.each([
    ['a new key', (): string[] => ['keys', 'create', '--account', 'other']],
    ['a revocation', (id: string): string[] => ['keys', 'revoke', id]],
    ['a removal', (): string[] => ['accounts', 'delete', 'acme', '--yes']],
  ])('%s', async (_, argvOf) => {
    const listed = async (): Promise<unknown> => JSON.parse((await small.call(['keys', 'list', '--json'])).stdout);
    const before = await listed();
    const [{ id }] = before as [{ id: string }];
    fill();
    expect(await small.run(argvOf(id))).toEqual(rejected(noRoom('./rollcall.db')));
    await expectServed();
    await expectHeld(small, 500);
    expect(await listed()).toEqual(before);
    makeRoom();
    expect(await small.run(argvOf(id))).toMatchObject({ code: 0 });
    expect(await listed()).not.toEqual(before);
  });

  test('a backup', async () => {
    const before = filesOf(small);
    fill(100 * KIB);
    expect(await small.run(['db', 'backup', 'copy.db'])).toEqual(rejected(noRoom('copy.db')));
    expect(filesOf(small)).toEqual(before);
    await expectServed();
    makeRoom();
    expect(await small.run(['db', 'backup', 'copy.db'])).toMatchObject({ code: 0 });
    expect(await small.call(['db', 'check', '--db', 'copy.db'])).toMatchObject({ code: 0 });
  });

  test('a server that starts: it says so, and starts once there is room', async () => {
    await stop();
    fill();
    const stderr: unknown = expect.stringMatching(
      /^rollcall: No space left to write \.\/rollcall\.db, .* try again\.\n$/,
    );
    expect(await small.run(['serve', '--port', '0'])).toMatchObject({ code: 1, stdout: '', stderr });
    makeRoom();
    server = await small.serve();
    await expectServed();
  });
});

describe('of a store of an older contract, in the way of its upgrade:', () => {
  const upgrade = (folder: Folder, temporary: Folder): Promise<Ran> =>
    folder.run(['db', 'upgrade'], { env: { SQLITE_TMPDIR: temporary.path('.') } });
  const older = contractWith(({ ContactImport: it }) => {
    it.properties = Object.fromEntries(Object.entries(it.properties).reverse());
  });
  const textsIn = (folder: Folder): unknown[] => {
    const db = new Database(folder.path('rollcall.db'), { readonly: true });
    const texts = db.prepare('SELECT json FROM records ORDER BY id').pluck().all();
    db.close();
    return texts;
  };

  test('without the room for the database nothing is changed', async () => {
    const writer = openWriter(small.path('rollcall.db'));
    await loadInto(writer, 'contactImports', series(3000, contactImport), { contract: older });
    await writer.close();
    const before = textsIn(small);
    fill(500 * KIB);
    expect(await upgrade(small, large)).toEqual(rejected(noRoom('./rollcall.db')));
    expect(textsIn(small)).toEqual(before);
    makeRoom();
    expect(await upgrade(small, large)).toMatchObject({ code: 0, stderr: '' });
    expect((await small.call(['db', 'check'])).stdout).toMatch(
      / 3,000 contact imports\n[^]*No errors found in \S+\.\n$/,
    );
  });
});

describe('of what a command prints', () => {
  const print = (...argv: readonly string[]): Promise<Ran> =>
    large.run(argv, { setUp: `exec > '${small.path('out')}'` });

  // The last of it is written in part where there are so many left.
  test.each([0, 100, 124])('an export, with %d KiB left', async (left) => {
    const argv = ['export', 'contact-imports', '--account', 'acme'];
    expect(await large.call(LOAD, { input: ndjson(records) })).toMatchObject({ code: 0 });
    fill(left * KIB);
    expect(await print(...argv)).toEqual(
      rejected('The output is incomplete: no space left on device. Free up space, or write the output elsewhere.'),
    );
    await expectHeld(large, 500);
    makeRoom();
    expect(await print(...argv)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(small.path('out'), 'utf8')).toBe(ndjson(records));
  });

  test('a new key: it is revoked', async () => {
    fill();
    const { code, stderr } = await print('keys', 'create', '--account', 'acme');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^rollcall: Key [0-9a-f]{16} could not be printed: no space left on device\. It has been revoked\.\n$/m,
    );
    const listed = JSON.parse((await large.call(['keys', 'list', '--json'])).stdout) as unknown;
    expect(listed).toEqual([expect.objectContaining({ account: 'acme', revokedAt: expect.any(String) as unknown })]);
  });
});

test('of the file of rejects: nothing is loaded, and none is left', async () => {
  const argv = [...LOAD, '--skip-invalid', '--rejects', small.path('bad')];
  const input = '{}\n'.repeat(2000) + ndjson(records);
  fill(100 * KIB);
  const ran = await large.run(argv, { input });
  expect(ran).toEqual(
    rejected(
      `The --rejects file ${small.path('bad')} cannot be written: no space left on device. ` +
        'Not loaded: standard input. Free up space or choose another file, and try again.',
    ),
  );
  expect([filesOf(small), filesOf(large)]).toEqual([[], []]);
  makeRoom();
  expect(await large.run(argv, { input })).toMatchObject({ code: 0 });
  await expectHeld(large, 500);
  expect(readFileSync(small.path('bad'), 'utf8').trimEnd().split('\n')).toHaveLength(2000);
});

test('of the log: requests are answered, and lines of which a part was written go on once there is room', async () => {
  expect(await large.call(['keys', 'create', '--account', 'acme'])).toMatchObject({ code: 0 });
  const log = `exec 2>> '${small.path('log')}'`;
  const server = large.start(['serve', '--port', '0', '--log', 'json'], {}, log);
  const [url] = await server.printed(/http\S+/);
  const ask = async (): Promise<void> => {
    expect((await fetch(`${url}/automations`)).status).toBe(401);
  };
  await ask();
  fill(8 * KIB); // In the middle of one of them.
  for (let at = 0; at < 100; at += 1) await ask();
  expect(readFileSync(small.path('log'), 'utf8')).not.toMatch(/\n$/);
  makeRoom();
  await ask();
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, signal: null });
  const lines = readFileSync(small.path('log'), 'utf8').trimEnd().split('\n');
  const events = lines.map((it) => (JSON.parse(it) as { event: string }).event);
  expect(events.filter((it) => it === 'completed')).toHaveLength(102);
  expect(events.at(-1)).toBe('lifecycle');
});

test.each(['SQLITE_TMPDIR', 'TMPDIR'])('of temporary files, named by %s, in the way of an import', async (name) => {
  expect(await large.call(LOAD, { input: ndjson(records) })).toMatchObject({ code: 0 });
  const input = ndjson(series(15_000, contactImport));
  const env = { [name]: small.path('.'), NODE_DISABLE_COMPILE_CACHE: '1' }; // Which would be there too.
  fill(200 * KIB);
  expect(await large.run(LOAD, { input, env })).toEqual(rejected(noRoom('./rollcall.db')));
  expect([filesOf(small), filesOf(large)]).toEqual([[], ['rollcall.db']]);
  await expectHeld(large, 500);
  makeRoom();
  expect(await large.run(LOAD, { input, env })).toMatchObject({ code: 0, stderr: '' });
  await expectHeld(large, 15_500);
});
