/** Console and reference in a real browser: on every screen, on paper, by their policy, and without JavaScript. */
import { describe, expect, test } from '@jest/globals';
import { automation, contactImport } from '../../testkit/index.ts';
import { listBecomes, openConsole } from './console-page.ts';
import { background, expectToFit, newPage, startServer, takeFaults } from './pages.ts';
import { WITHOUT_SCRIPTS, chooseLanguage, openReference, operation, unfoldAll } from './reference-page.ts';

test.each(['', 'docs'])('/%s is light or dark as the system has it, or as one chooses, for good', async (path) => {
  const { url } = await startServer();
  const page = await newPage(url, { colorScheme: 'dark' });
  await page.goto(`${url}/${path}`);
  const dark = await background(page);
  await page.getByRole('button', { name: 'Light' }).click();
  const light = await background(page);
  expect(light).not.toBe(dark);
  await page.reload();
  await page.getByRole('button', { name: 'Dark' }).waitFor();
  expect(await background(page)).toBe(light);
  await page.getByRole('button', { name: 'Dark' }).click();
  expect(await background(page)).toBe(dark);
});

// Gives the screen the rules of paper: Playwright cannot have Firefox print.
const PRINT = `for (const { cssRules } of document.styleSheets) {
  for (const { media } of cssRules) if (media?.mediaText === 'print') media.mediaText = 'all';
}`;

test('what a policy blocks is found', async () => {
  const { page } = await openReference();
  const told = (of: string): Promise<unknown> =>
    page.waitForEvent('console', (it) => it.text().startsWith(`Policy: ${of}`));
  const connection = told('connect-src https://example.invalid/');
  await page.evaluate("fetch('https://example.invalid/').catch(() => undefined)");
  await connection;
  const markup = told('require-trusted-types-for');
  await expect(page.evaluate("document.body.innerHTML = '<b>'")).rejects.toThrow(/TrustedHTML|Sink type mismatch/);
  await markup;
  expect(takeFaults().filter((it) => it.startsWith('Policy: '))).toHaveLength(2);
});

/** @returns for each line of a command that goes on, how far its backslash is below the end of the word before it. */
const ALONE = `[...document.querySelectorAll('.t-more')].filter((it) => it.checkVisibility()).map((it) => {
  const range = document.createRange();
  range.selectNodeContents(it.previousElementSibling);
  return Math.round([...it.getClientRects()].at(-1).top - [...range.getClientRects()].at(-1).top);
})`;
/** The commands of the reference that need a second line. */
const COMMANDS = 7;

describe('the console', () => {
  test('at no width anything scrolls sideways', async () => {
    const widths = [360, 390, 700, 1000, 1280, 1920];
    const counts = { total: 123456, created: 23456, updated: 80, skipped: 15, failed: 5555 };
    const { page, says, go, json, alerts, signOut } = await openConsole({
      automations: [automation({ name: 'x'.repeat(1000) }), automation({ name: 'word '.repeat(200) })],
      contactImports: [contactImport({ counts, status: 'in_progress', completed_at: null }), contactImport()],
    });
    await says('Showing 2 automations, newest first. No older ones.');
    await expectToFit(page, widths);
    await page.locator('tbody tr a').first().click();
    await json();
    for (const width of widths) {
      await expectToFit(page, [width]);
      await listBecomes(page, width < 704 ? 'inert' : 'reachable');
    }
    await page.getByRole('link', { name: 'Close the record' }).click();
    await go('/contacts/imports');
    await page.getByRole('progressbar').first().waitFor();
    for (const width of widths) {
      await expectToFit(page, [width]);
      // Nor does the table in its box.
      expect(await page.evaluate('(it => it.scrollWidth - it.clientWidth)(document.querySelector(".list"))')).toBe(0);
    }
    await go(`/automations?status=${'x'.repeat(300)}`);
    await alerts('422 validation_error');
    await expectToFit(page, widths);
    await go(`/${'x'.repeat(300)}`);
    await alerts('Page not found');
    await expectToFit(page, widths);
    await signOut();
    await page.getByLabel('API key').waitFor();
    await expectToFit(page, widths);
  });

  test('without JavaScript there are links', async () => {
    const { page } = await openConsole({}, { key: '', options: { javaScriptEnabled: false } });
    const links = await page.getByRole('main').getByRole('link').all();
    expect(await Promise.all(links.map((it) => it.getAttribute('href')))).toEqual(['openapi.yaml', 'docs']);
  });
});

describe('the reference', () => {
  test('at no width anything is beside the page', async () => {
    const { server, page } = await openReference();
    await page.getByRole('heading', { level: 1, name: 'Rollcall reference' }).waitFor();
    expect(await page.title()).toMatch(/^Rollcall \d+\.\d+\.\d+: reference$/);
    expect(await page.locator('dd [data-origin]').innerText()).toBe(server.url);
    const [first] = await page.locator('.step h3').all();
    expect((await first?.boundingBox())?.y).toBeLessThan(600); // In the first screen.
    const widths = [360, 390, 820, 1100, 1280, 2200];
    await expectToFit(page, widths);
    await unfoldAll(page);
    await expectToFit(page, widths);
  });

  test('at no width the backslash of a command is alone on its line', async () => {
    const { page } = await openReference();
    for (let width = 420; width <= 640; width += 7) {
      await page.setViewportSize({ width, height: 800 });
      const alone = await page.evaluate<number[]>(ALONE);
      expect([width, alone.length, alone.filter((it) => it !== 0)]).toEqual([width, COMMANDS, []]);
    }
  });

  test('without JavaScript all of it is there, but for what needs it', async () => {
    const { page, hash } = await openReference('#listAutomations-404', { javaScriptEnabled: false });
    expect(await page.locator('#listAutomations-404').isVisible()).toBe(true);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.getByText('Try it', { exact: true }).first().isVisible()).toBe(false);
    const code = operation(page, 'listAutomations').locator('.languages .code:visible');
    expect(await code.innerText()).toMatch(/^curl "http:\/\/localhost:3000\/automations\?/);
    await chooseLanguage(page, 'listAutomations', 'Python', WITHOUT_SCRIPTS);
    expect(await code.innerText()).toMatch(/^import json[^]+"http:\/\/localhost:3000\/automations\?/);
    await page.getByRole('navigation').getByRole('link', { name: 'Errors', exact: true }).click(WITHOUT_SCRIPTS);
    expect(await hash()).toBe('#errors');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Menu' }).click(WITHOUT_SCRIPTS);
    await page.getByRole('navigation').getByRole('link', { name: 'Authentication' }).click(WITHOUT_SCRIPTS);
    expect(await hash()).toBe('#authentication');
  });

  test('on paper there are words and examples alone', async () => {
    const { page } = await openReference();
    await page.evaluate(PRINT);
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.getByText('Try it', { exact: true }).first().isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'Pagination' }).isVisible()).toBe(true);
  });
});
