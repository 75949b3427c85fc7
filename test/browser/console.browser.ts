/** The console in a real browser: what a person does there, and what a stranger may have put in its way. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { automation, contactImport, contactProperty } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';
import { afterTest } from '../support/after-test.ts';
import { startPrefixProxy } from '../support/prefix-proxy.ts';
import { series } from '../support/series.ts';
import { column, copied, enter, newPage, openConsole, says, startServer, takeFaults } from './console-page.ts';

const NAMES = Array.from({ length: 12 }, (_, at) => `Automation ${String(at + 1)}`);
const twelve = (): ReturnType<typeof automation>[] => {
  let at = 0;
  return series(NAMES.length, (it) => automation({ ...it, name: NAMES[at++] ?? '' }));
};
/** The record beside the list. */
const record = (page: Page) => page.locator('aside');
const hashOf = (page: Page): string => new URL(page.url()).hash;

describe('the key', () => {
  test('is asked for once, and kept for the session only', async () => {
    const server = await startServer({ automations: [automation({ name: 'Welcome' })] });
    const page = await newPage(server.url);
    await page.goto(server.url);
    const field = page.getByLabel('API key');
    await field.waitFor();
    expect([await field.getAttribute('type'), await field.getAttribute('autocomplete')]).toEqual(['password', 'off']);
    await page.getByText('Lists the automations, contact properties and contact imports').waitFor();
    await expect(page.getByRole('link', { name: 'The reference' }).getAttribute('href')).resolves.toBe('docs');
    expect(server.requests.filter((it) => it.operation !== undefined)).toEqual([]);

    await enter(page, ` ${server.apiKey}\n`);
    await says(page, '1 automation, newest first, none older');
    expect(await column(page, 'Name')).toEqual(['Welcome']);
    await page.reload();
    await says(page, '1 automation, newest first, none older');
    expect(page.url()).toBe(`${server.url}/#/automations`);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain(server.apiKey);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(server.apiKey);
    expect(await page.content()).not.toContain(server.apiKey);

    await page.getByRole('button', { name: 'Forget key' }).click();
    await field.waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(server.apiKey);
    await page.reload();
    await field.waitFor();
  });

  test('that is rejected is shown as what it is, and asked for again', async () => {
    const { server, page } = await openConsole({ automations: twelve() });
    await says(page, '12 automations, newest first, none older');
    const other = await newPage(server.url);
    await other.goto(`${server.url}/#/automations?limit=5`);
    await enter(other, 'nonsense');
    const alert = other.getByRole('alert');
    await alert.getByText('401 invalid_api_key').waitFor();
    await alert.getByText('This API key is unknown, has been revoked or has expired.').waitFor();
    await alert.getByText(/X-Request-Id [0-9a-f-]{36}/).waitFor();
    expect(await other.evaluate('sessionStorage.length')).toBe(0);
    await enter(other, server.apiKey);
    await says(other, '5 automations, newest first, more older');
    expect(await other.getByRole('alert').count()).toBe(0);
  });

  test.each(['', '   ', 'two words', 'line\u0001', 'schlüssel', 'ключ', '😀'])('%j cannot be sent', async (text) => {
    const server = await startServer();
    const page = await newPage(server.url);
    await page.goto(server.url);
    await enter(page, text);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/^(Paste an API key|This is not a key)/);
    await page.getByLabel('API key').waitFor();
    expect(server.requests.filter((it) => it.operation !== undefined)).toEqual([]);
  });

  test('that is rejected later is asked for again, at the same place', async () => {
    const { server, page } = await openConsole({ automations: twelve() }, '#/automations?limit=5');
    await says(page, '5 automations, newest first, more older');
    server.fail({ error: 'invalid_api_key', operation: 'listAutomations' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByText('401 invalid_api_key').waitFor();
    expect(await page.getByText('Automation 1', { exact: true }).count()).toBe(0);
    await enter(page, server.apiKey);
    await says(page, '5 automations, newest first, more older');
    expect(hashOf(page)).toBe('#/automations?limit=5');
  });
});

describe('lists', () => {
  test('each collection, with what was seen of it', async () => {
    const { page } = await openConsole({
      automations: Array.from({ length: 25 }, () => automation()),
      contactProperties: [
        contactProperty({ key: 'seats', fallback_value: 2.5 }),
        contactProperty({ key: 'none', fallback_value: null }),
        contactProperty({ key: '', fallback_value: '' }),
      ],
      contactImports: [contactImport({ created_at: '2026-04-16 13:49:40.678912+00' })],
    });
    const nav = page.getByRole('navigation', { name: 'Collections' });
    await says(page, '20 automations, newest first, more older');
    const tabs = async (): Promise<string[]> =>
      (await nav.getByRole('link').allInnerTexts()).map((it) => it.replaceAll(/\s+/g, ' '));
    expect(await tabs()).toEqual(['Automations 20+ seen', 'Contact properties', 'Contact imports']);
    await expect(page.locator('thead th').allInnerTexts()).resolves.toEqual([
      ...['ID', 'Name', 'Status', 'Created at', 'Updated at'],
    ]);
    await page.getByRole('link', { name: 'Older' }).click();
    await says(page, '5 automations, newest first, none older');
    expect(await tabs()).toEqual(['Automations 25 seen', 'Contact properties', 'Contact imports']);

    await nav.getByRole('link', { name: 'Contact properties' }).click();
    await says(page, '3 contact properties, newest first, none older');
    expect(await column(page, 'Key')).toEqual(['seats', 'none', 'empty']);
    expect(await column(page, 'Fallback value')).toEqual(['2.5', 'null', 'empty']);
    expect(await page.locator('select').count()).toBe(1);

    await nav.getByRole('link', { name: 'Contact imports' }).click();
    await says(page, '1 contact import, newest first, none older');
    expect(await tabs()).toEqual(['Automations 25 seen', 'Contact properties 3 seen', 'Contact imports 1 seen']);
    expect(await nav.locator('[aria-current=page]').getAttribute('href')).toBe('#/contacts/imports');
    expect(await column(page, 'Status')).toEqual(['completed']);
    const created = page.locator('tbody [data-label="Created at"] time');
    expect(await created.innerText()).toBe('Apr 16, 2026, 3:49 PM');
    expect(await created.getAttribute('title')).toBe('2026-04-16 13:49:40.678912+00');
    expect((await column(page, 'Counts')).map((it) => it.replaceAll(/\s+/g, ' '))).toEqual(['1,200 5 failed']);
    await page.getByRole('link', { name: /^[0-9a-f]{8}…$/ }).click();
    await record(page).getByText('Apr 16, 2026, 3:49:40 PM').waitFor();
    await record(page).getByText('2026-04-16 13:49:40.678912+00', { exact: true }).waitFor();
    expect(await record(page).getByRole('listitem').allInnerTexts()).toEqual([
      ...['1,100 created', '80 updated', '15 skipped', '5 failed', '1,200 total'],
    ]);
    await expect(page.title()).resolves.toMatch(/^Contact import [0-9a-f]{8}… · Rollcall console$/);
    await page.keyboard.press('Escape');
    await record(page).waitFor({ state: 'detached' });
    await expect(page.title()).resolves.toBe('Contact imports · Rollcall console');
  });

  test('a collection that the contract has more is there by itself', async () => {
    const { server, page } = await openConsole();
    const contract = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, { get: { tags: string[]; operationId: string } }>;
    };
    const [automations, imports] = [contract.paths['/automations'], contract.paths['/contacts/imports/{id}']];
    if (automations === undefined || imports === undefined) throw new Error('The contract has other paths.');
    contract.paths['/segments'] = { get: { ...automations.get, tags: ['Segments'], operationId: 'listSegments' } };
    contract.paths['/segments/{id}'] = { get: { ...imports.get, operationId: 'getSegment' } };
    await page.route('**/openapi.json', (route) => route.fulfill({ json: contract }));
    const segment = { id: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73', name: 'Frequent buyers', status: 'enabled' };
    await page.route('**/segments', (route) =>
      route.fulfill({ json: { object: 'list', has_more: false, data: [segment] } }),
    );
    await page.route('**/segments/*', (route) => route.fulfill({ json: segment }));
    await page.reload();
    await page.getByRole('link', { name: 'Segments' }).click();
    await page.getByRole('link', { name: 'c28f1d4e…' }).click();
    await record(page).getByText('Frequent buyers').first().waitFor();
    expect(await copied(page, 'automation', 'client code')).toContain(
      "await client.segments.get('c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73');",
    );
  });

  test('filter and page size are a link, and begin at the head', async () => {
    const { page } = await openConsole({
      automations: [...twelve(), automation({ status: 'disabled', name: 'Off' })],
    });
    await page.getByLabel('Page size').selectOption('5');
    await says(page, '5 automations, newest first, more older');
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByText('Automation 6', { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('disabled');
    await says(page, '1 automation, newest first, none older');
    expect(hashOf(page)).toBe('#/automations?limit=5&status=disabled');
    expect(await column(page, 'Name')).toEqual(['Off']);
    await page.goBack();
    await page.getByText('Automation 6', { exact: true }).waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('');
    await page.goForward();
    await says(page, '1 automation, newest first, none older');
    expect(await page.getByLabel('Status').inputValue()).toBe('disabled');
    await page.getByLabel('Status').selectOption('');
    await says(page, '5 automations, newest first, more older');
  });

  test('older and newer, to both ends and back', async () => {
    const { page } = await openConsole({ automations: twelve() }, '#/automations?limit=5');
    const shows = async (from: number, to: number): Promise<void> => {
      await page.getByText(NAMES[from] ?? '', { exact: true }).waitFor();
      expect(await column(page, 'Name')).toEqual(NAMES.slice(from, to));
    };
    const step = (name: string) => page.locator('a.step', { hasText: name });
    await shows(0, 5);
    expect(await step('Newer').getAttribute('href')).toBeNull();
    await step('Older').click();
    await shows(5, 10);
    await step('Older').click();
    await shows(10, 12);
    expect(await step('Older').getAttribute('href')).toBeNull();
    await step('Newer').click();
    await shows(5, 10);
    await step('Newer').click();
    await shows(0, 5);
    await says(page, '5 automations, newest first, none newer');
    expect(await step('Newer').getAttribute('href')).toBeNull();
    await step('Older').click();
    await shows(5, 10);
    await step('First').click();
    await shows(0, 5);
    expect(hashOf(page)).toBe('#/automations?limit=5');
  });

  test('nothing there is said in words', async () => {
    const lone = automation();
    const { page } = await openConsole({ automations: [lone] }, '#/contact-properties');
    await page.getByText('This account has no contact properties.').waitFor();
    await says(page, 'No contact properties');
    await page.goto(`${page.url().split('#')[0] ?? ''}#/automations?status=disabled`);
    await page.getByText('No automations match the filter.').waitFor();
    await page.getByRole('link', { name: 'Show all automations' }).click();
    await says(page, '1 automation, newest first, none older');
    await page.evaluate(`location.hash = '/automations?after=${lone.id}'`);
    await page.getByText('There are no older automations.').waitFor();
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await says(page, '1 automation, newest first, none older');
  });

  test('a late answer of what was asked before is not shown', async () => {
    const { server, page } = await openConsole({ automations: twelve() }, '#/automations?limit=5');
    await says(page, '5 automations, newest first, more older');
    server.fail({ delayMs: 1500, operation: 'listAutomations' });
    const late = page.waitForEvent('requestfailed');
    await page.evaluate("location.hash = '/automations?limit=2'");
    await page.getByText('Waiting for GET /automations?limit=2').waitFor();
    await page.evaluate("location.hash = '/automations?limit=3'");
    await says(page, '3 automations, newest first, more older');
    expect((await late).url()).toBe(`${server.url}/automations?limit=2`);
    expect(await page.getByText('Waiting for').count()).toBe(0);
  });
});

describe('records', () => {
  test('of a list without a get by id: on the page, and from a link long after', async () => {
    const automations = twelve();
    const { server, page } = await openConsole({ automations }, '#/automations?limit=5');
    await page.getByText('Automation 2', { exact: true }).click();
    await record(page).getByText('Automation 2').first().waitFor();
    const id = automations[1]?.id ?? '';
    expect(hashOf(page)).toBe(`#/automations/${id}?limit=5`);
    await expect(page.locator('pre.json').innerText()).resolves.toBe(JSON.stringify(automations[1], null, 2));
    expect(await page.evaluate('document.activeElement.id')).toBe('record-title');
    await page.keyboard.press('Escape');
    await record(page).waitFor({ state: 'detached' });
    expect(hashOf(page)).toBe('#/automations?limit=5');
    expect(await page.evaluate('document.activeElement.title')).toBe(id);

    for (const at of [0, 7, 11]) {
      const [other, it] = [await newPage(server.url), automations[at]];
      await other.goto(`${server.url}/#/automations/${(it?.id ?? '').toUpperCase()}?limit=1`);
      await enter(other, server.apiKey);
      await other.locator('pre.json').waitFor();
      await expect(other.locator('pre.json').innerText()).resolves.toBe(JSON.stringify(it, null, 2));
      // What is copied answers this record alone.
      const target = /'(http[^']+)'/.exec(await copied(other, 'automation', 'curl'))?.[1] ?? '';
      const answer = await fetch(target, { headers: { authorization: `Bearer ${server.apiKey}` } });
      expect(await answer.json()).toMatchObject({ data: [it] });
    }
  });

  test('the only one of its list', async () => {
    const only = contactProperty();
    const { page } = await openConsole({ contactProperties: [only] }, `#/contact-properties/${only.id}`);
    await page.locator('pre.json').waitFor();
    await expect(page.locator('pre.json').innerText()).resolves.toBe(JSON.stringify(only, null, 2));
    expect(await copied(page, 'contact property', 'JSON')).toBe(JSON.stringify(only, null, 2));
  });

  test('of a list with a get by id', async () => {
    const imports = [contactImport(), contactImport()];
    const { server, page } = await openConsole({ contactImports: imports }, '#/contacts/imports?limit=1');
    const [, second] = imports;
    await says(page, '1 contact import, newest first, more older');
    await page.evaluate(`location.hash = '/contacts/imports/${second?.id ?? ''}'`);
    await page.locator('pre.json').waitFor();
    await expect(page.locator('pre.json').innerText()).resolves.toBe(JSON.stringify(second, null, 2));
    expect(server.requests.filter((it) => it.operation === 'getContactImport').map((it) => it.path)).toEqual([
      `/contacts/imports/${second?.id ?? ''}`,
    ]);
    expect(await copied(page, 'contact import', 'curl')).toBe(
      `curl -sS -H "Authorization: Bearer $ROLLCALL_API_KEY" '${server.url}/contacts/imports/${second?.id ?? ''}'`,
    );
    expect(await copied(page, 'contact import', 'client code')).toContain(
      `await client.contactImports.get('${second?.id ?? ''}');`,
    );
  });

  test('that is not there is the error of the API', async () => {
    const { page } = await openConsole(
      { automations: twelve() },
      '#/automations/00000000-0000-4000-8000-000000000000?limit=2',
    );
    await record(page).getByText('404 not_found').waitFor();
    await page.evaluate("location.hash = '/contacts/imports/00000000-0000-4000-8000-000000000000'");
    await record(page).getByText('There is no contact import with this id.').waitFor();
    await page.evaluate("location.hash = '/contacts/imports/nonsense'");
    await record(page).getByText('422 validation_error').waitFor();
  });

  test('numbers stay as they were written', async () => {
    const { server, page } = await openConsole();
    const data = `[{"id":"c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73","key":"k","type":"number","fallback_value":1.10}]`;
    await page.route('**/contact-properties', (route) =>
      route.fulfill({ contentType: 'application/json', body: `{"object":"list","has_more":false,"data":${data}}` }),
    );
    await page.goto(`${server.url}/#/contact-properties/c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73`);
    await page.locator('pre.json').waitFor();
    expect(await page.locator('pre.json').innerText()).toContain('"fallback_value": 1.10');
    expect(await column(page, 'Fallback value')).toEqual(['1.10']);
    expect(await copied(page, 'page', 'JSON')).toContain('"fallback_value": 1.10');
  });
});

describe('an import that moves', () => {
  const bar = (page: Page) => record(page).getByRole('progressbar');
  const value = (page: Page): Promise<string | null> => bar(page).getAttribute('value');

  /** However long one waits, by the clock of the page, which is installed. */
  const asksNothing = async (server: TestServer, page: Page): Promise<void> => {
    const asked = server.requests.filter((it) => it.operation !== undefined).length;
    await page.clock.runFor(600_000);
    await page.evaluate("fetch('openapi.json')"); // What was asked before this has come.
    expect(server.requests.filter((it) => it.operation !== undefined)).toHaveLength(asked);
  };

  test('in the list and in its record, by conditional requests, until it has ended', async () => {
    const [queued, other] = [contactImport({ status: 'queued' }), contactImport()];
    const { server, page } = await openConsole({ contactImports: [queued, other] }, `#/contacts/imports/${queued.id}`);
    await bar(page).waitFor();
    await page.clock.install();
    await page.reload();
    await bar(page).waitFor();
    expect(await value(page)).toBe('0');
    expect(await bar(page).getAttribute('aria-label')).toBe(`Progress of contact import ${queued.id.slice(0, 8)}…`);
    const unchanged = await page.waitForResponse((it) => it.status() === 304);
    expect(unchanged.request().headers()['if-none-match']).toMatch(/^"/);
    expect(await value(page)).toBe('0');

    await server.moveImport(queued.id);
    await record(page).getByText('in progress').waitFor();
    expect(await value(page)).toBe('500');
    expect(await bar(page).getAttribute('max')).toBe('1000');
    expect(await column(page, 'Status')).toEqual(['in progress', 'completed']);

    await server.moveImport(queued.id);
    await record(page).locator('.badge', { hasText: 'completed' }).waitFor();
    expect(await value(page)).toBe('1000');
    expect(await column(page, 'Status')).toEqual(['completed', 'completed']);
    await asksNothing(server, page);
  });

  test('also when it is not on the page beside it', async () => {
    const [newer, queued] = [contactImport(), contactImport({ status: 'queued' })];
    const { server, page } = await openConsole(
      { contactImports: [newer, queued] },
      `#/contacts/imports/${queued.id}?limit=1`,
    );
    await bar(page).waitFor();
    const again = await page.waitForResponse((it) => it.status() === 304);
    expect(again.url()).toBe(`${server.url}/contacts/imports/${queued.id}`);
    await server.moveImport(queued.id);
    await server.moveImport(queued.id, { end: 'failed' });
    await record(page).locator('.badge', { hasText: 'failed' }).waitFor();
    expect(await value(page)).toBe('500');
  });

  test('is followed through errors, which are shown while they last', async () => {
    const queued = contactImport({ status: 'queued' });
    const { server, page } = await openConsole({ contactImports: [queued] }, '#/contacts/imports');
    await page.getByRole('progressbar').waitFor();
    server.fail({ status: 503, retryAfter: 1, operation: 'listContactImports' });
    await page.getByRole('alert').getByText('503 service_unavailable').waitFor();
    expect(await column(page, 'Status')).toEqual(['queued']);
    await server.moveImport(queued.id);
    await page.locator('.badge', { hasText: 'in progress' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('is not asked for while nobody looks, nor from elsewhere', async () => {
    const { server, page } = await openConsole(
      { contactImports: [contactImport({ status: 'queued' })] },
      '#/contacts/imports',
    );
    await page.getByRole('progressbar').waitFor();
    await page.clock.install();
    await page.reload();
    await page.getByRole('progressbar').waitFor();
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
    await asksNothing(server, page);
    const again = page.waitForResponse((it) => it.status() === 304);
    await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
    await again;

    await page.getByRole('link', { name: 'Automations' }).click();
    await says(page, 'No automations');
    await asksNothing(server, page);
  });
});

describe('errors', () => {
  test.each([
    [{ status: 429, retryAfter: 7 }, '429 rate_limit_exceeded', '7'],
    [{ status: 503, retryAfter: 3 }, '503 service_unavailable', '3'],
    [{ status: 500 }, '500 application_error', undefined],
  ] as const)('%j', async (fault, title, retryAfter) => {
    const { server, page } = await openConsole({ automations: twelve() }, '#/contact-properties');
    await says(page, 'No contact properties');
    server.fail({ ...fault, operation: 'listAutomations' });
    await page.getByRole('link', { name: 'Automations' }).click();
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: title }).waitFor();
    await alert.getByText(/X-Request-Id [\w-]{36}/).waitFor();
    expect(await alert.getByText(/^Retry-After \d/).allInnerTexts()).toEqual(
      retryAfter === undefined ? [] : [`Retry-After ${retryAfter} s`],
    );
    await alert.getByRole('button', { name: 'Try again' }).click();
    await says(page, '12 automations, newest first, none older');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a cursor that is gone leads to the first page', async () => {
    const { page } = await openConsole(
      { automations: twelve() },
      '#/automations?limit=5&after=00000000-0000-4000-8000-000000000000',
    );
    await page.getByRole('alert').getByText('404 not_found').waitFor();
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await says(page, '5 automations, newest first, more older');
  });

  test.each([
    ['limit=0', 'limit must be a whole number from 1 to 100.'],
    ['page=2', 'page is not a parameter here'],
    ['status=asleep', 'status must be one of enabled, disabled.'],
    ['limit=1&limit=2', 'limit must be given once'],
    ['after=x', 'after must be a UUID'],
  ])('what the API says of ?%s', async (search, message) => {
    const { page } = await openConsole({ automations: twelve() }, `#/automations?${search}`);
    await page.getByRole('alert').getByText('422 validation_error').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain(message);
  });

  test('a connection that is cut, before and within the answer', async () => {
    const { server, page } = await openConsole({ automations: twelve() }, '#/contact-properties');
    await says(page, 'No contact properties');
    for (const fault of [{ disconnect: true }, { body: 'cut' }] as const) {
      server.fail({ ...fault, operation: 'listAutomations' }, Infinity); // Chromium itself asks once more.
      await page.evaluate("location.hash = '/automations'");
      await page.getByRole('alert').getByText('Network failure').waitFor();
      await page.evaluate("location.hash = '/contact-properties'");
      await says(page, 'No contact properties');
      await server.reset();
    }
  });

  test('an answer that is not of the API', async () => {
    const { page } = await openConsole({ automations: twelve() }, '#/contact-properties');
    await says(page, 'No contact properties');
    const body = `<html>\n<h1>Bad gateway</h1><script>pwned = 1</script>${'x'.repeat(1000)}`;
    await page.route('**/automations', (route) => route.fulfill({ status: 502, contentType: 'text/html', body }));
    await page.getByRole('link', { name: 'Automations' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('502 Not a response of the API').waitFor();
    expect(await alert.locator('pre').innerText()).toBe(body.slice(0, 500));
    expect(await page.evaluate('typeof pwned')).toBe('undefined');
    for (const answer of ['', '[]', '{}', '{"data":[1]}', '{"data":[{}]}', 'null', '{"object":']) {
      await page.unroute('**/automations');
      await page.route('**/automations', (route) => route.fulfill({ contentType: 'application/json', body: answer }));
      await page
        .getByRole('button', { name: /Try again|Refresh/ })
        .first()
        .click();
      await page
        .getByRole('alert')
        .getByText(/^(200 Not a response of the API|Not a list|Not a record)$/)
        .waitFor();
    }
  });

  test('a contract that does not come', async () => {
    const server = await startServer();
    const page = await newPage(server.url);
    await page.route('**/openapi.json', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: 'Later' }),
    );
    await page.goto(server.url);
    await page.getByRole('alert').getByText('503 Not a response of the API').waitFor();
    await page.unroute('**/openapi.json');
    await page.route('**/openapi.json', (route) => route.fulfill({ json: { openapi: '3.0.3' } }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('This is not an OpenAPI document.').waitFor();
    await page.unroute('**/openapi.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('API key').waitFor();
  });

  test.each(['#/nowhere', '#/automations/%zz', '#/automations/..', '#//elsewhere.example/x', '#/%00<b>', '#nothing'])(
    'the link %s is nothing, and nothing is asked for',
    async (hash) => {
      const { server, page } = await openConsole({}, hash);
      await page.getByRole('alert').getByText('Nothing is at this link').waitFor();
      expect(server.requests.filter((it) => it.headers['accept'] === '*/*' && it.operation !== undefined)).toEqual([]);
      await page.getByRole('alert').getByRole('link', { name: 'Automations' }).click();
      await says(page, 'No automations');
    },
  );
});

describe('strangers', () => {
  const HOSTILE = [
    '<script>pwned = 1</script>',
    '<img src=x onerror="pwned = 1">',
    '"><svg onload=pwned=1>',
    "' onfocus='pwned=1' autofocus='",
    'javascript:pwned=1',
    '${pwned = 1} {{pwned = 1}} <!--',
    '\u202egnp.exe\u2066',
    'two\nlines\tand\u0001more',
    'x'.repeat(1000),
  ];

  test('their records are text: in a cell, in a record, in what is copied', async () => {
    const automations = series(HOSTILE.length, (it) => automation(it)).map((it, at) => ({
      ...it,
      name: HOSTILE[at] ?? '',
    }));
    const contactProperties = [
      contactProperty({ key: HOSTILE[0] ?? '', fallback_value: HOSTILE[1] ?? '', type: HOSTILE[2] ?? '' }),
      contactProperty({ fallback_value: '\u202e<b>'.repeat(2500) }),
    ];
    const { page } = await openConsole({ automations, contactProperties });
    await says(page, `${String(HOSTILE.length)} automations, newest first, none older`);
    const shown = await column(page, 'Name');
    expect(shown.slice(0, 6)).toEqual(HOSTILE.slice(0, 6));
    expect(shown.slice(6)).toEqual([
      String.raw`\u202egnp.exe\u2066`,
      String.raw`two\nlines\tand\u0001more`,
      `${'x'.repeat(160)}…`,
    ]);
    for (const [at, it] of automations.entries()) {
      await page.locator('tbody tr a').nth(at).click();
      await record(page).locator('h2', { hasText: it.id }).waitFor();
      expect(JSON.parse(await copied(page, 'automation', 'JSON'))).toEqual(it);
      expect(JSON.parse(await page.locator('pre.json').innerText())).toEqual(it);
    }
    await page.getByRole('link', { name: 'Contact properties' }).click();
    await page.locator('tbody tr a').nth(1).click();
    await page.locator('pre.json').waitFor();
    expect(JSON.parse(await copied(page, 'contact property', 'JSON'))).toEqual(contactProperties[1]);
    expect(JSON.parse(await copied(page, 'page', 'JSON'))).toMatchObject({ data: contactProperties });
    expect(await page.evaluate('typeof pwned')).toBe('undefined');
    expect(await page.locator('#console :is(script, img, svg, b)').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
  });

  test('their links are no commands', async () => {
    const { server, page } = await openConsole({ automations: twelve() });
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-console-'));
    afterTest(() => {
      rmSync(folder, { recursive: true });
    });
    writeFileSync(join(folder, 'curl'), `#!/bin/sh\nprintf '%s\\0' "$@" > seen\n`, { mode: 0o755 });
    const hostile = encodeURIComponent(`'; touch pwned; echo '$(touch pwned)\``);
    for (const hash of [
      `/automations?status=${hostile}`,
      `/contacts/imports/'%3Btouch%20pwned%3B'`,
      `/automations?status=';touch pwned;'`,
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.getByText('422 validation_error').first().waitFor();
      const command = await copied(page, 'page', 'curl');
      expect(command).not.toContain(server.apiKey);
      execFileSync('sh', ['-c', command], {
        cwd: folder,
        env: { PATH: `${folder}:${String(process.env['PATH'])}`, ROLLCALL_API_KEY: 'rollcall_1' },
      });
      const [, , header, url, ...more] = readFileSync(join(folder, 'seen'), 'utf8').split('\0');
      expect([header, new URL(url ?? '').origin, more]).toEqual(['Authorization: Bearer rollcall_1', server.url, ['']]);
      expect(() => readFileSync(join(folder, 'pwned'))).toThrow('ENOENT');
    }
    expect(await copied(page, 'page', 'client code')).toContain(String.raw`list({ status: '\';touch pwned;\'' })`);
  });

  test('what a policy blocks would be noticed', async () => {
    const server = await startServer();
    const page = await newPage(server.url);
    await page.goto(server.url);
    await page.getByLabel('API key').waitFor();
    const told = page.waitForEvent('console', (it) => it.text().startsWith('Policy:'));
    await page.evaluate("try { document.body.innerHTML = '<b>'; } catch {}");
    await told;
    expect(takeFaults()).toContainEqual(expect.stringContaining('require-trusted-types-for'));
  });
});

test('a link opened by a colleague asks for a key, and shows the same', async () => {
  const automations = twelve();
  const { server, page } = await openConsole({ automations }, '#/automations?limit=3');
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText('Automation 5', { exact: true }).click();
  await page.locator('pre.json').waitFor();
  const [shown, rows] = [await record(page).innerText(), await column(page, 'Name')];
  expect(page.url()).not.toContain(server.apiKey);

  const other = await newPage(server.url);
  await other.goto(page.url());
  await other.getByLabel('API key').waitFor();
  await other.getByText(`It opens at /automations/${automations[4]?.id ?? ''}?limit=3&after=`).waitFor();
  await enter(other, server.apiKey);
  await other.locator('pre.json').waitFor();
  expect([await record(other).innerText(), await column(other, 'Name')]).toEqual([shown, rows]);
});

test('works behind a proxy that takes a prefix away', async () => {
  const imports = [contactImport(), contactImport()];
  const server = await startServer({ contactImports: imports });
  const origin = await startPrefixProxy('/tools/rollcall', server.url);
  const page = await newPage(origin);
  page.on('response', (it) => {
    expect(it.status()).toBeLessThan(400);
  });
  await page.goto(`${origin}/tools/rollcall/#/contacts/imports?limit=1`);
  await enter(page, server.apiKey);
  await says(page, '1 contact import, newest first, more older');
  await page.getByRole('link', { name: 'Older' }).click();
  await page.locator(`tr[data-id="${imports[1]?.id ?? ''}"]`).click();
  await page.locator('pre.json').waitFor();
  expect(await copied(page, 'contact import', 'curl')).toContain(
    `'${origin}/tools/rollcall/contacts/imports/${imports[1]?.id ?? ''}'`,
  );
  expect(await copied(page, 'page', 'client code')).toContain(`baseUrl: '${origin}/tools/rollcall' `);
});

test('copies where a page may not write to the clipboard, and says so where it cannot copy at all', async () => {
  const { server, page } = await openConsole();
  // As on a page that came neither by https nor from this machine.
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.reload();
  await page.getByRole('button', { name: 'curl' }).click();
  await says(page, 'Copied: page as curl');
  expect(await page.evaluate('document.activeElement.innerText')).toBe('curl');
  await page.getByRole('button', { name: 'Forget key' }).click();
  const field = page.getByLabel('API key');
  await field.focus();
  await page.keyboard.press('Control+V');
  expect(await field.inputValue()).toBe(
    `curl -sS -H "Authorization: Bearer $ROLLCALL_API_KEY" '${server.url}/automations'`,
  );
  await field.fill(server.apiKey);
  await page.keyboard.press('Enter');
  await says(page, 'No automations');
  await page.evaluate('document.execCommand = () => false');
  await page.getByRole('button', { name: 'JSON' }).click();
  await page.getByText('The browser refuses to copy').waitFor();
});

test('with the keyboard alone', async () => {
  const { page } = await openConsole({ automations: twelve() }, '#/automations?limit=5');
  await says(page, '5 automations, newest first, more older');
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.closest("tr")?.innerText ?? document.activeElement.id');
  await page.keyboard.press('j');
  expect(await focused()).toContain('Automation 1');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toContain('Automation 3');
  await page.keyboard.press('k');
  expect(await focused()).toContain('Automation 2');
  await page.keyboard.press('Enter');
  await record(page).getByText('Automation 2').first().waitFor();
  expect(await focused()).toBe('record-title');
  await page.keyboard.press('j');
  await record(page).getByText('Automation 3').first().waitFor();
  await page.keyboard.press('Escape');
  await record(page).waitFor({ state: 'detached' });
  expect(await focused()).toContain('Automation 3');
  await page.keyboard.press('o');
  await page.getByText('Automation 6', { exact: true }).waitFor();
  await page.keyboard.press('n');
  await page.getByText('Automation 1', { exact: true }).waitFor();
  await page.keyboard.press('/');
  expect(await page.evaluate('document.activeElement.dataset.name')).toBe('status');
  // A letter typed into a field is a letter.
  await page.keyboard.press('d');
  await says(page, 'No automations');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.waitFor();
  await dialog.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.press('?');
  expect(await dialog.isVisible()).toBe(false);
});

test('every control is reached by Tab, from the skip link on', async () => {
  const { page } = await openConsole({ automations: [automation()] });
  await says(page, '1 automation, newest first, none older');
  await page.reload();
  await says(page, '1 automation, newest first, none older');
  const reached: string[] = [];
  for (let at = 0; at < 40; at += 1) {
    await page.keyboard.press('Tab');
    const name: string = await page.evaluate(
      "document.activeElement === document.body ? '' : document.activeElement.innerText || document.activeElement.dataset.name || document.activeElement.tagName",
    );
    if (name === '') break;
    reached.push(name.split('\n')[0] ?? '');
  }
  expect(reached).toEqual([
    ...['Skip to the content', 'Rollcall console', 'Automations', 'Contact properties', 'Contact imports'],
    ...['Reference', 'Keys', 'Dark', 'Forget key'],
    expect.any(String), // Status, and its options.
    expect.any(String),
    ...['Refresh', 'curl', 'client code', 'JSON'],
    expect.stringMatching(/^[0-9a-f]{8}…$/),
  ]);
});

test.each([360, 390, 700, 1000, 1280, 1920])('at %i pixels nothing scrolls sideways', async (width) => {
  const { server, page } = await openConsole(
    {
      automations: [automation({ name: 'x'.repeat(1000) }), automation({ name: 'word '.repeat(200) })],
      contactImports: [
        contactImport({
          counts: { total: 123456, created: 23456, updated: 80, skipped: 15, failed: 5555 },
          status: 'in_progress',
          completed_at: null,
        }),
        contactImport(),
      ],
    },
    '',
    { viewport: { width, height: 800 } },
  );
  const fits = async (): Promise<void> => {
    await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(width);
  };
  await says(page, '2 automations, newest first, none older');
  await fits();
  await page.locator('tbody tr a').first().click();
  await page.locator('pre.json').waitFor();
  await fits();
  // A sheet that covers all is all there is to reach.
  expect(await page.locator('main').getAttribute('inert')).toBe(width < 800 ? '' : null);
  await page.getByRole('link', { name: 'Close the record' }).click();
  await page.evaluate("location.hash = '/contacts/imports'");
  await page.getByRole('progressbar').first().waitFor();
  await fits();
  // Nor does the table in its box.
  const [inner, outer]: [number, number] = await page.evaluate(
    "(it => [it.scrollWidth, it.clientWidth])(document.querySelector('.list'))",
  );
  expect(inner).toBe(outer);
  await page.evaluate(`location.hash = '/automations?status=${'x'.repeat(300)}'`);
  await page.getByRole('alert').waitFor();
  await fits();
  await page.evaluate(`location.hash = '/${'x'.repeat(300)}'`);
  await page.getByText('Nothing is at this link').waitFor();
  await fits();
  await page.getByRole('button', { name: 'Forget key' }).click();
  await page.getByLabel('API key').waitFor();
  await fits();
  expect(server.errors).toEqual([]);
});

test('light and dark: as the system has it, and as it is chosen', async () => {
  const { page } = await openConsole({}, '', { colorScheme: 'dark' });
  const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await background();
  await page.getByRole('button', { name: 'Light' }).click();
  const light = await background();
  expect(light).not.toBe(dark);
  await page.reload();
  await page.getByRole('button', { name: 'Dark' }).waitFor();
  expect(await background()).toBe(light);
});

test('without JavaScript there are links', async () => {
  const server = await startServer();
  const page = await newPage(server.url, { javaScriptEnabled: false });
  await page.goto(server.url);
  const links = await page.getByRole('main').getByRole('link').all();
  expect(await Promise.all(links.map((it) => it.getAttribute('href')))).toEqual(['openapi.yaml', 'docs']);
});

test('its one script is named in the page, and loads no other', async () => {
  const { page } = await openConsole();
  await says(page, 'No automations');
  const [named, loaded]: [string[], string[]] = await page.evaluate(
    `[
      [...document.querySelectorAll('link[rel=modulepreload], script')].map((it) => it.href ?? it.src),
      performance.getEntriesByType('resource').map((it) => it.name).filter((it) => it.endsWith('.js')),
    ]`,
  );
  expect(named).toHaveLength(1);
  expect(named).toEqual(loaded);
});

test('all its files together weigh less than 30 KB, compressed', async () => {
  const { page } = await openConsole();
  await says(page, 'No automations');
  const weight: number = await page.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((it) => /\\/$|assets/.test(new URL(it.name).pathname))
      .reduce((sum, it) => sum + it.encodedBodySize, 0)`,
  );
  expect(weight).toBeGreaterThan(5_000);
  expect(weight).toBeLessThan(30_000);
  process.stdout.write(`The console's files: ${String(weight)} bytes compressed.\n`);
});

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

describe.each([390, 1280])('accessible at %i pixels', (width) => {
  test.each(['light', 'dark'] as const)('in %s', async (colorScheme) => {
    const { server, page } = await openConsole(
      {
        automations: twelve(),
        contactImports: [
          contactImport({ status: 'in_progress' }),
          contactImport({ status: 'failed' }),
          contactImport(),
        ],
      },
      '#/contacts/imports',
      { colorScheme, viewport: { width, height: 844 }, bypassCSP: true }, // For axe alone: it makes markup of strings.
    );
    const check = async (): Promise<void> => {
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        'axe.run()',
      );
      expect(violations.map((it) => [it.id, ...it.nodes.map((node) => node.html)])).toEqual([]);
    };
    await page.getByRole('progressbar').first().waitFor();
    await check();
    await page.locator('tbody tr a').first().click();
    await page.locator('pre.json').waitFor();
    await check();
    await page.evaluate("location.hash = '/automations?limit=0'");
    await page.getByRole('alert').waitFor();
    await check();
    await page.evaluate("location.hash = '/contact-properties'");
    await says(page, 'No contact properties');
    await check();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await check();
    await page.keyboard.press('Escape');
    server.fail({ error: 'invalid_api_key', operation: 'listContactProperties' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('401 invalid_api_key').waitFor();
    await check();
  });
});
