/** The reference in a real browser, and what a person does there. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { automation, contactImport } from '../../testkit/index.ts';
import type { TestServer } from '../../testkit/index.ts';
import { until } from '../support/processes.ts';
import { hashOf, newPage, startServer } from './pages.ts';

interface Reference {
  readonly server: TestServer;
  readonly page: Page;
  readonly hash: () => Promise<string>;
}

/** @returns a server, and its reference. */
export async function openReference(hash = '', options: BrowserContextOptions = {}): Promise<Reference> {
  const server = await startServer({
    automations: [automation({ name: 'Birthday wishes' }), automation({ name: 'Farewell', status: 'disabled' })],
    contactImports: [contactImport()],
  });
  const page = await newPage(server.url, { reducedMotion: 'reduce', ...options });
  await page.goto(`${server.url}/docs${hash}`);
  return { server, page, hash: () => hashOf(page) };
}

export const operation = (page: Page, id: string): Locator => page.locator(`section[aria-labelledby="${id}"]`);
/** The example call that is shown of an operation, in the language that is chosen. */
export const codeOf = (page: Page, id: string): Promise<string> =>
  operation(page, id).locator('.languages .code:visible').innerText();

/** Waits until the example call that is shown of an operation has this text. */
export const codeShows = (page: Page, id: string, text: string | RegExp): Promise<void> =>
  operation(page, id).locator('.languages .code:visible').filter({ hasText: text }).waitFor();

/** How to click in a page without scripts: in Firefox, another click waits for a frame of one. */
export const WITHOUT_SCRIPTS = { force: true };

/** Chooses a language of the samples, at one operation. Returns when it is chosen there. */
export async function chooseLanguage(
  page: Page,
  id: string,
  language: string,
  how: { readonly force?: boolean } = {},
): Promise<void> {
  const name = new RegExp(`^${language}$`);
  const label = operation(page, id).locator('.languages > label').filter({ hasText: name });
  await label.click(how);
  const choice = await label.getAttribute('for');
  await until(() => page.evaluate(`document.getElementById(${JSON.stringify(choice)}).checked`));
}

export const unfoldAll = (page: Page): Promise<unknown> =>
  page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })");

/** Waits until what an address is of stands near the top, below the bar. */
export const arrives = (page: Page, id: string): Promise<void> =>
  until(() =>
    page.evaluate(
      `(({ top }) => top >= document.querySelector('.top').offsetHeight && top < innerHeight / 2)(document.getElementById(${JSON.stringify(id)}).getBoundingClientRect())`,
    ),
  );

/** Opens the form of an operation, fills it in and sends it. @returns what came of it. */
export async function tryIt(page: Page, id: string, fields: Readonly<Record<string, string>> = {}): Promise<Locator> {
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
