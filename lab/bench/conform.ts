/** What a run of `rollcall conform` takes against Rollcall, and how it ends: `npm run --prefix lab bench:conform -- --help`. */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BOUNDS } from '../../audit/conform/session.ts';
import { COLLECTIONS, commandName } from '../../contract/collections.ts';
import { loadContract } from '../../contract/document.ts';
import type { Records } from '../../testkit/index.ts';
import { recordsOf, seeded } from '../../test/audit/conform/records.ts';
import { openFolder } from '../../test/support/cli.ts';
import type { Folder } from '../../test/support/cli.ts';
import { query } from '../../test/support/postgres-database.ts';
import { ROOT } from '../../test/support/project.ts';
import { startLatencyProxy } from './latency-proxy.ts';
import { emptyDatabase, endPostgres } from './postgres.ts';
import { median } from '../support/measure.ts';
import { ndjson } from './seed.ts';

const RECORDS = 1_000_000;
/** Runs of a row that does not mostly wait. */
const RUNS = 3;
const LATENCY_MS = 100;
const RATE_LIMIT = '5/s';
/** For a machine that is busy: how long a run takes is printed alone. */
const TIMEOUT = '3600';
const HELP = `npm run --prefix lab bench:conform -- [options]

  --records N   records of the largest account (${String(RECORDS)})
  --runs N      runs of each row; the table has their median (${String(RUNS)})
  --fast        leave out the rows with latency and with a rate limit, which wait for two minutes

Ends with 1 if a run does not end with the exit code that it must end with, or sends more than ${String(BOUNDS.requests)} requests.
`;

type Way = 'direct' | 'latency' | 'limited';
type Account = 'empty' | 'five' | 'many' | 'own';
interface Row {
  readonly what: string;
  readonly account: Account;
  readonly code: 0 | 3;
  readonly way: Way;
}
/** A run, or the median of several. */
interface Ran {
  readonly requests: number;
  readonly ms: number;
}
interface Engine {
  readonly name: string;
  readonly urls: Readonly<Record<Way, string>>;
  readonly close: () => void;
}
type Keys = Readonly<Record<Account | 'other', string>>;

const rowsOf = (count: number): readonly Row[] => [
  { what: 'an empty account', account: 'empty', code: 3, way: 'direct' },
  { what: 'five records', account: 'five', code: 0, way: 'direct' },
  { what: `${count.toLocaleString('en')} records`, account: 'many', code: 0, way: 'direct' },
  { what: 'all records that the rules need', account: 'own', code: 0, way: 'direct' },
  { what: `the same, with ${String(LATENCY_MS)} ms latency`, account: 'own', code: 0, way: 'latency' },
  { what: `the same, with \`--rate-limit ${RATE_LIMIT}\``, account: 'own', code: 0, way: 'limited' },
];
const tell = (what: string): void => void process.stderr.write(`${what} ...\n`);
/** These runs mostly wait. */
const isSlow = ({ way }: Row): boolean => way === 'latency' || way === 'limited';

const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    records: { type: 'string', default: String(RECORDS) },
    runs: { type: 'string', default: String(RUNS) },
    fast: { type: 'boolean', default: false },
  },
});
async function bench(count: number, rounds: number): Promise<void> {
  const folder = openFolder();
  const engines: Engine[] = [];
  const problems: string[] = [];
  try {
    tell(`Loading ${count.toLocaleString('en')} records`);
    const keys = await load(folder, count);
    const [file, address] = [folder.path('rollcall.db'), await emptyDatabase()];
    await must(folder, ['copy', file, address]);
    engines.push(await start(folder, 'SQLite', file));
    engines.push(await start(folder, 'PostgreSQL', address));

    const measure = async (row: Row, { name, urls }: Engine): Promise<Ran> => {
      const others = row.account === 'empty' ? [] : ['--key2', keys.other];
      const argv = [
        'conform',
        urls[row.way],
        '--key',
        keys[row.account],
        ...others,
        '--random-seed',
        '1',
        '--timeout',
        TIMEOUT,
        '--json',
      ];
      const runs: Ran[] = [];
      for (let at = 0; at < (isSlow(row) ? 1 : rounds); at += 1) {
        const { ran, problem } = await conform(folder, argv, row);
        runs.push(ran);
        if (problem === undefined) continue;
        problems.push(`${name}, ${row.what}: ${problem}`);
        break;
      }
      return { requests: Math.max(...runs.map((it) => it.requests)), ms: median(runs.map((it) => it.ms)) };
    };
    const rows = rowsOf(count).filter((it) => !options.fast || !isSlow(it));
    const measured = new Map<Row, readonly Ran[]>();
    for (const row of rows.filter((it) => !isSlow(it))) {
      tell(row.what);
      const ran: Ran[] = [];
      for (const engine of engines) ran.push(await measure(row, engine));
      measured.set(row, ran);
    }
    if (rows.some(isSlow)) tell('latency and rate limit');
    const measureAll = (row: Row): Promise<Ran[]> => Promise.all(engines.map((it) => measure(row, it)));
    await Promise.all(rows.filter(isSlow).map(async (row) => measured.set(row, await measureAll(row))));

    const text = `${await machine(address)}\n\n${table(rows, measured)}\n`;
    process.stdout.write(text);
    for (const it of problems) process.stderr.write(`${it}\n`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } finally {
    for (const it of engines) it.close();
    await endPostgres();
    folder.remove();
  }
}

async function must(folder: Folder, argv: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await folder.run(argv, { input });
  if (code !== 0) throw new Error(`rollcall ${argv.join(' ')} fails:\n${stdout}${stderr}`);
  return stdout.trim();
}

/** Loads the accounts into the folder's database. @returns a key of each. */
async function load(folder: Folder, count: number): Promise<Keys> {
  const importAll = async (account: string, records: Records): Promise<void> => {
    for (const it of COLLECTIONS) {
      const lines = (records[it] ?? []).map((record) => `${JSON.stringify(record)}\n`);
      if (lines.length > 0) await must(folder, ['import', commandName(it), '--account', account], lines.join(''));
    }
  };
  const { automations = [], contactProperties = [], contactImports = [] } = recordsOf('five', 2);
  const five = { automations, contactProperties, contactImports: contactImports.slice(0, 1) };
  await importAll('own', seeded(recordsOf('own'), loadContract()));
  await importAll('other', recordsOf('other', 30));
  await importAll('five', five);
  await importAll('many', { ...recordsOf('many'), contactImports: [] });
  await must(folder, ['import', 'contact-imports', await ndjson(count), '--account', 'many']);
  const keyOf = (account: string): Promise<string> => must(folder, ['keys', 'create', '--account', account]);
  return {
    empty: await keyOf('empty'),
    five: await keyOf('five'),
    many: await keyOf('many'),
    own: await keyOf('own'),
    other: await keyOf('other'),
  };
}

/** Starts a server on a database, another one with a rate limit, and a proxy with latency in front of the first. */
async function start(folder: Folder, name: string, db: string): Promise<Engine> {
  const { url: direct } = await folder.serve(['--db', db]);
  const { url: limited } = await folder.serve(['--db', db, '--rate-limit', RATE_LIMIT]);
  const delayed = await startLatencyProxy(direct, LATENCY_MS);
  return { name, urls: { direct, limited, latency: delayed.url }, close: delayed.close };
}

interface Report {
  readonly untestable?: string;
  readonly sent: Readonly<Record<string, number>>;
  readonly results: readonly { readonly rule: string; readonly operation: string; readonly outcome: string }[];
}

/** Runs the command in a process of its own. @returns what it took, and what is wrong with it. */
async function conform(
  folder: Folder,
  argv: readonly string[],
  { code }: Row,
): Promise<{ ran: Ran; problem?: string }> {
  const started = performance.now();
  const { code: actual, stdout, stderr } = await folder.run(argv);
  const ms = performance.now() - started;
  if (!stdout.startsWith('{')) throw new Error(`conform prints no results:\n${stdout}${stderr}`);
  const { sent, results, untestable } = JSON.parse(stdout) as Report;
  const requests = Object.values(sent).reduce((sum, it) => sum + it, 0);
  const ran = { requests, ms };
  if (actual === code && requests <= BOUNDS.requests) return { ran };
  const failed = results.filter((it) => it.outcome === 'failed').map((it) => JSON.stringify(it));
  const what = `exit code ${String(actual)} instead of ${String(code)}, or more requests than ${String(BOUNDS.requests)}: ${String(requests)}`;
  return { ran, problem: [what, ...failed, untestable ?? '', stderr].join('\n  ').trim() };
}

/** @returns when and where it is measured, with all versions. */
async function machine(address: string): Promise<string> {
  const sqlite = JSON.parse(readFileSync(join(ROOT, 'node_modules/better-sqlite3/package.json'), 'utf8')) as {
    version: string;
  };
  const [postgres] = await query<{ server_version: string }>(address, 'SHOW server_version');
  const versions = [
    `Node ${process.versions.node}`,
    `better-sqlite3 ${sqlite.version}`,
    `PostgreSQL ${postgres?.server_version ?? 'unknown'}`,
  ];
  const cores = `${String(availableParallelism())} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`;
  return `Measured on ${new Date().toISOString().slice(0, 10)} with ${versions.join(', ')}, on ${cores}, possibly shared with other work:`;
}

/** @returns the table in Markdown. */
function table(rows: readonly Row[], measured: ReadonlyMap<Row, readonly Ran[]>): string {
  const lines = rows.map((row) => {
    const ran = measured.get(row) ?? [];
    const requests = [...new Set(ran.map((it) => String(it.requests)))].join(', ');
    const times = ran.map(({ ms }) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`);
    return `| ${[row.what, String(row.code), requests, ...times].join(' | ')} |`;
  });
  return [
    '| Against | Exit code | Requests | SQLite | PostgreSQL |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...lines,
  ].join('\n');
}

/** @returns a positive number of the command line. */
function positive(name: 'records' | 'runs'): number {
  const value = options[name];
  if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${name} must be a positive number, not ${value}.`);
  return Number(value);
}

if (options.help) process.stdout.write(HELP);
else await bench(positive('records'), positive('runs'));
