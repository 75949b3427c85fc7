/** Console and reference in a real browser: for the keyboard, and for axe. */
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { automation, contactImport } from '../../testkit/index.ts';
import { openConsole } from './console-page.ts';
import { UNKNOWN, expectAccessible, twelve } from './pages.ts';
import { openReference, operation, tryIt, unfoldAll } from './reference-page.ts';

/** @returns the controls that Tab leads to, from the one that has the focus to the end of the page, where browsers go on to their own controls. */
async function reachedByTab(page: Page): Promise<string[]> {
  const reached: string[] = [];
  while (reached.length < 40) {
    await page.keyboard.press('Tab');
    const name: string = await page.evaluate(
      `((it, before) => {
        globalThis.before = it;
        return it === document.body || it === before ? '' : it.innerText || it.dataset.name || it.id || it.role || it.type || it.tagName;
      })(document.activeElement, globalThis.before)`,
    );
    if (name === '') break;
    reached.push(name.split('\n')[0] ?? '');
  }
  return reached;
}

describe('the console', () => {
  test('with the keyboard alone', async () => {
    const { page, record, says } = await openConsole({ automations: twelve() }, { hash: '#/automations?limit=5' });
    await says('Showing 5 automations, newest first. Older ones available.');
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.closest("tr")?.innerText ?? document.activeElement.id');
    for (const [key, focus] of [
      ['j', 'Automation 1'],
      ['j', 'Automation 2'],
      ['ArrowDown', 'Automation 3'],
      ['k', 'Automation 2'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toContain(focus);
    }
    await page.keyboard.press('Enter');
    await record.getByText('Automation 2').first().waitFor();
    expect(await focused()).toBe('record-title');
    await page.keyboard.press('j');
    await record.getByText('Automation 3').first().waitFor();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    expect(await focused()).toContain('Automation 3');
    await page.keyboard.press('o');
    await page.getByText('Automation 6', { exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.getByText('Automation 1', { exact: true }).waitFor();
    await page.keyboard.press('/');
    expect(await focused()).toBe('find');
    // A letter typed into a field is a letter.
    await page.keyboard.press('n');
    expect(await page.getByRole('searchbox', { name: 'Find by id' }).inputValue()).toBe('n');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await dialog.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    expect(await dialog.isVisible()).toBe(false);
  });

  test('every control is reached by Tab, from the skip link on', async () => {
    const { page, says } = await openConsole({ automations: [automation({ name: 'Welcome' })] });
    await says('Showing 1 automation, newest first. No older ones.');
    await page.reload();
    await says('Showing 1 automation, newest first. No older ones.');
    expect(await reachedByTab(page)).toEqual([
      ...['Skip to content', 'Rollcall console', 'Automations', 'Contact properties', 'Contact imports'],
      ...['Reference', 'Keyboard shortcuts', 'Dark', expect.stringMatching(/^Sign out …[0-9a-f]{4}$/), 'find', 'Find'],
      expect.any(String), // Status, and its options.
      expect.any(String),
      ...['Refresh', 'switch', 'curl', 'client code', 'JSON'],
      expect.stringMatching(/^[0-9a-f]{8}…$/),
      'Welcome',
    ]);
    // On a phone most of them are in two menus.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await says('Showing 1 automation, newest first. No older ones.');
    const row = [expect.stringMatching(/^[0-9a-f]{8}…$/), 'Welcome'];
    expect(await reachedByTab(page)).toEqual(['Skip to content', 'Rollcall console', 'Menu', 'Options', ...row]);
    await page.getByRole('button', { name: 'Options' }).focus();
    for (const key of ['Enter', 'Tab', 'Escape']) await page.keyboard.press(key);
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Options');
    await page.keyboard.press('Enter');
    expect(await reachedByTab(page)).toEqual([
      ...['find', 'Find', expect.any(String), expect.any(String), 'Refresh', 'switch'],
      ...['curl', 'client code', 'JSON', ...row],
    ]);
  });

  test('signing in needs no pointer', async () => {
    const { server, page, says, alerts } = await openConsole({}, { key: '' });
    await page.getByLabel('API key').waitFor();
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await alerts('401 invalid_api_key');
    expect(await reachedByTab(page)).toEqual(['checkbox', 'Sign in', 'openapi.yaml', 'API reference']);
    await page.getByLabel('API key').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(server.apiKey);
    await page.keyboard.press('Enter');
    await says('No automations.');
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Automations');
  });

  test('is accessible', async () => {
    const { server, page, says, go, json, alerts } = await openConsole(
      {
        automations: twelve(),
        contactImports: (['in_progress', 'failed', 'completed'] as const).map((status) => contactImport({ status })),
      },
      { hash: '#/contacts/imports', options: { bypassCSP: true } }, // For axe alone: it makes markup of strings.
    );
    await page.getByRole('progressbar').first().waitFor();
    await expectAccessible(page);
    await page.locator('tbody tr a').first().click();
    await json();
    await expectAccessible(page);
    await go('/automations?limit=0');
    await alerts('422 validation_error');
    await expectAccessible(page);
    await go('/automations?limit=5');
    await says('Showing 5 automations, newest first. Older ones available.');
    // At once: a field with an error, and new rows.
    await server.put('automations', [automation({ created_at: '2026-06-01 00:00:00+00' })]);
    await page.getByRole('button', { name: '1 new: show' }).waitFor();
    await page.getByRole('searchbox').fill(UNKNOWN);
    await page.locator('#found .rejection').waitFor();
    await expectAccessible(page);
    await go('/contact-properties');
    await says('No contact properties.');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Options' }).click();
    await expectAccessible(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    server.fail({ disconnect: true, operation: 'listContactImports' }, Infinity);
    await go('/contacts/imports');
    await alerts('Network failure');
    await expectAccessible(page);
    await go('/contact-properties');
    await says('No contact properties.');
    server.fail({ error: 'invalid_api_key', operation: 'listContactProperties' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await alerts('401 invalid_api_key');
    await expectAccessible(page);
  });
});

describe('the reference', () => {
  test('the first thing that a keyboard comes to leads past the bar', async () => {
    const { page } = await openReference();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  });

  test('is accessible', async () => {
    const { server, page } = await openReference();
    await expectAccessible(page);
    await unfoldAll(page);
    const result = await tryIt(page, 'listAutomations', { 'API key': server.apiKey, limit: '0' });
    await result.getByText('validation_error').waitFor();
    for (const name of ['TypeScript', '422']) {
      await operation(page, 'listAutomations').getByText(name, { exact: true }).first().click();
    }
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Search' }).fill('limit');
    await page.getByRole('option').first().waitFor();
    await expectAccessible(page);
  });
});
