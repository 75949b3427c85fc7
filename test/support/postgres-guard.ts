/** The process of a PostgreSQL server, which does not outlive the tests however they end. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio, SpawnOptions } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** How long it may take to be ready, in milliseconds. */
export const READY_MS = 30_000;
const KEPT_OF_LOG = 10_000; // Characters, for the message when it does not start.
// Stops the server when the pipe says how, or when the pipe ends, as it does however this process ends: no server is left.
const GUARD = `exec 3<&0
  "$@" 3<&- & server=$!
  { read -r signal <&3 || signal=QUIT; kill -"$signal" $server; } & reader=$!
  wait $server; kill $reader`;

export type Guard = ChildProcessByStdio<Writable, null, Readable>;

/** Starts a server. */
export function startGuard(argv: readonly string[], user: SpawnOptions): Guard {
  // In a group of its own, so that Ctrl-C reaches the tests alone, which then end the pipe.
  const guard = spawn('sh', ['-c', GUARD, 'sh', ...argv], {
    ...user,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  guard.on('error', () => undefined); // `close` follows.
  guard.stdin.on('error', () => undefined); // It has ended.
  return guard;
}

/** Ends the pipe of a guard. @param word what it reads before. */
export function end(guard: Guard, word = ''): Promise<void> {
  guard.stdin.end(word);
  if (guard.exitCode !== null || guard.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    guard.once('close', () => {
      resolve();
    });
  });
}

/** Waits until the server takes connections. */
export function ready(guard: Guard): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const fail = (): void => {
      clearTimeout(timer);
      reject(new Error(`PostgreSQL does not start: ${log}`));
    };
    const timer = setTimeout(fail, READY_MS);
    guard.once('close', fail);
    guard.stderr.on('error', fail);
    guard.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-KEPT_OF_LOG);
      if (!/database system is ready to accept (read-only )?connections/.test(log)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
