/** The log of a server on standard error, as its setting says. */
import process from 'node:process';
import type { LogFormat } from '../observe/log.ts';
import { openLogOutput } from './log-output.ts';
import type { LogOutput } from './log-output.ts';
import type { Settings } from './settings.ts';

export interface StandardLog {
  /** Whether requests are logged, and how. */
  readonly requests: LogFormat | 'off';
  /** Of what is logged in every case. */
  readonly format: LogFormat;
  readonly output: LogOutput;
}

export async function openStandardLog({ log }: Pick<Settings, 'log'>): Promise<StandardLog> {
  const { droppedLine } = await import('../observe/log.ts');
  // Whoever sits before a terminal wants to see the requests. A service's proxy has a log of them, and here each line costs.
  const requests = log ?? (process.stderr.isTTY ? 'text' : 'off');
  const format = requests === 'off' ? 'json' : requests;
  return { requests, format, output: openLogOutput(process.stderr.fd, (count) => droppedLine(format, count)) };
}
