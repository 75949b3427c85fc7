/** What PostgreSQL has cost, all its processes together. */
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { childrenOf } from '../../support/processes.ts';
import { cpuUs } from '../processes.ts';

/**
 * @param client a connection to a server on this machine.
 * @returns its CPU time so far.
 */
export async function postgresCpuUs(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${String(rows[0]?.pid)}/status`, 'utf8')) ?? [];
  const server = Number(parent);
  const running = childrenOf(server).reduce((sum, pid) => sum + runningUs(pid), 0);
  return running + cpuUs(server, true); // In this order: who ends in between is counted once.
}

function runningUs(pid: number): number {
  try {
    return cpuUs(pid);
  } catch {
    return 0; // It has just ended.
  }
}
