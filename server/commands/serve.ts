/** `rollcall serve`: serves a database until it is told to stop. */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { LIMITS } from '../http/limits.ts';
import type { Listener } from '../http/listener.ts';
import { openStore, openWriter } from '../store/sqlite/open.ts';
import { openLogOutput } from './log-output.ts';
import { notify, print } from './output.ts';
import { Refusal } from './refusal.ts';
import { addAllSettings } from './setting-sources.ts';
import type { Settings } from './settings.ts';

const BYTES_PER_MB = 1024 * 1024;

export function serveCommand(): Command {
  const command = new Command('serve').description('Serve a database until SIGTERM, SIGINT (Ctrl-C) or SIGHUP');
  return addAllSettings(command).action(async (settings: Settings) => {
    const { db } = settings;
    const hasKey = await opensToSomebody(db);
    await serveUntilStopped(settings, ({ url }) => {
      print(`Rollcall listens on ${url}`);
      if (!hasKey) notify(`No key opens it yet. Create one: rollcall keys create --account NAME --db ${db}`);
    });
  });
}

async function opensToSomebody(db: string): Promise<boolean> {
  const writer = openWriter(db);
  try {
    return (await writer.listKeys()).some(({ revokedAt }) => revokedAt === null);
  } finally {
    await writer.close();
  }
}

/**
 * Serves a database until the process is told to stop, then lets requests in flight finish.
 * @param started told where the server listens.
 * @throws Refusal if it cannot listen there.
 */
export async function serveUntilStopped(
  { db, port, host, cache, rateLimit, corsOrigin, reference, maxConnections, maxConnectionsPerAddress, log }: Settings,
  started: (listener: Listener) => void,
): Promise<void> {
  // V8 would let new objects take up to 64 MB before it looks for garbage. Those of a request are garbage right after it.
  setFlagsFromString('--semi-space-growth-factor=1');
  const { createLog, droppedLine } = await import('../observe/log.ts');
  const { loadContract } = await import('../contract/document.ts');
  const { fingerprintsOf } = await import('../contract/fingerprint.ts');
  const { startServer } = await import('../http/server.ts');
  // Whoever sits before a terminal wants to see the requests. A service's proxy has a log of them, and here each line costs.
  const wanted = log ?? (process.stderr.isTTY ? 'text' : 'off');
  const format = wanted === 'off' ? 'json' : wanted;
  const output = openLogOutput(process.stderr.fd, (count) => droppedLine(format, count));
  const contract = loadContract();
  const store = openStore(db, fingerprintsOf(contract));
  let listener: Listener;
  try {
    listener = await startServer({
      contract,
      store,
      host,
      port,
      isWarm: true,
      cacheBytes: cache * BYTES_PER_MB,
      limits: { ...LIMITS, connections: maxConnections, connectionsPerAddress: maxConnectionsPerAddress },
      rateLimit,
      corsOrigins: corsOrigin,
      hasReference: reference === 'on',
      observer: createLog(format, wanted !== 'off', output.write),
    });
  } catch (error) {
    await store.close();
    throw refusal(error, host, port);
  }
  const stopped = stopSignal();
  started(listener);
  await stopped;
  await listener.stop();
  await output.end();
}

// `once`: a second signal ends the process the usual way.
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
  });
}

function refusal(error: unknown, host: string, port: number): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new Refusal(
        `Port ${String(port)} on ${host} is taken. Choose another with --port N, or any free one with --port 0.`,
      );
    case 'EACCES':
      return new Refusal(
        `Port ${String(port)} needs more rights than this user has. Choose one from 1024 with --port N.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Refusal(`${host} is not an address of this machine. Choose another with --host H.`);
    default:
      return error;
  }
}
