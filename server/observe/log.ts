/** The log: lines about what the server notices, as text for people or as JSON for programs. */
import { joinObservers } from '../http/events.ts';
import type { Events, Lifecycle, Observer, RequestCompleted, RequestRejected } from '../http/events.ts';
import { throttle } from './throttle.ts';
import type { Throttled } from './throttle.ts';

export type LogFormat = 'text' | 'json';

type Kind = Exclude<keyof Events, 'used' | 'read'>;
type Texts = { readonly [K in Kind]: (notice: Events[K]) => readonly string[] };

/**
 * @param hasRequests whether it says what becomes of each request and of the server; faults are always said, and replicas that are left out.
 * @param write takes a line, without its end.
 */
export function createLog(format: LogFormat, hasRequests: boolean, write: (line: string) => void): Observer {
  const lines = format === 'json' ? jsonLine : textLines;
  const of =
    <K extends Kind>(kind: K) =>
    (notice: Events[K]): void => {
      for (const line of lines(kind, notice)) write(line);
    };
  const always = joinObservers([throttle(of('failed')), { replica: of('replica') }]);
  return hasRequests
    ? joinObservers([always, { answered: of('answered'), refused: of('refused'), lifecycle: of('lifecycle') }])
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

function jsonLine<K extends Kind>(event: K, notice: Events[K]): readonly string[] {
  const level = LEVELS[event] ?? 'info';
  const shown =
    'error' in notice
      ? { ...notice, error: describe(notice.error) }
      : 'ms' in notice
        ? { ...notice, ms: Number(notice.ms.toFixed(3)) }
        : notice;
  return [JSON.stringify({ time: new Date().toISOString(), level, event, ...shown })];
}

function textLines<K extends Kind>(kind: K, notice: Events[K]): readonly string[] {
  const [first = '', ...others] = TEXTS[kind](notice);
  return [`${new Date().toISOString()} ${first}`, ...others];
}

const TEXTS: Texts = {
  answered: ({ id, method, path, account, keyId, status, ms, bytes, isRemembered, isComplete }: RequestCompleted) => {
    const words = [method, path, status ?? 'unanswered', `${ms.toFixed(1)} ms`, `${String(bytes)} B`];
    if (account !== undefined && keyId !== undefined) words.push(`account "${account}" key ${keyId}`);
    if (isRemembered) words.push('remembered');
    if (!isComplete) words.push('cut off');
    return [[...words, id ?? ''].join(' ').trimEnd()];
  },
  refused: ({ reason, id, status }: RequestRejected) => [
    ['refused:', reason, status ?? 'unanswered', id ?? ''].join(' ').trimEnd(),
  ],
  failed: ({ error, id, leftOut }: Throttled) => [
    ['failed:', id ?? '', leftOut === undefined ? '' : `(and ${String(leftOut)} like it)`].filter(Boolean).join(' '),
    ...stackOf(error).split('\n'),
  ],
  replica: ({ address, state, reason }: Events['replica']) => [
    state === 'back' ? `replica back: ${address}` : `replica left out: ${address}: ${String(reason)}`,
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
