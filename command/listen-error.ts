/** Messages for users about addresses that a server cannot listen on. */
import process from 'node:process';
import { CliError } from './command-errors.ts';
import type { UsageError } from './command-errors.ts';

/** @returns how npm passes a flag to `npm run demo`; without the dashes, npm would take it for its own. */
const npmHint = (flag: string): string =>
  process.env['npm_lifecycle_event'] === 'demo' ? ` With npm: npm run demo -- ${flag}` : '';

/**
 * @param prefix the prefix of the flags `--port` and `--host`.
 * @param Kind the class of the error.
 * @returns an error that suggests a fix for an address that a server cannot listen on; any other error unchanged.
 */
export function listenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  prefix: '' | 'admin-' | 'control-' = '',
  Kind: typeof CliError | typeof UsageError = CliError,
): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new Kind(
        `Port ${String(port)} on ${host} is already in use. Choose another port with --${prefix}port <n>, or a free one with --${prefix}port 0.${npmHint(`--${prefix}port 0`)}`,
      );
    case 'EACCES':
      return new Kind(
        `Permission denied for port ${String(port)}. Choose port 1024 or higher with --${prefix}port <n>.`,
      );
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT': // A system without IPv6.
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Kind(`${host} is not an address of this machine. Choose another address with --${prefix}host <host>.`);
    default:
      return error;
  }
}
