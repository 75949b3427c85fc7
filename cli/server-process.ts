/** Serves a database in this process until it must stop. Imports the code of the server only then: the primary of several workers never does. */
import { LIMITS } from '../server/http/connections.ts';
import type { Listener } from '../server/http/listener.ts';
import { joinObservers } from '../server/http/events.ts';
import type { Observer } from '../server/http/events.ts';
import type { Intercept } from '../server/http/pipeline.ts';
import type { ServerOptions } from '../server/compose.ts';
import type { Admin } from '../server/observe/admin.ts';
import type { Database } from '../server/store/database.ts';
import { instanceOf, openAdmin } from './admin-port.ts';
import { databaseOf } from './database.ts';
import { listenError } from '../command/listen-error.ts';
import { boundHeap } from './heap.ts';
import { openStandardLog } from './log-writer.ts';
import type { Settings } from './settings.ts';
import { stopSignal } from '../command/stop-signal.ts';
import { reportToPrimary, workerNumber } from './worker.ts';

const BYTES_PER_MB = 1024 * 1024;

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
