/** The rows of the matrix: each folder here with a `run.sh`. `run-row.sh` runs it in an empty folder, where it generates and compiles a client. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '../../test/support/project.ts';
import type { Driver } from './client.ts';

const TIMEOUT_MS = 10 * 60_000;
/** The last line of the standard output of a row that passes. */
const PASSED = /(?:^|\n)\{"tool":"([^"]+)","version":"([^"]+)","language":"([^"]+)","driver":(\[.*\])\}\s*$/;

/** A row, and what its `row.json` says of it, where it has one. */
export interface Row {
  readonly name: string;
  /** The absolute path of its folder. */
  readonly folder: string;
  /** The option that the generator needs to read `fallback_value`, passed as `$FLAGS`. Without it the row must fail. */
  readonly flags?: string;
  /** Why it is left out where no row is named; it is run with `--all`. */
  readonly slow?: string;
  /** Whether its client is written by hand: it is not in docs/codegen.md. */
  readonly isHandWritten?: true;
  /** Whether it is a bad client, which has to fail rules of `examine`. */
  readonly isSentinel?: true;
}

/** What has been built. */
export interface Built {
  readonly tool: string;
  readonly version: string;
  readonly language: string;
  /** `undefined` for a row that is no client. */
  readonly driver: Driver | undefined;
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
    const said = existsSync(facts) ? (JSON.parse(readFileSync(facts, 'utf8')) as Omit<Row, 'name' | 'folder'>) : {};
    return { ...said, name, folder };
  });
}

/**
 * @param variables the variables of its environment, besides `ROW`, `ROOT` and `PATH`.
 * @param use tries what has been built, and throws an error if it is not as it should be.
 * @returns how it went: well if it ended with 0 and what it printed says so.
 */
export async function runRow(
  { folder }: Row,
  variables: Readonly<Record<string, string>>,
  use: (built: Built) => Promise<void>,
): Promise<Result> {
  const started = performance.now();
  const scratch = await mkdtemp(join(tmpdir(), 'rollcall-codegen-'));
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  // Detached, so that it is a group of processes that can be ended as one.
  const child = spawn('bash', [join(import.meta.dirname, 'run-row.sh')], {
    ...{ cwd: scratch, env: { ...process.env, ...variables, ROW: folder, ROOT, PATH: path } },
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
  const printed = PASSED.exec(stdout);
  const [, tool = '?', version = '?', language = '?', command = '[]'] = printed ?? [];
  log += `\nended with ${String(code ?? signal)}${printed === null ? ', without its last line' : ''}`;
  let ok = code === 0 && printed !== null;
  if (ok) {
    const words = JSON.parse(command) as readonly string[]; // Written by run-row.sh.
    const driver = words.length === 0 ? undefined : { command: words, folder: scratch };
    try {
      await use({ tool, version, language, driver });
    } catch (error) {
      ok = false;
      // Of what has been built alone: how it was built is of no interest then.
      log = String(error instanceof Error ? error.message : error);
    }
  }
  // Go's cache of modules is read-only, and not worth a failure.
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  return { tool, version, language, ok, seconds: (performance.now() - started) / 1000, log };
}
