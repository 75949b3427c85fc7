/** `rollcall serve`: serves a database until it is told to stop. */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { LIMITS } from '../http/connections.ts';
import type { Intercept } from '../http/pipeline.ts';
import type { Listener } from '../http/listener.ts';
import type { ServerOptions } from '../http/server.ts';
import { joinObservers } from '../http/events.ts';
import type { Observer } from '../http/events.ts';
import type { Admin } from '../observe/admin.ts';
import { isPostgres, shellWord, shownAddress } from '../store/address.ts';
import type { Database } from '../store/database.ts';
import { databaseOf, inspect } from './database.ts';
import { openAdmin } from './admin-port.ts';
import { listenRefusal } from './listen-refusal.ts';
import { boundNursery, holdNursery } from './nursery.ts';
import { notify, print } from './output.ts';
import { addAllSettings } from './setting-sources.ts';
import type { Settings } from './settings.ts';
import { FIRST_PROCESS, openStandardLog, tellByLog } from './standard-log.ts';
import { exitWithParentOption, stopSignal } from './stop-signals.ts';
import type { ExitWithParent } from './stop-signals.ts';
import { leave, tellPrimary, workerNumber } from './worker.ts';
import { withWriter } from './writing.ts';

const BYTES_PER_MB = 1024 * 1024;
// A server without connections has about 25: databases, libraries, standard streams. Connections to PostgreSQL come to that.
const OWN_FILES = 100;
// How long `--create` waits while another process creates the database.
const CREATE_SECONDS = 60;

export function serveCommand(): Command {
  const command = new Command('serve').description('Serve a database until SIGTERM, SIGINT (Ctrl-C) or SIGHUP');
  command.addOption(exitWithParentOption());
  return addAllSettings(command).action(async ({ exitWithParent, ...settings }: Settings & ExitWithParent) => {
    const isFirst = workerNumber === undefined && settings.workers > 1;
    await tellByLog(settings, isFirst ? FIRST_PROCESS : undefined);
    if (workerNumber !== undefined) {
      await serveUntilStopped(settings, () => undefined).finally(leave);
      return;
    }
    const { db, create, workers } = settings;
    demandReplicas(command, settings);
    requireTwoPorts(command, settings);
    warnOfFewFiles(settings);
    if (create) await withWriter({ db, wait: CREATE_SECONDS }, () => undefined);
    const hasKey = await opensToSomebody(db);
    const started = (url: string, adminUrl: string | undefined): void => {
      print(`Rollcall listens on ${url}`);
      if (adminUrl !== undefined) print(`/livez, /readyz and /metrics are on ${adminUrl}`);
      if (!hasKey)
        notify(
          `No key opens it yet. Create one: rollcall keys create --account NAME --db ${shellWord(shownAddress(db))}`,
        );
    };
    const stopped = stopSignal(false, exitWithParent);
    if (workers === 1) await serveUntilStopped(settings, started, { stopped });
    else await (await import('./serve-by-workers.ts')).serveByWorkers(settings, started, stopped);
  });
}

/** Ends a command whose replicas are none of its database. No message repeats an address, which may have a password. */
function demandReplicas(command: Command, { db, dbRead = [] }: Settings): void {
  const needs = 'Replicas are of PostgreSQL: --db and --db-read take URLs such as postgres://user@host/database.';
  if (dbRead.length > 0 && !isPostgres(db))
    command.error(`error: --db-read is given, but --db is no URL of PostgreSQL. ${needs}`);
  const wrong = dbRead.findIndex((it) => !isPostgres(it));
  if (wrong >= 0) command.error(`error: address ${String(wrong + 1)} of --db-read is no URL of PostgreSQL. ${needs}`);
}

/** Addresses that stand for all of a machine. */
const ANY_ADDRESS = ['0.0.0.0', '::'];

/** Ends a command whose two listeners would take one port from each other. */
function requireTwoPorts(command: Command, { host, port, adminHost, adminPort }: Settings): void {
  if (port === 0 || port !== adminPort) return;
  const hosts = new Set([host, adminHost].map((it) => (it === 'localhost' ? '127.0.0.1' : it)));
  if (hosts.size > 1 && !ANY_ADDRESS.some((it) => hosts.has(it))) return;
  command.error(
    `error: --port and --admin-port are both ${String(port)}: the API and the admin port need a port each. Choose another for one of them.`,
  );
}

/**
 * Warns where the system allows fewer open files than `--max-connections` may need. Only Linux says how many it allows; of other systems
 * nothing is known, and nothing is said.
 */
function warnOfFewFiles({ maxConnections }: Settings): void {
  const allowed = openFileLimit();
  const others = LIMITS.rejectedConnections + OWN_FILES;
  if (allowed === undefined || allowed >= maxConnections + others) return;
  const lower = allowed > others ? `, or lower --max-connections to ${String(allowed - others)}` : '';
  notify(
    `WARNING: With --max-connections ${String(maxConnections)} a server may need ${String(maxConnections + others)} open files, ` +
      `and it may have ${String(allowed)}: connections beyond that are closed without a response. ` +
      `Raise the limit (ulimit -n, LimitNOFILE of systemd)${lower}.`,
  );
}

/** @returns how many files this process may have open; Node has raised that as far as it may. `undefined` where it is not known. */
function openFileLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit); // Not a number where it is `unlimited`.
  } catch {
    return undefined;
  }
}

async function opensToSomebody(db: string): Promise<boolean> {
  const now = new Date().toISOString();
  const keys = await inspect(db, (it) => it.keys());
  return keys.some(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now));
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
  const { schemaHashes } = await import('../contract/schema.ts');
  const { recordLastUses } = await import('../observe/last-uses.ts');
  const { startServer } = await import('../http/server.ts');
  const { requests, format, output } = await openStandardLog(settings);
  const contract = loadContract();
  const log = createLog(format, requests !== 'off', output.write);
  const store = await database.openStore(schemaHashes(contract), dbRead && { addresses: dbRead, noticed: log.replica });
  let admin: Admin | undefined;
  let listener: Listener;
  try {
    let counter: Observer = {};
    if (adminPort !== undefined) {
      if (workerNumber === undefined) {
        admin = await openAdmin({ host: adminHost, port: adminPort, store });
        counter = admin.observer;
      } else counter = (await import('../observe/metrics.ts')).countForWorker(workerNumber);
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
