/** A server as a process, on a free port of loopback, in a folder of its own. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../server/http/listener.ts';
import { install } from './install.ts';
import type { Install } from './install.ts';
import { ROWS } from './rows.ts';

export interface Running {
  /** Without a slash at the end. */
  readonly url: string;
  /** Those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

export interface Program {
  readonly install: Install;
  /** The path that it answers with 200 once it serves. */
  readonly ready: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @returns the command. The first word is one of the programs that were installed. */
  readonly command: (port: string) => readonly [string, ...string[]];
  /** Writes what it reads at the start. rows.json is there. */
  readonly prepare?: (folder: string, port: string) => Promise<void>;
  /** Writes the rows, if it does not read them itself. */
  readonly seed?: (url: string) => Promise<void>;
}

export const HOST = '127.0.0.1';
const DEADLINE_MS = 60_000;
const POLL_MS = 50;

/** Installs a program if need be, and starts it. @returns it once it serves the rows. */
export async function start(program: Program): Promise<Running> {
  const bin = await install(program.install);
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-lists-'));
  const port = String(await freePort({ host: HOST, port: 0 }));
  await writeFile(join(folder, 'rows.json'), JSON.stringify({ rows: ROWS }));
  await program.prepare?.(folder, port);

  const [name, ...args] = program.command(port);
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(join(bin, name), args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const keep = (text: string): void => void (log = (log + text).slice(-10_000)); // Most log every request.
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      keep(error.message);
      if (child.pid === undefined) resolve(); // It has not started, and is not closed.
    });
    child.once('close', () => {
      process.off('exit', kill);
      resolve();
    });
  });
  const isRunning = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const stop = async (): Promise<void> => {
    kill();
    await ended;
    await rm(folder, { recursive: true });
  };

  try {
    const url = `http://${HOST}:${port}`;
    const deadline = performance.now() + DEADLINE_MS;
    while ((await statusOf(url + program.ready, program.headers)) !== 200) {
      if (!isRunning() || performance.now() > deadline)
        throw new Error(`${name} does not serve ${program.ready}:\n${log}`);
      await setTimeout(POLL_MS);
    }
    await program.seed?.(url);
    return { url, stop, ...(program.headers && { headers: program.headers }) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @returns the status of a response; undefined if there is none. */
async function statusOf(url: string, headers: Program['headers'] = {}): Promise<number | undefined> {
  try {
    const response = await fetch(url, { headers });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined; // Nothing listens yet.
  }
}
