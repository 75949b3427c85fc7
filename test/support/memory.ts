/** The memory of processes, as Linux tells it. */
import { readFileSync } from 'node:fs';

/** @returns the memory that a process holds now, in MB. */
export function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
