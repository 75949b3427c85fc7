/**
 * What console and reference weigh, and when they show something on a slow phone: fresh loads by Chromium with the figures of
 * Lighthouse's slow 4G, put on every request, and a processor four times as slow. Bytes and files have bounds, because a busy
 * machine changes neither; the times are printed.
 */
import { get } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { errors } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browsers.ts';
import { openFolder } from '../support/cli.ts';
import { startDemo } from '../support/demo.ts';
import { median } from './rows.ts';

const LOADS = 5;
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
/** The pages, how many files one may load, and how many bytes they may have together, gzipped. */
const PAGES = [
  { name: 'console', path: '/', maxFiles: 4, maxBytes: 60_000 },
  { name: 'reference', path: '/docs', maxFiles: 3, maxBytes: 40_000 },
] as const;

interface Load {
  readonly paintMs: number;
  readonly largestPaintMs: number;
  readonly urls: readonly string[];
}

/** Loads a page as somebody does who has never been there. */
async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const urls: string[] = [];
  page.on('requestfinished', (it) => {
    if (it.url().startsWith('http')) urls.push(it.url());
  });
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(`new PerformanceObserver((list) => { globalThis.largest = list.getEntries().at(-1).startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true })`);
  await page.goto(url, { waitUntil: 'networkidle' });
  const [paintMs, largestPaintMs] = await paintsOf(page);
  await context.close();
  return { paintMs, largestPaintMs, urls };
}

/** Waits until a page has been painted, which may be after its last request. @throws {errors.TimeoutError} */
async function paintsOf(page: Page): Promise<readonly [first: number, largest: number]> {
  // Not by `waitForFunction`, which evaluates again in the page: its policy forbids that.
  for (let tries = 0; tries < 300; tries += 1) {
    const paints = await page.evaluate<[number, number] | undefined>(
      "globalThis.largest && [performance.getEntriesByName('first-contentful-paint')[0].startTime, largest]",
    );
    if (paints !== undefined) return paints;
    await setTimeout(100);
  }
  throw new errors.TimeoutError('The page was not painted.');
}

async function loadOften(browser: Browser, url: string): Promise<readonly Load[]> {
  const loads: Load[] = [];
  for (let tries = 0; loads.length < LOADS && tries < 2 * LOADS; tries += 1) {
    try {
      loads.push(await load(browser, url));
    } catch (error) {
      // On a machine that is busy Chromium may paint nothing at all of a page that nobody looks at.
      if (!(error instanceof errors.TimeoutError)) throw error;
    }
  }
  return loads;
}

/** How many bytes the body of an answer has on its way. */
const weigh = (url: string, encoding: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { accept: 'text/html,*/*', 'accept-encoding': encoding } }, (res) => {
      if (res.statusCode !== 200 || res.headers['content-encoding'] !== encoding) {
        reject(new Error(`${url}: ${String(res.statusCode)}, ${String(res.headers['content-encoding'])}`));
      }
      let bytes = 0;
      res.on('data', (part: Buffer) => (bytes += part.length));
      res.once('end', () => {
        resolve(bytes);
      });
    }).once('error', reject);
  });
const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;
const ms = (time: number): string => `${time.toFixed(0)} ms`;

const folder = openFolder();
const browser = await launchChromium();
try {
  const { url } = await startDemo(folder);
  const rows = [['page', 'files', 'gzip', 'br', 'first paint', 'largest paint']];
  const broken: string[] = [];
  for (const { name, path, maxFiles, maxBytes } of PAGES) {
    const loads = await loadOften(browser, url + path);
    if (loads.length < LOADS) throw new Error(`${name}: Chromium has painted it ${String(loads.length)} times only.`);
    const files = [...new Set(loads.flatMap((it) => it.urls))];
    const total = async (encoding: string): Promise<number> =>
      (await Promise.all(files.map((it) => weigh(it, encoding)))).reduce((sum, it) => sum + it, 0);
    const [gzip, br] = [await total('gzip'), await total('br')];
    const paintMs = median(loads.map((it) => it.paintMs));
    const largestPaintMs = median(loads.map((it) => it.largestPaintMs));
    rows.push([name, String(files.length), kb(gzip), kb(br), ms(paintMs), ms(largestPaintMs)]);
    if (gzip > maxBytes) broken.push(`${name}: ${kb(gzip)} gzipped; at most ${kb(maxBytes)}`);
    if (files.length > maxFiles) broken.push(`${name}: ${String(files.length)} files; at most ${String(maxFiles)}`);
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((it) => it[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((it, column) => it.padEnd(widths[column] ?? 0)).join('  '));
  process.stdout.write(
    `${lines.join('\n')}\n\nMedians of ${String(LOADS)} fresh loads, 150 ms a request, 1.6 Mbit/s, 4 x CPU slowdown\n` +
      `Chromium ${browser.version()}, Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown processor'}\n`,
  );
  for (const it of broken) process.stderr.write(`${it}\n`);
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  folder.remove();
}
