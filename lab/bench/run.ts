/** The bench: `npm run --prefix lab bench -- --help`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { imports } from './imports.ts';
import { measure } from './rounds.ts';
import { isHeldBack, table } from './rows.ts';
import type { Row } from './rows.ts';
import { CACHE } from './seed.ts';
import { startUp } from './start.ts';
import { works } from './works.ts';
import { requireWrk } from './wrk.ts';

const QUICK = { records: 200_000, rounds: 3, seconds: 1, requests: 20_000 } as const;
const FULL = { records: 1_000_000, rounds: 5, seconds: 2, requests: 0 } as const;

const HELP = `npm run --prefix lab bench -- [options]

  --only REGEX   only what has a matching name
  --rounds N     rounds of each (${String(FULL.rounds)})
  --seconds N    seconds of each round, a whole number (${String(FULL.seconds)})
  --quick        some of it, over ${QUICK.records.toLocaleString('en')} records

It prints what things cost, and judges none of it. It fails if two servers answer the same request with other bytes, or if a
request has no response. For Linux, with wrk. Databases are kept for the next run, in node_modules/.cache.
`;
const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    quick: { type: 'boolean', default: false },
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
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'run-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

  const only = new RegExp(options.only);
  const chosen = jobs(folder).filter(({ name, isQuick }) => only.test(name) && (isQuick || !options.quick));
  if (chosen.length === 0) throw new Error(`Nothing has a name that matches ${options.only}.`);
  const machine = `${String(cpus().length)} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`;
  print(`${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${machine}\n`);
  for (const job of chosen) {
    process.stderr.write(`${job.name} ...\n`);
    const rows = await job.measure();
    print(`\n${table(rows)}`);
    if (rows.some(isHeldBack)) print('* It was wrk or the machine that set the pace, not the server.\n');
  }
}

function jobs(folder: string): readonly Job[] {
  const profile = options.quick ? QUICK : FULL;
  const { records, requests } = profile;
  const rounds = given('rounds') ?? profile.rounds;
  const seconds = given('seconds') ?? profile.seconds;
  return [
    ...works(records).map((work) => ({
      name: work.name,
      isQuick: work.isQuick,
      measure: () => measure(work, { rounds, seconds, requests, folder }),
    })),
    { name: 'import, size', isQuick: true, measure: () => imports(records, rounds, folder) },
    { name: 'start', isQuick: true, measure: () => startUp(records) },
  ];
}

function given(name: 'rounds' | 'seconds'): number | undefined {
  const value = options[name];
  if (value === undefined || /^[1-9]\d*$/.test(value)) return value === undefined ? undefined : Number(value);
  throw new Error(`--${name} must be a positive whole number, not ${JSON.stringify(value)}.`);
}
