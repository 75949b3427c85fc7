/** A page on an origin of its own, against a server that the test holds in its hand. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { expect, test as base } from '@playwright/test';
import { automation, contactImport, startRollcall } from 'rollcall/testing';

const test = base.extend({
  rollcall: async ({}, use) => {
    const server = await startRollcall({ automations: [automation({ name: 'Newest' }), automation()] });
    await use(server);
    await server.close();
    expect(server.errors).toEqual([]);
  },
  site: async ({ page }, use) => {
    const html = await readFile(new URL('page.html', import.meta.url));
    const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end(html));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use(({ url, apiKey }, id = '') =>
      page.goto(`http://127.0.0.1:${server.address().port}/#${new URLSearchParams({ url, key: apiKey, id })}`),
    );
    server.closeAllConnections();
    server.close();
  },
});

test('the page shows the records, newest first', async ({ page, site, rollcall }) => {
  await site(rollcall);
  await expect(page.getByRole('listitem')).toHaveText(['Newest', 'Welcome series']);
  expect(rollcall.requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['GET', '/automations', 200],
  ]);
});

test('the page says when to come again', async ({ page, site, rollcall }) => {
  rollcall.fail({ status: 429, retryAfter: 7, operation: 'listAutomations' });
  await site(rollcall);
  await expect(page.getByRole('status')).toHaveText('rate_limit_exceeded: again in 7 s');
});

test('the page follows an import', async ({ page, site, rollcall }) => {
  const { id } = contactImport();
  await rollcall.put('contactImports', [contactImport({ id, status: 'queued' })]);
  rollcall.fail({ delayMs: 20, operation: 'getContactImport' }, Infinity);
  await site(rollcall, id);
  await expect(page.locator('#import')).toHaveText('queued: 0 of 0');
  await rollcall.moveImport(id, { total: 100 });
  await expect(page.locator('#import')).toHaveText('in_progress: 39 of 100');
  await rollcall.moveImport(id);
  await expect(page.locator('#import')).toHaveText('completed: 77 of 100');
});
