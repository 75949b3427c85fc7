/** Pages in a real browser, for a test: on a server of its own, and watched for what must not happen. */
import { readFileSync } from 'node:fs';
import { afterEach, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { automation, startRollcall } from '../../testkit/index.ts';
import type { Records, TestServer } from '../../testkit/index.ts';
import { afterTest } from '../support/after-test.ts';
import { series } from '../support/series.ts';
import { BROWSER, browserFor } from './browser.ts';

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

afterEach(() => {
  expect(takeFaults()).toEqual([]);
});

// Chromium logs every response from 400 on, and every connection that is cut. Firefox logs a second time, and later, what its page has
// reported as `Policy:`.
const EXPECTED =
  /^Failed to load resource: (the server responded with a status of [45]|net::)|^Content-Security-Policy: /;

/** For what never comes: shorter than the time of a test, so that the message says what was waited for. */
const PATIENCE_MS = 500_000;

/** @returns a page of a person of their own, watched: what its policy blocks, what it throws, and what it asks of others than these. */
export async function newPage(origins: string | readonly string[], options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await browserFor(options);
  const context = await browser.newContext({
    ...{ locale: 'en-US', timezoneId: 'Europe/Berlin', viewport: { width: 1280, height: 844 } },
    // Firefox needs no permission to write, and has none.
    ...(BROWSER === 'chromium' ? { permissions: ['clipboard-write'] } : {}),
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  afterTest(() => context.close());
  const page = await context.newPage();
  const logged = (text: string): void => {
    if (!EXPECTED.test(text)) faults.push(text);
  };
  page.on('pageerror', (error) => {
    logged(String(error));
  });
  // Chromium reports what a Content-Security-Policy blocks as errors of the console.
  page.on('console', (message) => {
    if (message.type() === 'error') logged(message.text());
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && ![origins].flat().includes(new URL(request.url()).origin))
      faults.push(request.url());
  });
  await page.addInitScript(COPIED);
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
/** What the page itself knows: Playwright's `page.url()` is told by an event that a busy machine delivers late. */
export const addressOf = async (page: Page): Promise<URL> => new URL(String(await page.evaluate('location.href')));
export const hashOf = async (page: Page): Promise<string> => (await addressOf(page)).hash;
export const background = (page: Page): Promise<unknown> =>
  page.evaluate('getComputedStyle(document.body).backgroundColor');

/** Tests that nothing scrolls sideways, at every width. */
export async function expectToFit(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    // A bar to scroll downwards takes some of the width in Firefox.
    const sizes = await page.evaluate(
      '(it => [innerWidth, it.scrollWidth - it.clientWidth])(document.documentElement)',
    );
    expect(sizes).toEqual([width, 0]);
  }
}

// No permission lets a page of Firefox read the clipboard.
const COPIED = `if (navigator.clipboard) {
  const write = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = async (text) => { await write(text); globalThis.copied = text; };
}`;
/** @returns the text that the page has written to the clipboard since it was asked last, once there is one. */
export async function takeCopied(page: Page): Promise<string> {
  for (;;) {
    const text = await page.evaluate<string | null>('globalThis.copied ?? null');
    if (text === null) continue;
    await page.evaluate('delete globalThis.copied');
    return text;
  }
}

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Tests that axe finds nothing in a page as it is, which ignores its policy for that: on a phone and not, light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.evaluate(`document.documentElement.dataset.scheme = '${colorScheme}'`);
      const violations = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map((it) => [it.id, it.nodes.map((of) => of.html)]))',
      );
      expect({ width, colorScheme, violations }).toEqual({ width, colorScheme, violations: [] });
    }
  }
}
