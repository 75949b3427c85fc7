/** The reference in a real browser: its forms, which send the requests. */
import { expect, test } from '@jest/globals';
import { automation } from '../../testkit/index.ts';
import { startPrefixProxy } from '../support/prefix-proxy.ts';
import { UNKNOWN, asked, newPage, startServer, takeCopied } from './pages.ts';
import { chooseLanguage, codeOf, openReference, operation, tryIt } from './reference-page.ts';

test('asks for a key once, shows the answer, and shares the key with the console', async () => {
  const { server, page } = await openReference();
  const result = await tryIt(page, 'listAutomations', {
    'API key': ` ${server.apiKey} `,
    status: 'enabled',
    limit: '1',
  });
  expect(await result.locator('p').innerText()).toMatch(/^200 OK\s+\d+ ms\s+\d+ bytes\s+Open in console$/);
  const shown = await result.locator('pre').innerText();
  expect(shown).toContain('"name": "Birthday wishes"');
  expect(shown).not.toContain('Farewell');
  expect(server.requests.at(-1)).toMatchObject({
    operation: 'listAutomations',
    query: { limit: '1', status: 'enabled' },
  });
  await result.getByText(/^Response headers \(\d+\)$/).click();
  expect(await result.locator('dl').innerText()).toMatch(/x-request-id\s+[0-9a-f-]{36}/);

  const other = await tryIt(page, 'getContactImport', { id: UNKNOWN });
  expect(await other.locator('strong').innerText()).toBe('404 Not Found');
  expect(await other.locator('pre').innerText()).toContain('There is no contact import with this `id`.');
  expect(await operation(page, 'getContactImport').getByLabel('API key').isVisible()).toBe(false);

  expect(await page.evaluate("sessionStorage.getItem('rollcall key /')")).toBe(server.apiKey);
  expect(await page.content()).not.toContain(server.apiKey);
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(server.apiKey);
  await result.getByRole('link', { name: 'Open in console' }).click();
  await page.waitForURL(`${server.url}/#/automations?limit=1&status=enabled`);
});

test('the samples of an operation show the request of its form, in every language and without the key', async () => {
  const { server, page } = await openReference();
  const values = { limit: '7', status: 'disabled', 'If-None-Match': `"it's"` };
  await tryIt(page, 'listAutomations', { 'API key': server.apiKey, ...values });
  const url = `${server.url}/automations?limit=7&status=disabled`;
  const { query, headers } = server.requests.at(-1) ?? {};
  expect(query).toEqual({ limit: '7', status: 'disabled' });
  expect(headers).toMatchObject({ 'if-none-match': `"it's"` });
  const samples = operation(page, 'listAutomations').locator('.languages');
  const show = async (language: string): Promise<string> => {
    await chooseLanguage(page, 'listAutomations', language);
    return codeOf(page, 'listAutomations');
  };
  expect(await show('curl')).toBe(
    [`curl "${url}" \\`, '  -H "Authorization: Bearer $ROLLCALL_API_KEY" \\', `  -H 'If-None-Match: "it'\\''s"'`].join(
      '\n',
    ),
  );
  expect(await show('TypeScript')).toContain(
    `client.automations.list({ limit: 7, status: 'disabled', headers: { 'If-None-Match': '"it\\'s"' } });`,
  );
  const python = await show('Python');
  expect(python).toContain(`    "${url}",\n`);
  expect(python).toContain(`        "If-None-Match": "\\"it's\\"",\n    },`);
  const go = await show('Go');
  expect(go).toContain(`http.NewRequest("GET", "${url}", nil)`);
  expect(go).toContain('\trequest.Header.Set("If-None-Match", "\\"it\'s\\"")\n');
  await samples.getByRole('button', { name: 'Copy' }).click();
  await samples.getByText('Copied').waitFor();
  expect(await takeCopied(page)).toBe(go);

  // Other operations keep their examples.
  expect(await codeOf(page, 'listContactImports')).toContain('/contacts/imports?limit=2"');
  await operation(page, 'getContactImport').locator('.try').getByText('Try it', { exact: true }).click();
  await operation(page, 'getContactImport').getByLabel('id', { exact: true }).fill('a/"b"');
  expect(await codeOf(page, 'getContactImport')).toContain(`"${server.url}/contacts/imports/a%2F%22b%22", nil)`);
});

test('a response is copied whole', async () => {
  const { server, page } = await openReference();
  const result = await tryIt(page, 'listAutomations', { 'API key': server.apiKey, limit: '1' });
  await result.getByRole('button', { name: 'Copy response' }).click();
  await result.getByText('Copied').waitFor();
  const copied = await takeCopied(page);
  expect(copied).toBe(await result.locator('pre').innerText());
  expect(JSON.parse(copied)).toMatchObject({ object: 'list', data: [{ name: 'Birthday wishes' }] });
});

test('shows errors as they are', async () => {
  const { server, page } = await openReference();
  const none = await tryIt(page, 'listAutomations');
  expect(await none.locator('strong').innerText()).toBe('401 Unauthorized');
  expect(await none.locator('pre').innerText()).toContain('missing_api_key');
  const rejected = await tryIt(page, 'listAutomations', { 'API key': 'nonsense' });
  await rejected.getByText('invalid_api_key').waitFor();

  await operation(page, 'listAutomations').getByRole('button', { name: 'Change key' }).click();
  const wrong = await tryIt(page, 'listAutomations', { 'API key': server.apiKey, limit: '101' });
  await wrong.getByText('validation_error').waitFor();
  expect(await wrong.locator('strong').innerText()).toBe('422 Unprocessable Entity');
  expect(await wrong.locator('pre').innerText()).toContain('`limit` must be a whole number from 1 to 100.');
  const right = await tryIt(page, 'listAutomations', { limit: '' });
  await right.getByText('Birthday wishes').waitFor();
  expect(server.requests.at(-1)?.query).toEqual({});
});

test('sends headers, and shows an answer without a body', async () => {
  const { server, page } = await openReference();
  const first = await tryIt(page, 'listContactImports', { 'API key': server.apiKey });
  await first.getByText(/^Response headers/).click();
  const etag = await first.locator('dt:text-is("etag") + dd').innerText();
  const again = await tryIt(page, 'listContactImports', { 'If-None-Match': etag });
  await again.getByText('304 Not Modified').waitFor();
  expect(await again.locator('pre').count()).toBe(0);
  expect(server.requests.at(-1)?.headers['if-none-match']).toBe(etag);
});

test('what cannot be sent, and a server that is gone, are said', async () => {
  const { server, page } = await openReference();
  const unsendable = await tryIt(page, 'listAutomations', { 'API key': 'Schlüssel …' });
  expect(await unsendable.locator('strong').innerText()).toBe('No response');
  server.fail({ disconnect: true }, Infinity); // A browser may ask twice.
  await operation(page, 'listAutomations').getByRole('button', { name: 'Change key' }).click();
  const cut = await tryIt(page, 'listAutomations', { 'API key': server.apiKey });
  await cut.getByText(/Failed to fetch|NetworkError/).waitFor();
});

test('a path without its parameter is not sent', async () => {
  const { server, page } = await openReference();
  const form = operation(page, 'getContactImport').locator('.try');
  await form.getByText('Try it', { exact: true }).click();
  await form.getByLabel('id', { exact: true }).fill('');
  await form.getByRole('button', { name: 'Send' }).click();
  expect(await page.locator(':focus').getAttribute('name')).toBe('id');
  expect(asked(server)).toBe(0);
});

test('a record with markup in it is text', async () => {
  const { server, page } = await openReference();
  const name = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e';
  await server.put('automations', [automation({ name })]);
  const result = await tryIt(page, 'listAutomations', { 'API key': server.apiKey });
  expect(await result.locator('pre').innerText()).toContain('<img src=x onerror=\\"document.title=1\\">');
  expect(await result.locator('img, script').count()).toBe(0);
  expect(await page.title()).toMatch(/^Rollcall/);
});

test('behind a prefix that the server knows nothing of', async () => {
  const { url, apiKey } = await startServer({ automations: [automation({ name: 'Behind a prefix' })] });
  const origin = await startPrefixProxy('/deep/rollcall', url);
  const page = await newPage(origin);
  await page.goto(`${origin}/deep/rollcall/docs`);
  const base = `${origin}/deep/rollcall`;
  expect(await page.locator('dd [data-origin]').innerText()).toBe(base);
  expect(await page.locator('main').textContent()).not.toContain('localhost:3000');
  for (const [language, shown] of [
    ['curl', `curl "${base}/automations?`],
    ['TypeScript', `createClient({ baseUrl: '${base}' })`],
    ['Python', `    "${base}/automations?`],
    ['Go', `http.NewRequest("GET", "${base}/automations?`],
  ] as const) {
    await chooseLanguage(page, 'listAutomations', language);
    expect(await codeOf(page, 'listAutomations')).toContain(shown);
  }
  const result = await tryIt(page, 'listAutomations', { 'API key': apiKey });
  await result.getByText('Behind a prefix').waitFor();
  await result.getByRole('link', { name: 'Open in console' }).click();
  await page.waitForURL(`${origin}/deep/rollcall/#/automations`);
  // It has the key, and has come to an end before the server is closed.
  await page.locator('tbody').getByText('Behind a prefix').waitFor();
});
