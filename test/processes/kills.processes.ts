/** Killed at any moment: the file opens, what was said to be stored is there, and nothing is half done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openWriter } from '../../server/store/sqlite/open.ts';
import { contactImport } from '../../server/testing/builders.ts';
import { killAt } from '../support/kill.ts';
import { makeOldStore } from '../support/old-store.ts';
import { file, folder } from '../support/own-folder.ts';
import { series } from '../support/series.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const ndjson = (records: readonly object[]): string => records.map((it) => `${JSON.stringify(it)}\n`).join('');
const RECORDS = 30_000;
const TIMEOUT_MS = 120_000; // Most of it is the start of processes, on a machine that may be busy.

function inspect<T>(look: (db: Database.Database) => T): T {
  const db = new Database(file);
  try {
    expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    return look(db);
  } finally {
    db.close();
  }
}

const keyIds = async (): Promise<readonly string[]> => {
  const writer = openWriter(file);
  try {
    return (await writer.listKeys()).map((it) => it.id);
  } finally {
    await writer.close();
  }
};

test(
  'while keys are created',
  async () => {
    await openWriter(file).close();
    const created: string[] = [];
    // Each time after another number of keys: once right after a key was printed, once while the next is on its way.
    for (const after of [1, 2, 5, 20]) {
      const child = spawn(process.execPath, ['--no-warnings', here('creating-keys.ts'), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.split('\n').length > after) child.kill('SIGKILL');
      });
      expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
      created.push(...text.split('\n').slice(0, -1));
      const stored = await keyIds();
      expect(created.filter((it) => !stored.includes(it))).toEqual([]);
      // Of each child one at most was stored and not printed.
      expect(stored.length - created.length).toBeLessThanOrEqual(4);
    }
    expect(inspect((db) => db.prepare('SELECT id FROM keys ORDER BY created_at, id').pluck().all())).toEqual(
      await keyIds(),
    );
  },
  TIMEOUT_MS,
);

test.each(['', '-journal', '-wal'])(
  'while the first command creates the database, once there is a file %s',
  async (end) => {
    await killAt(
      () => existsSync(file + end),
      () => {
        for (const it of ['', '-journal', '-wal', '-shm']) rmSync(file + it, { force: true });
        return folder.start(['keys', 'create', '--account', 'acme']);
      },
    );
    const { code, stderr } = await folder.run(['keys', 'list']);
    if (code !== 0) expect(stderr).toMatch(/^rollcall: There is no database of Rollcall at \.\/rollcall\.db\. /);
    const before = code === 0 && !stderr.startsWith('There are no keys yet') ? 1 : 0;
    expect(await folder.run(['keys', 'create', '--account', 'acme'])).toMatchObject({ code: 0 });
    expect(await keyIds()).toHaveLength(before + 1);
    expect(await folder.run(['check'])).toMatchObject({ code: 0, stderr: '' });
  },
  TIMEOUT_MS,
);

test.each([0, 100_000, 4_000_000, 12_000_000])(
  'while an old store is migrated, once the log has %d bytes',
  async (bytes) => {
    const before = folder.path('before.db');
    makeOldStore(before, RECORDS);
    await killAt(
      () => sizeOf(`${file}-wal`) >= bytes,
      () => {
        for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
        copyFileSync(before, file);
        return folder.start(['upgrade']);
      },
    );

    const [version, table] = inspect((it) => {
      const found = Number(it.pragma('user_version', { simple: true }));
      return [found, found === 1 ? 'contact_imports' : 'records WHERE collection = 3'] as const;
    });
    expect([1, 4]).toContain(version);
    expect(inspect((it) => it.prepare(`SELECT count(*) FROM ${table}`).pluck().get())).toBe(RECORDS);
    expect(await folder.run(['upgrade'])).toMatchObject({ code: 0 });
    expect(inspect((it) => it.prepare('SELECT count(*) FROM records WHERE collection = 3').pluck().get())).toBe(
      RECORDS,
    );
  },
  TIMEOUT_MS,
);

test.each([0, 1_000_000])(
  'while records are imported, once the log has %d bytes',
  async (bytes) => {
    const [first, more] = [series(500, contactImport), series(RECORDS, contactImport)];
    const argv = ['import', 'contact-imports', '--account', 'acme'];
    expect(await folder.run(argv, { input: ndjson(first) })).toMatchObject({ code: 0 });
    writeFileSync(folder.path('more'), ndjson(more));
    const before = folder.path('before.db');
    copyFileSync(file, before);
    await killAt(
      () => sizeOf(`${file}-wal`) >= bytes,
      () => {
        for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
        copyFileSync(before, file);
        return folder.start([...argv, 'more']);
      },
    );
    const held = (): unknown => inspect((db) => db.prepare('SELECT count(*) FROM records').pluck().get());
    expect([500, 500 + RECORDS]).toContain(held());
    expect(await folder.run([...argv, 'more'])).toMatchObject({ code: 0, stderr: '' });
    expect(held()).toBe(500 + RECORDS);
  },
  TIMEOUT_MS,
);

test(
  'while they are served, and others loaded: the next server has all of them',
  async () => {
    const [first, more] = [series(100, contactImport), series(RECORDS, contactImport)];
    const argv = ['import', 'contact-imports', '--account', 'acme'];
    expect(await folder.run(argv, { input: ndjson(first) })).toMatchObject({ code: 0 });
    const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
    const page = async (url: string): Promise<unknown> => {
      const response = await fetch(`${url}/contacts/imports?limit=100`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return response.json();
    };
    const server = await folder.serve();
    expect(await page(server.url)).toMatchObject({ data: first, has_more: false });
    writeFileSync(folder.path('more'), ndjson(more));
    const load = folder.start([...argv, '--replace', 'more']);
    for (let at = 0; at < 50; at += 1) await page(server.url);
    server.process.kill('SIGKILL');
    expect(await server.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await load.ended).toMatchObject({ code: 0, stderr: '' });
    expect(inspect((db) => db.prepare('SELECT count(*) FROM records').pluck().get())).toBe(RECORDS);
    expect(await page((await folder.serve()).url)).toMatchObject({ data: more.slice(0, 100), has_more: true });
  },
  TIMEOUT_MS,
);

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1; // Before it is there.
}
