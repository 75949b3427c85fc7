/** The reference in a real browser: what is read, found and tried there, and what must not happen. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { parse } from 'yaml';
import { renderReference } from '../../scripts/reference/page.ts';
import { automation, contactImport } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';
import { startPrefixProxy } from '../support/prefix-proxy.ts';
import { newPage, startServer, takeFaults } from './console-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NARROW = { viewport: { width: 390, height: 844 } };

type Options = Parameters<typeof newPage>[1];

/** @returns a server, and its reference. */
async function open(hash = '', options: Options = {}): Promise<{ server: TestServer; page: Page }> {
  const server = await startServer({
    automations: [automation({ name: 'Birthday wishes' }), automation({ name: 'Farewell', status: 'disabled' })],
    contactImports: [contactImport()],
  });
  const page = await newPage(server.url, { reducedMotion: 'reduce', ...options });
  await page.goto(`${server.url}/docs${hash}`);
  return { server, page };
}
const hashOf = (page: Page): string => new URL(page.url()).hash;
const operation = (page: Page, id: string): Locator => page.locator(`section[aria-labelledby="${id}"]`);
const widthOf = (page: Page): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth');

/** Waits until what an address is of stands near the top, below the bar. */
const arrives = (page: Page, id: string): Promise<unknown> =>
  page.waitForFunction(
    `(({ top }) => top >= document.querySelector('.top').offsetHeight && top < innerHeight / 2)(document.getElementById(${JSON.stringify(id)}).getBoundingClientRect())`,
  );

/** Opens the form of an operation, fills it in and sends it. @returns what came of it. */
async function tryIt(page: Page, id: string, fields: Readonly<Record<string, string>>): Promise<Locator> {
  const form = operation(page, id).locator('.try');
  if ((await form.getAttribute('open')) === null) await form.getByText('Try it', { exact: true }).click();
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label, { exact: true });
    if ((await field.locator('xpath=self::select').count()) === 1) await field.selectOption(value);
    else await field.fill(value);
  }
  await form.getByRole('button', { name: 'Send' }).click();
  const result = form.locator('.result');
  await result.locator('strong').waitFor();
  await form.locator('.result:not([aria-busy])').waitFor();
  return result;
}

describe('to read', () => {
  test.each([360, 390, 820, 1100, 1280, 2200])('at %i pixels nothing is beside the page', async (width) => {
    const { server, page } = await open('', { viewport: { width, height: 800 } });
    await page.getByRole('heading', { level: 1, name: 'Rollcall reference' }).waitFor();
    expect(await widthOf(page)).toBe(width);
    expect(await page.title()).toMatch(/^Rollcall \d+\.\d+\.\d+: reference$/);
    expect(await page.locator('dd [data-origin]').innerText()).toBe(server.url);
    // All that can be unfolded, too.
    await page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
    expect(await widthOf(page)).toBe(width);
  });

  test('the first operation is in the first screen', async () => {
    const { page } = await open('', { viewport: { width: 1280, height: 800 } });
    const [first] = await page.locator('.operation h3').all();
    expect((await first?.boundingBox())?.y).toBeLessThan(500);
  });

  test('every link of the navigation leads to its heading, and shows where one is', async () => {
    const { page } = await open('', { reducedMotion: 'no-preference' });
    const links = await page.getByRole('navigation').getByRole('link').all();
    expect(links.length).toBeGreaterThan(14);
    for (const link of links) {
      await link.click();
      await arrives(page, hashOf(page).slice(1));
      expect(await link.getAttribute('href')).toBe(hashOf(page));
    }
    // Also back, over chapters that have been laid out meanwhile.
    for (const link of links.toReversed()) {
      await link.click();
      await arrives(page, hashOf(page).slice(1));
    }
    await page.getByRole('navigation').getByRole('link', { name: 'Paging' }).click();
    await page.locator('nav [aria-current]', { hasText: /^Paging$/ }).waitFor();
    expect(await page.locator('nav [aria-current]').count()).toBe(1);
  });

  test('on a phone the menu is over the page, and gone when one has chosen', async () => {
    const { page } = await open('', NARROW);
    const navigation = page.getByRole('navigation');
    expect(await navigation.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await navigation.getByRole('link', { name: 'Stability' }).click();
    await arrives(page, 'stability');
    expect(await navigation.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.keyboard.press('Escape');
    expect(await navigation.isVisible()).toBe(false);
  });

  test.each(['stability', 'error-not_found', 'header-Vary', 'schema-ContactImportStatus', 'schema-Timestamp'])(
    'who comes to #%s is there at once',
    async (id) => {
      const { page } = await open(`#${id}`);
      await arrives(page, id);
    },
  );

  test('an address unfolds what it is of', async () => {
    const { page } = await open('#listAutomations-503');
    await arrives(page, 'listAutomations-503');
    expect(await page.locator('#listAutomations-503').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'validation_error' }).first().click();
    await arrives(page, 'error-validation_error');
  });

  test('a language that is chosen once is chosen everywhere, also the next time', async () => {
    const { page } = await open();
    const code = (id: string): Promise<string> => operation(page, id).locator('.languages .code:visible').innerText();
    expect(await code('listAutomations')).toMatch(/^curl /);
    await operation(page, 'listAutomations').getByText('Python', { exact: true }).click();
    for (const id of ['listAutomations', 'getContactImport']) expect(await code(id)).toMatch(/^import json\n/);
    // By keyboard the tabs are what they are: radio buttons.
    await page.keyboard.press('ArrowLeft');
    expect(await code('listContactImports')).toContain('client.contactImports.list({ limit: 2 })');
    await page.reload();
    expect(await code('getContactImport')).toContain('client.contactImports.get(');
  });

  test('answers by status, with the examples that the operation can have', async () => {
    const { page } = await open();
    const answers = (id: string): Promise<string> =>
      operation(page, id).locator('.statuses .panel:visible').innerText();
    for (const id of ['listAutomations', 'getContactImport']) {
      await operation(page, id).locator('.statuses > label', { hasText: '404' }).click();
    }
    expect(await answers('listAutomations')).toContain('There is no item with the id given as `after`.');
    expect(await answers('listAutomations')).not.toContain('There is no contact import');
    expect(await answers('getContactImport')).toContain('There is no contact import with this `id`.');
    expect(await answers('getContactImport')).not.toContain('`after`');
  });

  test('code is copied as it stands', async () => {
    const { server, page } = await open();
    await operation(page, 'listAutomations').locator('.languages').getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl "${server.url}/automations?limit=1&status=enabled" \\\n  -H "Authorization: Bearer $ROLLCALL_API_KEY"`,
    );
  });

  test('where there is no code, there is nothing to copy', async () => {
    const { page } = await open();
    const answers = operation(page, 'listAutomations').locator('.statuses');
    expect(await answers.getByRole('button', { name: 'Copy' }).isVisible()).toBe(true);
    await answers.locator('label', { hasText: '304' }).click();
    expect(await answers.locator('.panel:visible').innerText()).toContain('It has no body.');
    expect(await answers.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false);
  });

  test('light and dark: as the system has it, or as one chooses, for good', async () => {
    const { page } = await open('', { colorScheme: 'dark' });
    const background = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await background();
    await page.getByRole('button', { name: 'Light' }).click();
    const light = await background();
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await background()).toBe(light);
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await background()).toBe(dark);
  });

  test('without JavaScript all of it is there, but for what needs it', async () => {
    const { page } = await open('#listAutomations-404', { javaScriptEnabled: false });
    expect(await page.locator('#listAutomations-404').isVisible()).toBe(true);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.getByText('Try it', { exact: true }).first().isVisible()).toBe(false);
    const code = operation(page, 'listAutomations').locator('.languages .code:visible');
    expect(await code.innerText()).toMatch(/^curl "http:\/\/localhost:3000\/automations\?/);
    await operation(page, 'listAutomations').getByText('Python', { exact: true }).click();
    expect(await code.innerText()).toMatch(/^import json[^]+"http:\/\/localhost:3000\/automations\?/);
    await page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click();
    expect(hashOf(page)).toBe('#errors');
  });

  test('without JavaScript the menu opens on a phone', async () => {
    const { page } = await open('', { ...NARROW, javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).click();
    expect(hashOf(page)).toBe('#keys');
  });

  test('on paper there are words and examples alone', async () => {
    const { page } = await open();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.getByText('Try it', { exact: true }).first().isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'Paging' }).isVisible()).toBe(true);
  });
});

describe('search', () => {
  const options = (page: Page): Promise<string[]> =>
    page.getByRole('listbox', { name: 'Found' }).getByRole('option').allInnerTexts();

  test.each([
    ['retrieve', /^Retrieve a contact import\s+GET \/contacts\/imports\/\{id\}$/],
    ['listAutomations', /^List automations\s+GET \/automations$/],
    ['after', /^after\s+parameter of List automations$/],
    ['rate_limit', /^rate_limit_exceeded\s+error 429$/],
    ['etag', /^ETag\s+header$/],
    ['skipped', /^skipped\s+property of ContactImportCounts$/],
    ['conditional', /^Conditional requests\s+guide$/],
    ['semantic version', /^Stability\s+guide$/],
  ])('finds %s', async (query, first) => {
    const { page } = await open();
    await page.getByRole('combobox', { name: 'Search' }).fill(query);
    await page.getByRole('option').first().waitFor();
    expect((await options(page))[0]).toMatch(first);
  });

  test('by keyboard alone', async () => {
    const { page } = await open();
    const input = page.getByRole('combobox', { name: 'Search' });
    await page.keyboard.press('/');
    await page.keyboard.type('limit');
    expect(await input.inputValue()).toBe('limit');
    const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
    expect(await chosen.innerText()).toMatch(/parameter of List automations$/);
    await page.keyboard.press('ArrowDown');
    expect(await chosen.innerText()).toMatch(/parameter of List contact imports$/);
    expect(await input.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await chosen.innerText()).toBe((await options(page)).at(-1));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await arrives(page, 'listAutomations-limit');
    expect(hashOf(page)).toBe('#listAutomations-limit');
    expect(await options(page)).toEqual([]);

    await page.keyboard.press('/');
    await page.keyboard.type('zzz');
    await page.getByText('Nothing is found.').waitFor();
    expect(await input.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    expect(hashOf(page)).toBe('#listAutomations-limit');
    await page.keyboard.press('Escape');
    expect(await input.inputValue()).toBe('');
    expect(await page.locator('input:focus').count()).toBe(0);
  });

  test('by a pointer, and a slash in a field is a slash', async () => {
    const { page } = await open('', NARROW);
    await page.getByRole('combobox', { name: 'Search' }).fill('queued/');
    await page.getByText('Nothing is found.').waitFor();
    await page.getByRole('combobox', { name: 'Search' }).fill('Timestamp');
    await page.getByRole('option', { name: 'CompletionTimestamp schema' }).click();
    await arrives(page, 'schema-CompletionTimestamp');
  });
});

describe('try it', () => {
  test('asks for a key once, shows the answer, and shares the key with the console', async () => {
    const { server, page } = await open();
    const result = await tryIt(page, 'listAutomations', {
      'API key': ` ${server.apiKey} `,
      status: 'enabled',
      limit: '1',
    });
    expect(await result.locator('p').innerText()).toMatch(/^200 OK\s+\d+ ms\s+\d+ bytes\s+Open in the console$/);
    const shown = await result.locator('pre').innerText();
    expect(shown).toContain('"name": "Birthday wishes"');
    expect(shown).not.toContain('Farewell');
    expect(server.requests.at(-1)).toMatchObject({
      operation: 'listAutomations',
      query: { limit: '1', status: 'enabled' },
    });
    await result.getByText(/^Headers: \d+$/).click();
    expect(await result.locator('dl').innerText()).toMatch(/x-request-id\s+[0-9a-f-]{36}/);

    const other = await tryIt(page, 'getContactImport', { id: UNKNOWN });
    expect(await other.locator('strong').innerText()).toBe('404 Not Found');
    expect(await other.locator('pre').innerText()).toContain('There is no contact import with this `id`.');
    expect(await operation(page, 'getContactImport').getByLabel('API key').isVisible()).toBe(false);

    expect(await page.evaluate("sessionStorage.getItem('rollcall key /')")).toBe(server.apiKey);
    expect(await page.content()).not.toContain(server.apiKey);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(server.apiKey);
    await result.getByRole('link', { name: 'Open in the console' }).click();
    expect(page.url()).toBe(`${server.url}/#/automations?limit=1&status=enabled`);
  });

  test('shows errors as they are', async () => {
    const { server, page } = await open();
    const none = await tryIt(page, 'listAutomations', {});
    expect(await none.locator('strong').innerText()).toBe('401 Unauthorized');
    expect(await none.locator('pre').innerText()).toContain('missing_api_key');
    const rejected = await tryIt(page, 'listAutomations', { 'API key': 'nonsense' });
    await rejected.getByText('invalid_api_key').waitFor();

    await operation(page, 'listAutomations').getByRole('button', { name: 'Use another' }).click();
    const wrong = await tryIt(page, 'listAutomations', { 'API key': server.apiKey, limit: '101' });
    await wrong.getByText('validation_error').waitFor();
    expect(await wrong.locator('strong').innerText()).toBe('422 Unprocessable Entity');
    expect(await wrong.locator('pre').innerText()).toContain('`limit` must be a whole number from 1 to 100.');
    const right = await tryIt(page, 'listAutomations', { limit: '' });
    await right.getByText('Birthday wishes').waitFor();
    expect(server.requests.at(-1)?.query).toEqual({});
  });

  test('sends headers, and shows an answer without a body', async () => {
    const { server, page } = await open();
    const first = await tryIt(page, 'listContactImports', { 'API key': server.apiKey });
    await first.getByText(/^Headers/).click();
    const etag = await first.locator('dt:text-is("etag") + dd').innerText();
    const again = await tryIt(page, 'listContactImports', { 'If-None-Match': etag, 'X-Request-Id': 'mine' });
    await again.getByText('304 Not Modified').waitFor();
    expect(await again.locator('pre').count()).toBe(0);
    expect(server.requests.at(-1)?.headers['x-request-id']).toBe('mine');
  });

  test('what cannot be sent, and a server that is gone, are said', async () => {
    const { server, page } = await open();
    const unsendable = await tryIt(page, 'listAutomations', { 'API key': 'Schlüssel …' });
    expect(await unsendable.locator('strong').innerText()).toBe('No response');
    server.fail({ disconnect: true }, Infinity); // A browser may ask twice.
    await operation(page, 'listAutomations').getByRole('button', { name: 'Use another' }).click();
    const cut = await tryIt(page, 'listAutomations', { 'API key': server.apiKey });
    await cut.getByText('Failed to fetch').waitFor();
  });

  test('a path without its parameter is not sent', async () => {
    const { server, page } = await open();
    const form = operation(page, 'getContactImport').locator('.try');
    await form.getByText('Try it', { exact: true }).click();
    await form.getByLabel('id', { exact: true }).fill('');
    await form.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator(':focus').getAttribute('name')).toBe('id');
    expect(server.requests.filter((it) => it.operation !== undefined)).toEqual([]);
  });

  test('a record with markup in it is text', async () => {
    const { server, page } = await open();
    const name = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e';
    await server.put('automations', [automation({ name })]);
    const result = await tryIt(page, 'listAutomations', { 'API key': server.apiKey });
    expect(await result.locator('pre').innerText()).toContain('<img src=x onerror=\\"document.title=1\\">');
    expect(await result.locator('img, script').count()).toBe(0);
    expect(await page.title()).toMatch(/^Rollcall/);
  });

  test('behind a prefix that the server knows nothing of', async () => {
    const { url, apiKey } = await startServer({ automations: [automation({ name: 'Behind a prefix' })] });
    const origin = await startPrefixProxy('/deep/rollcall', url);
    const page = await newPage(origin);
    await page.goto(`${origin}/deep/rollcall/docs`);
    const base = `${origin}/deep/rollcall`;
    expect(await page.locator('dd [data-origin]').innerText()).toBe(base);
    expect(await page.locator('main').textContent()).not.toContain('localhost:3000');
    for (const [language, shown] of [
      ['curl', `curl "${base}/automations?`],
      ['TypeScript', `createClient({ baseUrl: '${base}' })`],
      ['Python', `    "${base}/automations?`],
    ] as const) {
      await operation(page, 'listAutomations').getByText(language, { exact: true }).click();
      expect(await operation(page, 'listAutomations').locator('.languages .code:visible').innerText()).toContain(shown);
    }
    const result = await tryIt(page, 'listAutomations', { 'API key': apiKey });
    await result.getByText('Behind a prefix').waitFor();
    await result.getByRole('link', { name: 'Open in the console' }).click();
    expect(page.url()).toBe(`${origin}/deep/rollcall/#/automations`);
    // It has the key, and has come to an end before the server is closed.
    await page.locator('tbody').getByText('Behind a prefix').waitFor();
  });
});

describe('for everybody', () => {
  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('at %i pixels, %s: axe finds nothing', async (width, colorScheme) => {
    const { server, page } = await open('', { viewport: { width, height: 844 }, colorScheme });
    await page.evaluate(AXE);
    const violations = (): Promise<unknown> =>
      page.evaluate(
        'axe.run().then(({ violations }) => violations.map((it) => [it.id, it.nodes.map((of) => of.html)]))',
      );
    expect(await violations()).toEqual([]);
    await page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
    await (
      await tryIt(page, 'listAutomations', { 'API key': server.apiKey, limit: '0' })
    )
      .getByText('validation_error')
      .waitFor();
    for (const name of ['TypeScript', '422']) {
      await operation(page, 'listAutomations').getByText(name, { exact: true }).first().click();
    }
    expect(await violations()).toEqual([]);
    await page.getByRole('combobox', { name: 'Search' }).fill('limit');
    await page.getByRole('option').first().waitFor();
    expect(await violations()).toEqual([]);
  });

  test('the first thing that a keyboard comes to leads past the bar', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  });

  test('what its policy blocks is noticed', async () => {
    const { page } = await open();
    const told = (of: string): Promise<unknown> =>
      page.waitForEvent('console', (it) => it.text().startsWith(`Policy: ${of}`));
    const connection = told('connect-src https://example.invalid/');
    await page.evaluate("fetch('https://example.invalid/').catch(() => undefined)");
    await connection;
    const markup = told('require-trusted-types-for');
    await expect(page.evaluate("document.body.innerHTML = '<b>'")).rejects.toThrow('TrustedHTML');
    await markup;
    expect(takeFaults().filter((it) => it.startsWith('Policy: '))).toHaveLength(2);
  });

  test('a contract with markup in every text has no element more', async () => {
    const { server, page } = await open();
    const count = (): Promise<unknown> =>
      page.evaluate("document.querySelectorAll('img, iframe, body script, b, [onerror]').length");
    expect(await count()).toBe(0);
    const document = JSON.parse(JSON.stringify(parse(readFileSync('openapi.yaml', 'utf8'))), (name, value: unknown) =>
      typeof value === 'string' && !/^(\$ref|type|in|scheme|format|operationId)$/.test(name)
        ? `${value}"'><img src=x onerror=alert(1)><b>`
        : value,
    ) as object;
    await page.route(`${server.url}/docs`, (it) =>
      it.fulfill({ contentType: 'text/html', body: renderReference(document) }),
    );
    await page.goto(`${server.url}/docs`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('<img src=x onerror=alert(1)>');
    expect(await count()).toBe(0);
  });
});
