/** The console in a real browser: a list refreshes by itself, and nothing moves under the eyes of its reader. */
import { expect, test } from '@jest/globals';
import { automation } from '../../testkit/index.ts';
import { series } from '../support/series.ts';
import { openConsole } from './console-page.ts';
import type { Console } from './console-page.ts';
import { asked } from './pages.ts';

const INTERVAL_MS = 10_000;
const LATER = { created_at: '2026-06-01 00:00:00+00' } as const;

/** Reloads the console with a clock that the test moves. */
async function startClock({ page, says }: Console, text: string): Promise<void> {
  await says(text);
  await page.clock.install();
  await page.reload();
  await says(text);
}

/** Waits until everything has come that the page has requested. */
const settle = ({ page }: Console): Promise<unknown> => page.evaluate("fetch('openapi.json').then((it) => it.text())");

test('by conditional requests; new rows wait, and the rows on display stay where they are', async () => {
  const automations = series(30, automation);
  const opened = await openConsole({ automations }, { options: { viewport: { width: 1280, height: 500 } } });
  const { server, page, column, says } = opened;
  await startClock(opened, 'Showing 20 automations, newest first. Older ones available.');
  const [unchanged] = await Promise.all([
    page.waitForResponse((it) => it.status() === 304),
    page.clock.runFor(INTERVAL_MS),
  ]);
  expect(unchanged.request().headers()['if-none-match']).toMatch(/^"/);

  const row = page.locator(`tr[data-id="${automations[15]?.id ?? ''}"]`);
  await row.scrollIntoViewIfNeeded();
  await row.locator('a').first().focus();
  const place = async (): Promise<number | undefined> => (await row.boundingBox())?.y;
  const [before, names] = [await place(), await column('Name')];
  await server.put('automations', [automation({ name: 'Newest', ...LATER }), automation({ name: 'Next', ...LATER })]);
  await server.put('automations', [{ ...(automations[16] ?? automation()), name: 'Renamed' }]);
  await page.clock.runFor(INTERVAL_MS);
  const bar = page.getByRole('button', { name: '2 new: show' });
  await bar.waitFor();
  expect((await bar.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
  expect(before).toBeGreaterThan(0);
  expect(await place()).toBe(before);
  expect(await page.evaluate('document.activeElement.closest("tr").dataset.id')).toBe(automations[15]?.id);
  expect(await column('Name')).toEqual(names.map((it, at) => (at === 16 ? 'Renamed' : it)));

  await bar.click();
  await page.getByText('Newest', { exact: true }).waitFor();
  await bar.waitFor({ state: 'detached' });
  await says('Showing 20 automations, newest first. Older ones available.');
  expect((await column('Name')).slice(0, 2).sort()).toEqual(['Newest', 'Next']);
  expect(await page.evaluate('scrollY')).toBe(0);
});

test('a switch turns it off, for good; a hidden tab waits', async () => {
  const opened = await openConsole({ automations: [automation({ name: 'Welcome' })] });
  const { server, page } = opened;
  const text = 'Showing 1 automation, newest first. No older ones.';
  await startClock(opened, text);
  const sentIn = async (ms: number): Promise<number> => {
    const before = asked(server);
    await page.clock.runFor(ms);
    await settle(opened);
    return asked(server) - before;
  };
  const toggle = page.getByRole('switch', { name: 'Auto-refresh' });
  expect(await toggle.isChecked()).toBe(true);
  expect(await sentIn(INTERVAL_MS)).toBe(1);
  await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
  expect(await sentIn(600_000)).toBe(0);
  const visible = page.waitForResponse((it) => it.status() === 304);
  await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
  await visible;

  await toggle.uncheck();
  await page.reload();
  await opened.says(text);
  expect(await toggle.isChecked()).toBe(false);
  expect(await sentIn(600_000)).toBe(0);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await settle(opened);
  const on = page.waitForResponse((it) => it.status() === 304);
  await page.clock.runFor(INTERVAL_MS);
  await toggle.check();
  await on;
});
