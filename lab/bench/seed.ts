/** Databases of so many records, loaded by `rollcall import` and kept for the next run. */
import { hash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../test/support/project.ts';
import { rollcall } from './processes.ts';
import { rowAt } from './records.ts';

/** The account of every record and key. */
export const ACCOUNT = 'bench';
const LINES_PER_CHUNK = 1000;
/** Whatever the records or their place in the file depend on: with another, another folder. */
const VERSION = [
  '../../openapi.yaml',
  '../../server/store/sqlite/database.ts',
  '../../server/store/sqlite/schema.ts',
  '../../server/store/sqlite/writer.ts',
  './records.ts',
].map((it) => readFileSync(fileURLToPath(new URL(it, import.meta.url)), 'utf8'));

/** Outlives the run; git ignores it. */
export const CACHE = join(ROOT, 'node_modules/.cache/rollcall-bench', hash('sha256', VERSION.join('')).slice(0, 12));

export interface Seed {
  readonly records: number;
  readonly db: string;
  /** A key of the account. */
  readonly key: string;
}

/** @returns a database of so many records, made if there is none. */
export async function seed(records: number): Promise<Seed> {
  const folder = join(CACHE, String(records));
  if (!existsSync(folder)) {
    process.stderr.write(`Loading ${records.toLocaleString('en')} records into ${folder} ...\n`);
    const partial = `${folder}.partial`; // So that what was interrupted is never taken for whole.
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    const db = join(partial, 'rollcall.db');
    await rollcall('import', 'contact-imports', await ndjson(records), '--account', ACCOUNT, '--db', db);
    const { stdout } = await rollcall('keys', 'create', '--account', ACCOUNT, '--db', db);
    writeFileSync(join(partial, 'key'), stdout.trim(), { mode: 0o600 });
    renameSync(partial, folder);
  }
  return { records, db: join(folder, 'rollcall.db'), key: readFileSync(join(folder, 'key'), 'utf8') };
}

/** @returns a file of records, newest first, made if there is none. */
export async function ndjson(records: number): Promise<string> {
  const file = join(CACHE, `${String(records)}.ndjson`);
  if (!existsSync(file)) {
    mkdirSync(CACHE, { recursive: true });
    await pipeline(Readable.from(chunks(records)), createWriteStream(`${file}.partial`));
    renameSync(`${file}.partial`, file);
  }
  return file;
}

function* chunks(records: number): Generator<string> {
  for (let at = 0; at < records; at += LINES_PER_CHUNK) {
    const count = Math.min(LINES_PER_CHUNK, records - at);
    yield Array.from({ length: count }, (_, n) => `${rowAt(at + n).json}\n`).join('');
  }
}
