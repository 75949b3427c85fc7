/** The driver protocol: the tasks that a client is given as arguments, and its printed results. `docs/examine.md` describes it. */
import { commandName, pathOf } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Ending, Ran } from '../../audit/child.ts';

/** The options of a list, as they are given to the client. */
export interface ListOptions {
  readonly limit?: number | undefined;
  readonly status?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

export type ListTask = ListOptions & { readonly do: 'list' | 'list-all' | 'records'; readonly collection: Collection };
export interface GetTask {
  readonly do: 'get';
  readonly id: string;
}
export type Task = ListTask | GetTask;

/** @returns the arguments of a task. */
export function argumentsOf(task: Task): readonly string[] {
  if (task.do === 'get') return [task.do, task.id];
  const { limit, status, after, before } = task;
  const options = Object.entries({ limit, status, after, before }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
  return [task.do, commandName(task.collection), ...options];
}

/** @returns the path that a task requests. */
export function pathOfTask(task: Task): string {
  return task.do === 'get' ? `${pathOf('contactImports')}/${encodeURIComponent(task.id)}` : pathOf(task.collection);
}

/** The exit code of a client that reports an error. */
export const ERROR_EXIT_CODE = 10;
/** The line of a client that cannot do a task. */
const UNSUPPORTED = 'unsupported';
/** The names of errors that are not in the contract: no response arrived, or its body cannot be read. */
export const NETWORK = 'network';
export const UNREADABLE = 'unreadable';

export interface PrintedError {
  /** 0 if no response arrived. */
  readonly status: number;
  readonly name: string;
}

/** What a client has printed for a task. */
export interface Printed {
  /** The lines of standard output, without the line of an error and empty lines. */
  readonly lines: readonly string[];
  readonly error: PrintedError | undefined;
  readonly isUnsupported: boolean;
  /** Why the run counts as neither done nor failed with an error, such as a crash; `undefined` if it does. */
  readonly broken: string | undefined;
  readonly ending: Ending;
  readonly stdout: string;
  readonly stderr: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a line is an id. */
export const isPrintedId = (line: string): boolean => UUID.test(line);

const ERROR = /^error (\d{1,3}) ([A-Za-z0-9_-]{1,64})$/;

/** @returns the results that a command has printed. */
export function parsePrinted({ ending, stdout, stderr }: Ran, timeLimitMs: number): Printed {
  const all = linesOf(stdout);
  const errors = [...all, ...linesOf(stderr)].filter((it) => ERROR.test(it));
  const [, status, name = ''] = ERROR.exec(errors.at(-1) ?? '') ?? [];
  const error = status === undefined ? undefined : { status: Number(status), name };
  const lines = all.filter((it) => !ERROR.test(it));
  const isUnsupported = lines.length === 1 && lines[0] === UNSUPPORTED && error === undefined;
  return {
    lines,
    error,
    isUnsupported,
    broken: brokenBy(ending, error, stderr, timeLimitMs),
    ending,
    stdout,
    stderr,
  };
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((it) => it.trim())
    .filter((it) => it !== '');

/** @returns why a run has no result; `undefined` if it has one. */
function brokenBy(
  ending: Ending,
  error: PrintedError | undefined,
  stderr: string,
  timeLimitMs: number,
): string | undefined {
  const reason = reasonIn(stderr);
  const saying = reason === undefined ? '' : `; standard error: ${cut(reason)}`;
  switch (ending.kind) {
    case 'not_started':
      return `the command could not be started: ${ending.reason}`;
    case 'hung':
      return `did not end within ${String(timeLimitMs / 1000)} seconds and was killed${saying}`;
    case 'flooded':
      return 'printed more than 1 MB and was killed';
    case 'killed':
      return `was ended by ${ending.signal}${saying}`;
    case 'exited':
      if (ending.code === 0 || error !== undefined) return undefined;
      return ending.code === ERROR_EXIT_CODE
        ? `ended with exit code ${String(ending.code)} without a line \`error <status> <name>\`${saying}`
        : `ended with exit code ${String(ending.code)}${saying}`;
  }
}

// A crash of Go begins with its reason, one of Node or Java has it between code and stack, and one of Python ends with it.
const CRASH = /^(panic: |fatal error: |Exception in thread |Unhandled exception|\[?[\w.]*(Error|Exception)\b)/;
const TRACEBACK = 'Traceback (most recent call last):';
const TRAILER = /^(Node\.js v|exit status |note: run with )/;

/** @returns the line of standard error that says why a program has crashed; the last one, if none of them looks like it. */
function reasonIn(stderr: string): string | undefined {
  const all = stderr.split('\n').filter((it) => it.trim() !== '');
  const lines = all.filter((it) => /^\S/.test(it)).map((it) => it.trimEnd()); // Code and the frames of a stack are indented.
  const traceback = lines.lastIndexOf(TRACEBACK);
  if (traceback >= 0 && traceback < lines.length - 1) return lines[traceback + 1];
  return lines.findLast((it) => CRASH.test(it)) ?? lines.findLast((it) => !TRAILER.test(it)) ?? all.at(-1)?.trim();
}

const MAX_SHOWN = 200;

/** @returns a text that is short enough for one line. */
export const cut = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
