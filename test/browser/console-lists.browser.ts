/** The console in a real browser: lists, their pages and filters, and the errors in their place. */
import { describe, expect, test } from '@jest/globals';
import { automation, contactImport, contactProperty } from '../../testkit/index.ts';
import { openConsole, wordsOf } from './console-page.ts';
import { NAMES, UNKNOWN, asked, hashOf, twelve } from './pages.ts';

describe('lists', () => {
  test('each collection', async () => {
    const { page, says, column, record } = await openConsole({
      automations: Array.from({ length: 25 }, () => automation()),
      contactProperties: [
        contactProperty({ key: 'seats', fallback_value: 2.5 }),
        contactProperty({ key: 'none', fallback_value: null }),
        contactProperty({ key: '', fallback_value: '' }),
      ],
      contactImports: [contactImport({ created_at: '2026-04-16 13:49:40.678912+00' })],
    });
    const nav = page.getByRole('navigation', { name: 'Collections' });
    const plain = (texts: string[]): string[] => texts.map((it) => it.replaceAll(/\s+/g, ' '));
    await says('Showing 20 automations, newest first. Older ones available.');
    expect(await nav.getByRole('link').allInnerTexts()).toEqual([
      ...['Automations', 'Contact properties', 'Contact imports'],
    ]);
    expect(await page.locator('thead th').allInnerTexts()).toEqual([
      ...['ID', 'Name', 'Status', 'Created at', 'Updated at'],
    ]);
    await page.getByRole('link', { name: 'Older' }).click();
    await says('Showing 5 automations, newest first. No older ones.');

    await nav.getByRole('link', { name: 'Contact properties' }).click();
    await says('Showing 3 contact properties, newest first. No older ones.');
    expect(await column('Key')).toEqual(['seats', 'none', 'empty']);
    expect(await column('Fallback value')).toEqual(['2.5', '–', 'empty']);
    expect(await page.locator('select').count()).toBe(1);

    await nav.getByRole('link', { name: 'Contact imports' }).click();
    await says('Showing 1 contact import, newest first. No older ones.');
    expect(await nav.locator('[aria-current=page]').getAttribute('href')).toBe('#/contacts/imports');
    expect(await column('Status')).toEqual(['completed']);
    const created = page.locator('tbody [data-label="Created at"] time');
    expect(await created.innerText()).toBe('Apr 16, 2026, 3:49 PM');
    expect(await created.getAttribute('title')).toBe('2026-04-16 13:49:40.678912+00');
    expect(plain(await column('Counts'))).toEqual(['1,200 5 failed']);
    await page.getByRole('link', { name: /^[0-9a-f]{8}…$/ }).click();
    await record.getByText('Apr 16, 2026, 3:49:40 PM').waitFor();
    await record.getByText('2026-04-16 13:49:40.678912+00', { exact: true }).waitFor();
    expect(await record.getByRole('listitem').allInnerTexts()).toEqual([
      ...['1,100 created', '80 updated', '15 skipped', '5 failed', '1,200 total'],
    ]);
    expect(await page.title()).toMatch(/^Contact import [0-9a-f]{8}… · Rollcall console$/);
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    expect(await page.title()).toBe('Contact imports · Rollcall console');
  });

  test('filter and page size are a link, and begin at the head', async () => {
    const { page, says, column } = await openConsole({
      automations: [...twelve(), automation({ status: 'disabled', name: 'Off' })],
    });
    await page.getByLabel('Page size').selectOption('5');
    await says('Showing 5 automations, newest first. Older ones available.');
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByText('Automation 6', { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('disabled');
    await says('Showing 1 automation, newest first. No older ones.');
    expect(await hashOf(page)).toBe('#/automations?limit=5&status=disabled');
    expect(await column('Name')).toEqual(['Off']);
    await page.goBack();
    await page.getByText('Automation 6', { exact: true }).waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('');
    await page.goForward();
    await says('Showing 1 automation, newest first. No older ones.');
    expect(await page.getByLabel('Status').inputValue()).toBe('disabled');
    await page.getByLabel('Status').selectOption('');
    await says('Showing 5 automations, newest first. Older ones available.');
  });

  test('older and newer, to both ends and back', async () => {
    const { page, says, column } = await openConsole({ automations: twelve() }, { hash: '#/automations?limit=5' });
    const step = (name: string) => page.locator('a.step', { hasText: name });
    const shows = async (from: number, to: number): Promise<void> => {
      await page.getByText(NAMES[from] ?? '', { exact: true }).waitFor();
      expect(await column('Name')).toEqual(NAMES.slice(from, to));
      expect(await step('Newer').getAttribute('href')).toEqual(from > 0 ? expect.any(String) : null);
      expect(await step('Older').getAttribute('href')).toEqual(to < 12 ? expect.any(String) : null);
    };
    await shows(0, 5);
    for (const [name, from, to, others] of [
      ['Older', 5, 10, 'Older ones available.'],
      ['Older', 10, 12, 'No older ones.'],
      ['Newer', 5, 10, 'Newer ones available.'],
      ['Newer', 0, 5, 'No newer ones.'],
      ['Older', 5, 10, 'Older ones available.'],
      ['First', 0, 5, 'Older ones available.'],
    ] as const) {
      await step(name).click();
      await shows(from, to);
      await says(`Showing ${String(to - from)} automations, newest first. ${others}`);
    }
    expect(await hashOf(page)).toBe('#/automations?limit=5');
  });

  test('nothing there is said in words', async () => {
    const lone = automation();
    const { page, says, go } = await openConsole({ automations: [lone] }, { hash: '#/contact-properties' });
    await page.getByText('This account has no contact properties.').waitFor();
    await says('No contact properties.');
    // Once, with the command that loads some.
    expect((await page.locator('.list').innerText()).split(/\n+/)).toEqual([
      'This account has no contact properties.',
      'On the machine of the server, this command loads some:',
      'rollcall import contact-properties <file> --account <name>',
    ]);
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    for (const [place, text, link] of [
      ['/automations?status=disabled', 'No automations match the filter.', 'Show all automations'],
      [`/automations?after=${lone.id}`, 'No older automations.', 'Go to the first page'],
    ] as const) {
      await go(place);
      await page.getByText(text).waitFor();
      await page.getByRole('link', { name: link }).click();
      await says('Showing 1 automation, newest first. No older ones.');
    }
  });

  test('a late answer of what was asked before is not shown', async () => {
    const { server, page, says, go } = await openConsole({ automations: twelve() }, { hash: '#/automations?limit=5' });
    await says('Showing 5 automations, newest first. Older ones available.');
    server.fail({ delayMs: 600_000, operation: 'listAutomations' });
    const late = page.waitForEvent('requestfailed');
    await go('/automations?limit=2');
    await page.getByText('Loading /automations?limit=2').waitFor();
    await go('/automations?limit=3');
    await says('Showing 3 automations, newest first. Older ones available.');
    expect((await late).url()).toBe(`${server.url}/automations?limit=2`);
    expect(await page.getByText('Loading /').count()).toBe(0);
  });
});

describe('errors', () => {
  const elsewhere = { hash: '#/contact-properties' };

  test('with when to try again, and the identification of the request', async () => {
    const { server, page, says, alerts, go } = await openConsole({ automations: twelve() }, elsewhere);
    for (const [fault, title, retryAfter] of [
      [{ status: 429, retryAfter: 50 }, '429 rate_limit_exceeded', [expect.stringMatching(/^Retrying in \d\d s$/)]],
      [{ status: 500 }, '500 application_error', []],
    ] as const) {
      await go('/contact-properties');
      await says('No contact properties.');
      server.fail({ ...fault, operation: 'listAutomations' });
      await page.getByRole('link', { name: 'Automations' }).click();
      const alert = page.getByRole('alert');
      await alert.getByRole('heading', { name: title }).waitFor();
      await alerts(/X-Request-Id [\w-]{36}/);
      expect(await alert.getByRole('timer').allInnerTexts()).toEqual(retryAfter);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await says('Showing 12 automations, newest first. No older ones.');
      expect(await alert.count()).toBe(0);
    }
  });

  test('of the API, whatever stands in the link; a cursor that is gone leads to the first page', async () => {
    const { page, says, alerts, go } = await openConsole({ automations: twelve() }, elsewhere);
    for (const [search, ...texts] of [
      ['limit=1&limit=2', '422 validation_error', 'limit must be sent only once'],
      ['page=2', '422 validation_error', 'Unknown parameter page'],
      ['limit=0', '422 validation_error'],
    ] as const) {
      await go(`/automations?${search}`);
      for (const text of texts) await alerts(text);
    }
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Reset filters' }).click();
    await says('Showing 12 automations, newest first. No older ones.');
    expect(await hashOf(page)).toBe('#/automations');

    // In words of the console: a person who opens a link knows nothing of cursors.
    await go('/automations?limit=5&before=nonsense');
    await alerts('This link points to a page next to nonsense, which is not an id.');
    expect(wordsOf(await page.getByRole('alert').innerText())).not.toMatch(/422|validation_error|before/);
    await go(`/automations?limit=5&after=${UNKNOWN}`);
    await alerts('This link points to a page next to an automation that is not in this account.');
    expect(wordsOf(await page.getByRole('alert').innerText())).not.toMatch(/404|not_found|after/);
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await says('Showing 5 automations, newest first. Older ones available.');
  });

  test('a connection that is cut, before and within the answer', async () => {
    const { server, says, alerts, go } = await openConsole({ automations: twelve() }, elsewhere);
    for (const fault of [{ disconnect: true }, { body: 'cut' }] as const) {
      await says('No contact properties.');
      server.fail({ ...fault, operation: 'listAutomations' }, Infinity); // Chromium itself asks once more.
      await go('/automations');
      await alerts('Network failure');
      await go('/contact-properties');
      await server.reset();
    }
  });

  test('a server that is gone is asked again after a countdown: for a list, and later for its refresh', async () => {
    const { server, page, says, alerts, go } = await openConsole({ automations: twelve() }, elsewhere);
    const text = 'Showing 12 automations, newest first. No older ones.';
    await says('No contact properties.');
    await page.clock.install({ time: '2026-01-01T00:00:00Z' });
    await page.reload();
    await says('No contact properties.');
    await page.clock.pauseAt('2026-01-01T01:00:00Z');
    // While a list is loaded for the first time, and while it refreshes itself.
    for (const [waitMs, countdown] of [
      [2000, 'Retrying in 2 s'],
      [20_000, 'Retrying in 20 s'],
    ] as const) {
      server.fail({ disconnect: true, operation: 'listAutomations' }, Infinity);
      await go('/automations');
      if (waitMs > 2000) await page.clock.runFor(10_000);
      await alerts('Network failure');
      const alert = page.getByRole('alert');
      expect(await alert.getByRole('timer').innerText()).toBe(countdown);
      expect(await page.locator('tbody tr').count()).toBe(waitMs > 2000 ? 12 : 0);
      await server.reset();
      await page.clock.runFor(waitMs);
      await alert.waitFor({ state: 'detached' });
      await says(text);
    }
    // With the refresh off, the person decides.
    await page.getByRole('switch', { name: 'Auto-refresh' }).uncheck();
    server.fail({ disconnect: true, operation: 'listAutomations' }, Infinity);
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await alerts('Network failure');
    expect(await page.getByRole('timer').count()).toBe(0);
    await server.reset();
    await page.getByRole('button', { name: 'Try again' }).click();
    await says(text);
  });

  test('an answer that is not of the API', async () => {
    const { page, says, alerts } = await openConsole({ automations: twelve() }, elsewhere);
    await says('No contact properties.');
    const body = `<html>\n<h1>Bad gateway</h1><script>pwned = 1</script>${'x'.repeat(1000)}`;
    await page.route('**/automations', (route) => route.fulfill({ status: 502, contentType: 'text/html', body }));
    await page.getByRole('link', { name: 'Automations' }).click();
    await alerts('502 Unexpected response');
    expect(await page.getByRole('alert').locator('pre').innerText()).toBe(body.slice(0, 500));
    expect(await page.evaluate('typeof pwned')).toBe('undefined');
    for (const [answer, title] of [
      ['{"data":[{}]}', 'A record in the response has no id.'],
      ['null', '200 Unexpected response'],
      ['{"object":"list"}', 'The response has no data.'],
    ] as const) {
      await page.unroute('**/automations');
      await page.route('**/automations', (route) => route.fulfill({ contentType: 'application/json', body: answer }));
      await page.getByRole('button', { name: 'Try again' }).click();
      await alerts(title);
    }
  });

  test('a contract that does not come', async () => {
    const { page, alerts } = await openConsole({}, { key: '' });
    for (const [answer, title] of [
      [{ status: 503, contentType: 'text/html', body: 'Later' }, '503 Unexpected response'],
      [{ json: { openapi: '3.0.3' } }, 'This is not an OpenAPI document.'],
    ] as const) {
      await page.route('**/openapi.json', (route) => route.fulfill(answer));
      await page.reload();
      await alerts(title);
      await page.unroute('**/openapi.json');
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('API key').waitFor();
  });

  test('a contract that does not come because the server is gone is loaded again after a countdown', async () => {
    const { page, alerts } = await openConsole({}, { key: '' });
    await page.getByLabel('API key').waitFor();
    await page.clock.install({ time: '2026-01-01T00:00:00Z' });
    await page.clock.pauseAt('2026-01-01T01:00:00Z');
    await page.route('**/openapi.json', (route) => route.abort());
    await page.reload();
    for (const seconds of [2, 4]) {
      await alerts(`Retrying in ${String(seconds)} s`);
      await page.clock.runFor(500);
      await alerts(`Retrying in ${String(seconds)} s`);
      await page.clock.runFor((seconds - 1) * 1000);
      await alerts('Retrying in 1 s');
      await page.clock.runFor(500);
    }
    await alerts('Retrying in 8 s');
    await page.unroute('**/openapi.json');
    await page.clock.runFor(8000);
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a link that leads nowhere, and nothing is asked for', async () => {
    const { server, page, says, alerts, go } = await openConsole({}, { hash: '#/nowhere' });
    for (const place of ['/automations/%zz', '/%00<b>', '//elsewhere.example/x']) {
      await alerts('Page not found');
      await go(place);
      await page.reload();
    }
    await alerts('Page not found');
    expect(asked(server)).toBe(0);
    await page.getByRole('alert').getByRole('link', { name: 'Automations' }).click();
    await says('No automations.');
  });
});
