/** Pages in a real browser, for a test: on a server of its own, and watched for what must not happen. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { automation, startRollcall } from '../../server/testing/index.ts';
import type { Records, TestServer } from '../../server/testing/index.ts';
import { afterTest } from '../support/after-test.ts';
import { launchChromium } from '../support/chromium.ts';
import { series } from '../support/series.ts';

export const UNKNOWN = '00000000-0000-4000-8000-000000000000';
export const NAMES = Array.from({ length: 12 }, (_, at) => `Automation ${String(at + 1)}`);
/** @returns an automation of each name, the newest first. */
export const twelve = (): ReturnType<typeof automation>[] => {
  let at = 0;
  return series(NAMES.length, (it) => automation({ ...it, name: NAMES[at++] ?? '' }));
};

/** Whatever a page of the test has done that it must not. */
const faults: string[] = [];
/** @returns what must not have happened so far, for a test that it is found; and forgets it. */
export const takeFaults = (): string[] => faults.splice(0);

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
afterEach(() => {
  expect(takeFaults()).toEqual([]);
});

// Chromium says so of every answer from 400 on, and of every connection that is cut.
const EXPECTED = /^Failed to load resource: (the server responded with a status of [45]|net::)/;

/** @returns a page of a person of their own, watched: what its policy blocks, what it throws, and what it asks of others than these. */
export async function newPage(origins: string | readonly string[], options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    ...{ locale: 'en-US', timezoneId: 'Europe/Berlin', viewport: { width: 1280, height: 844 } },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  afterTest(() => context.close());
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  // Chromium reports what a Content-Security-Policy blocks as errors of the console.
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && ![origins].flat().includes(new URL(request.url()).origin))
      faults.push(request.url());
  });
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (it) => console.error('Policy:', it.violatedDirective, it.blockedURI))",
  );
  return page;
}

export async function startServer(records: Records = {}): Promise<TestServer> {
  const server = await startRollcall(records);
  afterTest(async () => {
    await server.close();
    expect(server.errors).toEqual([]);
  });
  return server;
}

/** How many requests of the API a server has had. */
export const asked = (server: TestServer): number => server.requests.filter((it) => it.operation !== undefined).length;
export const hashOf = (page: Page): string => new URL(page.url()).hash;
export const background = (page: Page): Promise<unknown> =>
  page.evaluate('getComputedStyle(document.body).backgroundColor');

/** Tests that nothing scrolls sideways, at every width. */
export async function expectToFit(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
  }
}

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Tests that axe finds nothing in a page as it is, which ignores its policy for that: on a phone and not, light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map((it) => [it.id, it.nodes.map((of) => of.html)]))',
      );
      expect({ width, colorScheme, violations }).toEqual({ width, colorScheme, violations: [] });
    }
  }
}
