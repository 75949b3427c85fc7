/** `rollcall serve`: serves a database until it is told to stop. */
import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { LIMITS } from '../http/limits.ts';
import type { Intercept } from '../http/application.ts';
import type { Listener } from '../http/listener.ts';
import type { ServerOptions } from '../http/server.ts';
import { joinObservers } from '../http/notices.ts';
import type { Observer } from '../http/notices.ts';
import type { Admin } from '../observe/admin.ts';
import { isPostgres, shellWord, shownAddress } from '../store/address.ts';
import type { Database } from '../store/database.ts';
import { databaseOf } from './database.ts';
import { openAdmin } from './admin-port.ts';
import { listenRefusal } from './listen-refusal.ts';
import { boundNursery, holdNursery } from './nursery.ts';
import { notify, print } from './output.ts';
import { addAllSettings } from './setting-sources.ts';
import type { Settings } from './settings.ts';
import { openStandardLog } from './standard-log.ts';
import { stopSignal } from './stop-signals.ts';
import { leave, tellPrimary, workerNumber } from './worker.ts';

const BYTES_PER_MB = 1024 * 1024;

export function serveCommand(): Command {
  const command = new Command('serve').description('Serve a database until SIGTERM, SIGINT (Ctrl-C) or SIGHUP');
  return addAllSettings(command).action(async (settings: Settings) => {
    if (workerNumber !== undefined) {
      await serveUntilStopped(settings, () => undefined).finally(leave);
      return;
    }
    const { db, workers } = settings;
    demandReplicas(command, settings);
    const hasKey = await opensToSomebody(db);
    const started = (url: string, adminUrl: string | undefined): void => {
      print(`Rollcall listens on ${url}`);
      if (adminUrl !== undefined) print(`/livez, /readyz and /metrics are on ${adminUrl}`);
      if (!hasKey)
        notify(
          `No key opens it yet. Create one: rollcall keys create --account NAME --db ${shellWord(shownAddress(db))}`,
        );
    };
    if (workers === 1) await serveUntilStopped(settings, started);
    else await (await import('./serve-by-workers.ts')).serveByWorkers(settings, started);
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

async function opensToSomebody(db: string): Promise<boolean> {
  const writer = await databaseOf(db).openWriter();
  try {
    const now = new Date().toISOString();
    return (await writer.listKeys()).some(
      ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now),
    );
  } finally {
    await writer.close();
  }
}

/** What a command serves in its own way. */
export interface Special {
  /** Instead of that of the settings. */
  readonly database?: Pick<Database, 'openStore' | 'putLastUses'>;
  readonly intercept?: Intercept;
}

/**
 * Serves a database until the process is told to stop, then lets requests in flight finish.
 * @param started told where the server listens, and its admin port, if it has one.
 * @throws Refusal if it cannot listen there.
 */
export async function serveUntilStopped(
  settings: Settings,
  started: (url: string, adminUrl: string | undefined) => void,
  { database = databaseOf(settings.db), ...special }: Special = {},
): Promise<void> {
  const { dbRead, host, port, adminHost, adminPort } = settings;
  const stopped = stopSignal(workerNumber !== undefined);
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

type ForCallers = Pick<ServerOptions, 'cacheBytes' | 'limits' | 'rateLimit' | 'corsOrigins' | 'pages'>;

/** @returns what settings mean to callers. */
function forCallers({ cache, rateLimit, corsOrigin, console, reference, ...limits }: Settings): ForCallers {
  const { maxConnections: connections, maxConnectionsPerAddress: connectionsPerAddress } = limits;
  return {
    cacheBytes: cache * BYTES_PER_MB,
    limits: { ...LIMITS, connections, connectionsPerAddress },
    rateLimit,
    corsOrigins: corsOrigin,
    pages: { console, reference },
  };
}
