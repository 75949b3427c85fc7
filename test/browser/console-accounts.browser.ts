/** The console in a real browser: several accounts, for the session only. */
import { expect, test } from '@jest/globals';
import { automation } from '../../testkit/index.ts';
import { openConsole } from './console-page.ts';
import { expectToFit, hashOf } from './pages.ts';

test('are added, changed and left, and show their own records only', async () => {
  const [mine, yours] = [automation({ name: 'Mine' }), automation({ name: 'Yours' })];
  const opened = await openConsole({ automations: [mine] }, { hash: `#/automations/${mine.id}?limit=5` });
  const { server, page, record, column, json, menu } = opened;
  const other = await server.account({ automations: [yours] });
  const stored = (): Promise<string> => page.evaluate('JSON.stringify(sessionStorage)');
  await json();
  const first = `…${server.apiKey.slice(-4)}`;

  await menu('Add account');
  expect(await page.getByText('Mine').count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await column('Name')).toEqual(['Mine']);
  await menu('Add account');
  await page.getByLabel('Label').fill('Customer 7');
  await opened.enter(other.apiKey);
  await page.getByText('Yours', { exact: true }).waitFor();
  expect(await column('Name')).toEqual(['Yours']);
  expect(await record.count()).toBe(0);
  expect(await hashOf(page)).toBe('#/automations?limit=5');
  expect(await page.getByRole('button', { name: /^Account/ }).getAttribute('aria-label')).toBe('Account Customer 7');
  await expectToFit(page, [360, 768, 1280]);

  await page.reload();
  await page.getByText('Yours', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Account/ }).click();
  expect(await page.locator('#accounts button').allInnerTexts()).toEqual([
    ...[first, 'Customer 7', 'Add account', 'Sign out', 'Sign out of all accounts'],
  ]);
  expect(await page.locator('#accounts [aria-current]').innerText()).toBe('Customer 7');
  await page.keyboard.press('Escape');
  await menu(first);
  await page.getByText('Mine', { exact: true }).waitFor();
  expect(await column('Name')).toEqual(['Mine']);

  await menu('Sign out');
  await page.getByText('Yours', { exact: true }).waitFor();
  expect(await stored()).not.toContain(server.apiKey);
  await menu('Add account');
  await opened.enter(server.apiKey);
  await page.getByText('Mine', { exact: true }).waitFor();
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie + location')).not.toContain('rollcall_');
  await menu('Sign out of all accounts');
  await page.getByLabel('API key').waitFor();
  expect(await stored()).not.toMatch(/rollcall_[0-9a-f]/);
});

test('one whose key is rejected is left; the others remain', async () => {
  const opened = await openConsole({ automations: [automation({ name: 'Mine' })] });
  const { server, page, alerts, menu } = opened;
  const other = await server.account({ automations: [automation({ name: 'Yours' })] });
  await menu('Add account');
  await opened.enter(other.apiKey);
  await page.getByText('Yours', { exact: true }).waitFor();
  server.fail({ error: 'invalid_api_key', operation: 'listAutomations' });
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await alerts('401 invalid_api_key');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(other.apiKey);
  await page.getByRole('button', { name: `…${server.apiKey.slice(-4)}` }).click();
  await page.getByText('Mine', { exact: true }).waitFor();
});

test('on a phone the accounts are in the menu, which closes with them', async () => {
  const { page } = await openConsole({ automations: [automation({ name: 'Mine' })] });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: /^Account/ }).click();
  expect(await page.locator('#menu').isVisible()).toBe(true);
  const box = await page.locator('#accounts').boundingBox();
  expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= 360).toBe(true);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.locator('#menu').isVisible()).toBe(false);
  expect(await page.locator('#accounts').count()).toBe(0);
});
