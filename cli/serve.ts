/** `rollcall serve`: serves a database until a signal stops it. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { LIMITS } from '../server/http/connections.ts';
import { isPostgres } from '../server/store/address.ts';
import { commandFor, inspect, reject, withWriter } from './database.ts';
import { PRIMARY, logMessages } from './log-writer.ts';
import { notify, print } from '../command/output.ts';
import { warnIfRefused } from './refused-ports.ts';
import { serveUntilStopped } from './server-process.ts';
import { addAllSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { exitWithParentOption, stopSignal } from '../command/stop-signal.ts';
import type { ExitWithParent } from '../command/stop-signal.ts';
import { reportStopped, workerNumber, workerSettings } from './worker.ts';

// A server without connections has about 25 open files: databases, libraries, standard streams. Connections to PostgreSQL come on top.
const OWN_FILES = 100;
// How long `--create` waits while another process creates the database.
const CREATE_SECONDS = 60;

export function serveCommand(): Command {
  const command = new Command('serve').description(
    'Serve the API from a database until SIGTERM, SIGINT (Ctrl-C), SIGHUP or SIGUSR2',
  );
  command.addOption(exitWithParentOption());
  addAllSettings(command).hook('preAction', async () => {
    if (workerNumber !== undefined) return logMessages(workerSettings());
    const settings = command.opts<Settings>();
    return logMessages(settings, settings.workers > 1 ? PRIMARY : undefined);
  });
  return command.action(async ({ exitWithParent, ...settings }: Settings & ExitWithParent) => {
    if (workerNumber !== undefined) {
      await serveUntilStopped(workerSettings(), () => undefined).finally(reportStopped);
      return;
    }
    const { db, create, workers } = settings;
    requireReplicaUrls(command, settings);
    requireDistinctPorts(command, settings);
    warnAboutOpenFiles(settings);
    const hasKey = await hasLiveKey(db).catch(async (error: unknown) => {
      if (!create) throw error;
      await withWriter({ db, wait: CREATE_SECONDS }, () => undefined);
      return hasLiveKey(db);
    });
    const started = (url: string, adminUrl: string | undefined): void => {
      print(`Rollcall listens on ${url}`);
      warnIfRefused(settings.port);
      if (adminUrl !== undefined) print(`/livez, /readyz and /metrics are on ${adminUrl}`);
      if (!hasKey)
        notify(
          `The database has no active key. To create one, run: ${commandFor(db, 'keys create --account <account>')}`,
        );
    };
    const stopped = stopSignal(false, exitWithParent);
    if (workers === 1) await serveUntilStopped(settings, started, { stopped });
    else await (await import('./workers.ts')).runWorkers(settings, started, stopped);
  });
}

/**
 * Ends the command with a usage error if there are replicas and an address is not a PostgreSQL URL. No message repeats an address,
 * because it may contain a password.
 */
function requireReplicaUrls(command: Command, { db, dbRead = [] }: Settings): void {
  const needs = 'Replicas require PostgreSQL: --db and --db-read must be URLs such as postgres://user@host/database.';
  if (dbRead.length > 0 && !isPostgres(db))
    command.error(`error: --db-read is set, but --db is not a PostgreSQL URL. ${needs}`);
  const wrong = dbRead.findIndex((address) => !isPostgres(address));
  if (wrong >= 0) command.error(`error: address ${String(wrong + 1)} of --db-read is not a PostgreSQL URL. ${needs}`);
}

/** Wildcard addresses. */
const ANY_ADDRESS = ['0.0.0.0', '::'];

/** Ends the command with a usage error if the API and the admin port would be the same port of the same address. */
function requireDistinctPorts(command: Command, { host, port, adminHost, adminPort }: Settings): void {
  if (port === 0 || port !== adminPort) return;
  const hosts = new Set([host, adminHost].map((name) => (name === 'localhost' ? '127.0.0.1' : name)));
  if (hosts.size > 1 && !ANY_ADDRESS.some((address) => hosts.has(address))) return;
  command.error(`error: --port and --admin-port are both ${String(port)}; they must be different`);
}

/**
 * Warns if the system allows fewer open files than `--max-connections` may need. Only Linux reports its limit; on other systems there is
 * no warning.
 */
function warnAboutOpenFiles({ maxConnections }: Settings): void {
  const allowed = openFileLimit();
  const otherFiles = LIMITS.rejectedConnections + OWN_FILES;
  if (allowed === undefined || allowed >= maxConnections + otherFiles) return;
  const lower = allowed > otherFiles ? `, or lower --max-connections to ${String(allowed - otherFiles)}` : '';
  notify(
    `WARNING: --max-connections ${String(maxConnections)} may require ${String(maxConnections + otherFiles)} open files, ` +
      `but the limit is ${String(allowed)}. Connections beyond it are closed without a response. ` +
      `Raise the limit (ulimit -n, or LimitNOFILE in systemd)${lower}.`,
  );
}

/** @returns how many files this process may open, after Node has raised its limit; `undefined` if that is unknown. */
function openFileLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit); // No match if it is `unlimited`.
  } catch {
    return undefined;
  }
}

async function hasLiveKey(db: string): Promise<boolean> {
  const now = new Date().toISOString();
  const keys = await inspect(db, (inspector) => inspector.keys(), reject);
  return keys.some(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now));
}
