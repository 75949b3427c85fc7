/** A server as a process, on a free port of loopback, in a folder of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { freePort } from '../../server/http/listener.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { start as run } from '../support/program.ts';
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
  /** Without it, what the project has runs it. */
  readonly install?: Install;
  /** The path that it answers with 200 once it serves. */
  readonly ready: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: (folder: string, port: string, bin: string) => Readonly<Record<string, string>>;
  /** Its own PostgreSQL, whose URL it gets as DATABASE. */
  readonly needsPostgres?: true;
  /** @returns the command. The first word is one of the programs that were installed, or an absolute path. */
  readonly command: (port: string) => readonly [string, ...string[]];
  /** Writes what it reads at the start. rows.json is there. @param bin the folder of the programs that were installed. */
  readonly prepare?: (folder: string, port: string, bin: string) => Promise<void>;
  /** @returns the headers of every request, for a server that gives out its keys itself. */
  readonly signIn?: (url: string) => Promise<Readonly<Record<string, string>>>;
  /** Writes the rows, if it does not read them itself. */
  readonly seed?: (url: string, headers: Readonly<Record<string, string>>) => Promise<void>;
}

export const HOST = '127.0.0.1';
/** @returns the path of an app here. */
export const app = (name: string): string => join(import.meta.dirname, 'apps', name);

const DEADLINE_MS = 120_000;

/** Installs a program if need be, and starts it. @returns it once it serves the rows. */
export async function start(program: Program): Promise<Running> {
  const bin = program.install === undefined ? '' : await install(program.install);
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-lists-'));
  const started: (() => Promise<void>)[] = [() => rm(folder, { recursive: true })];
  const stop = async (): Promise<void> => {
    for (const end of started.toReversed()) await end();
  };

  try {
    const port = String(await freePort({ host: HOST, port: 0 }));
    await writeFile(join(folder, 'rows.json'), JSON.stringify({ rows: ROWS }));
    await program.prepare?.(folder, port, bin);
    const postgres = program.needsPostgres && (await startPostgres());
    if (postgres) started.push(() => postgres.remove());
    const env = {
      ...process.env,
      PATH: [bin, dirname(process.execPath), process.env['PATH']].join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...(postgres && { DATABASE: postgres.address() }),
      ...program.env?.(folder, port, bin),
    };
    const [name, ...args] = program.command(port);
    const server = run([resolve(bin, name), ...args], { cwd: folder, env });
    started.push(() => server.stop());
    const url = `http://${HOST}:${port}`;
    await server.untilServing(DEADLINE_MS, async () => (await statusOf(url + program.ready, program.headers)) === 200);
    const headers = { ...program.headers, ...(await program.signIn?.(url)) };
    await program.seed?.(url, headers);
    return { url, stop, headers };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Sends JSON. @returns the body of the response. @throws Error with what a server says that refuses it. */
export async function send(
  method: string,
  url: string,
  body: unknown,
  headers: Program['headers'] = {},
): Promise<unknown> {
  const all = { 'content-type': 'application/json', ...headers };
  const response = await fetch(url, { method, headers: all, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} is ${String(response.status)}: ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
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
