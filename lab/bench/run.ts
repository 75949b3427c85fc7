/** The bench: `npm run bench -- --help`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { imports, postgresImports } from './imports.ts';
import { endPostgres } from './postgres.ts';
import { accounts } from './kit.ts';
import { measure } from './rounds.ts';
import { holds, isHeldBack, table } from './rows.ts';
import type { Row } from './rows.ts';
import { loading, memory, startUp } from './server.ts';
import { works } from './works.ts';
import type { Work } from './works.ts';
import { requireWrk } from './wrk.ts';

// In a small load the start weighs more, and the inserts into small indexes less.
const QUICK = {
  records: 200_000,
  rounds: 3,
  seconds: 1,
  requests: 20_000,
  memoryMinutes: 0.25,
  slack: 1.25,
  import: 2.2,
} as const;
const FULL = {
  records: 1_000_000,
  rounds: 5,
  seconds: 2,
  requests: 0,
  memoryMinutes: 1,
  slack: 1,
  import: 1.7,
} as const;
const FEW = 10_000;
const POSTGRES_IMPORT = 200_000;
const TEN_MILLION = 10_000_000;

const HELP = `npm run bench -- [options]

  --only REGEX         only what has a matching name
  --rounds N           rounds of each (${String(FULL.rounds)})
  --seconds N          seconds of each round, a whole number (${String(FULL.seconds)})
  --memory-minutes N   how long memory is watched (${String(FULL.memoryMinutes)})
  --ten-million        hold the same page of 10,000,000 records against 10,000; otherwise that of 1,000,000
  --quick              some works over ${QUICK.records.toLocaleString('en')} records, with bounds ${String(QUICK.slack)} times as wide
  --no-bounds          end with 0 even if a bound does not hold
  --json FILE          write all that was measured

For Linux, with wrk. Databases are kept for the next run, in the folder for temporary files.
`;
process.once('uncaughtException', (error) => {
  process.stderr.write(`${error instanceof TypeError && !('code' in error) ? String(error.stack) : error.message}\n`);
  process.exit(2);
});
const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    'memory-minutes': { type: 'string' },
    'ten-million': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'no-bounds': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const print = (text: string): void => void process.stdout.write(text);

/** Something that is measured, by its name. */
interface Job {
  readonly name: string;
  readonly isQuick: boolean;
  readonly measure: () => Promise<readonly Row[]>;
}

if (options.help) print(HELP);
else if (process.platform !== 'linux') throw new Error('The bench reads /proc: it needs Linux.');
else {
  requireWrk();
  await bench();
}

async function bench(): Promise<void> {
  const profile = options.quick ? QUICK : FULL;
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-run-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

  const only = new RegExp(options.only);
  const chosen = jobs(profile, folder).filter((it) => only.test(it.name) && (it.isQuick || !options.quick));
  if (chosen.length === 0) throw new Error(`Nothing has a name that matches ${options.only}.`);
  const rows: Row[] = [];
  for (const job of chosen) {
    process.stderr.write(`${job.name} ...\n`);
    const found = await job.measure();
    print(`\n${table(found, profile.slack)}`);
    rows.push(...found);
  }
  await endPostgres();
  const machine = { node: process.versions.node, processor: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  const command = ['npm run bench', '--', ...process.argv.slice(2)].join(' ');
  const about = { date: new Date().toISOString().slice(0, 10), ...machine, command, slack: profile.slack };
  print(`\n${Object.values(about).join(', ')}\n\n${table(rows, profile.slack)}`);
  if (rows.some(isHeldBack)) print('* It was wrk or the machine that set the pace, not the server.\n');
  const judged = rows.map((row) => ({ ...row, holds: holds(row, profile.slack) }));
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ ...about, rows: judged }, null, 2)}\n`);
  if (judged.some((it) => it.holds === false) && !options['no-bounds']) process.exitCode = 1;
}

function jobs(profile: typeof QUICK | typeof FULL, folder: string): readonly Job[] {
  const { records } = profile;
  const rounds = given('rounds') ?? profile.rounds;
  const seconds = given('seconds') ?? profile.seconds;
  const minutes = given('memory-minutes', /^\d*\.?\d+$/) ?? profile.memoryMinutes;
  const most = options['ten-million'] ? TEN_MILLION : records;
  return [
    ...works(records, FEW, most).map((work) => ({
      name: work.name,
      isQuick: work.isQuick,
      measure: () =>
        measure(options.quick ? withoutOthers(work) : work, { rounds, seconds, requests: profile.requests, folder }),
    })),
    { name: 'import, size', isQuick: true, measure: () => imports(records, rounds, folder, profile.import) },
    { name: 'PostgreSQL, import', isQuick: false, measure: () => postgresImports(POSTGRES_IMPORT, rounds) },
    { name: 'start', isQuick: true, measure: () => startUp(records) },
    { name: 'test kit, account', isQuick: true, measure: accounts },
    { name: 'memory', isQuick: true, measure: () => memory(records, minutes, folder) },
    { name: 'p99 while loading', isQuick: false, measure: () => loading(records, folder) },
  ];
}

function given(name: 'rounds' | 'seconds' | 'memory-minutes', pattern = /^[1-9]\d*$/): number | undefined {
  const value = options[name];
  if (value === undefined || pattern.test(value)) return value === undefined ? undefined : Number(value);
  throw new Error(`--${name} must match ${String(pattern)}, not ${JSON.stringify(value)}.`);
}

/** @returns a work with the two entries of its bound. */
function withoutOthers(work: Work): Work {
  const { of, against } = work.bound;
  return { ...work, entries: work.entries.filter(({ label }) => label === of || label === against) };
}
