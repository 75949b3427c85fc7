/** The console in a real browser: a record is found by its id. */
import { expect, test } from '@jest/globals';
import { contactImport, contactProperty } from '../../testkit/index.ts';
import { until } from '../support/processes.ts';
import { openConsole } from './console-page.ts';
import { UNKNOWN, asked, expectToFit, hashOf, twelve } from './pages.ts';

test('an id that is pasted leads to its record, in whatever collection it is', async () => {
  const automations = twelve();
  const [property, other, moved] = [contactProperty(), contactImport(), contactImport()];
  const records = { automations, contactProperties: [property], contactImports: [other, moved] };
  const { page, record, json, says } = await openConsole(records, { hash: '#/automations?limit=5' });
  await says('Showing 5 automations, newest first. Older ones available.');
  const field = page.getByRole('searchbox', { name: 'Find by id' });
  for (const [pasted, found, hash] of [
    [automations[7]?.id, automations[7], `#/automations/${automations[7]?.id ?? ''}?limit=5`],
    [` "${moved.id.toUpperCase()}",\n`, moved, `#/contacts/imports/${moved.id.toUpperCase()}`],
    [property.id, property, `#/contact-properties/${property.id}`],
  ] as const) {
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).toBe('find');
    await page.keyboard.insertText(pasted ?? '');
    await record
      .locator('h2', { hasText: found?.id ?? '' })
      .or(record.locator('h2', { hasText: pasted?.trim() ?? '' }))
      .waitFor();
    await until(async () => (await hashOf(page)) === hash);
    expect(JSON.parse(await json())).toEqual(found);
    expect(await field.inputValue()).toBe('');
    expect(await page.evaluate('document.activeElement.id')).toBe('record-title');
  }
});

test('an id that is not there, that can be none, and a request that fails', async () => {
  const automations = twelve();
  const { server, page, says } = await openConsole({ automations });
  await says('Showing 12 automations, newest first. No older ones.');
  const field = page.getByRole('searchbox', { name: 'Find by id' });
  const answer = page.locator('#found');
  await field.fill(UNKNOWN);
  await answer.getByText('Not found in this account.').waitFor();
  // One request for each collection.
  expect(
    server.requests
      .slice(-3)
      .map((it) => [it.operation, it.status])
      .sort(),
  ).toEqual([
    ['getContactImport', 404],
    ['listAutomations', 404],
    ['listContactProperties', 404],
  ]);
  await expectToFit(page, [360, 768, 1280]);

  const before = asked(server);
  await field.fill('welcome');
  await field.press('Enter');
  await answer.getByText(/^This is not an id\. An id looks like [0-9a-f-]{36}\.$/).waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await field.fill('');
  await field.press('Enter');
  expect(await answer.innerText()).toBe('');
  expect(asked(server)).toBe(before);

  server.fail({ status: 500, operation: 'listContactProperties' });
  await field.fill(UNKNOWN);
  await answer.getByText('500 application_error').waitFor();
  // A failure elsewhere hides no record that is there.
  server.fail({ status: 500, operation: 'listContactProperties' });
  await field.fill(automations[3]?.id ?? '');
  await until(async () => (await hashOf(page)) === `#/automations/${automations[3]?.id ?? ''}`);

  server.fail({ error: 'invalid_api_key', operation: 'getContactImport' });
  await field.fill(UNKNOWN);
  await page.getByLabel('API key').waitFor();
  expect(await hashOf(page)).toBe(`#/automations/${automations[3]?.id ?? ''}`);
});
