/** Which proxy stands between the command and a server, as curl decides it. */
import { BlockList, isIP } from 'node:net';
import { decoded, isLoopback } from './origin.ts';

/** A proxy that speaks HTTP. */
export interface Proxy {
  /** Its address, without a user and a password. */
  readonly url: URL;
  /** `user:password`. */
  readonly auth: string | undefined;
}

/** The address of a proxy is wrong. The message is a clause: what it must be. */
export class ProxyError extends Error {}

type Env = Readonly<Record<string, string | undefined>>;

// As curl has it.
const DEFAULT_PORT = '1080';

/**
 * @param env `http_proxy` (lower case alone: a CGI server sets HTTP_PROXY from a header), `https_proxy`, `HTTPS_PROXY`, `no_proxy`, `NO_PROXY`.
 * @param given a proxy that the user names for this run: it wins, whatever the environment says.
 * @returns the proxy of a URL; `undefined` if there is none. Loopback never has one.
 * @throws ProxyError
 */
export function proxyFor(url: string, env: Env, given?: string): Proxy | undefined {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(url)) return undefined;
  if (given !== undefined) return parseProxy('--proxy', given);
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy'];
  const name = names.find((variable) => (env[variable] ?? '') !== '');
  if (name === undefined || isExcepted(hostname, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return undefined;
  return parseProxy(name, env[name] ?? '');
}

/** @throws ProxyError, without the address: it may hold a password. */
function parseProxy(name: string, text: string): Proxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new ProxyError(`${name} must be the address of an HTTP proxy, such as http://proxy.example:3128`);
  const { username, password } = url;
  const auth = username === '' ? undefined : `${decoded(username)}:${decoded(password)}`;
  // A URL does not show the port 80, which is none that stands there by default here.
  const port = url.port === '' && !/:\d+\/?$/.test(address) ? DEFAULT_PORT : url.port;
  return { url: new URL(`${url.protocol}//${url.hostname}:${port}`), auth };
}

/** @param exceptions names, addresses and networks, separated by commas or spaces. A name stands for all below it; `*` for every host. */
function isExcepted(hostname: string, exceptions: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const version = isIP(host);
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [address = '', bits] = entry.replace(/^\[|\]$/g, '').split('/');
      if (bits !== undefined && version !== 0 && isIP(address) === version) {
        const family = version === 4 ? 'ipv4' : 'ipv6';
        const prefix = Number(bits);
        if (!Number.isInteger(prefix) || prefix < 0 || prefix > (version === 4 ? 32 : 128)) return false;
        const network = new BlockList();
        network.addSubnet(address, prefix, family);
        return network.check(host, family);
      }
      const name = entry.replace(/^\*?\.|\.$/g, '').replace(/^\[|\]$/g, '');
      return host === name || (version === 0 && host.endsWith(`.${name}`));
    });
}

/** @returns the header that the proxy needs, if it has a user. */
export const proxyHeaders = ({ auth }: Proxy): Readonly<Record<string, string>> =>
  auth === undefined ? {} : { 'proxy-authorization': `Basic ${Buffer.from(auth).toString('base64')}` };

/** @returns what no message may show of a proxy. */
export function secretsOfProxy(proxy: Proxy | undefined): readonly string[] {
  if (proxy?.auth === undefined) return [];
  return [proxy.auth, Buffer.from(proxy.auth).toString('base64'), proxy.auth.replace(/^[^:]*:/, '')];
}
