/** `rollcall serve`: serves a database until it is told to stop. */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { LIMITS } from '../http/limits.ts';
import type { Listener } from '../http/listener.ts';
import type { RateLimit } from '../http/rate-limits.ts';
import { openStore, openWriter } from '../store/sqlite/open.ts';
import {
  DEFAULT_CACHE_MB,
  cacheOption,
  connectionsOptions,
  corsOriginOption,
  dbOption,
  hostOption,
  portOption,
  rateLimitOption,
  referenceOption,
} from './options.ts';
import { notify, print } from './output.ts';
import { Refusal } from './refusal.ts';

interface Options {
  readonly db: string;
  readonly port: number;
  readonly host: string;
  /** How many megabytes of answers are remembered. */
  readonly cache?: number;
  readonly maxConnections?: number;
  readonly maxConnectionsPerAddress?: number;
  readonly rateLimit?: RateLimit;
  readonly corsOrigin?: readonly string[];
  /** Whether there is the reference page. */
  readonly reference?: boolean;
}

const BYTES_PER_MB = 1024 * 1024;

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('Serve a database until SIGTERM or SIGINT (Ctrl-C)')
    .addOption(dbOption())
    .addOption(portOption())
    .addOption(hostOption())
    .addOption(cacheOption())
    .addOption(rateLimitOption())
    .addOption(corsOriginOption())
    .addOption(referenceOption());
  for (const option of connectionsOptions()) command.addOption(option);
  return command.action(async (options: Options) => {
    const hasKey = await opensToSomebody(options.db);
    await serveUntilStopped(options, ({ url }) => {
      print(`Rollcall listens on ${url}`);
      if (!hasKey) notify(`No key opens it yet. Create one: rollcall keys create --account NAME --db ${options.db}`);
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
  {
    db,
    port,
    host,
    cache = DEFAULT_CACHE_MB,
    maxConnections = LIMITS.connections,
    maxConnectionsPerAddress = LIMITS.connectionsPerAddress,
    rateLimit,
    corsOrigin,
    reference,
  }: Options,
  started: (listener: Listener) => void,
): Promise<void> {
  // V8 would let new objects take up to 64 MB before it looks for garbage. Those of a request are garbage right after it.
  setFlagsFromString('--semi-space-growth-factor=1');
  const { pino } = await import('pino');
  const { loadContract } = await import('../contract/document.ts');
  const { fingerprintsOf } = await import('../contract/fingerprint.ts');
  const { startServer } = await import('../http/server.ts');
  // Errors only: what a caller did is the caller's to see, and a log line a request would cost more than the request.
  const destination = pino.destination({ dest: process.stderr.fd, sync: true });
  destination.on('error', () => undefined); // A log that cannot be written must not end the server.
  const log = pino(destination);
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
      hasReference: reference,
      report: (error, requestId) => {
        log.error({ err: error, requestId }, 'A request failed.');
      },
    });
  } catch (error) {
    await store.close();
    throw refusal(error, host, port);
  }
  const stopped = stopSignal();
  started(listener);
  await stopped;
  await listener.stop();
}

// `once`: a second signal ends the process the usual way.
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
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
