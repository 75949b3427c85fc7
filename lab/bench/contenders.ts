/** Who is measured, and how each is started. */
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { MAIN, start } from './processes.ts';
import type { Server } from './processes.ts';
import { CACHE } from './seed.ts';
import type { Seed } from './seed.ts';

export interface Setting {
  readonly seed: Seed;
  /** Rollcall's answer to the first target, as a file. */
  readonly responseFile: string;
}
export interface Contender {
  readonly name: string;
  readonly start: (setting: Setting) => Promise<Server>;
}

const HERE = fileURLToPath(new URL('./contenders', import.meta.url));
const program = (name: string): string => join(HERE, name);

const serve = ({ db }: Seed, ...options: readonly string[]): Promise<Server> =>
  start([MAIN, 'serve', '--port', '0', '--db', db, ...options]);

export const ROLLCALL: Contender = { name: 'Rollcall', start: ({ seed }) => serve(seed) };
/** Rollcall that makes every response again. */
export const COLD: Contender = { name: 'Rollcall --cache 0', start: ({ seed }) => serve(seed, '--cache', '0') };

/** Rollcall that counts every request. */
export const METRICS: Contender = {
  name: 'Rollcall --admin-port',
  start: ({ seed }) => serve(seed, '--admin-port', '0'),
};
/** Rollcall that writes a line a request, to a file. */
export const LOGGED: Contender = {
  name: 'Rollcall --log json',
  start: async ({ seed: { db }, responseFile }) => {
    const file = openSync(`${responseFile}.log`, 'w');
    try {
      return await start([MAIN, 'serve', '--port', '0', '--db', db, '--log', 'json'], {}, file);
    } finally {
      closeSync(file);
    }
  },
};

export const BARE: Contender = {
  name: 'bare node:http',
  start: ({ responseFile }) => start([program('bare.ts')], { BENCH_ANSWER: responseFile }),
};
export const FASTIFY: Contender = {
  name: 'Fastify, hand-written',
  start: ({ seed: { db } }) => start([program('fastify.js')], { BENCH_DB: db }),
};
export const EXPRESS: Contender = {
  name: 'Express, naive',
  start: ({ seed }) => start([program('express.ts')], { BENCH_DB: seed.db, BENCH_COLUMNS: columns(seed) }),
};

/** Makes the table of the naive stack from the records, once. @returns its file. */
function columns({ records, db }: Seed): string {
  const file = join(CACHE, String(records), 'columns.db');
  if (existsSync(file)) return file;
  const partial = new Database(`${file}.partial`);
  partial.exec(`
    PRAGMA synchronous = OFF;
    ATTACH '${db}' AS rollcall;
    DROP TABLE IF EXISTS contact_imports;
    CREATE TABLE contact_imports (id TEXT PRIMARY KEY, created_us INTEGER, status TEXT, created_at TEXT, completed_at TEXT,
      total INTEGER, created INTEGER, updated INTEGER, skipped INTEGER, failed INTEGER);
    INSERT INTO contact_imports SELECT json->>'id', created_us, json->>'status', json->>'created_at', json->>'completed_at',
      json->>'$.counts.total', json->>'$.counts.created', json->>'$.counts.updated', json->>'$.counts.skipped',
      json->>'$.counts.failed' FROM rollcall.records;
    CREATE INDEX list_order ON contact_imports (created_us, id);
    CREATE INDEX status_order ON contact_imports (status, created_us, id);`);
  partial.close();
  renameSync(`${file}.partial`, file);
  return file;
}
