/**
 * Generators of clients and servers: each folder here with a `run.sh` is a row. It generates from the contract and compiles in an empty
 * folder. `rollcall examine` tests a client, a server or an MCP server tests itself. `node lab/codegen/run.ts [row...]` runs the rows
 * that are named, or all; `--write` then writes scoreboard.md.
 */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { renderAs31 } from '../../scripts/openapi-3.1.ts';
import { startRollcall } from '../../testkit/index.ts';
import { ROOT } from '../../test/support/project.ts';
import { examine } from './examine.ts';
import { expected, records } from './records.ts';
import { scoreboard } from './scoreboard.ts';
import type { Scored } from './scoreboard.ts';

const CONTRACT = join(ROOT, 'openapi.yaml');

/** What run-row.sh says of what it has built. */
interface Built {
  readonly tool: string;
  readonly version: string;
  readonly language: string;
  /** The command of the driver; empty if the row is not a client. */
  readonly driver: readonly string[];
}

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const all = globSync('*/run.sh', { cwd: import.meta.dirname })
  .map(dirname)
  .toSorted();
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0 || (options.write && named.length > 0)) {
  print(unknown.length > 0 ? `The rows are ${all.join(', ')}.` : '--write needs the results of all rows.');
  process.exit(2);
}

const server = await startRollcall(records);
const folder = await mkdtemp(join(tmpdir(), 'rollcall-codegen-'));
const scored: Scored[] = [];
const failed: string[] = [];
try {
  const variables = await writeInputs();
  for (const row of named.length > 0 ? named : all) {
    const started = performance.now();
    try {
      scored.push(await run(row, variables));
    } catch (error) {
      failed.push(row);
      print(error instanceof Error ? error.message : String(error));
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    print(`${row} ${failed.includes(row) ? 'FAILED' : 'passed'} in ${seconds} s`);
  }
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}
const board = await scoreboard(scored, new Date());
print(board);
if (failed.length > 0) {
  print(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
} else if (options.write) await writeFile(join(import.meta.dirname, 'scoreboard.md'), board);

/** @returns the variables of a row's environment, which name the files that it reads. */
async function writeInputs(): Promise<Readonly<Record<string, string>>> {
  const path = (name: string): string => join(folder, name);
  const document = parse(await readFile(CONTRACT, 'utf8')) as Record<string, unknown>;
  await writeFile(path('openapi-3.1.json'), JSON.stringify(renderAs31(document)));
  await writeFile(path('expected.json'), JSON.stringify(expected));
  await writeFile(path('records.json'), JSON.stringify(records));
  return {
    OPENAPI: CONTRACT,
    OPENAPI_31: path('openapi-3.1.json'),
    EXPECTED: path('expected.json'),
    RECORDS: path('records.json'),
    ROLLCALL: join(ROOT, 'cli/main.ts'),
    ROLLCALL_URL: server.url,
    ROLLCALL_BASE_URL: server.url,
    ROLLCALL_API_KEY: server.apiKey,
    PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  };
}

/** Builds and tests a row. @throws Error if it fails in a way that is not known. */
async function run(row: string, variables: Readonly<Record<string, string>>): Promise<Scored> {
  const cwd = join(folder, row);
  const env = { ...process.env, ...variables, ROW: join(import.meta.dirname, row) };
  await mkdir(cwd);
  const child = spawn('bash', [join(import.meta.dirname, 'run-row.sh')], { cwd, env, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, `${row} was not built`);
  const built = JSON.parse(await readFile(join(cwd, 'built.json'), 'utf8')) as Built;

  return { row, ...built, results: built.driver.length > 0 ? await examine(built.driver, cwd) : [] };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
