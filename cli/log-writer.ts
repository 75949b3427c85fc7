/**
 * Writes the log of a server to standard error, in the format that its setting names. One write has all lines of one turn of the event
 * loop. The server never waits for the log: lines that cannot be written yet are buffered up to a limit, and lines beyond the limit are
 * dropped and counted. Logging libraries either block the server when the log is not read, or keep the process from ending.
 */
import { writeSync } from 'node:fs';
import process from 'node:process';
import type { LogFormat } from '../server/observe/log.ts';
import { formatMessages } from '../command/output.ts';
import { printable } from '../audit/rules/text.ts';
import type { Settings } from './settings.ts';

/** The number that lines of the log have for the primary process, which starts the workers. */
export const PRIMARY = 0;

export interface StandardLog {
  /** The format of lines about requests, or `off` if requests are not logged. */
  readonly requests: LogFormat | 'off';
  /** The format of lines that are always logged. */
  readonly format: LogFormat;
  readonly output: LogOutput;
  /** Adds a worker's number to a line from or about it. If requests are not logged as JSON, the line is unchanged. */
  readonly numbered: (line: string, worker: number) => string;
}

/** @param number the number of this process, if it writes the lines of several processes. */
export async function openStandardLog({ log }: Pick<Settings, 'log'>, number?: number): Promise<StandardLog> {
  const { droppedLine, numberedLine } = await import('../server/observe/log.ts');
  // Requests are logged by default on a terminal only. The proxy of a service logs them already, and each line costs CPU here.
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
 * If the log is JSON, writes messages for users as JSON lines too: a program that reads the log could not parse other lines.
 * @param number the number of this process, if it writes the lines of several processes.
 */
export async function logMessages({ log }: Pick<Settings, 'log'>, number?: number): Promise<void> {
  if (log !== 'json') return;
  const { messageLine, numberedLine } = await import('../server/observe/log.ts');
  formatMessages((level, line) => {
    const message = messageLine(level, line);
    return number === undefined ? message : numberedLine(message, number);
  });
}

const MAX_PENDING_BYTES = 1024 * 1024;
const RETRY_MS = 50;
// The pipe or disk is full. There may be room later: writing then continues where it stopped.
const NO_ROOM = ['EAGAIN', 'ENOSPC', 'EDQUOT'];
const END_MS = 1000;
// What `printable` does not change.
const PLAIN = /^(?!\s*::|.*##)[\x20-\x7e]*$/;

export interface LogOutput {
  /** Writes a line, which is passed without its line break. */
  readonly write: (line: string) => void;
  /** Waits up to a second until all lines are written. `write` must not be called afterwards. */
  readonly end: () => Promise<void>;
}

/**
 * @param fd a file or a non-blocking pipe. Node makes the pipe of standard error non-blocking.
 * @param dropped formats the line that reports how many lines were dropped.
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
      rest = Buffer.alloc(0); // For example, the pipe is closed. These lines are lost; the next one may succeed.
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
