/** Runs the command line in a folder of a test's own: as its users do, in a process of its own, or in the process of the test. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { User } from './as-nobody.ts';

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

// Without settings, except for the size of the cache: the suite passes with a cache and without.
const INHERITED = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name === 'ROLLCALL_CACHE' || !/^(PORT|ROLLCALL_.*)$/.test(name)),
);

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Buffer;
  readonly env?: Record<string, string>;
  /** What a shell does first in the process of the command, such as `ulimit -f 4`: no file of more than 4 KiB, a full disk. */
  readonly setUp?: string;
}

export interface CallOptions extends Omit<RunOptions, 'setUp'> {
  /** Called with what the command writes to standard error, while it runs. */
  readonly notified?: (text: string) => void;
}

/** A folder of a test's own, and the command line in it. */
export interface Folder {
  readonly path: (name: string) => string;
  /** Runs a command in a process of its own. */
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** Runs a command in the process of the test, which is much faster: where no process is the subject. One runs at a time. */
  readonly call: (argv: readonly string[], options?: CallOptions) => Promise<Ran>;
  /** Starts a command that goes on. */
  readonly start: (argv: readonly string[], env?: Record<string, string>, setUp?: string) => Running;
  /** Starts `serve` on a free port; creates its database if need be. @returns its address once it listens. */
  readonly serve: (argv?: readonly string[]) => Promise<Running & { readonly url: string }>;
  /** Ends what still runs, and removes the folder. */
  readonly remove: () => void;
}

export interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ran>;
  /** @returns the first match of a pattern in what the command prints to standard output. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
}

/**
 * @param parent where the folder is made.
 * @param settings the environment of its commands.
 * @param main the program: the command line from its sources, or that of another release.
 * @param user who runs it in processes of its own; by default the user of the tests.
 */
export function openFolder(
  parent = tmpdir(),
  settings: Record<string, string> = {},
  main = MAIN,
  user: User = {},
): Folder {
  const folder = mkdtempSync(join(parent, 'rollcall-test-'));
  const running = new Set<ChildProcessWithoutNullStreams>();

  const start: Folder['start'] = (argv, env = {}, setUp) => {
    const shell = setUp === undefined ? [] : ['bash', '-c', `${setUp}; exec "$@"`, 'bash'];
    const [command = '', ...words] = [...shell, process.execPath, main, ...argv];
    const child = spawn(command, words, { ...user, cwd: folder, env: { ...INHERITED, ...settings, ...env } });
    running.add(child);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<Ran>((resolve) => {
      child.on('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal, stdout, stderr });
      });
    });
    const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', look);
        look();
        void ended.then((ran) => {
          reject(new Error(`It ended without printing ${String(pattern)}: ${JSON.stringify(ran)}`));
        });
      });
    return { process: child, ended, printed };
  };

  return {
    path: (name) => join(folder, name),
    run: (argv, { input = '', env, setUp } = {}) => {
      const { process: child, ended } = start(argv, env, setUp);
      child.stdin.on('error', () => undefined); // It may end without reading.
      child.stdin.end(input);
      return ended;
    },
    call: async (argv, { input = '', env, notified = () => undefined } = {}) => {
      const { runInProcess } = await import('./in-process.ts'); // Loads all that the commands need.
      return runInProcess(argv, { cwd: folder, env: { ...INHERITED, ...settings, ...env }, input, notified });
    },
    start,
    serve: async (argv = []) => {
      const it = start(['serve', '--create', '--port', '0', ...argv]);
      const [, url = ''] = await it.printed(/Rollcall listens on (http\S+)\n/);
      return { ...it, url };
    },
    remove: () => {
      for (const child of running) {
        child.kill('SIGKILL');
        // On a busy machine it takes a while to end: nothing of it is to hold a worker of Jest that has no more tests.
        child.unref();
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
