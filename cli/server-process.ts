/**
 * A process that serves: its server, its admin port, the signals that stop it, and its reports if it is one of several workers.
 * The primary process, which starts workers, never loads the code of the server.
 */
import process from 'node:process';
import { deserialize, serialize } from 'node:v8';
import { Option } from 'commander';
import type { Contract } from '../contract/document.ts';
import { LIMITS } from '../server/http/connections.ts';
import type { Listener } from '../server/http/listener.ts';
import { joinObservers } from '../server/http/events.ts';
import type { Lifecycle, Observer } from '../server/http/events.ts';
import type { Intercept } from '../server/http/pipeline.ts';
import type { ServerOptions } from '../server/compose.ts';
import type { Admin, AdminOptions } from '../server/observe/admin.ts';
import type { Instance } from '../server/observe/instance.ts';
import { version } from '../server/runtime.ts';
import { isPostgres } from '../server/store/address.ts';
import type { Database } from '../server/store/database.ts';
import type { Store } from '../server/store/store.ts';
import { databaseOf } from './database.ts';
import { listenError } from './listen-error.ts';
import { boundHeap } from './heap.ts';
import { openStandardLog } from './log.ts';
import { settingVariables } from './settings.ts';
import type { Settings } from './settings.ts';

const BYTES_PER_MB = 1024 * 1024;

/** The environment variables with a worker's number, and with the settings of the primary. */
const [NUMBER_VARIABLE, SETTINGS_VARIABLE] = ['ROLLCALL_WORKER', 'ROLLCALL_WORKER_SETTINGS'];

/** This worker's number, from 1; a replacement has the number of the worker it replaces. `undefined` if this process is not a worker. */
export const workerNumber = process.send === undefined ? undefined : process.env[NUMBER_VARIABLE];

/**
 * @param settings as the primary has read them: a file of settings may have changed, or be gone, when a worker is replaced.
 * @returns the environment of a worker, besides that of the primary.
 */
export const workerEnvironment = (
  number: number,
  settings: Settings,
): Readonly<Record<string, string | undefined>> => ({
  [NUMBER_VARIABLE]: String(number),
  [SETTINGS_VARIABLE]: serialize(settings).toString('base64'),
  // A variable that an option overrides need not be valid.
  ...Object.fromEntries(settingVariables().map((name) => [name, undefined])),
});

/** @returns the settings that the primary has given to this worker. */
export const workerSettings = (): Settings =>
  deserialize(Buffer.from(process.env[SETTINGS_VARIABLE] ?? '', 'base64')) as Settings; // Of `workerEnvironment`.

/** A worker's report to the primary: the worker listens, drains, or has stopped. */
export type Report = Pick<Lifecycle, 'state'> & Partial<Lifecycle>;

/** Reports that this worker listens or drains; does nothing in a process that is not a worker. */
const reportToPrimary: Observer = {
  lifecycle: (it) => {
    if (it.state !== 'stopped') report(it);
  },
};

/**
 * Reports that this worker has stopped. The primary then ends it. Until then the primary may still pass connections to this worker, which
 * passes them back. If the worker ended by itself, these connections would get no response.
 */
export function reportStopped(): void {
  report({ state: 'stopped' });
}

function report(it: Report): void {
  if (workerNumber === undefined) return;
  // Not by `node:cluster`, whose import adds 8 ms to every start.
  process.send?.(it, undefined, undefined, () => undefined); // Errors are ignored: if the primary has ended, Node ends this process.
}

// SIGUSR2 is how some programs that watch files restart a server.
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

export interface ExitWithParent {
  readonly exitWithParent?: true;
}

/** `--exit-with-parent`. */
export const exitWithParentOption = (): Option =>
  new Option('--exit-with-parent', 'stop when standard input closes, for example a pipe from the parent process');

/**
 * @param isWorker whether this process is a worker, which ignores further signals: the primary stops its workers itself, while service
 *   managers and terminals send signals to all processes. In another process, a second signal ends the process immediately.
 * @param withParent whether the end of standard input also stops this process: the system closes a pipe when the process at its other end
 *   has ended, even if that was killed.
 * @returns a promise that resolves when the process must stop.
 */
export function stopSignal(isWorker: boolean, withParent = false): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      resolve();
    };
    for (const it of STOP_SIGNALS) {
      if (isWorker) process.on(it, stop);
      else process.once(it, stop);
    }
    if (withParent) onInputEnd(stop);
  });
}

/** Calls `ended` when standard input ends, is reset, or cannot be read. The input itself is ignored. */
function onInputEnd(ended: () => void): void {
  const { stdin } = process;
  for (const it of ['end', 'close', 'error']) stdin.on(it, ended);
  stdin.resume();
  if ('unref' in stdin) stdin.unref(); // A file as standard input has no `unref`, and does not keep the process alive.
}

/**
 * @param usage reads the usage of the database.
 * @returns the instance, for its metrics.
 */
export const instanceOf = ({ db }: Settings, contract: Contract, usage: Instance['usage']): Instance => ({
  build: {
    version,
    contract_version: contract.version,
    node_version: process.versions.node,
    engine: isPostgres(db) ? 'postgresql' : 'sqlite',
  },
  usage,
});

export interface AdminSettings extends Pick<AdminOptions, 'contract' | 'host' | 'port' | 'metrics'> {
  readonly store: Store;
  /** Throws while the server is not ready, even if its store is. */
  readonly assertReady?: () => void;
}

/**
 * Opens the admin port.
 * @throws CliError if it cannot listen on the address.
 */
export async function openAdmin({ store, assertReady, ...options }: AdminSettings): Promise<Admin> {
  const { startAdmin } = await import('../server/observe/admin.ts');
  try {
    return await startAdmin({
      ...options,
      probe: () => {
        assertReady?.();
        return store.probe();
      },
    });
  } catch (error) {
    throw listenError(error, options, 'admin-');
  }
}

/** The parts of a server that a command overrides. */
export interface ServeOverrides {
  /** Replaces the database of the settings. */
  readonly database?: Pick<Database, 'openStore' | 'usage'>;
  readonly intercept?: Intercept;
  /** Resolves when the server must stop. By default, a signal stops it. */
  readonly stopped?: Promise<void>;
}

/**
 * Serves a database until `stopped` resolves, then lets requests in flight finish.
 * @param started called with the URL of the server and of its admin port, if it has one.
 * @throws CliError if it cannot listen on an address of the settings.
 */
export async function serveUntilStopped(
  settings: Settings,
  started: (url: string, adminUrl: string | undefined) => void,
  {
    database = databaseOf(settings.db),
    stopped = stopSignal(workerNumber !== undefined),
    ...overrides
  }: ServeOverrides = {},
): Promise<void> {
  const { dbRead, host, port, adminHost, adminPort } = settings;
  const { createLog } = await import('../server/observe/log.ts');
  const { loadContract } = await import('../contract/document.ts');
  const { schemaHashes } = await import('../contract/schema.ts');
  const { startServer } = await import('../server/compose.ts');
  const { requests, format, output } = await openStandardLog(settings);
  const contract = loadContract();
  const log = createLog(format, requests !== 'off', output.write);
  const store = await database.openStore(schemaHashes(contract), dbRead && { addresses: dbRead, emit: log.replica });
  let admin: Admin | undefined;
  let listener: Listener;
  try {
    let counter: Observer = {};
    if (adminPort !== undefined) {
      if (workerNumber === undefined) {
        const { createMetrics } = await import('../server/observe/metrics.ts');
        const metrics = createMetrics(instanceOf(settings, contract, () => database.usage()));
        admin = await openAdmin({ contract, host: adminHost, port: adminPort, store, metrics });
        counter = admin.observer;
      } else counter = (await import('../server/observe/metrics.ts')).countForWorker(workerNumber);
    }
    listener = await startServer({
      contract,
      store,
      host,
      port,
      ...optionsOf(settings),
      ...overrides,
      observer: joinObservers([log, counter, reportToPrimary]),
      isLazy: true,
    });
  } catch (error) {
    await admin?.stop();
    await store.close();
    throw listenError(error, { host, port }, '');
  }
  boundHeap(); // Not before: a start would collect more often, and keeps most of what it creates.
  started(listener.url, admin?.url);
  await stopped;
  await listener.stop();
  await admin?.stop(); // Until it stops, /readyz responds with 503.
  await output.end();
}

type SettingOptions = Pick<
  ServerOptions,
  'cacheBytes' | 'limits' | 'rateLimit' | 'corsOrigins' | 'publicUrl' | 'pages' | 'drainDelayMs'
>;

/** @returns the options of the server that follow from settings. */
function optionsOf(settings: Settings): SettingOptions {
  const { cache, rateLimit, corsOrigin, publicUrl, console, reference, drainDelay, ...limits } = settings;
  const { maxConnections: connections, maxConnectionsPerAddress: connectionsPerAddress, keepAlive } = limits;
  return {
    cacheBytes: cache * BYTES_PER_MB,
    limits: { ...LIMITS, connections, connectionsPerAddress, idleMs: keepAlive * 1000 },
    rateLimit,
    corsOrigins: corsOrigin,
    publicUrl,
    pages: { console, reference },
    drainDelayMs: drainDelay * 1000,
  };
}
