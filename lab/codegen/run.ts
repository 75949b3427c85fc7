/**
 * The matrix: clients generated from the contract, compiled, run against a live server and examined by `rollcall examine`;
 * servers generated from it, and tested by `conform`. `node lab/codegen/run.ts [row...]` runs the rows that are named, or
 * those that are not slow; `--all` all of them, and demands that flags are needed; `--write` writes docs/scoreboard.md;
 * `--prove-red` shows that they can fail.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { renderAs31 } from '../../scripts/openapi-3.1.ts';
import { startRollcall } from '../../server/testing/index.ts';
import { checkDriver } from './client.ts';
import { expected, records } from './records.ts';
import type { Expected } from './records.ts';
import { readRows, runRow } from './row.ts';
import type { Result, Row } from './row.ts';
import { score } from './score.ts';
import { cellsOf, COLUMNS, scoreboard, sizeOf } from './scoreboard.ts';
import type { Scored } from './scoreboard.ts';

const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));
const SCOREBOARD = fileURLToPath(new URL('../../docs/scoreboard.md', import.meta.url));
const ROLLCALL = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
/** How many rows run at a time: a row waits for downloads, and for the seconds that rules of `examine` take. */
const AT_A_TIME = 2;
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
  options: {
    all: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    'prove-red': { type: 'boolean', default: false },
  },
});
const { all: isAll, write: isWritten, 'prove-red': isProof } = values;
if (isWritten && !isAll) {
  print('--write needs the results of --all.');
  process.exit(2);
}
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

/** Runs rows, and prints a table. @returns whether all passed. */
async function matrix(rows: readonly Row[]): Promise<boolean> {
  const results = new Map<Row, Result>();
  const scores = new Map<Row, Scored>();
  const waiting = [...rows];
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      print(`${row.name} ...`);
      const result = await run(row, { scored: (it) => scores.set(it.row, it) });
      print(`${row.name} ${result.ok ? 'passed' : `FAILED\n${result.log}`}`);
      results.set(row, result);
      if (isAll && result.ok && row.flags !== undefined && (await run(row, { flags: '' })).ok) {
        print(`${row.name} passes without ${row.flags}: take it out of row.json and docs/codegen.md.`);
        results.set(row, { ...result, ok: false });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));

  const lines = rows.map((row) => {
    const { tool = '', version = '', language = '', ok = false, seconds = 0 } = results.get(row) ?? {};
    const scored = scores.get(row);
    const cells = scored === undefined ? COLUMNS.map(() => '') : cellsOf(scored.score);
    return [row.name, ok ? tool : '', version, language, ok ? 'passed' : 'FAILED', seconds.toFixed(0), ...cells];
  });
  const table = [['row', 'tool', 'version', 'language', 'result', 'seconds', ...COLUMNS], ...lines];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of table) print(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));

  const scored = [...scores.values()];
  if (chosen.length === 0) print(`The scoreboard has ${sizeOf(scored)}.`);
  const isGood = [...results.values()].every(({ ok }) => ok);
  if (isWritten && isGood) await writeFile(SCOREBOARD, await scoreboard(scored, new Date()));
  return isGood;
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

interface RunOptions {
  readonly expectation?: Expected;
  readonly contract?: string;
  readonly flags?: string;
  /** Called with the score of a client. Without it, the client is not examined. */
  readonly scored?: (scored: Scored) => void;
}

async function run(
  row: Row,
  { expectation = expected, contract = CONTRACT, flags = row.flags ?? '', scored }: RunOptions = {},
): Promise<Result> {
  const own = await mkdtemp(join(folder, 'row-')); // Another row may be reading its files.
  const path = (name: string): string => join(own, name);
  await writeFile(path('expected.json'), JSON.stringify(expectation));
  await writeFile(path('records.json'), JSON.stringify(records));
  const document = parse(await readFile(contract, 'utf8')) as Record<string, unknown>;
  await writeFile(path('openapi-3.1.json'), JSON.stringify(renderAs31(document)));
  const variables = {
    ROLLCALL_URL: server.url,
    ROLLCALL_API_KEY: server.apiKey,
    OPENAPI: contract,
    OPENAPI_31: path('openapi-3.1.json'),
    EXPECTED: path('expected.json'),
    RECORDS: path('records.json'),
    ROLLCALL,
    FLAGS: flags,
  };
  return runRow(row, variables, async (built) => {
    const { driver } = built;
    if (driver === undefined) return;
    if (row.isSentinel !== true) await checkDriver(driver, server, expectation);
    if (scored === undefined) return;
    const its = await score(row.name, driver);
    scored({ row, built, score: its });
    if (its.surprises.length > 0) throw new Error(its.surprises.join('\n'));
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
