/** The processes that a process has started, seen from outside. */
import { spawnSync } from 'node:child_process';

const PAUSE_MS = 10;

/** @returns the ids of the children of a process. */
export function childrenOf(pid = 0): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map(Number)
    .filter((it) => it > 0);
}

/** @returns whether a process has not ended; one that nobody has asked how it ended counts as ended. */
export function isAlive(pid: number): boolean {
  return /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}

/** Waits until something is so. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
