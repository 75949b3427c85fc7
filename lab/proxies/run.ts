/** Proxies with the configurations of `docs/examples/proxies`, in front of a server with records, and of one that is stopped. */
import { randomInt } from 'node:crypto';
import process from 'node:process';
import { openFolder } from '../../test/support/cli.ts';
import { textOf } from '../../test/support/docs.ts';
import { importSamples } from '../../test/support/samples.ts';
import { assertConforms, assertPages, assertUnavailable, assertUnchanged } from './checks.ts';
import { PROXIES, configurationOf, makeCertificate } from './configurations.ts';
import { startProxy } from './proxy.ts';

process.env['PATH'] = `${process.env['PATH'] ?? ''}:/usr/sbin`; // Where Debian has nginx.

/** The option by which the server knows its address, as the page has it. */
const [PUBLIC_URL] = /--public-url https:\/\/api\.example\.com\/rollcall/.exec(textOf('docs/running.md')) ?? [];
if (PUBLIC_URL === undefined) throw new Error('docs/running.md must name --public-url.');

/** The rules that do not hold behind Apache, as its configuration says. */
const [SKIPPED] = /--skip [a-z_.,]*[a-z]/.exec(configurationOf('apache.conf')) ?? [];
if (SKIPPED === undefined) throw new Error('apache.conf must name --skip.');

const folder = openFolder();
try {
  await importSamples(folder, 'acme');
  const apiKey = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  // No other program uses this address of the loopback interface, so the port is free: these programs cannot take port 0.
  const at = { host: `127.${String(randomInt(1, 256))}.${String(randomInt(256))}.1`, port: 8443 };
  const made = makeCertificate(folder, at.host);
  for (const [name, prepare] of Object.entries(PROXIES)) {
    const through = { url: `https://${at.host}:${String(at.port)}/rollcall`, certificate: made.certificate };
    const server = await folder.serve(PUBLIC_URL.replace('https://api.example.com/rollcall', through.url).split(' '));
    const proxy = await startProxy(prepare(folder, new URL(server.url).host, at, made), at);
    try {
      await assertConforms(folder, through, ['--key', apiKey, ...(name === 'apache' ? SKIPPED.split(' ') : [])]);
      await assertUnchanged(through, apiKey);
      await assertPages(through);
      server.process.kill();
      await server.ended;
      await assertUnavailable(through);
      process.stdout.write(
        `${name}: the contract holds, a compressed page is cached, the pages are whole, and a server that is stopped is a 503 of the contract.\n`,
      );
    } finally {
      await proxy.stop();
    }
  }
} finally {
  folder.remove();
}
