/** Errors of commands, and errors of files and of listening in words for people. */
import { getSystemErrorMessage } from 'node:util';
import type { Address } from '../http/listener.ts';

export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}

/** Thrown by a command that tests something, where it could not be tested: nothing is known of it. */
export class NotTested extends Refusal {
  override readonly name = 'NotTested';
}

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

/**
 * @param prefix of the flags that say where to listen.
 * @returns a Refusal that says what to do about an error of listening; another error as it is.
 */
export function listenRefusal(error: unknown, { host, port }: Address, prefix: '' | 'admin-'): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new Refusal(
        `Port ${String(port)} on ${host} is taken. Choose another with --${prefix}port N, or any free one with --${prefix}port 0.`,
      );
    case 'EACCES':
      return new Refusal(
        `Port ${String(port)} needs more rights than this user has. Choose one from 1024 with --${prefix}port N.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Refusal(`${host} is not an address of this machine. Choose another with --${prefix}host H.`);
    default:
      return error;
  }
}
