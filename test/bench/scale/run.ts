/** How Rollcall on PostgreSQL does with many records of many accounts: `npm run bench -- scale --help`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { loadContract } from '../../../server/contract/document.ts';
import { schemaHashes } from '../../../server/contract/schema.ts';
import { postgresDatabase } from '../../../server/store/postgres/open.ts';
import { startPostgres } from '../../support/postgres.ts';
import { holds, table } from '../rows.ts';
import type { Row } from '../rows.ts';
import { requireWrk } from '../wrk.ts';
import { fill } from './fill.ts';
import { loads } from './loads.ts';
import { oneConnection, pages } from './pages.ts';
import { plans } from './plans.ts';
import { storage } from './storage.ts';

const DEFAULTS = { records: 10_000_000, accounts: 100_000, rounds: 5, seconds: 5 } as const;
// Fewer than a server remembers keys of.
const FEW_ACCOUNTS = 5000;
// As a server of its own has them: what it writes is kept, and logged for replicas. The records do not fit its memory.
const SETTINGS = {
  ...{ fsync: 'on', full_page_writes: 'on', autovacuum: 'on', io_method: 'worker' },
  ...{ shared_buffers: '1GB', max_wal_size: '4GB', maintenance_work_mem: '256MB' },
};

const HELP = `npm run bench -- scale [options]

  --records N    records in the store (${String(DEFAULTS.records)})
  --accounts N   accounts that they belong to (${String(DEFAULTS.accounts)})
  --rounds N     rounds of requests (${String(DEFAULTS.rounds)})
  --seconds N    seconds of each round, a whole number (${String(DEFAULTS.seconds)})
  --json FILE    write all that was measured

For Linux, with wrk. Ten million records take about 12 GB in the folder for temporary files while it runs.
Ends with 1 if a statement is not the index search that it has to be, or reads too many blocks.
`;
const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    ...{ records: { type: 'string' }, accounts: { type: 'string' } },
    ...{ rounds: { type: 'string' }, seconds: { type: 'string' } },
    json: { type: 'string' },
  },
});
const print = (text: string): void => void process.stdout.write(text);
const tell = (what: string): void => void process.stderr.write(`${what} ...\n`);

if (options.help) print(HELP);
else {
  requireWrk();
  await bench();
}

async function bench(): Promise<void> {
  const [records, accounts, rounds, seconds] = [given('records'), given('accounts'), given('rounds'), given('seconds')];
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-scale-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const server = await startPostgres({ settings: SETTINGS });
  const address = server.address();
  const clients: Client[] = [];
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: address });
    client.on('error', () => undefined); // Its query tells as well.
    clients.push(client);
    await client.connect();
    return client;
  };
  try {
    const database = postgresDatabase(address);
    await (await database.openWriter()).close(); // It creates the tables.
    await database.upgrade(schemaHashes(loadContract()), () => undefined); // The records count as checked against this contract.
    const client = await connect();
    const { rows: collections } = await client.query<{ id: number }>(
      "SELECT id FROM rollcall_collections WHERE name = 'contactImports'",
    );
    const collection = collections[0]?.id ?? NaN;
    await fill(client, collection, { records, accounts }, tell);
    const rows: Row[] = [];
    const jobs: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
      plans: async () => plans(await connect(), collection, { records, accounts }),
      storage: () => storage(client, accounts),
      'pages of few accounts': () =>
        pages(client, address, Math.min(FEW_ACCOUNTS, accounts), { rounds, seconds, folder }),
      'pages of all accounts': () => pages(client, address, accounts, { rounds, seconds, folder }),
      'one connection': async () => oneConnection(await connect(), collection, accounts),
      loads: () => loads(client, address, { records, accounts }),
    };
    for (const [name, measure] of Object.entries(jobs)) {
      tell(name);
      rows.push(...(await measure()));
    }
    const { rows: versions } = await client.query<{ server_version: string }>('SHOW server_version');
    report(rows, { records, accounts, postgres: versions[0]?.server_version ?? 'unknown' });
  } finally {
    await Promise.all(clients.map((it) => it.end()));
    await server.remove();
  }
}

function report(
  rows: readonly Row[],
  what: { readonly records: number; readonly accounts: number; readonly postgres: string },
): void {
  const machine = { node: process.versions.node, processor: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  const about = { date: new Date().toISOString().slice(0, 10), ...what, ...machine, settings: SETTINGS };
  const judged = rows.map((row) => ({ ...row, holds: holds(row, 1) }));
  print(`\n${JSON.stringify(about)}\n\n${table(rows, 1)}`);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ ...about, rows: judged }, null, 2)}\n`);
  if (judged.some((it) => it.holds === false)) process.exitCode = 1;
}

function given(name: keyof typeof DEFAULTS): number {
  const value = options[name] ?? String(DEFAULTS[name]);
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}.`);
}
