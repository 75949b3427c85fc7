/**
 * One process that serves: what stops it, what it reports as one of several workers, its admin port, and its server.
 * The server itself is loaded late: the process that starts workers opens an admin port without it.
 */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { Option } from 'commander';
import { LIMITS } from '../http/limits.ts';
import type { Listener } from '../http/listener.ts';
import { joinObservers } from '../http/notices.ts';
import type { Lifecycle, Observer } from '../http/notices.ts';
import type { Intercept } from '../http/pipeline.ts';
import type { ServerOptions } from '../http/server.ts';
import type { Admin, AdminOptions } from '../observe/admin.ts';
import type { Database } from '../store/database.ts';
import { probe } from '../store/probe.ts';
import type { Store } from '../store/store.ts';
import { databaseOf } from './database.ts';
import { listenRefusal } from './errors.ts';
import { openStandardLog } from './log.ts';
import { boundNursery, holdNursery } from './nursery.ts';
import type { Settings } from './settings.ts';

const BYTES_PER_MB = 1024 * 1024;

/** The variable with a worker's number. */
export const NUMBER_VARIABLE = 'ROLLCALL_WORKER';

/** Its number, from 1; a worker that takes the place of another has the same. `undefined` if this process is not a worker. */
export const workerNumber = process.send === undefined ? undefined : process.env[NUMBER_VARIABLE];

/** It serves, it drains, or it is done. */
export type Report = Pick<Lifecycle, 'state'> & Partial<Lifecycle>;

/** To be told of what this worker notices; nothing happens in a process that is not one. */
export const tellPrimary: Observer = {
  lifecycle: (it) => {
    if (it.state !== 'stopped') report(it);
  },
};

/**
 * Lets a worker that is done end. It waits for the process that started it, which may have handed it more connections meanwhile:
 * while it is there they are handed back, afterwards they would be answered by nobody.
 */
export function leave(): void {
  report({ state: 'stopped' });
}

function report(it: Report): void {
  if (workerNumber === undefined) return;
  // Not by `node:cluster`, whose import would make every start 8 ms longer.
  process.send?.(it, undefined, undefined, () => undefined); // Where nobody is left to be told, Node ends this process.
}

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface ExitWithParent {
  readonly exitWithParent?: true;
}

/** `--exit-with-parent`. */
export const exitWithParentOption = (): Option =>
  new Option('--exit-with-parent', 'stop when standard input ends: for a program that starts it with a pipe');

/**
 * @param isWorker leaves signals that follow to the process that started this one: it stops its workers itself, while service
 *   managers and terminals send theirs to all processes. Otherwise the second one ends the process the usual way.
 * @param withParent stops it when its standard input ends, too: the system closes a pipe when the process at its other end is
 *   gone, also when that one was killed.
 * @returns what resolves at the first.
 */
export function stopSignal(isWorker: boolean, withParent = false): Promise<void> {
  return new Promise((resolve) => {
    const told = (): void => {
      resolve();
    };
    for (const it of STOP_SIGNALS) {
      if (isWorker) process.on(it, told);
      else process.once(it, told);
    }
    if (withParent) onInputEnd(told);
  });
}

/** What comes is passed over. A pipe that is reset has ended, and so has an input that cannot be read. */
function onInputEnd(ended: () => void): void {
  const { stdin } = process;
  for (const it of ['end', 'close', 'error']) stdin.on(it, ended);
  stdin.resume();
  if ('unref' in stdin) stdin.unref(); // That of a file has none, and does not keep the process either.
}

export interface AdminSettings extends Pick<AdminOptions, 'host' | 'port' | 'metrics'> {
  readonly store: Store;
  /** Throws while the server is not ready, whatever its store says. */
  readonly assertReady?: () => void;
}

/**
 * Opens the admin port.
 * @throws Refusal if it cannot listen there.
 */
export async function openAdmin({ store, assertReady, ...address }: AdminSettings): Promise<Admin> {
  const { startAdmin } = await import('../observe/admin.ts');
  try {
    return await startAdmin({
      ...address,
      probe: () => {
        assertReady?.();
        return probe(store);
      },
    });
  } catch (error) {
    throw listenRefusal(error, address, 'admin-');
  }
}

/** What a command serves in its own way. */
export interface Special {
  /** Instead of that of the settings. */
  readonly database?: Pick<Database, 'openStore' | 'putLastUses'>;
  readonly intercept?: Intercept;
  /** Resolves when the server is told to stop. */
  readonly stopped?: Promise<void>;
}

/**
 * Serves a database until the process is told to stop, then lets requests in flight finish.
 * @param started told where the server listens, and its admin port, if it has one.
 * @throws Refusal if it cannot listen there.
 */
export async function serveUntilStopped(
  settings: Settings,
  started: (url: string, adminUrl: string | undefined) => void,
  { database = databaseOf(settings.db), stopped = stopSignal(workerNumber !== undefined), ...special }: Special = {},
): Promise<void> {
  const { dbRead, host, port, adminHost, adminPort } = settings;
  holdNursery();
  // V8 would let what is old grow up to four times what it holds. It holds little: looking for garbage earlier costs nothing that was measured.
  setFlagsFromString('--heap-growing-percent=20');
  const { createLog } = await import('../observe/log.ts');
  const { loadContract } = await import('../contract/document.ts');
  const { fingerprintsOf } = await import('../contract/fingerprint.ts');
  const { recordLastUses } = await import('../observe/last-uses.ts');
  const { startServer } = await import('../http/server.ts');
  const { requests, format, output } = await openStandardLog(settings);
  const contract = loadContract();
  const log = createLog(format, requests !== 'off', output.write);
  const store = await database.openStore(
    fingerprintsOf(contract),
    dbRead && { addresses: dbRead, noticed: log.replica },
  );
  let admin: Admin | undefined;
  let listener: Listener;
  try {
    let counter: Observer = {};
    if (adminPort !== undefined) {
      if (workerNumber === undefined) {
        admin = await openAdmin({ host: adminHost, port: adminPort, store });
        counter = admin.observer;
      } else counter = (await import('../observe/worker-metrics.ts')).countForWorker(workerNumber);
    }
    const observer = joinObservers([log, counter]);
    const lastUses = recordLastUses((uses) => {
      return database.putLastUses(uses);
    }, observer.failed);
    listener = await startServer({
      contract,
      store,
      host,
      port,
      isWarm: true,
      ...forCallers(settings),
      ...special,
      observer: joinObservers([observer, lastUses, tellPrimary]),
    });
  } catch (error) {
    await admin?.stop();
    await store.close();
    throw listenRefusal(error, { host, port }, '');
  }
  boundNursery();
  started(listener.url, admin?.url);
  await stopped;
  await listener.stop();
  await admin?.stop(); // Until then it says that the server is not ready.
  await output.end();
}

type ForCallers = Pick<
  ServerOptions,
  'cacheBytes' | 'limits' | 'rateLimit' | 'corsOrigins' | 'publicUrl' | 'pages' | 'drainDelayMs'
>;

/** @returns what settings mean to callers. */
function forCallers(settings: Settings): ForCallers {
  const { cache, rateLimit, corsOrigin, publicUrl, console, reference, drainDelay, ...limits } = settings;
  const { maxConnections: connections, maxConnectionsPerAddress: connectionsPerAddress } = limits;
  return {
    cacheBytes: cache * BYTES_PER_MB,
    limits: { ...LIMITS, connections, connectionsPerAddress },
    rateLimit,
    corsOrigins: corsOrigin,
    publicUrl,
    pages: { console, reference },
    drainDelayMs: drainDelay * 1000,
  };
}
