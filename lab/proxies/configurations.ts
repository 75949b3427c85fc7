/** nginx, Apache and Caddy with the configurations of `docs/examples/proxies`, but with another host name, other ports and a certificate. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Folder } from '../../test/support/cli.ts';
import { textOf } from '../../test/support/docs.ts';
import type { Endpoint } from './proxy.ts';

type Configuration = 'nginx.conf' | 'apache.conf' | 'Caddyfile';
export const configurationOf = (file: Configuration): string => textOf(`docs/examples/proxies/${file}`);

/** @returns a configuration with each string replaced. @throws Error if it does not contain one of them. */
function configuration(file: Configuration, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${file} does not contain: ${from}`);
    return text.replaceAll(from, to);
  }, configurationOf(file));
}

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}
/** @returns the command that runs a proxy before a server, `host:port`, its configuration written to the folder. */
type Prepare = (folder: Folder, server: string, at: Endpoint, certificate: Certificate) => readonly string[];

const APACHE_MODULES = [
  'mpm_event',
  'authz_core',
  'ssl',
  'alias',
  'filter',
  'deflate',
  'headers',
  'unique_id',
  'proxy',
  'proxy_http',
];

export const PROXIES: Readonly<Record<'nginx' | 'apache' | 'caddy', Prepare>> = {
  nginx: (folder, server, { host, port }, { certificate, key }) => {
    const site = configuration('nginx.conf', {
      '127.0.0.1:3000': server,
      'listen 443 ssl': `listen ${host}:${String(port)} ssl`,
      'server_name api.example.com': `server_name ${host}`,
      '/etc/ssl/certs/api.example.com.pem': certificate,
      '/etc/ssl/private/api.example.com.key': key,
    });
    const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((it) => `${it}_temp_path ${folder.path(it)};`)
      .join('\n');
    const file = folder.path('nginx.conf');
    writeFileSync(
      file,
      `daemon off; pid ${folder.path('nginx.pid')}; error_log stderr;
        events {}
        http { access_log off; ${scratch}\n${site} }`,
    );
    return ['nginx', '-p', folder.path('.'), '-c', file];
  },
  apache: (folder, server, { host, port }, { certificate, key }) => {
    const site = configuration('apache.conf', {
      '127.0.0.1:3000': server,
      '*:443': `${host}:${String(port)}`,
      'ServerName api.example.com': `ServerName ${host}`,
      '/etc/ssl/certs/api.example.com.pem': certificate,
      '/etc/ssl/private/api.example.com.key': key,
    });
    const modules = APACHE_MODULES.map((it) => `LoadModule ${it}_module /usr/lib/apache2/modules/mod_${it}.so`);
    const file = folder.path('apache.conf');
    const logs = `PidFile ${folder.path('apache.pid')}\nErrorLog "|/bin/cat"\nMutex file:${folder.path('.')}`;
    writeFileSync(file, `${modules.join('\n')}\nListen ${host}:${String(port)}\n${logs}\n${site}`);
    return ['apache2', '-D', 'FOREGROUND', '-f', file];
  },
  caddy: (folder, server, { host, port }, { certificate, key }) => {
    const site = configuration('Caddyfile', {
      '127.0.0.1:3000': server,
      'api.example.com {': `https://${host}:${String(port)} {\nbind ${host}\ntls ${certificate} ${key}`,
    });
    const file = folder.path('Caddyfile');
    writeFileSync(file, `{\nadmin off\nauto_https disable_redirects\n}\n${site}`);
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
  },
};

/** A certificate that signs itself, for an address. */
export function makeCertificate(folder: Folder, host: string): Certificate {
  const [certificate, key] = [folder.path('certificate.pem'), folder.path('key.pem')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=IP:${host}`];
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', ...options, ...subject], { stdio: 'pipe' });
  return { certificate, key };
}
