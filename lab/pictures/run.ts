/**
 * Draws the pictures of the console and the reference in README and docs: `node lab/pictures/run.ts`, or with another folder as its
 * argument. Equal pages give equal pictures.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser, Page } from 'playwright-core';
import { operationsOf, pathOf } from '../../contract/collections.ts';
import { loadContract } from '../../contract/document.ts';
import { launchChromium } from '../../test/support/browsers.ts';
import { openFolder } from '../../test/support/cli.ts';
import { ROOT } from '../../test/support/project.ts';

const FOLDER = process.argv[2] ?? join(ROOT, 'docs/pictures');
/** The address that a demo has, instead of the free port of this one. */
const ORIGIN = 'http://127.0.0.1:3000';
/** The console shows its end. */
const KEY = `rollcall_${'7c1e'.repeat(10)}`;
/** A minute after the newest of the samples. */
const NOW = '2026-11-18T09:00:00Z';
const SIZES = { 360: 780, 768: 1024, 1280: 800 } as const;
const WIDTHS = [360, 768, 1280] as const;

async function open(
  browser: Browser,
  url: string,
  width: (typeof WIDTHS)[number],
  colorScheme: 'light' | 'dark',
): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width, height: SIZES[width] }, hasTouch: width === 360, isMobile: width === 360, colorScheme },
    ...{ reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' },
  });
  await context.route(`${ORIGIN}/**`, async (route) => {
    await route.fulfill({ response: await route.fetch({ url: route.request().url().replace(ORIGIN, url) }) });
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  return page;
}

/** @returns what the console shows: on a phone a list, and one of its first records where there is room for both. */
async function placesOf(url: string): Promise<Record<(typeof WIDTHS)[number], string>> {
  const list = pathOf('contactImports');
  const response = await fetch(url + list, { headers: { authorization: `Bearer ${KEY}` } });
  const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] }; // By the contract.
  const { path } = loadContract().operation(operationsOf('contactImports').get ?? 'getContactImport');
  const record = path.replace('{id}', data[1]?.id ?? '');
  return { 360: list, 768: record, 1280: record };
}

mkdirSync(FOLDER, { recursive: true });
const folder = openFolder();
const browser = await launchChromium();
try {
  const [line] = await folder.start(['demo', '--port', '0', '--json', '--key', KEY]).printed(/^.*\n/);
  const { url } = JSON.parse(line) as { readonly url: string }; // As the demo prints it.
  const places = await placesOf(url);
  for (const width of WIDTHS) {
    for (const scheme of width === 1280 ? (['light', 'dark'] as const) : (['light'] as const)) {
      const name = `${String(width)}-${scheme}.png`;
      const page = await open(browser, url, width, scheme);
      await page.goto(`${ORIGIN}/#key=${KEY}`);
      await page.locator('tbody tr').first().waitFor();
      await page.goto(`${ORIGIN}/#${places[width]}`);
      await page.locator('h1', { hasText: 'Contact imports' }).waitFor();
      await page
        .locator(width === 360 ? 'tbody tr' : 'pre.json')
        .first()
        .waitFor();
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(FOLDER, `console-${name}`) });
      if (width !== 768) {
        await page.goto(`${ORIGIN}/docs`, { waitUntil: 'networkidle' });
        await page.screenshot({ path: join(FOLDER, `reference-${name}`) });
      }
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  folder.remove();
}
