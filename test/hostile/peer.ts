/** A hostile peer: runs an attack, and reports the responses. */
import { connect } from 'node:net';
import type { Attack } from './attacks.ts';
import { judge } from './responses.ts';

export interface Outcome {
  readonly statuses: readonly number[];
  /** What no server may do; empty if all is well. */
  readonly faults: readonly string[];
}

const SOON_MS = 30;
const DEADLINE_MS = 120_000; // For what hangs.

/** Sends an attack on a connection of its own. Never throws. */
export function runAttack({ hostname, port }: URL, attack: Attack): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let error: Error | undefined;
    let isLate = false;
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const patience = setTimeout(
      () => {
        isLate = attack.leaves === 'completed';
        socket.destroy();
      },
      attack.leaves === 'completed' ? DEADLINE_MS : SOON_MS,
    );
    socket.on('data', (it: Buffer) => chunks.push(it));
    socket.on('end', () => socket.destroy());
    socket.on('error', (it) => (error = it));
    socket.on('connect', () => {
      socket.write(attack.bytes, () => {
        if (attack.leaves === 'fin') socket.end();
        if (attack.leaves === 'reset') socket.resetAndDestroy();
      });
    });
    socket.on('close', () => {
      clearTimeout(patience);
      // A server that rejects bytes may reset the connection while they are still on their way.
      const isCut = attack.leaves !== 'completed' || error !== undefined;
      const { statuses, faults } = judge(Buffer.concat(chunks).toString('latin1'), isCut);
      const own = [
        ...(isLate ? ['no response in time'] : []),
        ...(!isCut && statuses.length === 0 ? ['no response'] : []),
        ...(error?.message.includes('REFUSED') === true ? [error.message] : []),
      ];
      const shown = JSON.stringify(attack.bytes.toString('latin1').slice(0, 300));
      resolve({ statuses, faults: [...faults, ...own].map((it) => `${it}, after ${attack.kind} ${shown}`) });
    });
  });
}
