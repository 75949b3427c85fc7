/** The rows of the matrix: each folder here with a `run.sh`. `run-row.sh` runs it in an empty folder, where it generates, compiles and tries a client. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '../support/project.ts';

const TIMEOUT_MS = 10 * 60_000;
/** The last line of the standard output of a row that passes. */
const PASSED = /(?:^|\n)\{"tool":"([^"]+)","version":"([^"]+)","language":"([^"]+)","ok":true\}\s*$/;

/** A row, and what its `row.json` says of it, where it has one. */
export interface Row {
  readonly name: string;
  /** The absolute path of its folder. */
  readonly folder: string;
  /** The option that the generator needs to read `fallback_value`, passed as `$FLAGS`. Without it the row must fail. */
  readonly flags?: string;
  /** Why it is left out where no row is named; it is run with `--all`. */
  readonly slow?: string;
}

export interface Result {
  readonly ok: boolean;
  readonly tool: string;
  readonly version: string;
  readonly language: string;
  readonly seconds: number;
  /** Everything it printed, and how it ended. */
  readonly log: string;
}

/** @returns all rows, by name. */
export function readRows(): readonly Row[] {
  const names = globSync('*/run.sh', { cwd: import.meta.dirname })
    .map(dirname)
    .toSorted();
  return names.map((name) => {
    const folder = join(import.meta.dirname, name);
    const facts = join(folder, 'row.json');
    // Written here, as the interface has it.
    const said = existsSync(facts) ? (JSON.parse(readFileSync(facts, 'utf8')) as Pick<Row, 'flags' | 'slow'>) : {};
    return { ...said, name, folder };
  });
}

/**
 * @param variables the variables of its environment, besides `ROW` and `PATH`.
 * @returns how it went: well if it ended with 0 and what it printed says so.
 */
export async function runRow({ folder }: Row, variables: Readonly<Record<string, string>>): Promise<Result> {
  const started = performance.now();
  const scratch = await mkdtemp(join(tmpdir(), 'rollcall-codegen-'));
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  // Detached, so that it is a group of processes that can be ended as one.
  const child = spawn('bash', [join(import.meta.dirname, 'run-row.sh')], {
    ...{ cwd: scratch, env: { ...process.env, ...variables, ROW: folder, PATH: path } },
    ...{ detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let [stdout, log] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  // In one text with the standard error, which Maven ends within a line, it would have no lines of its own.
  for (const it of [child.stdout, child.stderr]) it.setEncoding('utf8').on('data', (text: string) => (log += text));
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const timeout = setTimeout(end, TIMEOUT_MS);
  const stop = (): void => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject).once('close', (...how) => {
      resolve(how);
    });
  });
  clearTimeout(timeout);
  process.off('SIGINT', stop).off('SIGTERM', stop);
  // Go's cache of modules is read-only, and not worth a failure.
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  const said = PASSED.exec(stdout);
  const [, tool = '?', version = '?', language = '?'] = said ?? [];
  return {
    ...{ tool, version, language, ok: code === 0 && said !== null },
    seconds: (performance.now() - started) / 1000,
    log: `${log}\nended with ${String(code ?? signal)}${said === null ? ', without its last line' : ''}`,
  };
}
