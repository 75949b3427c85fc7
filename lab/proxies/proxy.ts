/** A proxy as a process, from the moment that it accepts connections until it is stopped. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { start } from '../support/program.ts';
import type { Program } from '../support/program.ts';

const START_MS = 120_000;

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** @throws Error with all that it printed, unless it takes connections in time. */
export async function startProxy(command: readonly string[], at: Endpoint): Promise<Program> {
  const proxy = start(command);
  await proxy.untilServing(START_MS, () => isOpen(at));
  return proxy;
}

async function isOpen({ host, port }: Endpoint): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
