/** What every contender is told by the bench, and tells it. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @returns what the bench has put into the environment under this name. */
export function setting(name: 'BENCH_DB' | 'BENCH_COLUMNS' | 'BENCH_ANSWER'): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Start it by the bench: ${name} is not set.`);
  return value;
}

/** Says where a server listens, once it does. */
export function announce(server: Server): void {
  server.once('listening', () => {
    const { port } = server.address() as AddressInfo; // It listens on a port.
    process.stdout.write(`It listens on http://127.0.0.1:${String(port)}\n`);
  });
}
