/** A proxy as a process, from the moment that it accepts connections until it is stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const START_MS = 120_000;
const RETRY_MS = 50;

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface Running {
  readonly stop: () => Promise<void>;
}

/** @throws Error with all that it printed, unless it takes connections in time. */
export async function startProxy(name: string, command: readonly string[], at: Endpoint): Promise<Running> {
  const [program = '', ...argv] = command;
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.on('error', (error) => {
    output += error.message;
  });
  const ended = once(child, 'close').catch(() => undefined); // What it could not do stands in the output.
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  const deadline = Date.now() + START_MS;
  while (!(await isOpen(at))) {
    if (child.exitCode !== null || child.pid === undefined || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${name} does not start:\n${output}`);
    }
    await pause(RETRY_MS);
  }
  return { stop };
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
