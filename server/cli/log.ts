/**
 * The log of a server on standard error, in the format of its setting. All lines of a turn of the event loop are one write. Nothing waits
 * for it: lines that cannot be written yet are buffered up to a limit, and lines beyond it are dropped and counted. The destination of a
 * logging library either blocks the server when nobody reads, or keeps it from ending.
 */
import { writeSync } from 'node:fs';
import process from 'node:process';
import type { LogFormat } from '../observe/log.ts';
import { formatMessages, printable } from './output.ts';
import type { Settings } from './settings.ts';

/** The number of the process that starts workers, in lines of the log. */
export const PRIMARY = 0;

export interface StandardLog {
  /** Whether requests are logged, and how. */
  readonly requests: LogFormat | 'off';
  /** The format of lines that are always logged. */
  readonly format: LogFormat;
  readonly output: LogOutput;
  /** @returns a line from or about a worker: with the number of the worker if requests are logged as JSON, else unchanged. */
  readonly numbered: (line: string, worker: number) => string;
}

/** @param number of this process, if it writes the lines of several. */
export async function openStandardLog({ log }: Pick<Settings, 'log'>, number?: number): Promise<StandardLog> {
  const { droppedLine, numberedLine } = await import('../observe/log.ts');
  // A person at a terminal wants to see requests. The proxy of a service logs them already, and each line costs CPU here.
  const requests = log ?? (process.stderr.isTTY ? 'text' : 'off');
  const format = requests === 'off' ? 'json' : requests;
  const numbered = requests === 'json' ? numberedLine : (line: string): string => line;
  const dropped = (count: number): string => {
    const line = droppedLine(format, count);
    return number === undefined ? line : numbered(line, number);
  };
  return { requests, format, numbered, output: openLogOutput(process.stderr.fd, dropped) };
}

/**
 * Writes messages to people on standard error as lines of the log if that is JSON: a reader of JSON could not parse other lines.
 * @param number of this process, if it writes the lines of several.
 */
export async function logMessages({ log }: Pick<Settings, 'log'>, number?: number): Promise<void> {
  if (log !== 'json') return;
  const { messageLine, numberedLine } = await import('../observe/log.ts');
  formatMessages((level, line) => {
    const message = messageLine(level, line);
    return number === undefined ? message : numberedLine(message, number);
  });
}

const MAX_PENDING_BYTES = 1024 * 1024;
const RETRY_MS = 50;
// A full pipe or disk: there may be room later, and writing continues where it stopped.
const NO_ROOM = ['EAGAIN', 'ENOSPC', 'EDQUOT'];
const END_MS = 1000;
const PLAIN = /^[\x20-\x7e]*$/;

export interface LogOutput {
  /** Takes a line without its line break. */
  readonly write: (line: string) => void;
  /** Writes the rest, for up to a second. No line may be written afterwards. */
  readonly end: () => Promise<void>;
}

/**
 * @param fd a file or a non-blocking pipe, which Node makes of standard error.
 * @param dropped formats the line that says how many lines were dropped.
 */
export function openLogOutput(fd: number, dropped: (count: number) => string): LogOutput {
  let lines = '';
  let rest = Buffer.alloc(0);
  let droppedCount = 0;
  let flushing: NodeJS.Immediate | NodeJS.Timeout | undefined;

  const write = (line: string): void => {
    if (rest.length + lines.length + line.length > MAX_PENDING_BYTES) {
      droppedCount += 1;
      return;
    }
    append(line);
  };
  const append = (line: string): void => {
    lines += `${PLAIN.test(line) ? line : printable(line)}\n`;
    flushing ??= setImmediate(flush);
  };
  const flush = (): void => {
    flushing = undefined;
    if (rest.length === 0) {
      rest = Buffer.from(lines);
      lines = '';
    }
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (typeof error === 'object' && error !== null && 'code' in error && NO_ROOM.includes(String(error.code))) {
        flushing = setTimeout(flush, RETRY_MS).unref();
        return;
      }
      rest = Buffer.alloc(0); // For example a closed pipe: the next line may succeed.
    }
    if (rest.length === 0 && droppedCount > 0) {
      append(dropped(droppedCount)); // Even if the buffer is full: otherwise the count would be lost.
      droppedCount = 0;
    }
    if (rest.length > 0 || lines !== '') flushing ??= setImmediate(flush);
  };
  return {
    write,
    end: async () => {
      const deadline = performance.now() + END_MS;
      while (flushing !== undefined && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    },
  };
}
