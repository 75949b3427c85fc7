/** The reference in a real browser: what is read and found there. */
import { expect, test } from '@jest/globals';
import { takeCopied } from './pages.ts';
import {
  WITHOUT_SCRIPTS,
  arrives,
  chooseLanguage,
  codeOf,
  codeShows,
  openReference,
  operation,
} from './reference-page.ts';

const NARROW = { viewport: { width: 390, height: 844 } };

test('every link of the navigation leads to its heading, and shows where one is', async () => {
  const { page, hash } = await openReference('', { reducedMotion: 'no-preference' });
  const links = await page.getByRole('navigation').getByRole('link').all();
  expect(links.length).toBeGreaterThan(14);
  // Also back, over chapters that have been laid out meanwhile.
  for (const link of [...links, ...links.toReversed()]) {
    await link.click();
    const target = (await link.getAttribute('href')) ?? '';
    await arrives(page, target.slice(1));
    expect(await hash()).toBe(target);
  }
  await page.getByRole('navigation').getByRole('link', { name: 'Pagination' }).click();
  await page.locator('nav [aria-current]', { hasText: /^Pagination$/ }).waitFor();
  expect(await page.locator('nav [aria-current]').count()).toBe(1);
});

test('on a phone the menu is over the page, and gone when one has chosen', async () => {
  const { page } = await openReference('', NARROW);
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

test('who comes to an address is there at once, and what it is of is unfolded', async () => {
  const ids = ['stability', 'error-not_found', 'header-ETag', 'schema-ContactImportStatus', 'schema-Timestamp'];
  const { server, page } = await openReference();
  for (const id of [...ids, 'listAutomations-503']) {
    await page.goto('about:blank');
    await page.goto(`${server.url}/docs#${id}`);
    await arrives(page, id);
    expect(await page.locator(`#${id}`).isVisible()).toBe(true);
  }
  await page.getByRole('link', { name: 'validation_error' }).first().click();
  await arrives(page, 'error-validation_error');
});

test('a language that is chosen once is chosen everywhere, also the next time', async () => {
  const { page } = await openReference();
  expect(await codeOf(page, 'listAutomations')).toMatch(/^curl /);
  await chooseLanguage(page, 'listAutomations', 'Python');
  for (const id of ['listAutomations', 'getContactImport']) await codeShows(page, id, /^import json/);
  // By keyboard the tabs are what they are: radio buttons.
  await page.keyboard.press('ArrowLeft');
  await codeShows(page, 'listContactImports', 'client.contactImports.list({ limit: 2 })');
  await page.reload();
  await codeShows(page, 'getContactImport', 'client.contactImports.get(');
});

test('responses by status, with the examples that the operation can have', async () => {
  const { page } = await openReference();
  for (const [id, own, other] of [
    ['listAutomations', 'There is no item with the id in `after`.', 'There is no contact import'],
    ['getContactImport', 'There is no contact import with this `id`.', '`after`'],
  ] as const) {
    const statuses = operation(page, id).locator('.statuses');
    await statuses.locator('> label', { hasText: '404' }).click();
    const shown = await statuses.locator('.panel:visible').innerText();
    expect(shown).toContain(own);
    expect(shown).not.toContain(other);
  }
});

test('code is copied as it stands; where there is none, there is nothing to copy', async () => {
  const { server, page } = await openReference();
  const listing = operation(page, 'listAutomations');
  await listing.locator('.languages').getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied').waitFor();
  expect(await takeCopied(page)).toBe(
    `curl "${server.url}/automations?limit=1&status=enabled" \\\n  -H "Authorization: Bearer $ROLLCALL_API_KEY"`,
  );
  const responses = listing.locator('.statuses');
  expect(await responses.getByRole('button', { name: 'Copy' }).isVisible()).toBe(true);
  await responses.locator('label', { hasText: '304' }).click();
  expect(await responses.locator('.panel:visible').innerText()).toContain('It has no body.');
  expect(await responses.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false);
});

test('search finds parts of every kind, the nearest first', async () => {
  const { page } = await openReference();
  for (const [query, first] of [
    ['retrieve', /^Retrieve a contact import\s+GET \/contacts\/imports\/\{id\}$/],
    ['listAutomations', /^List automations\s+GET \/automations$/],
    ['after', /^after\s+parameter of List automations$/],
    ['rate_limit', /^rate_limit_exceeded\s+error 429$/],
    ['etag', /^ETag\s+header$/],
    ['skipped', /^skipped\s+property of ContactImportCounts$/],
    ['conditional', /^Conditional requests\s+guide$/],
    ['semantic version', /^Stability\s+guide$/],
  ] as const) {
    await page.getByRole('combobox', { name: 'Search' }).fill(query);
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').first().innerText()).toMatch(first);
  }
});

/** What people type, and the section that it leads to first. */
const SEARCHES = [
  ['pagination', 'pagination'],
  ['next page', 'get-the-next-page'],
  ['cursor', 'pagination'],
  ['authentication', 'authentication'],
  ['api key', 'authentication'],
  ['login', 'authentication'],
  ['bearer token', 'authentication'],
  ['sort', 'sorting'],
  ['order', 'sorting'],
  ['rate limit', 'rate-limits'],
  ['throttling', 'rate-limits'],
  ['polling', 'conditional-requests'],
  ['caching', 'conditional-requests'],
  ['webhooks', 'conditional-requests'],
  ['timezone', 'schema-Timestamp'],
  ['date', 'schema-Timestamp'],
  ['uuid', 'schema-Id'],
  ['cors', 'cors'],
  ['request id', 'header-X-Request-Id'],
  ['curl', 'send-a-request'],
  ['golang', 'send-a-request'],
  ['getting started', 'quick-start'],
  ['error codes', 'errors'],
  ['404', 'error-not_found'],
  ['versioning', 'stability'],
  ['changelog', 'changelog'],
  ['release notes', 'changelog'],
] as const;

test('search finds what people type', async () => {
  const { page, hash } = await openReference();
  const found: string[][] = [];
  for (const [query] of SEARCHES) {
    await page.getByRole('combobox', { name: 'Search' }).fill(query);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    found.push([query, (await hash()).slice(1)]);
  }
  expect(SEARCHES.length).toBeGreaterThanOrEqual(25);
  expect(found).toEqual(SEARCHES);
});

test('the page is copied as Markdown, with the address of this server', async () => {
  const { server, page } = await openReference();
  await page.getByRole('button', { name: 'Copy page as Markdown' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  const copied = await takeCopied(page);
  const markdown = await (await fetch(`${server.url}/docs.md`)).text();
  expect(copied).toBe(markdown.replaceAll('http://localhost:3000', server.url));
  expect(copied).toContain(`curl "${server.url}/automations?`);
});

test('nested schemas open in place', async () => {
  const { page } = await openReference('', { javaScriptEnabled: false });
  const response = operation(page, 'listContactImports').locator('#listContactImports-200 + dd');
  expect(await response.getByText('Number of failed records.').isVisible()).toBe(false);
  for (const name of ['ContactImportList', 'ContactImport', 'ContactImportCounts']) {
    await response.getByText(`Properties of ${name}`, { exact: true }).click(WITHOUT_SCRIPTS);
  }
  expect(await response.getByText('Number of failed records.').isVisible()).toBe(true);
});

test('search by keyboard alone', async () => {
  const { page, hash } = await openReference();
  const input = page.getByRole('combobox', { name: 'Search' });
  const options = page.getByRole('listbox', { name: 'Search results' }).getByRole('option');
  const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
  await page.keyboard.press('/');
  await page.keyboard.type('limit');
  expect(await input.inputValue()).toBe('limit');
  expect(await chosen.innerText()).toMatch(/parameter of List automations$/);
  await page.keyboard.press('ArrowDown');
  expect(await chosen.innerText()).toMatch(/parameter of List contact imports$/);
  expect(await input.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await chosen.innerText()).toBe((await options.allInnerTexts()).at(-1));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await arrives(page, 'listAutomations-limit');
  expect(await hash()).toBe('#listAutomations-limit');
  expect(await options.count()).toBe(0);

  await page.keyboard.press('/');
  await page.keyboard.type('zzz');
  await page.getByText('No results.').waitFor();
  expect(await input.getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Enter');
  expect(await hash()).toBe('#listAutomations-limit');
  await page.keyboard.press('Escape');
  expect(await input.inputValue()).toBe('');
  expect(await page.locator('input:focus').count()).toBe(0);
});

test('search by a pointer, and a slash in a field is a slash', async () => {
  const { page } = await openReference('', NARROW);
  const input = page.getByRole('combobox', { name: 'Search' });
  await input.fill('queued/');
  await page.getByText('No results.').waitFor();
  await input.fill('Timestamp');
  await page.getByRole('option', { name: 'CompletionTimestamp schema' }).click();
  await arrives(page, 'schema-CompletionTimestamp');
});
