/** Runs the command line inside the process of a test: for tests whose subject is no process. It saves the start of one. */
import { openSync } from 'node:fs';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { run } from '../../cli/run.ts';
import { version } from '../../server/runtime.ts';

/** What a command takes from its process. */
export interface Surroundings {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** What is on standard input. */
  readonly input: string | Buffer;
  /** Called with what is written to standard error. */
  readonly notified: (text: string) => void;
}

/** How a command ended, and what it printed. */
export interface Called {
  readonly code: number;
  readonly signal: null;
  readonly stdout: string;
  readonly stderr: string;
}

// `guardOutput` looks at the descriptors of the streams, which must not be those of the test.
let nowhere: number | undefined;

// One command at a time has the process.
let last: Promise<unknown> = Promise.resolve();

/** Runs a command to its end, after those that were run before. @returns what a process of its own would have printed and ended with. */
export function runInProcess(argv: readonly string[], surroundings: Surroundings): Promise<Called> {
  const ran = last.then(() => runAlone(argv, surroundings));
  last = ran.catch(() => undefined);
  return ran;
}

async function runAlone(argv: readonly string[], { cwd, env, input, notified }: Surroundings): Promise<Called> {
  const [stdout, stderr] = [collector(() => undefined), collector(notified)];
  const restore = replace({
    stdout: stdout.stream,
    stderr: stderr.stream,
    stdin: Readable.from([typeof input === 'string' ? Buffer.from(input) : input]),
    env,
  });
  const [before, { title, exitCode }] = [process.cwd(), process];
  process.exitCode = undefined;
  process.chdir(cwd);
  try {
    const code = await run(argv, version);
    return {
      code: code === 0 ? Number(exitCodeNow() ?? 0) : code,
      signal: null,
      stdout: stdout.text(),
      stderr: stderr.text(),
    };
  } finally {
    process.chdir(before);
    process.title = title;
    process.exitCode = exitCode;
    restore();
  }
}

const exitCodeNow = (): typeof process.exitCode => process.exitCode;

/** Replaces properties of the process. @returns a function that restores them. */
function replace(properties: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(properties).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(process, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(process, name);
      else Object.defineProperty(process, name, descriptor);
    }
  };
}

/** @returns a stream that keeps the text written to it, and passes it on. */
function collector(written: (text: string) => void): { readonly stream: Writable; readonly text: () => string } {
  nowhere ??= openSync('/dev/null', 'w');
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk);
      written(chunk.toString());
      done();
    },
  });
  return { stream: Object.assign(stream, { fd: nowhere }), text: () => Buffer.concat(chunks).toString() };
}
