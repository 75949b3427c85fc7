/**
 * Runs a root file system as a container would: read-only, under a random user id in the group 0, without capabilities, as
 * process 1, and nothing but `/data` can be written. bubblewrap does it, which needs no cgroup and no daemon. The network is that of
 * the machine.
 */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { VOLUME } from '../../scripts/image/description.ts';

/** An emulated start takes 10 s, and 40 s on a busy machine. */
const RUN_MS = 120_000;
const MAX_OUTPUT = 1024 * 1024;
/** Docker's, after which it kills. */
export const GRACE_MS = 10_000;
const IS_ROOT = process.geteuid?.() === 0;
// Beyond the ids that systems give to users.
const USER = String(100_000 + Math.floor(Math.random() * 1_000_000));
const EMULATOR = '/tmp/emulator';

export interface Sandbox {
  /** Runs a command to its end. @returns what it prints. @throws Error if it fails. */
  run(words: readonly string[]): Promise<string>;
  /** Starts the server. @returns once it listens. */
  serve(words: readonly string[]): Promise<Served>;
  /** The folder that is the volume. */
  readonly data: string;
}

export interface Served {
  /** The API. */
  readonly url: string;
  /** The admin port. */
  readonly adminUrl: string;
  /** When its process was started, as `performance.now()`. */
  readonly startedMs: number;
  /** Sends SIGTERM, as container runtimes do. @returns the exit code, and how long it took. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/**
 * @param folder where the volume is created.
 * @param environment the variables that its commands have, and no others.
 * @param emulator the static qemu that runs the programs of another architecture.
 */
export function createSandbox(
  root: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  emulator?: string,
): Sandbox {
  const data = join(folder, `volume-${randomUUID()}`);
  mkdirSync(data);
  const { uid, gid, mode } = statSync(join(root, VOLUME)); // A new volume has the owner and mode of the image's folder.
  if (IS_ROOT) chownSync(data, uid, gid);
  chmodSync(data, mode);

  const isolation = [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--as-pid-1', '--die-with-parent'],
    ...['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--bind', data, VOLUME, '--chdir', VOLUME],
    ...(emulator === undefined ? [] : ['--tmpfs', '/tmp', '--ro-bind', emulator, EMULATOR]),
    ...['--info-fd', '3', '--clearenv'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
  // Without root, only the id that the process sees is another.
  const command = IS_ROOT
    ? ['setpriv', `--reuid=${USER}`, '--regid=0', '--clear-groups', '--bounding-set=-all', '--no-new-privs', 'bwrap']
    : ['bwrap', '--uid', USER, '--gid', '0'];
  // An emulator starts binaries only: it reads neither PATH nor the first line of a script.
  const inside = ([program = '', ...rest]: readonly string[]): readonly string[] => {
    if (emulator === undefined) return [program, ...rest];
    const script = program === 'node' ? [] : [`/usr/local/bin/${program}`];
    return [EMULATOR, '/usr/local/bin/node', ...script, ...rest];
  };
  const argvOf = (words: readonly string[]): readonly string[] => [...command, ...isolation, ...inside(words)];

  return {
    data,
    run: (words) => {
      // The shell opens the file descriptor that bubblewrap reports to.
      const argv = ['-c', 'exec "$@" 3> /dev/null', 'bash', ...argvOf(words)];
      const options = { timeout: RUN_MS, maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL' } as const;
      return new Promise((resolve, reject) => {
        execFile('bash', argv, options, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`${words.join(' ')} fails: ${error.message}\n${stdout}${stderr}`));
        });
      });
    },
    serve: (words) => serve(argvOf(words)),
  };
}

async function serve([program = '', ...argv]: readonly string[]): Promise<Served> {
  const startedMs = performance.now();
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => undefined).on('close', resolve); // `close` follows.
  });
  let [output, info] = ['', ''];
  const keep = (text: string): void => {
    output = `${output}${text}`.slice(-MAX_OUTPUT);
  };
  // The pipes asked for above.
  const [, stdout, stderr, report] = child.stdio as unknown as readonly [null, Readable, Readable, Readable];
  stdout.setEncoding('utf8').on('data', keep);
  stderr.setEncoding('utf8').on('data', keep);
  report.setEncoding('utf8').on('data', (text: string) => (info += text));
  try {
    const [, url, adminUrl] = await matching(
      stdout,
      /listens on (http\S+)[^]* are on (http\S+)\n/,
      () => output,
      ended,
    );
    const [, pid] = /"child-pid": (\d+)/.exec(info) ?? [];
    if (url === undefined || adminUrl === undefined || pid === undefined)
      throw new Error(`It does not listen:\n${output}`);
    return {
      url: url.replace('0.0.0.0', '127.0.0.1'),
      adminUrl,
      startedMs,
      stop: async () => {
        const signaledMs = performance.now();
        const kill = setTimeout(() => child.kill('SIGKILL'), GRACE_MS); // Its process 1 dies with it.
        process.kill(Number(pid), 'SIGTERM');
        const code = await ended;
        clearTimeout(kill);
        if (/warning/i.test(output)) throw new Error(output);
        return { code, ms: performance.now() - signaledMs };
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    await ended;
    throw error;
  }
}

async function matching(
  stream: Readable,
  pattern: RegExp,
  text: () => string,
  ended: Promise<unknown>,
): Promise<RegExpExecArray> {
  const signal = AbortSignal.timeout(RUN_MS);
  for (;;) {
    const found = pattern.exec(text());
    if (found !== null) return found;
    const isOver = await Promise.race([once(stream, 'data', { signal }).then(() => false), ended.then(() => true)]);
    if (isOver) throw new Error(`It has ended:\n${text()}`);
  }
}
