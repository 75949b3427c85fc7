/** The client's bundle in a real browser: a page that lists automations, and pages on and back. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startPrefixProxy } from '../support/prefix-proxy.ts';
import { NAMES, newPage, startServer, twelve } from './pages.ts';

/** @returns the page, of one origin with the API, as behind anybody's gateway. */
async function open(key?: string): Promise<Page> {
  const server = await startServer({ automations: twelve() });
  const origin = await startPrefixProxy('/api', server.url);
  const page = await newPage(origin);
  for (const [path, file] of [
    ['/', 'page.html'],
    ['/rollcall-client.min.js', '../../client/bundle/rollcall-client.min.js'],
  ] as const) {
    await page.route(origin + path, (route) => route.fulfill({ path: fileURLToPath(new URL(file, import.meta.url)) }));
  }
  await page.goto(`${origin}/#${key ?? server.apiKey}`);
  return page;
}

test('lists automations, and pages on and back', async () => {
  const page = await open();
  for (const [button, from, to] of [
    [undefined, 0, 5],
    ['older', 5, 10],
    ['older', 10, 12],
    ['newer', 5, 10],
    ['newer', 0, 5],
  ] as const) {
    if (button !== undefined) await page.locator(`#${button}`).click();
    // A text would also match the name that begins with this one: `Automation 10` is on the page before.
    await page.locator('#list li', { hasText: new RegExp(`${String(NAMES[from])}\\b`) }).waitFor();
    expect(await page.locator('#list li').allInnerTexts()).toEqual(
      NAMES.slice(from, to).map((it) => expect.stringContaining(it) as unknown),
    );
    expect(await page.locator('#newer').isEnabled()).toBe(from > 0);
    expect(await page.locator('#older').isEnabled()).toBe(to < NAMES.length);
  }
});

test('shows the error of the contract', async () => {
  const page = await open('nonsense');
  await page.getByText('invalid_api_key: This API key is unknown, has been revoked or has expired.').waitFor();
});
