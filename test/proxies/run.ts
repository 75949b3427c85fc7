/** Proxies as `docs/proxies.md` has them, in front of a server with records, and of one that is stopped: `npm run test:e2e -- proxies`. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../server/http/listener.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';
import { importSamples } from '../support/samples.ts';
import { assertConforms, assertPages, assertUnavailable } from './checks.ts';
import { startProxy } from './proxy.ts';

const DOCS = readFileSync(fileURLToPath(new URL('../../docs/proxies.md', import.meta.url)), 'utf8');
const HOST = 'localhost';
/** The option by which the server knows its address, as the page has it. */
const [PUBLIC_URL] = /--public-url https:\/\/api\.example\.com\/rollcall/.exec(DOCS) ?? [];
if (PUBLIC_URL === undefined) throw new Error('docs/proxies.md must name --public-url.');

/** @returns the only block of the page in this language, with each text replaced. @throws Error if one is not there. */
function configuration(language: string, replacements: Readonly<Record<string, string>>): string {
  const [block, ...others] = [...DOCS.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))];
  if (block === undefined || others.length > 0) throw new Error(`docs/proxies.md must have one block of ${language}.`);
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The ${language} block does not have: ${from}`);
    return text.replaceAll(from, to);
  }, block[1] ?? '');
}

interface Proxy {
  readonly name: string;
  /** @returns the command that runs it, its configuration written to the folder. */
  readonly prepare: (folder: Folder, server: string, port: number, certificate: Certificate) => readonly string[];
}
interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    prepare: (folder, server, port, { certificate, key }) => {
      const site = configuration('nginx', {
        '127.0.0.1:3000': server,
        'listen 443 ssl': `listen 127.0.0.1:${String(port)} ssl`,
        'server_name api.example.com': `server_name ${HOST}`,
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
  },
  {
    name: 'caddy',
    prepare: (folder, server, port, { certificate, key }) => {
      const site = configuration('caddy', {
        '127.0.0.1:3000': server,
        'api.example.com {': `https://${HOST}:${String(port)} {\ntls ${certificate} ${key}`,
      });
      const file = folder.path('Caddyfile');
      writeFileSync(file, `{\nadmin off\nauto_https disable_redirects\n}\n${site}`);
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
    },
  },
];

/** A certificate that signs itself, for the name of this machine. */
function makeCertificate(folder: Folder): Certificate {
  const [certificate, key] = [folder.path('certificate.pem'), folder.path('key.pem')];
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', ...options, ...subject], { stdio: 'pipe' });
  return { certificate, key };
}

const folder = openFolder();
try {
  await importSamples(folder, 'acme');
  const apiKey = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const made = makeCertificate(folder);
  for (const { name, prepare } of PROXIES) {
    const port = await freePort({ host: '127.0.0.1', port: 0 });
    const through = { url: `https://${HOST}:${String(port)}/rollcall`, certificate: made.certificate };
    const server = await folder.serve(PUBLIC_URL.replace('https://api.example.com/rollcall', through.url).split(' '));
    const proxy = await startProxy(name, prepare(folder, new URL(server.url).host, port, made), port);
    try {
      await assertConforms(folder, through, apiKey);
      await assertPages(through);
      server.process.kill();
      await server.ended;
      await assertUnavailable(through);
      process.stdout.write(
        `${name}: the contract holds, the pages are whole, and a server that is stopped is a 503 of the contract.\n`,
      );
    } finally {
      await proxy.stop();
    }
  }
} finally {
  folder.remove();
}
