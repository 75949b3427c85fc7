/**
 * The matrix: clients generated from the contract, compiled, and run against a live server; servers generated from it, and
 * tested by `conform`. `node test/codegen/run.ts [row...]` runs the rows that are named, or those that are not slow;
 * `--all` all of them, and demands that flags are needed; `--prove-red` shows that they can fail.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { renderAs31 } from '../../scripts/openapi-3.1.ts';
import { startRollcall } from '../../server/testing/index.ts';
import { expected, records } from './records.ts';
import type { Expected } from './records.ts';
import { readRows, runRow } from './row.ts';
import type { Result, Row } from './row.ts';

const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));
const ROLLCALL = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
/** The rows that are shown to be able to fail where none is named: one without flags, and one with. */
const PROVED = ['openapi-typescript', 'openapi-generator-ruby'];

const WRONG_EXPECTATIONS: readonly Partial<Expected>[] = [
  { firstAutomationId: expected.importId },
  { automations: expected.automations + 1 },
  { enabled: expected.enabled + 1 },
  { importCreated: expected.importCreated + 1 },
  { fallbackValues: [...expected.fallbackValues.slice(0, -1), 0] },
];
/** What is replaced in the contract, so that it is no longer the server's. */
const BREAKS: readonly (readonly [string, string])[] = [
  ['  /contacts/imports/{id}:', '  /contacts/import/{id}:'],
  ['        - not_found\n', ''],
];

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, 'prove-red': { type: 'boolean', default: false } },
});
const { all: isAll, 'prove-red': isProof } = values;
const rows = readRows();
const unknown = named.filter((it) => !rows.some(({ name }) => name === it));
if (unknown.length > 0) {
  print(`There is no row ${unknown.join(', ')}. There are: ${rows.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const chosen = named.length === 0 && isProof ? PROVED : named;
const meant = rows.filter(({ name, slow }) =>
  chosen.length > 0 ? chosen.includes(name) : isAll || slow === undefined,
);

const server = await startRollcall(records);
const folder = await mkdtemp(join(tmpdir(), 'rollcall-codegen-'));
try {
  process.exitCode = (await (isProof ? proveRed(meant) : matrix(meant))) ? 0 : 1;
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}

/** Runs rows one after the other, and prints a table. @returns whether all passed. */
async function matrix(rows: readonly Row[]): Promise<boolean> {
  const results = new Map<Row, Result>();
  for (const row of rows) {
    print(`${row.name} ...`);
    const result = await run(row);
    if (!result.ok) print(result.log);
    results.set(row, result);
    if (isAll && result.ok && row.flags !== undefined && (await run(row, { flags: '' })).ok) {
      print(`${row.name} passes without ${row.flags}: take it out of row.json and docs/codegen.md.`);
      results.set(row, { ...result, ok: false });
    }
  }
  const lines = [...results].map(([{ name }, { tool, version, language, ok, seconds }]) => [
    ok ? tool : name,
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

/** @returns whether rows pass as they are, and fail with each wrong expectation, each broken contract, and without flags. */
async function proveRed(rows: readonly Row[]): Promise<boolean> {
  if (!(await matrix(rows))) return false;
  const contract = await readFile(CONTRACT, 'utf8');
  let good = true;
  const requireRed = ({ name }: Row, what: string, { ok }: Result): void => {
    print(`${name} with ${what}: ${ok ? 'PASSED, which it must not' : 'failed, as it must'}`);
    good &&= !ok;
  };
  for (const row of rows) {
    for (const wrong of WRONG_EXPECTATIONS) {
      requireRed(row, JSON.stringify(wrong), await run(row, { expectation: { ...expected, ...wrong } }));
    }
    for (const [text, replacement] of BREAKS) {
      if (!contract.includes(text)) throw new Error(`The contract has no ${text} to break.`);
      const path = join(folder, 'broken.yaml');
      await writeFile(path, contract.replace(text, replacement));
      requireRed(row, `a contract without ${text.trim()}`, await run(row, { contract: path }));
    }
    if (row.flags !== undefined) requireRed(row, `no ${row.flags}`, await run(row, { flags: '' }));
  }
  return good;
}

async function run(
  row: Row,
  { expectation = expected, contract = CONTRACT, flags = row.flags ?? '' } = {},
): Promise<Result> {
  const path = (name: string): string => join(folder, name);
  await writeFile(path('expected.json'), JSON.stringify(expectation));
  await writeFile(path('records.json'), JSON.stringify(records));
  const document = parse(await readFile(contract, 'utf8')) as Record<string, unknown>;
  await writeFile(path('openapi-3.1.json'), JSON.stringify(renderAs31(document)));
  return runRow(row, {
    ROLLCALL_URL: server.url,
    ROLLCALL_API_KEY: server.apiKey,
    OPENAPI: contract,
    OPENAPI_31: path('openapi-3.1.json'),
    EXPECTED: path('expected.json'),
    RECORDS: path('records.json'),
    ROLLCALL,
    FLAGS: flags,
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
