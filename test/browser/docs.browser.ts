/** The reference page in a real browser: nothing from elsewhere, nothing refused by its policy, and a call that works. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { automation, contactImport, startRollcall } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';

let rollcall: TestServer;
let browser: Browser;

beforeAll(async () => {
  rollcall = await startRollcall({
    automations: [automation({ name: 'Birthday wishes' }), automation({ name: 'Farewell', status: 'disabled' })],
    contactImports: [contactImport()],
  });
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
});

afterAll(async () => {
  await browser.close();
  await rollcall.close();
});

/** Everything that must not happen on a page, as it happens. */
function watch(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  // Chromium reports what a Content-Security-Policy refuses, and answers from 400 on, as errors of the console.
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${rollcall.url}/`) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  return faults;
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

test.each([1280, 390])('at %i pixels: reads, takes a key, and calls', async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 844 } });
  const faults = watch(page);

  // As somebody comes who has only the address of the server.
  await page.goto(rollcall.url);
  await page.getByRole('link', { name: 'reference' }).click();
  for (const name of ['Order', 'Paging', 'Limits', 'Errors', 'Stability']) {
    await page.getByRole('heading', { name, exact: true }).waitFor();
  }
  await expect(page.title()).resolves.toMatch(/^Rollcall \d+\.\d+\.\d+$/);
  await expect(page.locator('.opblock-summary-path').allInnerTexts()).resolves.toHaveLength(4);
  await picture(page, `docs-${String(width)}`);

  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByRole('textbox').fill(rollcall.apiKey);
  await page.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close' }).last().click();

  const operation = page.locator('[id$="-listAutomations"]');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('tr[data-param-name="status"] select').selectOption('enabled');
  const answered = page.waitForResponse((it) => new URL(it.url()).pathname === '/automations');
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = await answered;
  expect(answer.url()).toBe(`${rollcall.url}/automations?limit=20&status=enabled`);
  expect(answer.status()).toBe(200);
  const shown = operation.locator('.live-responses-table');
  await shown.getByText('Birthday wishes').waitFor();
  await expect(shown.locator('tbody .response-col_status').first().innerText()).resolves.toMatch(/^200\b/);
  await expect(shown.innerText()).resolves.not.toContain('Farewell');

  await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(width);
  await picture(page, `docs-${String(width)}-called`);
  expect(faults).toEqual([]);
  await page.close();
});

test('a policy that refuses something is noticed', async () => {
  const page = await browser.newPage();
  const faults = watch(page);
  await page.goto(`${rollcall.url}/docs`);
  const told = page.waitForEvent('console');
  await page.evaluate("document.body.append(Object.assign(document.createElement('script'), { text: '1' }))");
  await told;
  expect(faults).toEqual([expect.stringContaining('Content Security Policy')]);
  await expect(page.evaluate('fetch("https://example.invalid/").catch(() => "refused")')).resolves.toBe('refused');
  await page.close();
});
