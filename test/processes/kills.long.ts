/** Killed at any moment: the file opens, what was said to be stored is there, and nothing is half done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { schemaHashes } from '../../contract/schema.ts';
import { openStore, openWriter } from '../../server/store/sqlite/open.ts';
import { automation, contactImport } from '../../testkit/builders.ts';
import { contract } from '../support/app.ts';
import { contractWith } from '../support/contract.ts';
import { killAt } from '../support/kill.ts';
import { file, folder } from '../support/own-folder.ts';
import { ndjson, series } from '../support/series.ts';
import { loadInto } from '../support/store.ts';

const RECORDS = 30_000;
const IMPORT = ['import', 'contact-imports', '--account', 'acme'];

/** @returns what is read of a file that has proved to be whole. */
function read<T>(look: (db: Database.Database) => T, from = file): T {
  const db = new Database(from);
  try {
    expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    return look(db);
  } finally {
    db.close();
  }
}
const countOf = (table: string, from = file): unknown =>
  read((db) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), from);
const keyIds = (): unknown[] => read((db) => db.prepare('SELECT id FROM keys').pluck().all());

/** Kills a command once the write-ahead log of the file, which is restored before, has so many bytes. */
async function killAtLog(argv: readonly string[], bytes: number): Promise<void> {
  const before = folder.path('before.db');
  copyFileSync(file, before);
  const logSize = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? -1; // Before it is there.
  await killAt(
    () => logSize() >= bytes,
    () => {
      for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
      copyFileSync(before, file);
      return folder.start(argv);
    },
  );
}

test('while keys are created', async () => {
  await openWriter(file).close();
  const created: string[] = [];
  // Each time after another number of keys: once right after a key was printed, once while the next is on its way.
  for (const after of [1, 2, 5, 20]) {
    const program = fileURLToPath(new URL('creating-keys.ts', import.meta.url));
    const child = spawn(process.execPath, ['--no-warnings', program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.split('\n').length > after) child.kill('SIGKILL');
    });
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    created.push(...text.split('\n').slice(0, -1));
    const stored = keyIds();
    expect(created.filter((it) => !stored.includes(it))).toEqual([]);
    // Of each child one at most was stored and not printed.
    expect(stored.length - created.length).toBeLessThanOrEqual(4);
  }
});

test.each(['', '-journal', '-wal'])(
  'while the first command makes the database, once there is a file %s',
  async (end) => {
    const create = ['keys', 'create', '--account', 'acme'];
    await killAt(
      () => existsSync(file + end),
      () => {
        for (const it of ['', '-journal', '-wal', '-shm']) rmSync(file + it, { force: true });
        return folder.start(create);
      },
    );
    const { code, stdout, stderr } = await folder.call(['keys', 'list', '--json']);
    if (code !== 0) expect(stderr).toMatch(/^rollcall: There is no Rollcall database at \.\/rollcall\.db\. /);
    const before = code === 0 ? (JSON.parse(stdout) as unknown[]) : []; // As it prints them.
    expect(before.length).toBeLessThanOrEqual(1);
    expect(await folder.call(create)).toMatchObject({ code: 0 });
    expect(keyIds()).toHaveLength(before.length + 1);
    expect(await folder.call(['db', 'check'])).toMatchObject({ code: 0, stderr: '' });
  },
);

test.each([0, 1_000_000])(
  'while records are changed by an upgrade, once the log has %d bytes: all is done, or nothing',
  async (bytes) => {
    const older = contractWith(({ Id, ContactImport }) => {
      Object.assign(Id, { description: 'as before', maxLength: 40 });
      ContactImport.properties = Object.fromEntries(Object.entries(ContactImport.properties).reverse());
    });
    const records = series(RECORDS, contactImport);
    const writer = openWriter(file);
    await loadInto(writer, 'contactImports', records, { contract: older, account: 'acme' });
    await writer.close();
    const texts = (): unknown[] =>
      read((db) => db.prepare('SELECT json FROM records ORDER BY created_us DESC').pluck().all());
    const before = texts();
    // The log grows once the changes are more than the memory that is set aside for them.
    await killAtLog(['db', 'upgrade'], bytes);
    const found = texts();
    expect(await folder.call(['db', 'upgrade'])).toMatchObject({ code: 0 });
    const after = texts();
    expect(after[0]).not.toBe(before[0]); // The properties have another order.
    expect([before, after]).toContainEqual(found);
    await openStore(file, schemaHashes(contract)).close(); // It is of today's contract.
    expect(after.map((it) => JSON.parse(String(it)) as unknown)).toEqual(records);
  },
);

test('while a backup is made: no copy is left but a whole one, and the next backup works', async () => {
  const writer = openWriter(file);
  await loadInto(writer, 'automations', series(RECORDS, automation), { contract, account: 'acme' });
  await writer.close();
  const copy = folder.path('copy.db');
  await killAt(
    () => readdirSync(folder.path('.')).some((it) => it.endsWith('.partial')),
    () => {
      rmSync(copy, { force: true });
      return folder.start(['db', 'backup', 'copy.db']);
    },
  );
  // As its last step, which may be just done.
  expect([undefined, RECORDS]).toContain(existsSync(copy) ? countOf('records', copy) : undefined);
  expect(await folder.call(['db', 'backup', 'next.db'])).toMatchObject({ code: 0 });
  expect(countOf('records', folder.path('next.db'))).toBe(RECORDS);
});

test('while a backup is written for the first time, once it has a log', async () => {
  const [copy, create] = [folder.path('copy.db'), ['keys', 'create', '--account', 'acme', '--db', 'copy.db']];
  await openWriter(file).close();
  await killAt(
    () => existsSync(`${copy}-wal`),
    async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
      await folder.call(['db', 'backup', 'copy.db']);
      return folder.start(create);
    },
  );
  expect([0, 1]).toContain(countOf('keys', copy));
  expect(await folder.call(create)).toMatchObject({ code: 0 });
  expect([1, 2]).toContain(countOf('keys', copy));
  expect(await folder.call(['db', 'check', '--db', 'copy.db'])).toMatchObject({ code: 0, stderr: '' });
});

test.each([0, 1_000_000])('while records are imported, once the log has %d bytes', async (bytes) => {
  expect(await folder.call(IMPORT, { input: ndjson(series(500, contactImport)) })).toMatchObject({ code: 0 });
  writeFileSync(folder.path('more'), ndjson(series(RECORDS, contactImport)));
  await killAtLog([...IMPORT, 'more'], bytes);
  expect([500, 500 + RECORDS]).toContain(countOf('records'));
  expect(await folder.call([...IMPORT, 'more'])).toMatchObject({ code: 0, stderr: '' });
  expect(countOf('records')).toBe(500 + RECORDS);
});

test('while they are served, and others loaded: the next server has all of them', async () => {
  const [first, more] = [series(100, contactImport), series(RECORDS, contactImport)];
  expect(await folder.call(IMPORT, { input: ndjson(first) })).toMatchObject({ code: 0 });
  const headers = {
    authorization: `Bearer ${(await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim()}`,
  };
  const page = async (url: string): Promise<unknown> =>
    (await fetch(`${url}/contacts/imports?limit=100`, { headers })).json();
  const server = await folder.serve();
  expect(await page(server.url)).toMatchObject({ data: first, has_more: false });
  writeFileSync(folder.path('more'), ndjson(more));
  const load = folder.start([...IMPORT, '--replace', 'more']);
  for (let at = 0; at < 50; at += 1) await page(server.url);
  server.process.kill('SIGKILL');
  expect(await server.ended).toMatchObject({ signal: 'SIGKILL' });
  expect(await load.ended).toMatchObject({ code: 0, stderr: '' });
  expect(countOf('records')).toBe(RECORDS);
  expect(await page((await folder.serve()).url)).toMatchObject({ data: more.slice(0, 100), has_more: true });
});
