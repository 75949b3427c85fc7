/** Faults of disks and files, each provoked for real: what is committed stays, and what is wrong is said with what to do. */
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openForReading, openForWriting } from '../../server/store/sqlite/database.ts';
import type { StoreError } from '../../server/store/store.ts';
import { StoreBusy } from '../../server/store/store.ts';
import { TRY_MS } from '../../server/store/wait.ts';
import { contactImport } from '../../testkit/builders.ts';
import type { Folder, Running } from '../support/cli.ts';
import { ndjson, series } from '../support/series.ts';
import { file, folder } from '../support/own-folder.ts';

const error = (type: typeof StoreError | typeof StoreBusy, message: string): unknown =>
  expect.objectContaining({ constructor: type, message });
const load = (count: number, maxFileKb?: number): ReturnType<Folder['run']> =>
  folder.run(['import', 'contact-imports', '--account', 'acme'], {
    input: ndjson(series(count, contactImport)),
    ...(maxFileKb === undefined ? {} : { setUp: `ulimit -f ${String(maxFileKb)}` }),
  });

/** Serves the file. @returns its address, with a new key. */
async function serve(...argv: readonly string[]): Promise<{ url: string; key: string; server: Running }> {
  const key = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve(argv);
  return { url: server.url, key, server };
}

/** @returns how many records there are, once the file has proved to be whole. */
function held(): unknown {
  const db = new Database(file, { readonly: true });
  expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const count = db.prepare('SELECT count(*) FROM records').pluck().get();
  db.close();
  return count;
}

test.each([
  ['temporary files', 15_000, 1000],
  ['the database', 3000, 300],
])('a full disk of %s in the way of an import', async (_, count, maxFileKb) => {
  expect(await load(2)).toMatchObject({ code: 0 });
  expect(await load(count, maxFileKb)).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr:
      'rollcall: No space left to write ./rollcall.db, or temporary files in SQLITE_TMPDIR, TMPDIR or /var/tmp ' +
      '(disk I/O error). Unfinished changes were rolled back. Free up space and try again.\n',
  });
  expect(held()).toBe(2);
  expect(await load(count)).toMatchObject({ code: 0, stderr: '' });
  expect(held()).toBe(count + 2);
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

const damaged = (why: string): string =>
  `./rollcall.db is damaged (${why}). Stop all processes that use it, restore a backup, and check the disk.`;

describe('a damaged file', () => {
  test.each([
    [
      'overwritten in part',
      () => {
        damage('"contact_import"', (page) => page.fill(0xff, 0, 100));
      },
    ],
    [
      'cut off',
      () => {
        writeFileSync(file, readFileSync(file).subarray(0, 40_000));
      },
    ],
  ])('%s is not served', async (_, fault) => {
    await load(500);
    fault();
    const ran = await folder.call(['serve', '--port', '0']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr.replace(/\(.+\)/, '()')).toBe(`rollcall: ${damaged('')}\n`);
  });

  test('while it is served: what is damaged is a declared 500, and the log says why; the rest is served', async () => {
    const records = series(2000, contactImport);
    const idAt = (at: number): string => String(records[at]?.id);
    await folder.call(['import', 'contact-imports', '--account', 'acme'], { input: ndjson(records) });
    const { url, key, server } = await serve();
    const ask = async (path: string): Promise<[number, unknown]> => {
      const response = await fetch(`${url}/contacts/imports${path}`, { headers: { authorization: `Bearer ${key}` } });
      return [response.status, await response.json()];
    };
    expect((await ask('?limit=10'))[0]).toBe(200);
    damage(`"id":"${idAt(1055)}"`, (page) => page.fill(0xff, 0, 100));
    const message = 'Internal server error.';
    expect(await ask(`?limit=100&after=${idAt(1000)}`)).toEqual([
      500,
      { statusCode: 500, name: 'application_error', message },
    ]);
    expect(await ask('?limit=10')).toMatchObject([200, { data: records.slice(0, 10) }]);
    server.process.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    const events = stderr.trimEnd().split('\n');
    const messages = events.map((it) => (JSON.parse(it) as { error: { message: string } }).error.message);
    expect(new Set(messages)).toEqual(new Set([damaged('database disk image is malformed')]));
  });
});

describe('the file of a server that runs', () => {
  const GONE = './rollcall.db was removed or replaced. Restore the file, or restart the server.';

  test.each([
    ['removed', () => undefined],
    [
      'replaced',
      () => {
        openForWriting(file).close();
      },
    ],
  ])('is %s: every answer is a declared 503 until it is back, and the log says why', async (_, replace) => {
    const { url, key, server } = await serve('--admin-port', '0');
    const [, adminUrl = ''] = await server.printed(/metrics are on (http\S+)\n/);
    const ask = (): Promise<Response> => fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } });
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
  test("a database that another connection creates while its state is read is no other program's", () => {
    writeFileSync(file, '');
    const prepare = Reflect.get(Database.prototype, 'prepare') as (this: Database.Database, sql: string) => unknown; // As a function of `this`.
    let isMet = false;
    const meeting = jest.spyOn(Database.prototype, 'prepare').mockImplementation(function (
      this: Database.Database,
      sql,
    ) {
      if (sql === 'PRAGMA user_version' && !isMet) {
        isMet = true;
        try {
          openForWriting(file).close();
        } catch (busy) {
          expect(busy).toBeInstanceOf(StoreBusy);
        }
      }
      return prepare.call(this, sql) as Database.Statement; // As declared.
    });
    try {
      openForWriting(file).close();
    } finally {
      meeting.mockRestore();
    }
    expect([isMet, held()]).toEqual([true, 0]);
  });

  test('imports at once are all loaded', async () => {
    const ran = await Promise.all([load(2000), load(2000), load(2000)]);
    // Whichever comes first creates the database, and says so.
    for (const { code, stderr } of ran)
      expect([code, stderr.replace('Created the database ./rollcall.db.\n', '')]).toEqual([0, '']);
    expect(held()).toBe(6000);
  });

  test('a database that is locked is unavailable after a moment', () => {
    const other = openForWriting(file);
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN IMMEDIATE; COMMIT');
    expect(() => openForReading(file)).toThrow(
      error(StoreBusy, 'Another process is writing to the database. Try again.'),
    );
    other.close();
    const db = openForReading(file);
    expect(db.pragma('busy_timeout', { simple: true })).toBe(TRY_MS);
    db.close();
  });
});
