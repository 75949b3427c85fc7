/** The log: a line for each event of the server, as text for people or as JSON for programs. */
import { joinObservers } from '../http/events.ts';
import type { RequestCompleted, Failure, Lifecycle, Events, Observer, RequestRejected } from '../http/events.ts';

export type LogFormat = 'text' | 'json';

type Kind = Exclude<keyof Events, 'read'>;
type Texts = { readonly [K in Kind]: (event: Events[K]) => readonly string[] };

/**
 * @param hasRequests whether to log requests, rejected messages and the server's lifecycle. Failures and replicas are always logged.
 * @param write called with each line, without its line break.
 */
export function createLog(format: LogFormat, hasRequests: boolean, write: (line: string) => void): Observer {
  const lines = format === 'json' ? jsonLine : textLines;
  const logs =
    <K extends Kind>(kind: K) =>
    (event: Events[K]): void => {
      for (const line of lines(kind, event)) write(line);
    };
  const always = joinObservers([throttle(logs('failed')), { replica: logs('replica') }]);
  return hasRequests
    ? joinObservers([
        always,
        { completed: logs('completed'), rejected: logs('rejected'), lifecycle: logs('lifecycle') },
      ])
    : always;
}

/** @returns a line that reports lines that were dropped because the log was not read fast enough. */
export function droppedLine(format: LogFormat, count: number): string {
  const time = new Date().toISOString();
  return format === 'json'
    ? JSON.stringify({ time, level: 'warn', event: 'dropped', lines: count })
    : `${time} log lines dropped because the log was not read: ${String(count)}`;
}

/** @returns the JSON line of a message to people that is not an event of the server. */
export function messageLine(level: 'warn' | 'error', message: string): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event: 'message', message });
}

/**
 * @param line a line that a worker has written: a line of its log, or other output such as Node's report of a crash.
 * @param worker the number of the worker.
 * @returns a JSON line of the log with the number.
 */
export function numberedLine(line: string, worker: number): string {
  const object = isLogLine(line) ? line : messageLine('error', line);
  return `${object.slice(0, -1)},"worker":${String(worker)}}`;
}

/** @returns whether a line is a complete JSON line of a log. A process that ends may leave a partial one. */
function isLogLine(line: string): boolean {
  if (!line.startsWith('{') || !line.endsWith('}')) return false;
  try {
    return 'event' in (JSON.parse(line) as object); // JSON that begins and ends with braces is an object.
  } catch {
    return false;
  }
}

const LEVELS: Readonly<Partial<Record<Kind, string>>> = { failed: 'error', replica: 'warn' };

function jsonLine<K extends Kind>(kind: K, event: Events[K]): readonly string[] {
  const level = LEVELS[kind] ?? 'info';
  const shown =
    'error' in event
      ? { ...event, error: describe(event.error) }
      : 'ms' in event
        ? { ...event, ms: Number(event.ms.toFixed(3)) }
        : event;
  return [JSON.stringify({ time: new Date().toISOString(), level, event: kind, ...shown })];
}

function textLines<K extends Kind>(kind: K, event: Events[K]): readonly string[] {
  const [first = '', ...others] = TEXTS[kind](event);
  return [`${new Date().toISOString()} ${first}`, ...others];
}

const TEXTS: Texts = {
  completed: (event: RequestCompleted) => {
    const { id, method, path, account, keyId, address, status, problem, parameter, ms, bytes } = event;
    const words = [method, path, status ?? 'no response', `${ms.toFixed(1)} ms`, `${String(bytes)} B`];
    if (problem !== undefined) words.push(parameter === undefined ? problem : `${problem} of ${parameter}`);
    if (address !== undefined) words.push(`from ${address}`);
    if (account !== undefined && keyId !== undefined) words.push(`account "${account}" key ${keyId}`);
    if (event.isCached) words.push('cached');
    if (!event.isComplete) words.push('aborted');
    return [[...words, id ?? ''].join(' ').trimEnd()];
  },
  rejected: ({ reason, id, status }: RequestRejected) => [
    ['rejected:', reason, status ?? 'no response', id ?? ''].join(' ').trimEnd(),
  ],
  failed: ({ error, id, suppressed }: ThrottledFailure) => [
    ['failed:', id ?? '', suppressed === undefined ? '' : `(${String(suppressed)} similar suppressed)`]
      .filter(Boolean)
      .join(' '),
    ...stackOf(error).split('\n'),
  ],
  replica: ({ address, state, reason }: Events['replica']) => [
    state === 'available' ? `replica available: ${address}` : `replica unavailable: ${address}: ${String(reason)}`,
  ],
  lifecycle: ({ state, url }: Lifecycle) => [`${state} ${url}`],
};

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

// Causes may be circular.
const MAX_CAUSES = 5;

/** @returns an error as an object, because JSON.stringify omits the properties of errors. */
function describe(error: unknown, causes = MAX_CAUSES): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: String(error.code) } : {};
  return {
    name,
    message,
    ...code,
    stack,
    ...(cause === undefined || causes === 0 ? {} : { cause: describe(cause, causes - 1) }),
  };
}

const WINDOW_MS = 1000;
// Further kinds are throttled as one.
const MAX_KINDS = 100;
const MAX_KIND_LENGTH = 200;

/** A failure, and how many of the same kind were suppressed before it. */
export type ThrottledFailure = Failure & { readonly suppressed?: number };

/**
 * Throttles failures: while a store is unavailable, every request fails, and one line is as informative as a thousand.
 * @param emit called with the first failure of a kind (the same name and message) at once, then with the last one of each
 *   second, and with those still held back when the server has stopped.
 */
export function throttle(emit: (failure: ThrottledFailure) => void): Observer {
  const kinds = new Map<string, Held>();

  const begin = (kind: string): void => {
    const timer = setTimeout(() => {
      if (end(kind)) begin(kind);
    }, WINDOW_MS).unref();
    kinds.set(kind, { timer, latest: undefined, suppressed: 0 });
  };
  /** @returns whether there were more failures of the kind. */
  const end = (kind: string): boolean => {
    const { timer, latest, suppressed = 0 } = kinds.get(kind) ?? {};
    clearTimeout(timer);
    kinds.delete(kind);
    if (latest !== undefined) emit(suppressed === 0 ? latest : { ...latest, suppressed });
    return latest !== undefined;
  };
  const failed = (failure: Failure): void => {
    const ownKind = kindOf(failure.error);
    const kind = kinds.has(ownKind) || kinds.size < MAX_KINDS ? ownKind : '';
    const held = kinds.get(kind);
    if (held === undefined) {
      emit(failure);
      begin(kind);
      return;
    }
    if (held.latest !== undefined) held.suppressed += 1;
    held.latest = failure;
  };
  return {
    failed,
    lifecycle: ({ state }) => {
      if (state === 'stopped') [...kinds.keys()].forEach(end);
    },
  };
}

interface Held {
  readonly timer: NodeJS.Timeout;
  latest: Failure | undefined;
  suppressed: number;
}

const kindOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MAX_KIND_LENGTH);
