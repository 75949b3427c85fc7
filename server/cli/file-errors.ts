/** Errors of the operating system in words: its own text names a code and a system call, and neither says what to do. */
import { getSystemErrorMessage } from 'node:util';

/** @returns what went wrong, without the code and the call: `no space left on device`. */
export const wordsOf = ({ errno, message }: NodeJS.ErrnoException): string =>
  (errno !== undefined && errno < 0 ? getSystemErrorMessage(errno) : undefined) ?? message;

/** @returns whether an error is the operating system's. Not by its class: Node throws that of its own realm. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  typeof error === 'object' && error !== null && 'syscall' in error;

/**
 * @param done what was to be done with the file.
 * @returns why that failed, as what follows the file's name: `does not exist`, `cannot be written: its folder does not exist`.
 */
export function fileError(error: unknown, done: 'read' | 'written'): string {
  if (!isSystemError(error)) return `cannot be ${done}: ${error instanceof Error ? error.message : String(error)}`;
  switch (error.code) {
    case 'ENOENT':
      return done === 'read' ? 'does not exist' : 'cannot be written: its folder does not exist';
    case 'ENOTDIR':
      return `cannot be ${done}: a part of its path is not a folder`;
    case 'EISDIR':
      return 'is a directory';
    case 'EEXIST':
      return 'exists already; name a new one';
    case 'EACCES':
    case 'EPERM':
      return `may not be ${done} by this user`;
    default:
      return `cannot be ${done}: ${wordsOf(error)}`;
  }
}

/** @returns a sentence about an error that no command expects. */
export function systemError(error: NodeJS.ErrnoException): string {
  const of = error.path === undefined ? '' : ` of ${error.path}`;
  return `The system did not allow "${String(error.syscall)}"${of}: ${wordsOf(error)} (${String(error.code)}).`;
}
