/**
 * Where the log goes: standard error, in one write for all lines of a turn of the event loop. Nobody waits for it: what
 * cannot be written for now is kept within a bound, what is beyond that is dropped and counted. A library's destination
 * either blocks the server when nobody reads, or never lets it end.
 */
import { writeSync } from 'node:fs';
import { printable } from './output.ts';

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
