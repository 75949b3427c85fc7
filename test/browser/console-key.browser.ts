/** The console in a real browser: its key, and what leaves the page: links and copies. */
import { expect, test } from '@jest/globals';
import { automation, contactImport } from '../../testkit/index.ts';
import { startPrefixProxy } from '../support/prefix-proxy.ts';
import { openConsole } from './console-page.ts';
import { addressOf, asked, hashOf, startServer, twelve } from './pages.ts';

test('the key is asked for once, and kept for the session only', async () => {
  const automations = [automation({ name: 'Welcome' })];
  const { server, page, says, enter, column, signOut } = await openConsole({ automations }, { key: '' });
  const field = page.getByLabel('API key');
  await field.waitFor();
  expect([await field.getAttribute('type'), await field.getAttribute('autocomplete')]).toEqual(['password', 'off']);
  await page.getByText('Read-only API for the automations, contact properties and contact imports').waitFor();
  expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('docs');
  expect(asked(server)).toBe(0);

  await enter(` ${server.apiKey}\n`);
  await says('Showing 1 automation, newest first. No older ones.');
  expect(await column('Name')).toEqual(['Welcome']);
  await page.reload();
  await says('Showing 1 automation, newest first. No older ones.');
  expect((await addressOf(page)).href).toBe(`${server.url}/#/automations`);
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain(server.apiKey);
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(server.apiKey);
  expect(await page.content()).not.toContain(server.apiKey);

  expect(await page.getByRole('button', { name: 'Sign out' }).innerText()).toBe(`Sign out …${server.apiKey.slice(-4)}`);
  await signOut();
  await field.waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(server.apiKey);
  await page.reload();
  await field.waitFor();
});

test('on a phone a person signs out in the menu, which closes', async () => {
  const { page, signOut } = await openConsole({ automations: [automation({ name: 'Mine' })] });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await signOut();
  await page.getByLabel('API key').waitFor();
  expect(await page.locator('#menu').isVisible()).toBe(false);
  expect(await page.getByText('Mine').count()).toBe(0);
});

test('a key that is rejected, at once or later, is asked for again at the same place', async () => {
  const opening = { hash: '#/automations?limit=5', key: 'nonsense' };
  const { server, page, says, enter, alerts } = await openConsole({ automations: twelve() }, opening);
  await alerts('401 invalid_api_key');
  await alerts('This API key is unknown, has been revoked or has expired.');
  await alerts(/X-Request-Id [0-9a-f-]{36}/);
  await alerts('You entered 8 characters. A key that the server creates matches rollcall_[0-9a-f]{40}.');
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  // What was typed stays, and can be seen.
  const field = page.getByLabel('API key');
  expect([await field.inputValue(), await field.getAttribute('type')]).toEqual(['nonsense', 'password']);
  // Selected, so that the next key that is pasted replaces it.
  await page.keyboard.insertText('n');
  expect(await field.inputValue()).toBe('n');
  await field.fill('nonsense');
  await page.getByLabel('Show key').check();
  expect([await field.getAttribute('type'), await field.inputValue()]).toEqual(['text', 'nonsense']);
  await enter(`rollcall_${'0'.repeat(40)}`);
  await alerts('This API key is unknown, has been revoked or has expired.');
  expect(await page.getByText('You entered').count()).toBe(0);
  await enter(server.apiKey);
  await says('Showing 5 automations, newest first. Older ones available.');
  expect(await page.getByRole('alert').count()).toBe(0);

  server.fail({ error: 'invalid_api_key', operation: 'listAutomations' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await alerts('401 invalid_api_key');
  expect(await page.getByText('Automation 1', { exact: true }).count()).toBe(0);
  expect(await field.inputValue()).toBe(''); // It was accepted before.
  await enter(server.apiKey);
  await says('Showing 5 automations, newest first. Older ones available.');
  expect(await hashOf(page)).toBe('#/automations?limit=5');
});

test.each(['Bearer ', 'bearer  ', 'Authorization: Bearer '])('a key is accepted after %j', async (prefix) => {
  const { server, page, says, enter } = await openConsole({}, { key: '' });
  await enter(`${prefix}${server.apiKey}`);
  await says('No automations.');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/bearer/i);
});

test('what can be no key is not sent', async () => {
  const { server, page, enter, alerts } = await openConsole({}, { key: '' });
  const not = (fault: string): string =>
    `This is not an API key: ${fault}. API keys contain no spaces, line breaks or non-ASCII characters.`;
  for (const [text, message] of [
    ['', 'Paste an API key.'],
    ['two words', not('character 4 is a space')],
    ['   ', 'Paste an API key.'],
    ['Bearer ', 'Paste an API key.'],
    ['Bearer a key', not('character 2 is a space')],
    ['line\u0001', not(String.raw`character 5 is \u0001`)],
    ['schlüssel', not('character 5 is ü')],
    ['😀', not('character 1 is 😀')],
  ] as const) {
    await page.reload();
    await enter(text);
    await alerts(message);
    expect(await page.getByLabel('API key').inputValue()).toBe(text);
    expect(await page.evaluate('document.activeElement.id')).toBe('key');
  }
  expect(asked(server)).toBe(0);
});

test('a link with a key signs in where no key is stored, and leaves the address bar and the history', async () => {
  const automations = [automation({ name: 'Mine' })];
  const { server, page, says, column, signOut, alerts } = await openConsole({ automations }, { key: '' });
  const other = await server.account({ automations: [automation({ name: 'Yours' })] });
  const text = 'Showing 1 automation, newest first. No older ones.';
  let entries = 0;
  const open = async (key: string): Promise<void> => {
    await page.goto(`${server.url}/docs`);
    entries = await page.evaluate<number>('history.length');
    await page.goto(`${server.url}/#key=${key}`);
  };
  await open(server.apiKey);
  await says(text);
  expect([await column('Name'), (await addressOf(page)).href]).toEqual([['Mine'], `${server.url}/#/automations`]);
  expect(server.requests.some((it) => it.path.includes(server.apiKey))).toBe(false);
  // The link has one entry of the history, which is this page now.
  expect(await page.evaluate('history.length')).toBe(entries + 1);

  // A key is stored: that of the link is not used, in whatever way the link is opened.
  await open(other.apiKey);
  await page.getByText('You are already signed in. The key in the link is not used.').waitFor();
  await says(text);
  await page.evaluate(`location.hash = 'key=${other.apiKey}'`);
  await page.getByText('You are already signed in. The key in the link is not used.').waitFor();
  expect([await column('Name'), (await addressOf(page)).href]).toEqual([['Mine'], `${server.url}/#/automations`]);
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(other.apiKey);
  await signOut();
  await page.getByLabel('API key').waitFor();
  await page.evaluate(`location.hash = 'key=${other.apiKey}'`);
  await page.getByText('Yours', { exact: true }).waitFor();

  await signOut();
  for (const [key, typed, message] of [
    ['nonsense', 'nonsense', 'This API key is unknown, has been revoked or has expired.'],
    ['a%20key', 'a key', /^This is not an API key: character 2 is a space\./],
    ['a%key%C3%BC', 'a%key%C3%BC', 'This API key is unknown, has been revoked or has expired.'],
    ['', '', 'Paste an API key.'],
  ] as const) {
    await open(key);
    await alerts(message);
    expect([await page.getByLabel('API key').inputValue(), (await addressOf(page)).href]).toEqual([
      typed,
      expect.not.stringContaining('key='),
    ]);
  }
});

test('a link opened by a colleague asks for a key, and shows the same', async () => {
  const automations = twelve();
  const { server, page, record, column, json } = await openConsole({ automations }, { hash: '#/automations?limit=3' });
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText('Automation 5', { exact: true }).click();
  await json();
  expect((await addressOf(page)).href).not.toContain(server.apiKey);

  const other = await openConsole(server, { base: (await addressOf(page)).href, key: '' });
  await other.page.getByText(`Signing in opens /automations/${automations[4]?.id ?? ''}?limit=3&after=`).waitFor();
  await other.enter(server.apiKey);
  expect(await other.json()).toBe(await json());
  expect(await other.record.innerText()).toBe(await record.innerText());
  expect(await other.column('Name')).toEqual(await column('Name'));
});

test('works behind a proxy that takes a prefix away', async () => {
  const contactImports = [contactImport(), contactImport()];
  const server = await startServer({ contactImports });
  const base = `${await startPrefixProxy('/tools/rollcall', server.url)}/tools/rollcall`;
  const { page, says, json, copied, enter } = await openConsole(server, {
    ...{ base: `${base}/`, hash: '#/contacts/imports?limit=1', key: '' },
  });
  page.on('response', (it) => {
    expect(it.status()).toBeLessThan(400);
  });
  await page.reload();
  await enter(server.apiKey);
  await says('Showing 1 contact import, newest first. Older ones available.');
  await page.getByRole('link', { name: 'Older' }).click();
  const id = contactImports[1]?.id ?? '';
  await page.locator(`tr[data-id="${id}"]`).click();
  await json();
  expect(await copied('contact import', 'curl')).toContain(`'${base}/contacts/imports/${id}'`);
  expect(await copied('page', 'client code')).toContain(`baseUrl: '${base}' `);
});

test('copies where a page may not write to the clipboard, and says so where it cannot copy at all', async () => {
  const { server, page, says, enter, signOut } = await openConsole();
  // As on a page that came neither by https nor from this machine.
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.reload();
  await page.getByRole('button', { name: 'curl' }).click();
  await says('Copied: page as curl');
  expect(await page.evaluate('document.activeElement.innerText')).toBe('curl');
  await signOut();
  const field = page.getByLabel('API key');
  await field.focus();
  await page.keyboard.press('Control+V');
  expect(await field.inputValue()).toBe(
    `curl -sS -H "Authorization: Bearer $ROLLCALL_API_KEY" '${server.url}/automations'`,
  );
  await enter(server.apiKey);
  await says('No automations.');
  await page.evaluate('document.execCommand = () => false');
  await page.getByRole('button', { name: 'JSON' }).click();
  await page.getByText('The browser blocked copying.').waitFor();
});
