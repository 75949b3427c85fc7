/** The log of a server on standard error, as its setting says. */
import process from 'node:process';
import type { LogFormat } from '../observe/log.ts';
import { openLogOutput } from './log-output.ts';
import type { LogOutput } from './log-output.ts';
import { formatNotices } from './output.ts';
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
