/** Runs one row: `run-row.sh` with its `run.sh`, which generates a client in an empty folder, compiles it, and runs it against the server. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MS = 10 * 60_000;
const RUN_ROW = fileURLToPath(new URL('run-row.sh', import.meta.url));
const TOOLS = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));

export interface Result {
  readonly ok: boolean;
  readonly tool: string;
  readonly version: string;
  readonly language: string;
  readonly seconds: number;
  /** Everything it printed, and how it ended. */
  readonly log: string;
}

/**
 * @param row the absolute path of its folder.
 * @param variables the variables of its environment, besides `ROW` and `PATH`.
 * @returns how it went: well if it ended with 0 and what it printed says so.
 */
export async function runRow(row: string, variables: Readonly<Record<string, string>>): Promise<Result> {
  const started = performance.now();
  const scratch = await mkdtemp(join(tmpdir(), 'rollcall-codegen-'));
  const env = { ...process.env, ...variables, ROW: row, PATH: `${TOOLS}${delimiter}${process.env['PATH'] ?? ''}` };
  // Detached, so that it is a group of processes that can be ended as one.
  const child = spawn('bash', [RUN_ROW], { cwd: scratch, env, detached: true, stdio: 'pipe' });
  let [stdout, log] = ['', ''];
  child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    log += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
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
  const said = saidBy(stdout.trimEnd().split('\n').at(-1) ?? '');
  return {
    ...(said ?? { tool: '?', version: '?', language: '?' }),
    ok: code === 0 && said !== undefined,
    seconds: (performance.now() - started) / 1000,
    log: `${log}\nended with ${String(code ?? signal)}${said === undefined ? ', without its last line' : ''}`,
  };
}

/** @returns what the last line of a row that passes says, if it is one. */
function saidBy(line: string): Pick<Result, 'tool' | 'version' | 'language'> | undefined {
  const said = /^\{"tool":"([^"]+)","version":"([^"]+)","language":"([^"]+)","ok":true\}$/.exec(line);
  const [, tool, version, language] = said ?? [];
  if (tool === undefined || version === undefined || language === undefined) return undefined;
  return { tool, version, language };
}
