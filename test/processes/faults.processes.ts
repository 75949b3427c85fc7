/** Faults of disks and files, each provoked for real: what is committed stays, and what is wrong is said with what to do. */
import { chmodSync, closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { schemaHashes } from '../../server/contract/schema.ts';
import { createSqliteWriter } from '../../server/store/sqlite/writer.ts';
import { openForReading, openForWriting } from '../../server/store/sqlite/database.ts';
import { openStore, openWriter } from '../../server/store/sqlite/open.ts';
import { StoreBusy, StoreError } from '../../server/store/store.ts';
import { automation, contactImport } from '../../server/testing/builders.ts';
import { contract } from '../support/app.ts';
import { withoutRoot } from '../support/as-nobody.ts';
import type { Folder } from '../support/cli.ts';
import { series } from '../support/series.ts';
import { loadInto } from '../support/store.ts';
import { file, folder } from '../support/own-folder.ts';

const error = (type: typeof StoreError | typeof StoreBusy, message: string): unknown =>
  expect.objectContaining({ constructor: type, message });
const ndjson = (records: readonly unknown[]): string => records.map((it) => `${JSON.stringify(it)}\n`).join('');
const load = (count: number, maxFileKb?: number): ReturnType<Folder['run']> =>
  folder.run(['import', 'contact-imports', '--account', 'acme'], {
    input: ndjson(series(count, contactImport)),
    ...(maxFileKb === undefined ? {} : { setUp: `ulimit -f ${String(maxFileKb)}` }),
  });

/** @returns how many records and keys there are, once the file has proved to be whole. */
function held(): unknown {
  const db = new Database(file, { readonly: true });
  expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const [records, keys] = ['records', 'keys'].map((it) => db.prepare(`SELECT count(*) FROM ${it}`).pluck().get());
  db.close();
  return { records, keys };
}

describe('a full disk', () => {
  const noRoom = (path: string, why: string): string =>
    `There is no room to write ${path}, or temporary files in the folder of SQLITE_TMPDIR, TMPDIR or /var/tmp (${why}). ` +
    'What was not finished has not been done. Make room, and try again.';

  test.each([
    ['of temporary files', 15_000, 1000],
    ['of the database', 3000, 300],
  ])('in the way %s of an import', async (_, count, maxFileKb) => {
    expect(await load(2)).toMatchObject({ code: 0 });
    expect(await load(count, maxFileKb)).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `rollcall: ${noRoom('./rollcall.db', 'disk I/O error')}\n`,
    });
    expect(held()).toEqual({ records: 2, keys: 0 });
    expect(await load(count)).toMatchObject({ code: 0, stderr: '' });
    expect(held()).toEqual({ records: count + 2, keys: 0 });
  });

  test('in the way of a key', async () => {
    expect(await load(2)).toMatchObject({ code: 0 });
    const create = ['keys', 'create', '--account', 'acme'];
    expect(await folder.run(create, { setUp: 'ulimit -f 4' })).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `rollcall: ${noRoom('./rollcall.db', 'disk I/O error')}\n`,
    });
    expect(held()).toEqual({ records: 2, keys: 0 });
    expect(await folder.run(create)).toMatchObject({ code: 0 });
    expect(held()).toEqual({ records: 2, keys: 1 });
  });

  test('has the error of SQLite', async () => {
    const db = openForWriting(file);
    db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
    const writer = createSqliteWriter(db);
    await expect(loadInto(writer, 'automations', series(1000, automation), { contract })).rejects.toThrow(
      error(StoreError, noRoom(file, 'database or disk is full')),
    );
    await writer.close();
    expect(held()).toEqual({ records: 0, keys: 0 });
  });
});

describe('a folder that may not be written', () => {
  test.each([
    ['there is no file', false, 'opened: unable to open database file. Check its name and its folder.'],
    [
      'there is a file',
      true,
      'written (attempt to write a readonly database). Let this user write to the file and to its folder, and try again.',
    ],
  ])('%s', async (_, exists, message) => {
    if (exists) await openWriter(file).close();
    if (exists) chmodSync(file, 0o644); // It is its owner's alone, and the owner is another here.
    chmodSync(folder.path('.'), 0o555);
    const writing = (): unknown => openWriter(file);
    const serving = (): unknown => openStore(file, schemaHashes(contract));
    for (const open of exists ? [writing, serving] : [writing]) {
      expect(() => withoutRoot(open)).toThrow(error(StoreError, `${file} cannot be ${message}`));
    }
    chmodSync(folder.path('.'), 0o700);
  });
});

/** Overwrites part of the page of a file that holds a text. */
function damage(text: string, by: (page: Buffer, at: number) => void): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(text);
  if (at < 0) throw new Error(`${text} is not in the file.`);
  const start = at - (at % 4096);
  const page = bytes.subarray(start, start + 4096);
  by(page, at - start);
  const fd = openSync(file, 'r+');
  writeSync(fd, page, 0, page.length, start);
  closeSync(fd);
}

describe('a damaged file', () => {
  test('is not served', async () => {
    await load(500);
    damage('"contact_import"', (page) => page.fill(0xff, 0, 100));
    const ran = await folder.run(['serve', '--port', '0']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(
      /^rollcall: \.\/rollcall\.db is damaged \(.+\)\. Stop what uses it, put a backup in its place, and check the disk\.\n$/,
    );
  });

  test.each([
    ['a list', '/contacts/imports'],
    ['a page behind a cursor', '/contacts/imports?after=%'],
    ['get by id', '/contacts/imports/%'],
  ])('with an altered record is a declared 500 in %s, and the log says why', async (_, path) => {
    const [altered, cursor] = [contactImport(), contactImport({ created_at: '2036-01-01 00:00:00+00' })];
    await folder.run(['import', 'contact-imports', '--account', 'acme'], { input: ndjson([altered, cursor]) });
    const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
    damage(altered.id, (page, at) => page.write('3', page.indexOf('"created_at":"2', at) + '"created_at":"'.length));
    const server = await folder.serve();
    const id = path.includes('after') ? cursor.id : altered.id;
    const response = await fetch(server.url + path.replace('%', id), { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      statusCode: 500,
      name: 'application_error',
      message: 'The server failed to answer. The fault is ours.',
    });
    server.process.kill('SIGTERM');
    const { stderr } = await server.ended;
    expect(JSON.parse(stderr)).toMatchObject({
      event: 'failed',
      error: {
        message:
          './rollcall.db is damaged (a record of the contact imports of acme is not what was written; ' +
          'rollcall check names it). Stop what uses it, put a backup in its place, and check the disk.',
      },
    });
  });

  test('with a record that has strayed to another account does not serve it there', async () => {
    const writer = openWriter(file);
    await loadInto(writer, 'automations', [automation()], { contract });
    await writer.createKey({ id: 'x', account: 'other', label: '', createdAt: '' }, Buffer.of(1));
    await writer.close();
    const db = new Database(file);
    db.prepare("UPDATE records SET account = (SELECT id FROM accounts WHERE name = 'other')").run();
    db.close();
    const store = openStore(file, schemaHashes(contract));
    const account = (await store.authenticate(Buffer.of(1)))?.account;
    if (account === undefined) throw new Error('The key does not work.');
    expect(() => store.list(account, 'automations', { limit: 1 })).toThrow(
      error(
        StoreError,
        `${file} is damaged (a record of the automations of other is not what was written; rollcall check names it). ` +
          'Stop what uses it, put a backup in its place, and check the disk.',
      ),
    );
    await store.close();
  });

  test('and cut off', async () => {
    await load(500);
    writeFileSync(file, readFileSync(file).subarray(0, 40_000));
    const ran = await folder.run(['serve', '--port', '0']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^rollcall: \.\/rollcall\.db is damaged \(.+\)\. Stop what uses it/);
  });
});

test('a file that is damaged while it is served: what is damaged is a 500, and the log says so; the rest is served', async () => {
  const records = series(2000, contactImport);
  await folder.run(['import', 'contact-imports', '--account', 'acme'], { input: ndjson(records) });
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve();
  const ask = (query: string): Promise<Response> =>
    fetch(`${server.url}/contacts/imports?${query}`, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask('limit=10')).status).toBe(200);
  damage(`"id":"${String(records[1050]?.id)}"`, (page) => page.fill(0xff, 0, 100));
  const response = await ask(`limit=100&after=${String(records[1000]?.id)}`);
  expect([response.status, await response.json()]).toMatchObject([500, { statusCode: 500, name: 'application_error' }]);
  expect(await (await ask('limit=10')).json()).toMatchObject({ data: records.slice(0, 10) });
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /\.\/rollcall\.db is damaged \(.+?\)\. Stop what uses it, put a backup in its place, and check the disk\./,
  );
});

describe('the file of a server that runs', () => {
  const GONE =
    './rollcall.db has been removed, or another file has taken its place. Put it back, or start the server again.';

  test.each([
    ['removed', () => undefined],
    [
      'replaced',
      () => {
        openForWriting(file).close();
      },
    ],
  ])('is %s: every answer is a declared 503 until it is back, and the log says why', async (_, replace) => {
    const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
    const server = await folder.serve(['--admin-port', '0']);
    const [, adminUrl = ''] = await server.printed(/metrics are on (http\S+)\n/);
    const ask = (): Promise<Response> =>
      fetch(`${server.url}/automations`, { headers: { authorization: `Bearer ${key}` } });
    const untilResponses = async (status: number): Promise<Response> => {
      for (;;) {
        const response = await ask();
        if (response.status === status) return response;
        await response.text();
      }
    };
    expect((await ask()).status).toBe(200);
    const move = (from: string, to: string): void => {
      for (const end of ['', '-wal', '-shm']) renameSync(`${from}${end}`, `${to}${end}`);
    };
    move(file, folder.path('away'));
    replace();
    const response = await untilResponses(503);
    expect(await response.json()).toMatchObject({ statusCode: 503, name: 'service_unavailable' });
    expect(response.headers.get('retry-after')).toBe('1');
    const ready = await fetch(`${adminUrl}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining(GONE)]);
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    move(folder.path('away'), file);
    await untilResponses(200);
    server.process.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(stderr).toContain(GONE);
  });
});

describe('other processes', () => {
  test('two imports at once are both loaded', async () => {
    const ran = await Promise.all([load(2000), load(2000), load(2000)]);
    expect(ran).toMatchObject(ran.map(() => ({ code: 0, stderr: '' })));
    expect(held()).toEqual({ records: 6000, keys: 0 });
  });

  test('a database that is locked is unavailable after a moment', () => {
    const other = openForWriting(file);
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN IMMEDIATE; COMMIT');
    const started = performance.now();
    expect(() => openForReading(file)).toThrow(
      error(StoreBusy, 'Another process is writing to the database. Try again.'),
    );
    expect(performance.now() - started).toBeLessThan(2000);
    other.close();
  });
});
