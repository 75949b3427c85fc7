/** A folder that is gone in the end, however this process ends: a small shell waits for that, and removes it then. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A word means that it is removed already; otherwise those who write to it may not have ended yet.
const REMOVER = `read -r word && exit
  for try in $(seq 60); do rm -rf "$1"; sleep 1; [ -e "$1" ] || exit; done`;

export interface RemovedFolder {
  readonly path: string;
  /** Nobody may write to it any more. */
  readonly remove: () => Promise<void>;
}

export function makeFolder(prefix: string): RemovedFolder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  // In a group of its own, so that Ctrl-C does not reach it.
  const remover = spawn('sh', ['-c', REMOVER, 'sh', path], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  remover.on('error', () => undefined); // `close` follows.
  remover.stdin.on('error', () => undefined); // It has ended.
  const ended = once(remover, 'close');
  return {
    path,
    remove: async () => {
      rmSync(path, { recursive: true, force: true });
      remover.stdin.end('removed\n');
      await ended;
    },
  };
}
