/** Proxies as `docs/proxies.md` has them, in front of a server with records, and of one that is stopped: `npm run proxies`. */
import { freePort } from '../../server/http/listener.ts';
import { openFolder } from '../../test/support/cli.ts';
import { importSamples } from '../../test/support/samples.ts';
import { assertConforms, assertPages, assertUnavailable } from './checks.ts';
import { DOCS, HOST, PROXIES, makeCertificate } from './configurations.ts';
import { startProxy } from './proxy.ts';

/** The option by which the server knows its address, as the page has it. */
const [PUBLIC_URL] = /--public-url https:\/\/api\.example\.com\/rollcall/.exec(DOCS) ?? [];
if (PUBLIC_URL === undefined) throw new Error('docs/proxies.md must name --public-url.');

const folder = openFolder();
try {
  await importSamples(folder, 'acme');
  const apiKey = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const made = makeCertificate(folder);
  for (const [name, prepare] of Object.entries(PROXIES)) {
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
