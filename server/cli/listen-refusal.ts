/** What to do about an address that a server cannot listen on. */
import type { Address } from '../http/listener.ts';
import { Refusal } from './refusal.ts';

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
