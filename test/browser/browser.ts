/** The browser of the tests: `jest.config.js` next to this file names it. */
import { afterAll } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium, launchFirefox } from '../support/browsers.ts';
import type { Preferences } from '../support/browsers.ts';

export const BROWSER = (globalThis as { BROWSER?: 'chromium' | 'firefox' }).BROWSER ?? 'chromium';

const launched = new Map<string, Promise<Browser>>();
afterAll(async () => {
  for (const it of launched.values()) await (await it).close();
});

function launch(preferences: Preferences): Promise<Browser> {
  const key = JSON.stringify(preferences);
  const browser = launched.get(key) ?? (BROWSER === 'firefox' ? launchFirefox(preferences) : launchChromium());
  launched.set(key, browser);
  return browser;
}

/**
 * Firefox reads from preferences, which hold for all its pages, what Playwright can choose for each page of Chromium.
 * @returns the preferences that have the effect of these options.
 */
function preferencesOf(options: BrowserContextOptions): Preferences {
  const { colorScheme = 'light', reducedMotion, bypassCSP = false, javaScriptEnabled = true } = options;
  return {
    'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
    'ui.prefersReducedMotion': reducedMotion === 'reduce' ? 1 : 0,
    'dom.security.trusted_types.enabled': !bypassCSP,
    'javascript.enabled': javaScriptEnabled,
  };
}

/** @returns a browser in which a page of these options can be opened. Tests of a file share it. */
export const browserFor = (options: BrowserContextOptions): Promise<Browser> =>
  launch(BROWSER === 'firefox' ? preferencesOf(options) : {});
