/** Killed at any moment: the file opens, what was said to be stored is there, and nothing is half done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openWriter } from '../../server/store/sqlite/open.ts';
import { file, folder } from '../support/own-folder.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
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

test(
  'while keys are created',
  async () => {
    const created: string[] = [];
    // Each time after another number of keys: once right after a key was told, once while the next is on its way.
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
      const stored = inspect((db) => db.prepare<[], string>('SELECT id FROM keys').pluck().all());
      expect(created.filter((it) => !stored.includes(it))).toEqual([]);
      // Of each child one at most was stored and not told any more.
      expect(stored.length - created.length).toBeLessThanOrEqual(4);
    }
  },
  TIMEOUT_MS,
);

test.each([0, 100_000, 4_000_000, 12_000_000])(
  'while an old store is migrated, once the log has %d bytes',
  async (bytes) => {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.exec(readFileSync(here('version-1.sql'), 'utf8'));
    db.exec('DELETE FROM contact_imports');
    const insert = db.prepare("INSERT INTO contact_imports VALUES (1, ?, ?, 'queued', ?)");
    db.transaction(() => {
      for (let at = 0; at < RECORDS; at += 1) {
        const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
        insert.run(at, id, JSON.stringify({ object: 'contact_import', id, padding: 'x'.repeat(200) }));
      }
    })();
    db.close();

    const { process, ended } = folder.start(['keys', 'list']);
    const state = { isRunning: true };
    void ended.then(() => (state.isRunning = false));
    const log = `${file}-wal`;
    while (state.isRunning && sizeOf(log) < bytes) {
      await new Promise(setImmediate);
    }
    process.kill('SIGKILL');
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });

    const [version, table] = inspect((it) => {
      const found = Number(it.pragma('user_version', { simple: true }));
      return [found, found === 1 ? 'contact_imports' : 'records WHERE collection = 3'] as const;
    });
    expect([1, 4]).toContain(version);
    expect(inspect((it) => it.prepare(`SELECT count(*) FROM ${table}`).pluck().get())).toBe(RECORDS);
    await openWriter(file, true).close();
    expect(inspect((it) => it.prepare('SELECT count(*) FROM records WHERE collection = 3').pluck().get())).toBe(
      RECORDS,
    );
  },
  TIMEOUT_MS,
);

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1; // Before it is there.
}
