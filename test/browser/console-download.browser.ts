/** The console in a real browser: a filtered list is downloaded as NDJSON. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { automation } from '../../testkit/index.ts';
import { until } from '../support/processes.ts';
import { ndjson, series } from '../support/series.ts';
import type { Page } from 'playwright-core';
import { openConsole } from './console-page.ts';

/** @returns the file that the page saves. Of Firefox, Playwright reports no downloads: there it is what the page gives to the browser. */
async function savedBy(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  if (page.context().browser()?.browserType().name() === 'chromium') {
    const [file] = await Promise.all([page.waitForEvent('download'), act()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  }
  await page.evaluate(`
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => ((window.blob = blob), create(blob));
    HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
  `);
  await act();
  await until(() => page.evaluate("'saved' in window"));
  return page.evaluate('blob.text().then((text) => ({ name: saved, text }))');
}

test('all records of the filter, in order, in one file', async () => {
  const automations = series(250, (it) => automation({ ...it, status: 'enabled' }));
  const { server, page, says } = await openConsole(
    { automations: [automation({ status: 'disabled', created_at: '2026-06-01 00:00:00+00' }), ...automations] },
    { hash: '#/automations?limit=5&status=enabled' },
  );
  await page.getByRole('link', { name: 'Older' }).click();
  await says('Showing 5 automations, newest first. Older ones available.');
  server.clearRequests();
  const file = await savedBy(page, () => page.getByRole('button', { name: 'Download' }).click());
  expect(file).toEqual({ name: 'automations-enabled.ndjson', text: ndjson(automations) });
  const query = { limit: '100', status: 'enabled' };
  expect(server.requests.map((it) => it.query)).toEqual([
    query,
    { ...query, after: automations[99]?.id },
    { ...query, after: automations[199]?.id },
  ]);
  const panel = page.getByRole('region', { name: 'Download' });
  await says('Downloaded 250 automations');
  await panel.waitFor({ state: 'detached' });
});

test('it is cancelled, waits while the server is busy, and resumes after a failure', async () => {
  const automations = series(150, automation);
  const { server, page, says } = await openConsole({ automations });
  await says('Showing 20 automations, newest first. Older ones available.');
  const panel = page.getByRole('region', { name: 'Download' });
  const start = page.getByRole('button', { name: 'Download' });
  server.fail({ delayMs: 600_000, operation: 'listAutomations' });
  await start.click();
  await panel.getByText('Downloading 0 automations').waitFor();
  const gone = page.waitForEvent('requestfailed');
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await gone;
  await panel.waitFor({ state: 'detached' });

  server.fail({ status: 429, retryAfter: 1, operation: 'listAutomations' }, Infinity);
  await start.click();
  await panel.getByText(/^The server is busy\. Retrying in 1 s$/).waitFor();
  server.clearFaults();
  server.fail({ status: 500, operation: 'listAutomations' });
  await panel.getByText('500 application_error').waitFor();
  const { text } = await savedBy(page, () => panel.getByRole('button', { name: 'Resume' }).click());
  expect(text).toBe(ndjson(automations));
});
