/** The console in a real browser, and what a person does there. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Records, TestServer } from '../../testkit/index.ts';
import { newPage, startServer, takeCopied } from './pages.ts';

export interface Console {
  readonly server: TestServer;
  readonly page: Page;
  /** The record beside the list. */
  readonly record: Locator;
  /** Pastes a key, and asks for what it opens. */
  readonly enter: (key: string) => Promise<void>;
  /** Goes to another place of the console: what follows `#`. */
  readonly go: (place: string) => Promise<unknown>;
  /** Waits until the page is described so. */
  readonly says: (text: string) => Promise<void>;
  /** Waits for a text of an error. */
  readonly alerts: (text: string | RegExp) => Promise<void>;
  /** @returns the texts of a column of the table that is shown. */
  readonly column: (name: string) => Promise<string[]>;
  /** @returns the record that is shown, as JSON, once there is one. */
  readonly json: () => Promise<string>;
  readonly signOut: () => Promise<void>;
  /** @returns what is copied by pressing a button. */
  readonly copied: (group: string, name: string) => Promise<string>;
}

interface Opening {
  readonly hash?: string;
  /** Where the console is, if a proxy is in front of the server. */
  readonly base?: string;
  /** What is pasted instead of the key of the server; the empty text: nothing. */
  readonly key?: string;
  readonly options?: BrowserContextOptions;
}

/** @returns the console of somebody new, opened with the key of a server, which is started if these are records. */
export async function openConsole(of: Records | TestServer = {}, opening: Opening = {}): Promise<Console> {
  const server = 'apiKey' in of ? of : await startServer(of);
  const { hash = '', base = `${server.url}/`, key = server.apiKey, options } = opening;
  const page = await newPage(new URL(base).origin, options);
  const says = (text: string): Promise<void> =>
    page.locator('[role=status]', { hasText: new RegExp(`^\\s*${text}\\s*$`) }).waitFor({ state: 'attached' });
  const opened: Console = {
    ...{ server, page, says },
    record: page.locator('aside'),
    enter: async (it) => {
      await page.getByLabel('API key').fill(it);
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
    go: (place) => page.evaluate(`location.hash = ${JSON.stringify(place)}`),
    alerts: (text) => page.getByRole('alert').getByText(text).waitFor(),
    column: (name) => page.locator(`tbody [data-label="${name}"]`).allInnerTexts(),
    json: () => page.locator('pre.json').innerText(),
    signOut: () => page.getByRole('button', { name: 'Sign out' }).click(),
    copied: async (group, name) => {
      await page
        .getByRole('group', { name: `Copy the ${group} as` })
        .getByRole('button', { name })
        .click();
      return takeCopied(page);
    },
  };
  await page.goto(base + hash);
  if (key !== '') await opened.enter(key);
  return opened;
}

/** @returns the text of an alert without the request id, which is random and may contain any digits. */
export const wordsOf = (alert: string): string => alert.replace(/X-Request-Id \S+/, '');

/** Waits until the list is out of reach behind a record, or is not. The page hears of a new size of its window in its next frame. */
export const listBecomes = (page: Page, state: 'inert' | 'reachable'): Promise<void> =>
  page.locator(state === 'inert' ? 'main[inert]' : 'main:not([inert])').waitFor({ state: 'attached' });
