/** Errors of commands, and messages for users about errors of files and of the system. */
import process from 'node:process';
import { getSystemErrorMap } from 'node:util';

/** Thrown by a command that cannot do its task. The message is for the user, and suggests a fix. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
}

/** Thrown by a command that tests something and could not test it: the result is unknown. */
export class NotTestedError extends CliError {
  override readonly name = 'NotTestedError';
}

/** Thrown by a command that is used in a wrong way: the message is a clause, which `runProgram` prints with the usage. */
export class UsageError extends Error {}

/** @returns the text of a system error without its code and system call, which do not help the user: `no space left on device`. */
export const wordsOf = ({ errno, message }: NodeJS.ErrnoException): string =>
  (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? message;

/** @returns whether an error comes from the operating system. `instanceof` is not reliable: Node throws instances of its own realm's classes. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  typeof error === 'object' && error !== null && 'syscall' in error;

/**
 * @param done the operation that failed.
 * @returns the reason, as a phrase that follows the file's name: `does not exist`, `cannot be written: its folder does not exist`.
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
      return 'already exists; choose a new file';
    case 'EACCES':
    case 'EPERM':
      return `cannot be ${done}: permission denied`;
    default:
      return `cannot be ${done}: ${wordsOf(error)}`;
  }
}

/** @returns a sentence about a system error that no command handles itself. */
export function systemError(error: NodeJS.ErrnoException): string {
  const on = error.path === undefined ? '' : ` on ${error.path}`;
  return `System call "${String(error.syscall)}"${on} failed: ${wordsOf(error)} (${String(error.code)}).`;
}

/** Whether the user asks for the details of internal errors. */
export const isDebugging = (): boolean => (process.env['ROLLCALL_DEBUG'] ?? '') !== '';

/** @returns the details of an internal error. */
export const stackOf = (error: unknown): readonly string[] =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/\n$/, '').split('\n');
