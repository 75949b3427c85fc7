/** `rollcall serve --workers N`: the process that starts the workers, and tells of all of them on the admin port. */
import { freePort } from '../http/listener.ts';
import type { Admin } from '../observe/admin.ts';
import { databaseOf } from './database.ts';
import { openAdmin } from './admin-port.ts';
import { listenRefusal } from './listen-refusal.ts';
import type { Settings } from './settings.ts';
import { FIRST_PROCESS, openStandardLog } from './standard-log.ts';
import { superviseWorkers } from './workers.ts';

/**
 * Serves a database by several processes until this one is told to stop, then lets requests in flight finish.
 * @param started told where they listen, once all do, and of the admin port, if there is one.
 * @param stopped resolves when this process is told to stop.
 * @throws Refusal if they cannot listen there, or do not live.
 */
export async function serveByWorkers(
  settings: Settings,
  started: (url: string, adminUrl: string | undefined) => void,
  stopped: Promise<void>,
): Promise<void> {
  const { workers: count, host, port, drainDelay } = settings;
  // Found once: one that starts when no other listens any more would find another.
  const shared = await freePort(settings).catch((error: unknown) => {
    throw listenRefusal(error, { host, port }, '');
  });
  const { requests, output, numbered } = await openStandardLog(settings, FIRST_PROCESS);
  let ready = 0;
  const admin = await openAdminOfAll(settings, () => {
    if (ready < count) throw new Error(`${String(ready)} of ${String(count)} workers serve`);
  });
  try {
    await superviseWorkers({
      count,
      argv: ['--port', String(shared), '--log', requests],
      write: (line, worker) => {
        output.write(numbered(line, worker));
      },
      changed: (now) => (ready = now),
      started: (url) => {
        admin?.observer.lifecycle?.({ state: 'listening', url });
        void stopped.then(() => admin?.observer.lifecycle?.({ state: 'stopping', url }));
        started(url, admin?.url);
      },
      stopped,
      drainDelayMs: drainDelay * 1000,
    });
  } finally {
    await admin?.stop();
    await output.end();
  }
}

async function openAdminOfAll(
  { db, dbRead, adminHost: host, adminPort: port }: Settings,
  assertReady: () => void,
): Promise<Admin | undefined> {
  if (port === undefined) return undefined;
  const { loadContract } = await import('../contract/document.ts');
  const { schemaHashes } = await import('../contract/schema.ts');
  const { gatherMetrics } = await import('../observe/metrics.ts');
  const store = await databaseOf(db).openStore(schemaHashes(loadContract()), dbRead && { addresses: dbRead });
  try {
    const admin = await openAdmin({ host, port, store, assertReady, metrics: gatherMetrics() });
    return { ...admin, stop: () => admin.stop().finally(() => store.close()) };
  } catch (error) {
    await store.close();
    throw error;
  }
}
