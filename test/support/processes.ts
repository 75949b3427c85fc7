/** The processes that a process has started, seen from outside. They are read from /proc: a program such as `ps` would hold up the caller. */
import { readFileSync, readdirSync } from 'node:fs';

const PAUSE_MS = 10;

/** @returns the text of a file of a process; '' if the process is gone. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** @returns the ids of the children that the main thread of a process has started. */
export function childrenOf(pid = 0): readonly number[] {
  const words = read(pid, `task/${String(pid)}/children`).split(' ');
  return words.filter((it) => it !== '').map(Number);
}

/** @returns whether a process has not ended; one that nobody has asked how it ended counts as ended. */
export function isAlive(pid: number): boolean {
  return /^\d+ \(.*\) [^ZX] /s.test(read(pid, 'stat'));
}

/** @returns the command lines of all processes, whose words end with NUL. */
export const commandLines = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => read(Number(name), 'cmdline'));

/** Waits until something is so. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
