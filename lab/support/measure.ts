/** The processor time and memory of processes, as Linux tells it. */
import { readFileSync, readdirSync } from 'node:fs';

/** @returns the time that all threads of a process have run so far, in nanoseconds. Those of threads that have ended are lost. */
export function cpuNs(pid: number): number {
  const tasks = `/proc/${String(pid)}/task`;
  return readdirSync(tasks).reduce(
    (sum, it) => sum + Number(readFileSync(`${tasks}/${it}/schedstat`, 'utf8').split(' ')[0]),
    0,
  );
}

/** @returns the memory that a process holds now, in MB. */
export function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
