/** Firefox: the installed one, or the one that FIREFOX names. Playwright drives it as it is released, through WebDriver BiDi. */
import process from 'node:process';
import { firefox } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Preferences of Firefox, as `about:config` lists them. */
export type Preferences = Readonly<Record<string, string | number | boolean>>;

export const launchFirefox = (preferences: Preferences = {}): Promise<Browser> =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath: process.env['FIREFOX'] ?? '/usr/bin/firefox-esr',
    firefoxUserPrefs: preferences,
  });
