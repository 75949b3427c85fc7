/** The browsers of the machine, or those that CHROMIUM and FIREFOX name. */
import process from 'node:process';
import { chromium, firefox } from 'playwright-core';
import type { Browser } from 'playwright-core';

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });

/** Preferences of Firefox, as `about:config` lists them. */
export type Preferences = Readonly<Record<string, string | number | boolean>>;

/** Playwright drives Firefox as it is released, through WebDriver BiDi. */
export const launchFirefox = (preferences: Preferences = {}): Promise<Browser> =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath: process.env['FIREFOX'] ?? '/usr/bin/firefox-esr',
    firefoxUserPrefs: preferences,
  });
