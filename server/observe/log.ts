/** The log: lines about what the server notices, as text for people or as JSON for programs. */
import { joinObservers } from '../http/notices.ts';
import type { Answered, Failed, Lifecycle, Notices, Observer, Refused } from '../http/notices.ts';

export type LogFormat = 'text' | 'json';

type Kind = Exclude<keyof Notices, 'used' | 'read'>;
type Texts = { readonly [K in Kind]: (notice: Notices[K]) => readonly string[] };

/**
 * @param hasRequests whether it says what becomes of each request and of the server; faults are always said, and replicas that are left out.
 * @param write takes a line, without its end.
 */
export function createLog(format: LogFormat, hasRequests: boolean, write: (line: string) => void): Observer {
  const lines = format === 'json' ? jsonLine : textLines;
  const of =
    <K extends Kind>(kind: K) =>
    (notice: Notices[K]): void => {
      for (const line of lines(kind, notice)) write(line);
    };
  const always = joinObservers([throttle(of('failed')), { replica: of('replica') }]);
  return hasRequests
    ? joinObservers([always, { completed: of('completed'), rejected: of('rejected'), lifecycle: of('lifecycle') }])
    : always;
}

/** @returns a line that says that others were dropped, because they were more than could be written. */
export function droppedLine(format: LogFormat, count: number): string {
  const time = new Date().toISOString();
  return format === 'json'
    ? JSON.stringify({ time, level: 'warn', event: 'dropped', lines: count })
    : `${time} lines dropped, because the log was not read: ${String(count)}`;
}

/** @returns a line with what is told to people, rather than noticed by the server. */
export function messageLine(level: 'warn' | 'error', message: string): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event: 'message', message });
}

/**
 * @param line of a worker: of its log, or whatever else it has written, such as what Node says of a crash.
 * @param worker its number.
 * @returns a line of the log as JSON, with the number.
 */
export function numberedLine(line: string, worker: number): string {
  const object = isLogLine(line) ? line : messageLine('error', line);
  return `${object.slice(0, -1)},"worker":${String(worker)}}`;
}

/** @returns whether a line is one of a log as JSON, and whole: a process that ends may leave the beginning of one. */
function isLogLine(line: string): boolean {
  if (!line.startsWith('{') || !line.endsWith('}')) return false;
  try {
    return 'event' in (JSON.parse(line) as object); // It begins and ends like one.
  } catch {
    return false;
  }
}

const LEVELS: Readonly<Partial<Record<Kind, string>>> = { failed: 'error', replica: 'warn' };

function jsonLine<K extends Kind>(event: K, notice: Notices[K]): readonly string[] {
  const level = LEVELS[event] ?? 'info';
  const shown =
    'error' in notice
      ? { ...notice, error: describe(notice.error) }
      : 'ms' in notice
        ? { ...notice, ms: Number(notice.ms.toFixed(3)) }
        : notice;
  return [JSON.stringify({ time: new Date().toISOString(), level, event, ...shown })];
}

function textLines<K extends Kind>(kind: K, notice: Notices[K]): readonly string[] {
  const [first = '', ...others] = TEXTS[kind](notice);
  return [`${new Date().toISOString()} ${first}`, ...others];
}

const TEXTS: Texts = {
  completed: ({ id, method, path, account, keyId, status, ms, bytes, isCached, isComplete }: Answered) => {
    const words = [method, path, status ?? 'no response', `${ms.toFixed(1)} ms`, `${String(bytes)} B`];
    if (account !== undefined && keyId !== undefined) words.push(`account "${account}" key ${keyId}`);
    if (isCached) words.push('cached');
    if (!isComplete) words.push('aborted');
    return [[...words, id ?? ''].join(' ').trimEnd()];
  },
  rejected: ({ reason, id, status }: Refused) => [
    ['rejected:', reason, status ?? 'no response', id ?? ''].join(' ').trimEnd(),
  ],
  failed: ({ error, id, suppressed }: Throttled) => [
    ['failed:', id ?? '', suppressed === undefined ? '' : `(${String(suppressed)} like it suppressed)`]
      .filter(Boolean)
      .join(' '),
    ...stackOf(error).split('\n'),
  ],
  replica: ({ address, state, reason }: Notices['replica']) => [
    state === 'available' ? `replica available: ${address}` : `replica unavailable: ${address}: ${String(reason)}`,
  ],
  lifecycle: ({ state, url }: Lifecycle) => [`${state} ${url}`],
};

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

// How many causes of causes are told: they may go in a circle.
const MAX_CAUSES = 5;

/** @returns what JSON would leave out of an error. */
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

const EVERY_MS = 1000;
// Beyond it, all others count as one kind.
const MAX_KINDS = 100;
const MAX_KIND_LENGTH = 200;

/** A failure, and how many of its kind were suppressed before it. */
export type Throttled = Failed & { readonly suppressed?: number };

/**
 * Throttles failures: a store that is gone makes every request fail, and one line says as much as a thousand.
 * @param tell told of the first failure of a kind (of the same name and message) at once, then of the last one of each second,
 *   and when the server has stopped.
 */
export function throttle(tell: (failure: Throttled) => void): Observer {
  const kinds = new Map<string, Held>();

  const begin = (kind: string): void => {
    const timer = setTimeout(() => {
      if (end(kind)) begin(kind);
    }, EVERY_MS).unref();
    kinds.set(kind, { timer, latest: undefined, suppressed: 0 });
  };
  /** @returns whether there were more of the kind. */
  const end = (kind: string): boolean => {
    const { timer, latest, suppressed = 0 } = kinds.get(kind) ?? {};
    clearTimeout(timer);
    kinds.delete(kind);
    if (latest !== undefined) tell(suppressed === 0 ? latest : { ...latest, suppressed });
    return latest !== undefined;
  };
  const failed = (failure: Failed): void => {
    const own = kindOf(failure.error);
    const kind = kinds.has(own) || kinds.size < MAX_KINDS ? own : '';
    const held = kinds.get(kind);
    if (held === undefined) {
      tell(failure);
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
  latest: Failed | undefined;
  suppressed: number;
}

const kindOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MAX_KIND_LENGTH);
