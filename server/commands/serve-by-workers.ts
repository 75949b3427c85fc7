/** `rollcall serve --workers N`: the process that starts the workers. */
import { freePort } from '../http/free-port.ts';
import { listenRefusal } from './listen-refusal.ts';
import type { Settings } from './settings.ts';
import { stopSignal } from './stop-signals.ts';
import { superviseWorkers } from './workers.ts';

/**
 * Serves a database by several processes until this one is told to stop, then lets requests in flight finish.
 * @param started told where they listen, once all do.
 * @throws Refusal if they cannot listen there, or do not live.
 */
export async function serveByWorkers(settings: Settings, started: (url: string) => void): Promise<void> {
  const { workers: count, host, port } = settings;
  const stopped = stopSignal(false);
  // Found once: one that starts when no other listens any more would find another.
  const shared = await freePort(settings).catch((error: unknown) => {
    throw listenRefusal(error, { host, port }, '');
  });
  await superviseWorkers({ count, argv: ['--port', String(shared)], changed: () => undefined, started, stopped });
}
