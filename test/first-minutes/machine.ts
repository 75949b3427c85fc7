/**
 * Clean machines: a root file system with Debian's essential packages, curl, Node and npm, and nothing of this machine. Each has its own home, processes
 * and loopback network, so that port 3000 is free. Only installations reach the Internet.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { createRequire } from 'node:module';

const SUITE = 'bookworm';
const PACKAGES = ['curl', 'libstdc++6', 'passwd'];
const NPM = 'npm@11.21.2';
const USER = { name: 'reader', id: 1000 };
export const HOME = '/home/reader';
// For machines that are busy: each takes a tenth of it otherwise.
const [ROOT_MS, COMMAND_MS, START_MS] = [600_000, 300_000, 120_000];
const MAX_OUTPUT = 4_000_000;
/** Lines that install packages. They have the Internet. */
const INSTALLS = /^(?:npm (?:ci|install)|npx --yes(?! --offline))\b/;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export interface RunOptions {
  /** The folder in which the command runs, by default the home. */
  readonly cwd?: string;
  /** By default `reader`, a user without privileges. */
  readonly user?: 'root';
  /** The exit code that the command must have. */
  readonly code?: number;
}

export interface Running {
  /** The first match of the pattern in its output. */
  readonly match: RegExpExecArray;
  readonly stop: () => Promise<void>;
}

function must(program: string, args: readonly string[], timeout: number): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout });
  if (status !== 0) throw new Error(`${program} fails: ${error?.message ?? `${stdout}${stderr}`}`);
}

/** Makes the root file system that all machines share. */
export function createRoot(root: string): void {
  for (const it of ['mmdebstrap', 'bwrap', 'nsenter', 'npm']) must(it, ['--version'], COMMAND_MS);
  must('mmdebstrap', ['--quiet', '--variant=essential', `--include=${PACKAGES.join()}`, SUITE, root], ROOT_MS);
  const node = join(createRequire(import.meta.url).resolve('node/package.json'), '../bin/node');
  copyFileSync(node, join(root, 'usr/local/bin/node'));
  must('npm', ['install', '--global', '--silent', '--no-audit', '--prefix', join(root, 'usr/local'), NPM], ROOT_MS);
  const id = String(USER.id);
  appendFileSync(join(root, 'etc/passwd'), `${USER.name}:x:${id}:${id}::${HOME}:/bin/sh\n`);
  appendFileSync(join(root, 'etc/group'), `${USER.name}:x:${id}:\n`);
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  for (const it of ['etc/resolv.conf', 'etc/extra-ca.pem']) writeFileSync(join(root, it), '');
  mkdirSync(join(root, HOME), { recursive: true });
}

/** A machine of one reader. */
export class Machine implements AsyncDisposable {
  readonly home: string;
  readonly #root: string;
  readonly #isWritable: boolean;
  readonly #children = new Set<Child>();
  #network = 0;

  /**
   * @param folder a new folder, for what the machine has on its own.
   * @param isWritable whether the reader is an administrator, who changes the root file system: the machine has a copy of it.
   */
  constructor(root: string, folder: string, isWritable = false) {
    this.home = join(folder, 'home');
    mkdirSync(this.home, { recursive: true });
    chownSync(this.home, USER.id, USER.id);
    this.#isWritable = isWritable;
    this.#root = isWritable ? join(folder, 'root') : root;
    if (isWritable) must('cp', ['--archive', '--reflink=auto', root, this.#root], ROOT_MS);
  }

  /** Gives the machine its network, which has only a loopback address. */
  async connect(): Promise<void> {
    // The network exists as long as this process, which ends with its standard input. When it is ready, it writes to standard error.
    const script = 'echo ready >&2; read _';
    const argv = ['--ro-bind', '/', '/', '--unshare-net', '--die-with-parent', '--info-fd', '1', 'sh', '-c', script];
    const holder = this.#spawn('bwrap', argv);
    const output = outputOf(holder);
    const isReady = (): true | undefined =>
      (output.stdout().includes('}') && output.all().includes('ready\n')) || undefined;
    await printed(holder, output, isReady, 'bwrap');
    ({ 'child-pid': this.#network } = JSON.parse(output.stdout()) as { 'child-pid': number }); // As bwrap documents it.
  }

  /** Writes a file to the home. */
  write(name: string, text: string): void {
    writeFileSync(join(this.home, name), text);
    chownSync(join(this.home, name), USER.id, USER.id);
  }

  /** @returns the text of a file in the home. */
  read(name: string): string {
    return readFileSync(join(this.home, name), 'utf8');
  }

  /** Copies a folder to the home. */
  copy(from: string, name: string): void {
    cpSync(from, join(this.home, name), { recursive: true, verbatimSymlinks: true });
    must('chown', ['--recursive', `${String(USER.id)}:${String(USER.id)}`, join(this.home, name)], COMMAND_MS);
  }

  /** Runs a script to its end. @returns its standard output. @throws Error if it does not have the expected exit code. */
  async run(script: string, options: RunOptions = {}): Promise<string> {
    const child = this.#shell(script, options);
    const { stdout, all } = outputOf(child);
    child.stdin.end();
    const timeout = setTimeout(end, COMMAND_MS, child);
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]; // As Node documents it.
    clearTimeout(timeout);
    if (code !== (options.code ?? 0)) throw new Error(`$ ${script}\nends with ${String(code ?? signal)}:\n${all()}`);
    return stdout();
  }

  /** Starts a command that keeps running. @returns when it has printed a text. @throws Error if it ends, or prints no such text in time. */
  async start(script: string, ready: RegExp, options: RunOptions = {}): Promise<Running> {
    const child = this.#shell(`exec ${script}`, options);
    const output = outputOf(child);
    const match = await printed(child, output, () => ready.exec(output.stdout()) ?? undefined, `$ ${script}`);
    const stop = async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      end(child);
      await closed;
    };
    return { match, stop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = [...this.#children].map((it) => once(it, 'close'));
    for (const it of this.#children) end(it);
    await Promise.all(closed);
  }

  #spawn(program: string, args: readonly string[]): Child {
    const child = spawn(program, args, { stdio: 'pipe' });
    this.#children.add(child);
    for (const it of [child.stdout, child.stderr]) it.setEncoding('utf8');
    child.stdin.on('error', () => undefined); // It may end without reading.
    child.once('close', () => this.#children.delete(child));
    child.once('error', () => this.#children.delete(child)); // `close` may not follow; the caller gets the error from `once`.
    return child;
  }

  #shell(script: string, { cwd = HOME, user }: RunOptions): Child {
    const network = INSTALLS.test(script) ? [] : ['nsenter', `--net=/proc/${String(this.#network)}/ns/net`];
    const extraCa = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
    const variables = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: user === 'root' ? '/root' : HOME,
      LANG: 'C.UTF-8',
      ...(existsSync(extraCa) ? { NODE_EXTRA_CA_CERTS: '/etc/extra-ca.pem' } : {}),
      // Where the registry and the proxy of this machine are.
      ...Object.fromEntries(
        Object.entries(process.env).filter(([it]) => /^(?:npm_config_registry|https?_proxy)$/i.test(it)),
      ),
    };
    const argv = [
      ...network,
      ...['bwrap', '--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--cap-add', 'ALL'],
      ...[this.#isWritable ? '--bind' : '--ro-bind', this.#root, '/', '--bind', this.home, HOME],
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--ro-bind', '/etc/resolv.conf', '/etc/resolv.conf'],
      ...(existsSync(extraCa) ? ['--ro-bind', extraCa, '/etc/extra-ca.pem'] : []),
      ...['--clearenv', ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])],
      ...['--chdir', cwd],
      ...(user === 'root' ? [] : ['setpriv', '--reuid', USER.name, '--regid', USER.name, '--clear-groups']),
      ...['sh', '-ec', script],
    ];
    const [program = '', ...args] = argv;
    return this.#spawn(program, args);
  }
}

interface Output {
  readonly stdout: () => string;
  /** Standard output and standard error. */
  readonly all: () => string;
}

/** Kills bwrap, with which all of its processes end, and waits for no output of them. */
function end(child: Child): void {
  child.kill('SIGKILL');
  for (const it of [child.stdin, child.stdout, child.stderr]) it.destroy();
}

/** Waits for what a process prints. @throws Error if it ends before, or takes too long. */
function printed<T>(child: Child, { all }: Output, find: () => T | undefined, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (how: string): void => {
      clearTimeout(timeout);
      reject(new Error(`${name}\n${how}:\n${all()}`));
    };
    const timeout = setTimeout(fail, START_MS, 'does not print what is expected');
    const check = (): void => {
      const found = find();
      if (found === undefined) return;
      clearTimeout(timeout);
      resolve(found);
    };
    for (const it of [child.stdout, child.stderr]) it.on('data', check);
    child.once('error', (error) => {
      fail(error.message);
    });
    child.once('close', (code) => {
      fail(`ends with ${String(code)}`);
    });
  });
}

/** Collects what a process prints, up to a limit. */
function outputOf(child: Child): Output {
  let [stdout, all] = ['', ''];
  const add = (text: string): void => {
    if (all.length < MAX_OUTPUT) all += text;
  };
  child.stdout.on('data', (text: string) => {
    if (stdout.length < MAX_OUTPUT) stdout += text;
    add(text);
  });
  child.stderr.on('data', add);
  return { stdout: () => stdout, all: () => all };
}
