/**
 * The matrix: clients generated from the contract, compiled, and run against a live server. Each folder here with a `run.sh`
 * is a row. `node test/codegen/run.ts [row...]` runs some of them; with `--prove-red` it shows that they can fail.
 */
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRollcall } from '../../server/testing/index.ts';
import { expected, records } from './records.ts';
import type { Expected } from './records.ts';
import { runRow } from './row.ts';
import type { Result } from './row.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));
const PROVE = '--prove-red';
/** The row that is shown to be able to fail where none is named. */
const PROVED = 'openapi-typescript';

const WRONG_EXPECTATIONS: readonly Partial<Expected>[] = [
  { firstAutomationId: expected.importId },
  { automations: expected.automations + 1 },
  { enabled: expected.enabled + 1 },
  { importCreated: expected.importCreated + 1 },
];
/** What is replaced in the contract, so that it is no longer the server's. */
const BREAKS: readonly (readonly [string, string])[] = [
  ['  /contacts/imports/{id}:', '  /contacts/import/{id}:'],
  ['        - not_found\n', ''],
];

const argv = process.argv.slice(2);
const named = argv.filter((it) => it !== PROVE);
const all = globSync('*/run.sh', { cwd: HERE }).map(dirname).toSorted();
const unknown = named.filter((it) => !all.includes(it));
if (unknown.length > 0) {
  print(`There is no row ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exit(2);
}

const server = await startRollcall(records);
const folder = await mkdtemp(join(tmpdir(), 'rollcall-codegen-'));
try {
  const good = argv.includes(PROVE)
    ? proveRed(named.length > 0 ? named : [PROVED])
    : matrix(named.length > 0 ? named : all);
  process.exitCode = (await good) ? 0 : 1;
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}

/** Runs rows one after the other, and prints a table. @returns whether all passed. */
async function matrix(rows: readonly string[]): Promise<boolean> {
  const results = new Map<string, Result>();
  for (const row of rows) {
    print(`${row} ...`);
    const result = await run(row);
    if (!result.ok) print(result.log);
    results.set(row, result);
  }
  const lines = [...results].map(([row, { tool, version, language, ok, seconds }]) => [
    ok ? tool : row,
    version,
    language,
    ok ? 'passed' : 'FAILED',
    seconds.toFixed(0),
  ]);
  const table = [['tool', 'version', 'language', 'result', 'seconds'], ...lines];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of table) print(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return [...results.values()].every(({ ok }) => ok);
}

/** @returns whether rows pass as they are, and fail with each wrong expectation and each broken contract. */
async function proveRed(rows: readonly string[]): Promise<boolean> {
  if (!(await matrix(rows))) return false;
  const contract = await readFile(CONTRACT, 'utf8');
  let good = true;
  const demandRed = (row: string, what: string, { ok }: Result): void => {
    print(`${row} with ${what}: ${ok ? 'PASSED, which it must not' : 'failed, as it must'}`);
    good &&= !ok;
  };
  for (const row of rows) {
    for (const wrong of WRONG_EXPECTATIONS) {
      demandRed(row, JSON.stringify(wrong), await run(row, { expectation: { ...expected, ...wrong } }));
    }
    for (const [text, replacement] of BREAKS) {
      if (!contract.includes(text)) throw new Error(`The contract has no ${text} to break.`);
      const path = join(folder, 'broken.yaml');
      await writeFile(path, contract.replace(text, replacement));
      demandRed(row, `a contract without ${text.trim()}`, await run(row, { contract: path }));
    }
  }
  return good;
}

async function run(row: string, { expectation = expected, contract = CONTRACT } = {}): Promise<Result> {
  const path = join(folder, 'expected.json');
  await writeFile(path, JSON.stringify(expectation));
  return runRow(join(HERE, row), {
    ROLLCALL_URL: server.url,
    ROLLCALL_KEY: server.apiKey,
    OPENAPI: contract,
    EXPECTED: path,
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
