/**
 * Pictures of console and reference, for README and docs: `npm run pictures`, or `npm run pictures -- FOLDER` for another folder.
 * Equal pages give equal pictures.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser, Page } from 'playwright-core';
import { operationsOf, pathOf } from '../../server/contract/collections.ts';
import { loadContract } from '../../server/contract/document.ts';
import { launchChromium } from '../support/browsers.ts';
import { openFolder } from '../support/cli.ts';
import { startDemo } from '../support/demo.ts';
import type { Demo } from '../support/demo.ts';
import { ROOT } from '../support/project.ts';

const FOLDER = process.argv[2] ?? join(ROOT, 'docs/pictures');
/** What the demo has on its own, and what the port of this run must not show in. */
const ORIGIN = 'http://127.0.0.1:3000';
/** A while after the newest of the samples. */
const NOW = '2026-11-18T09:00:00Z';
const SIZES = { 360: 780, 768: 1024, 1280: 800 } as const;
const WIDTHS = [360, 768, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;

async function open(
  browser: Browser,
  { url }: Demo,
  width: keyof typeof SIZES,
  colorScheme: 'light' | 'dark',
): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width, height: SIZES[width] }, colorScheme },
    ...{ reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' },
  });
  await context.route(`${ORIGIN}/**`, async (route) => {
    const target = route.request().url().replace(ORIGIN, url);
    await route.fulfill({ response: await route.fetch({ url: target }) });
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  return page;
}

async function showConsole(page: Page, { key }: Demo, hash: string): Promise<void> {
  await page.goto(`${ORIGIN}/#${hash}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('tbody tr').first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** A list on a phone; and one of its first records, where there is room for both. */
async function placesOf({ url, key }: Demo): Promise<Record<keyof typeof SIZES, string>> {
  const list = pathOf('contactImports');
  const answer = await fetch(url + list, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  const { path } = loadContract().operation(operationsOf('contactImports').get ?? 'getContactImport');
  const record = path.replace('{id}', data[1]?.id ?? '');
  return { 360: list, 768: record, 1280: record };
}

mkdirSync(FOLDER, { recursive: true });
const folder = openFolder();
const browser = await launchChromium();
try {
  const demo = await startDemo(folder);
  const places = await placesOf(demo);
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      const name = `${String(width)}-${scheme}.png`;
      const page = await open(browser, demo, width, scheme);
      await showConsole(page, demo, places[width]);
      await page.screenshot({ path: join(FOLDER, `console-${name}`) });
      await page.goto(`${ORIGIN}/docs`, { waitUntil: 'networkidle' });
      await page.screenshot({ path: join(FOLDER, `reference-${name}`) });
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  folder.remove();
}
