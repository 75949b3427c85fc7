/** The log of a server on standard error, as its setting says. */
import { writeSync } from 'node:fs';
import process from 'node:process';
import type { LogFormat } from '../observe/log.ts';
import { formatNotices, printable } from './output.ts';
import type { Settings } from './settings.ts';

/** The number of the process that starts workers, in lines of the log. */
export const FIRST_PROCESS = 0;

export interface StandardLog {
  /** Whether requests are logged, and how. */
  readonly requests: LogFormat | 'off';
  /** Of what is logged in every case. */
  readonly format: LogFormat;
  readonly output: LogOutput;
  /** @returns a line of a worker, or about it, with the number of the worker where the log is asked for as JSON; as it is otherwise. */
  readonly numbered: (line: string, worker: number) => string;
}

/** @param number of this process, if it is one of several whose lines it writes. */
export async function openStandardLog({ log }: Pick<Settings, 'log'>, number?: number): Promise<StandardLog> {
  const { droppedLine, numberedLine } = await import('../observe/log.ts');
  // Whoever sits before a terminal wants to see the requests. A service's proxy has a log of them, and here each line costs.
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
 * Has what this process tells people on standard error written as lines of the log, where that is JSON: who reads it as JSON could read no
 * other line.
 * @param number of this process, if it is one of several whose lines it writes.
 */
export async function tellByLog({ log }: Pick<Settings, 'log'>, number?: number): Promise<void> {
  if (log !== 'json') return;
  const { messageLine, numberedLine } = await import('../observe/log.ts');
  formatNotices((level, line) => {
    const message = messageLine(level, line);
    return number === undefined ? message : numberedLine(message, number);
  });
}

const MAX_PENDING_BYTES = 1024 * 1024;
const RETRY_MS = 50;
// A pipe that is full, or a disk: there may be room later, and then it goes on where it was cut.
const NO_ROOM = ['EAGAIN', 'ENOSPC', 'EDQUOT'];
const END_MS = 1000;
const PLAIN = /^[\x20-\x7e]*$/;

export interface LogOutput {
  /** Takes a line, without its end. */
  readonly write: (line: string) => void;
  /** Writes what is left, as far as somebody reads it within a second. No line may come afterwards. */
  readonly end: () => Promise<void>;
}

/**
 * @param fd a file, or a pipe that does not block, as Node makes that of standard error.
 * @param dropped the line that says how many were dropped.
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
      rest = Buffer.alloc(0); // Such as a pipe that was closed: the next line may fare better.
    }
    if (rest.length === 0 && droppedCount > 0) {
      append(dropped(droppedCount)); // Even where there is no room for more: else the count would be lost.
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
