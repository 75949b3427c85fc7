/** The console in a real browser, for a test: opened on a server of its own, and watched for what must not happen. */
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startRollcall } from '../../server/testing/index.ts';
import type { Records, TestServer } from '../../server/testing/index.ts';
import { afterTest } from '../support/after-test.ts';
import { launchChromium } from '../support/chromium.ts';

let browser: Browser;
/** Whatever a page of the test has done that it must not. */
let faults: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
afterEach(() => {
  const seen = faults;
  faults = [];
  expect(seen).toEqual([]);
});

// Chromium says so of every answer from 400 on, and of every connection that is cut.
const EXPECTED = /^Failed to load resource: (the server responded with a status of [45]|net::)/;

/** @returns a page of a person of their own, watched: what its policy blocks, what it throws, and what it asks of others. */
export async function newPage(origin: string, options: BrowserContextOptions = {}): Promise<Page> {
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
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) faults.push(request.url());
  });
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (it) => console.error('Policy:', it.violatedDirective, it.blockedURI))",
  );
  return page;
}

/** @returns what must not have happened so far, for a test that it is noticed; and forgets it. */
export function takeFaults(): string[] {
  const taken = faults;
  faults = [];
  return taken;
}

export async function startServer(records: Records = {}): Promise<TestServer> {
  const server = await startRollcall(records);
  afterTest(async () => {
    await server.close();
    expect(server.errors).toEqual([]);
  });
  return server;
}

/** Pastes a key, and asks for what it opens. */
export async function enter(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Open' }).click();
}

/** @returns a server with records, and the console opened on it with its key. */
export async function openConsole(
  records: Records = {},
  hash = '',
  options: BrowserContextOptions = {},
): Promise<{ server: TestServer; page: Page }> {
  const server = await startServer(records);
  const page = await newPage(server.url, options);
  await page.goto(`${server.url}/${hash}`);
  await enter(page, server.apiKey);
  return { server, page };
}

/** The texts of a column of the table that is shown. */
export const column = (page: Page, name: string): Promise<string[]> =>
  page.locator(`tbody [data-label="${name}"]`).allInnerTexts();

/** Waits until the page is described so. */
export const says = (page: Page, text: string): Promise<void> =>
  page.locator('[role=status]', { hasText: new RegExp(`^\\s*${text}\\s*$`) }).waitFor({ state: 'attached' });

/** What the test has to copy by pressing a button. */
export async function copied(page: Page, group: string, name: string): Promise<string> {
  const button = page.getByRole('group', { name: `Copy the ${group} as` }).getByRole('button', { name });
  await button.click();
  await says(page, `Copied: ${group} as ${name}`);
  return page.evaluate<string>('navigator.clipboard.readText()');
}
