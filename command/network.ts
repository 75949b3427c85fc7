/** The options of commands that send requests to a server: the proxy, and how much of a response is read. */
import process from 'node:process';
import type { Command } from 'commander';
import { MAX_BODY_BYTES } from '../audit/session/client.ts';
import { ProxyError, proxyFor } from '../audit/session/proxy.ts';
import type { Proxy } from '../audit/session/proxy.ts';
import { orUsageError } from './judging.ts';
import { numberOption } from './options.ts';

export interface NetworkOptions {
  readonly proxy?: string;
  /** In MB. */
  readonly maxBody: number;
}

const MAX_BODY_MB = 1000;

/** Adds the options of a command that sends requests to a server. */
export const withNetwork = (command: Command): Command =>
  command
    .option(
      '--proxy <url>',
      'HTTP proxy, such as http://proxy.example:3128 (default: as curl, from https_proxy and so on)',
    )
    .addOption(
      numberOption('--max-body <size>', 'largest body of a response to read, in MB', MAX_BODY_MB, 'megabytes').default(
        MAX_BODY_BYTES / MB,
      ),
    );
const MB = 1e6;

/** @returns how requests are sent. @throws UsageError if the proxy of one of the URLs is no address of one. */
export function networkOf({ proxy, maxBody }: NetworkOptions, urls: readonly string[]): Network {
  const proxyOf = (url: string): Proxy | undefined =>
    orUsageError(ProxyError, '', () => proxyFor(url, process.env, proxy));
  for (const url of urls) proxyOf(url);
  return { proxyOf, maxBodyBytes: maxBody * MB };
}
export interface Network {
  readonly proxyOf: (url: string) => Proxy | undefined;
  readonly maxBodyBytes: number;
}

/** @returns how the proxy of a URL is told. */
export const proxyText = (proxy: Proxy | undefined): string =>
  proxy === undefined ? '' : `, through the proxy ${proxy.url.origin}`;
