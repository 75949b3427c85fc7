/**
 * Is the first request as fast as the hundredth? Fresh servers, each asked a hundred times for a page of ten, a connection
 * each. Before its first request the machine has been busy with the start of the server, so the hundredth is asked after
 * an equal pause; without one both caller and server are warm, which is a measure of the machine.
 */
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openFolder } from '../support/cli.ts';
import { median } from './rows.ts';

const SERVERS = 9;
const REQUESTS = 100;
const SAMPLES = fileURLToPath(new URL('../../server/samples/contact-imports.ndjson', import.meta.url));

// Not fetch, whose own first call is slow.
const ask = (url: string, key: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    get(`${url}/contacts/imports`, { agent: false, headers: { authorization: `Bearer ${key}` } }, (res) => {
      if (res.statusCode !== 200) reject(new Error(String(res.statusCode)));
      res.resume().once('end', () => {
        resolve(performance.now() - started);
      });
    }).once('error', reject);
  });

const folder = openFolder();
try {
  await folder.run(['import', 'contact-imports', '--account', 'a'], { input: readFileSync(SAMPLES, 'utf8') });
  const key = (await folder.run(['keys', 'create', '--account', 'a'])).stdout.trim();
  // The client of this measurement is warmed by a server that does not count.
  const firsts: number[] = [];
  const hundredths: number[] = [];
  const warms: number[] = [];
  for (let round = 0; round <= SERVERS; round += 1) {
    const starting = performance.now();
    const { url, process: server, ended } = await folder.serve();
    const pauseMs = performance.now() - starting;
    const times: number[] = [];
    for (let at = 1; at < REQUESTS; at += 1) times.push(await ask(url, key));
    await pause(pauseMs);
    const hundredth = await ask(url, key);
    server.kill('SIGTERM');
    await ended;
    if (round > 0) {
      firsts.push(times[0] ?? NaN);
      hundredths.push(hundredth);
      warms.push(median(times.slice(-20)));
    }
  }
  process.stdout.write(
    `first request ${median(firsts).toFixed(2)} ms, hundredth ${median(hundredths).toFixed(2)} ms, ` +
      `without a pause ${median(warms).toFixed(2)} ms (medians of ${String(SERVERS)} servers)\n` +
      `Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown processor'}\n`,
  );
} finally {
  folder.remove();
}
