/** A million records through `rollcall import`, on each engine: bounded memory, and a server that does not notice. */
import { createWriteStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { Client } from 'pg';
import { openForWriting } from '../../server/store/sqlite/database.ts';
import { contactImport } from '../../testkit/builders.ts';
import { afterFile } from '../../test/support/after-test.ts';
import { openFolder } from '../../test/support/cli.ts';
import type { Folder, Ran, Running } from '../../test/support/cli.ts';
import { ENGINE } from '../../test/support/engine.ts';
import { SERVER, TEMPLATE, createDatabase } from '../../test/support/postgres-database.ts';

const COUNT = 1_000_000;
const MAX_RSS_MB = 200;
const STATUSES = ['completed', 'failed', 'queued', 'in_progress'] as const;

jest.setTimeout(3_600_000); // For what hangs alone.

const OTHER_TEXT = `replace(json, '{"object"', '{ "object"')`;
/** Makes of each record another text of the same, behind the back of Rollcall. */
const REWRITE: Readonly<Record<typeof ENGINE, () => Promise<void> | void>> = {
  sqlite: () => {
    const db = openForWriting(address);
    db.exec(`UPDATE records SET json = ${OTHER_TEXT}`);
    db.close();
  },
  postgres: async () => {
    const client = new Client(address); // Without the time limit that other connections of tests have.
    await client.connect();
    await client.query(`UPDATE rollcall_records SET json = ${OTHER_TEXT}`);
    await client.end();
  },
};

let folder: Folder;
let address: string;
let key: string;
/** Of the account that asks while records are loaded. */
let askingKey: string;
let server: Awaited<ReturnType<Folder['serve']>>;

function* lines(): Generator<string> {
  for (let at = 0; at < COUNT; at += 1) {
    const created_at = new Date(Date.UTC(2026, 10, 1) - at * 7000).toISOString().slice(0, 23).replace('T', ' ') + '+00';
    const status = STATUSES[at % STATUSES.length] ?? 'queued';
    const hasEnded = status === 'completed' || status === 'failed';
    const record = contactImport({ status, created_at, ...(hasEnded ? {} : { completed_at: null }) });
    yield `${JSON.stringify(record)}\n`;
  }
}

beforeAll(async () => {
  const database = ENGINE === 'sqlite' ? undefined : await createDatabase(process.env[SERVER] ?? '', TEMPLATE);
  if (database !== undefined) afterFile(database.drop);
  folder = openFolder(tmpdir(), database && { ROLLCALL_DB: database.address });
  afterFile(folder.remove);
  address = database?.address ?? folder.path('rollcall.db');
  await pipeline(Readable.from(lines()), createWriteStream(folder.path('million.ndjson')));
  const keyOf = async (account: string): Promise<string> =>
    (await folder.call(['keys', 'create', '--account', account])).stdout.trim();
  key = await keyOf('big');
  // On PostgreSQL a page of the account itself passes over each record that is on its way: see docs/postgresql.md.
  askingKey = ENGINE === 'sqlite' ? key : await keyOf('other');
  server = await folder.serve();
});

/** The most memory that a process has had, in MB, as the kernel tells it. */
function peakMb({ process }: Running): number | undefined {
  try {
    const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(process.pid)}/status`, 'utf8')) ?? [];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined; // It has just ended.
  }
}

async function page(query = '', by = key): Promise<{ status: number; body: { data: unknown[] } }> {
  // Not on a connection that the server may have closed while this process was busy.
  const headers = { authorization: `Bearer ${by}`, connection: 'close' };
  const response = await fetch(`${server.url}/contacts/imports${query}`, { headers });
  return { status: response.status, body: (await response.json()) as { data: unknown[] } };
}

/** @returns a page of the account, once it is served: on PostgreSQL it passes over all that an import has left, which may take too long. */
async function served(query = ''): Promise<{ data: unknown[] }> {
  for (;;) {
    const { status, body } = await page(query);
    if (ENGINE === 'postgres' && status === 503) continue;
    expect(status).toBe(200);
    return body;
  }
}

const load = (file: string, ...argv: string[]): Running =>
  folder.start(['import', 'contact-imports', file, '--account', 'big', ...argv]);

/** Asks the server again and again while a command runs. @returns what the command printed; no request failed. */
async function meanwhile(what: string, running: Running): Promise<Ran> {
  const started = Date.now();
  let [peak, requests, slowestMs, isDone] = [0, 0, 0, false];
  void running.ended.then(() => (isDone = true));
  while (!isDone) {
    peak = Math.max(peak, peakMb(running) ?? 0);
    const asked = performance.now();
    const { status } = await page('', askingKey);
    expect(status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - asked);
    requests += 1;
  }
  process.stdout.write(
    `1,000,000 records ${what}: ${String(Math.round((Date.now() - started) / 1000))} s, peak ${peak.toFixed(0)} MB; ` +
      `${String(requests)} requests meanwhile, the slowest took ${slowestMs.toFixed(0)} ms\n`,
  );
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(MAX_RSS_MB);
  return running.ended;
}

test.each([
  ['into an empty collection', [], 0],
  ['in place of another million', ['--replace'], COUNT],
])('a million records %s: under 200 MB, and no request fails meanwhile', async (what, argv, before) => {
  const ran = await meanwhile(what, load('million.ndjson', ...argv));
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain(`it now has 1,000,000 (previously ${before.toLocaleString('en')}).`);

  // All of them are there, in order: the page's first and last are the file's.
  expect(await served('?limit=100')).toMatchObject({ has_more: true });
  expect((await served('?limit=100&status=queued')).data).toHaveLength(100);
});

test('a million records checked again and rewritten: under 200 MB, and no request fails meanwhile', async () => {
  await REWRITE[ENGINE](); // An upgrade rewrites them.
  const ran = await meanwhile('checked again', folder.start(['db', 'upgrade']));
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain('1,000,000 contact imports checked');
  expect(ran.stdout).toContain('1,000,000 records changed.');
});
