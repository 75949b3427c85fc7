/**
 * What the client costs over bare `fetch`: `npm run --prefix lab bench:client`. In CPU time of processes of their own that take
 * turns, so that a busy machine slows both alike. Once over a `fetch` that returns a ready response at once, which shows the
 * client alone, and once over the network.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../client/index.ts';
import { openFolder } from '../../test/support/cli.ts';
import { median } from '../support/measure.ts';

/** How often each is measured. Odd: a median is one of them. */
const ROUNDS = 9;
const REQUESTS = { ready: 8000, network: 2000 } as const;
const WARM_UP = 2000;
const SAMPLES = fileURLToPath(new URL('../../server/samples/contact-imports.ndjson', import.meta.url));

type Transport = keyof typeof REQUESTS;
type Caller = 'fetch' | 'client';
const [first = '', transport, caller, url = '', apiKey = ''] = process.argv.slice(2);
const [sample = ''] = readFileSync(SAMPLES, 'utf8').split('\n');
const { id } = JSON.parse(sample) as { id: string };

if (first === 'child') process.stdout.write(String(await cpuOf(transport as Transport, caller as Caller)));
else await compare();

/** Runs in a process of its own. @returns the CPU time of a request, in µs. */
async function cpuOf(transport: Transport, caller: Caller): Promise<number> {
  const headers = { 'content-type': 'application/json', etag: '"a"' };
  const send =
    transport === 'network'
      ? fetch
      : (_url: string, _init: RequestInit): Promise<Response> => Promise.resolve(new Response(sample, { headers }));
  const client = createClient({ baseUrl: url, apiKey, fetch: send });
  const request = `${url}/contacts/imports/${id}`;
  const bare = async (): Promise<unknown> => {
    const init = { method: 'GET', headers: { authorization: `Bearer ${apiKey}` } };
    return (await send(request, init)).json();
  };
  const ask = caller === 'client' ? (): Promise<unknown> => client.contactImports.get(id) : bare;
  const sendAll = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) await ask();
  };
  await sendAll(WARM_UP);
  const before = process.cpuUsage();
  await sendAll(REQUESTS[transport]);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS[transport];
}

async function compare(): Promise<void> {
  const folder = openFolder();
  try {
    await folder.run(['import', 'contact-imports', '--account', 'a'], { input: sample });
    const key = (await folder.run(['keys', 'create', '--account', 'a'])).stdout.trim();
    // A server that caches nothing: most responses are not asked for twice.
    const server = await folder.serve(['--cache', '0']);
    for (const transport of ['ready', 'network'] as const) {
      const times = { fetch: [] as number[], client: [] as number[] };
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const order = round % 2 === 0 ? (['fetch', 'client'] as const) : (['client', 'fetch'] as const);
        const took = { fetch: NaN, client: NaN };
        for (const caller of order) {
          took[caller] = await inChild([transport, caller, server.url, key]);
          times[caller].push(took[caller]);
        }
        ratios.push(took.client / took.fetch);
      }
      const ratio = median(ratios);
      const us = (it: Caller): string => `${it} ${median(times[it]).toFixed(1)} µs`;
      process.stdout.write(
        `${transport === 'ready' ? 'without the network' : 'over the network'}: ${us('fetch')}, ${us('client')} of CPU a request: ` +
          `${ratio.toFixed(2)} x (median of ${String(ROUNDS)} pairs, ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})\n`,
      );
    }
    process.stdout.write(`Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown'}\n`);
  } finally {
    folder.remove();
  }
}

function inChild(argv: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'child', ...argv], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.once('error', reject);
    child.once('close', (code) => {
      const us = Number(printed);
      if (code === 0 && us > 0) resolve(us);
      else reject(new Error(`The measuring process ended with ${String(code)}: ${printed}`));
    });
  });
}
