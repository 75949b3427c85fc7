/**
 * How many of Rollcall's own files one piece of work passes through: `npm run --prefix lab footprint -- [--files]`. Each work is done twice in
 * this process. Of the second time, V8's precise coverage says which functions were called; a file counts if one of its functions was.
 * What only loads does not count. A reader who follows the work opens these files.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '../../client/index.ts';
import { databaseOf } from '../../cli/database.ts';
import { run } from '../../cli/run.ts';
import { loadContract } from '../../contract/document.ts';
import { schemaHashes } from '../../contract/schema.ts';
import { startServer } from '../../server/compose.ts';
import { version } from '../../server/runtime.ts';
import { contactImport } from '../../testkit/builders.ts';
import { ndjson, series } from '../../test/support/series.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values: options } = parseArgs({ options: { files: { type: 'boolean', default: false } } });

const folder = mkdtempSync(join(tmpdir(), 'rollcall-footprint-'));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** @returns the project's files in which a function was called since the last call of this, in alphabetical order. */
async function filesThatRan(): Promise<readonly string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith('file://') && !/\/(node_modules|lab|test)\//.test(url))
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some((it) => it.count > 0)),
    )
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .sort();
}

/** Runs a command in this process. @returns what it prints to standard output. */
async function command(...argv: readonly string[]): Promise<string> {
  let text = '';
  const restore = [process.stdout, process.stderr].map((stream) => {
    const write = stream.write.bind(stream);
    stream.write = (chunk: unknown, ...others: unknown[]) => {
      if (stream === process.stdout) text += String(chunk);
      for (const done of others) if (typeof done === 'function') (done as () => void)(); // As a stream does.
      return true;
    };
    return () => (stream.write = write);
  });
  try {
    const code = await run(argv, version);
    if (code !== 0) throw new Error(`${argv.join(' ')} exits with ${String(code)}: ${text}`);
    return text.trim();
  } finally {
    for (const it of restore) it();
  }
}

try {
  const records = series(300, contactImport);
  const [db, input] = [join(folder, 'rollcall.db'), join(folder, 'records.ndjson')];
  writeFileSync(input, ndjson(records));
  const importAll = (): Promise<string> => command('import', 'contact-imports', input, '--account', 'acme', '--db', db);
  await importAll();
  const key = await command('keys', 'create', '--account', 'acme', '--db', db);
  const contract = loadContract();
  const store = await databaseOf(db).openStore(schemaHashes(contract));
  const server = await startServer({
    ...{ contract, store, observer: {}, cacheBytes: 1_000_000, host: '127.0.0.1', port: 0 },
  });
  const get = async (target: string, status = 200): Promise<void> => {
    const response = await fetch(server.url + target, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    if (response.status !== status) throw new Error(`${target}: ${String(response.status)}`);
  };
  const client = createClient({ baseUrl: server.url, apiKey: key });
  for (let times = 0; times < 4; times += 1) await command('keys', 'create', '--account', 'other', '--db', db);
  const listed = JSON.parse(await command('keys', 'list', '--json', '--db', db)) as readonly Record<
    'id' | 'account',
    string
  >[];
  const ids = listed.filter(({ account }) => account === 'other').map(({ id }) => id);
  const unknown = '00000000-0000-4000-8000-000000000000';
  let n = 0;
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'cached page': () => get('/contacts/imports'),
    'new page': () => get(`/contacts/imports?after=${String(records[(n += 1)]?.id)}`),
    '404 of an id': () => get(`/contacts/imports/${unknown}`, 404),
    import: importAll,
    'key revocation': () => command('keys', 'revoke', String(ids.pop()), '--db', db),
    'conform --only list.order': () => command('conform', server.url, '--key', key, '--only', 'list.order'),
    'client list': async () => {
      for await (const _ of client.contactImports.list({ max: 150 }));
    },
  };
  // A server in this process does not count as a part of who calls it.
  const isOwn = (name: string, file: string): boolean =>
    name === 'client list' ? file.startsWith('client/') : !(name.startsWith('conform') && file.startsWith('server/'));
  for (const [name, work] of Object.entries(works)) {
    for (let times = 0; times < 3; times += 1) await work(); // What is asked for twice is cached.
    await filesThatRan();
    await work();
    const own = (await filesThatRan()).filter((file) => isOwn(name, file));
    process.stdout.write(`${String(own.length).padStart(4)}  ${name}\n`);
    if (options.files) process.stdout.write(own.map((file) => `        ${file}\n`).join(''));
  }
  await server.stop();
} finally {
  rmSync(folder, { recursive: true });
}
