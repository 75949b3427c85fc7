/** The console in a real browser: records, imports that move, and what strangers may have put into them. */
import { describe, expect, test } from '@jest/globals';
import { automation, contactImport, contactProperty } from '../../testkit/index.ts';
import { series } from '../support/series.ts';
import { openConsole, wordsOf } from './console-page.ts';
import type { Console } from './console-page.ts';
import { UNKNOWN, asked, expectToFit, hashOf, twelve, takeCopied } from './pages.ts';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

describe('records', () => {
  test('of a list without a get by id: on the page, and from a link long after', async () => {
    const automations = twelve();
    const [, second] = automations;
    const { server, page, record, json } = await openConsole({ automations }, { hash: '#/automations?limit=5' });
    await page.getByText('Automation 2', { exact: true }).click();
    await record.getByText('Automation 2').first().waitFor();
    const id = second?.id ?? '';
    expect(await hashOf(page)).toBe(`#/automations/${id}?limit=5`);
    expect(await json()).toBe(pretty(second));
    expect(await page.evaluate('document.activeElement.id')).toBe('record-title');
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    expect(await hashOf(page)).toBe('#/automations?limit=5');
    expect(await page.evaluate('document.activeElement.title')).toBe(id);

    const eighth = automations[7];
    const hash = `#/automations/${(eighth?.id ?? '').toUpperCase()}?limit=1`;
    const other = await openConsole(server, { hash });
    expect(await other.json()).toBe(pretty(eighth));
    // What is copied answers this record alone.
    const target = /'(http[^']+)'/.exec(await other.copied('automation', 'curl'))?.[1] ?? '';
    const answer = await fetch(target, { headers: { authorization: `Bearer ${server.apiKey}` } });
    expect(await answer.json()).toMatchObject({ data: [eighth] });
  });

  test('of a list with a get by id', async () => {
    const contactImports = [contactImport(), contactImport()];
    const [, second] = contactImports;
    const path = `/contacts/imports/${second?.id ?? ''}`;
    const { server, says, go, json, copied } = await openConsole(
      { contactImports },
      { hash: '#/contacts/imports?limit=1' },
    );
    await says('Showing 1 contact import, newest first. Older ones available.');
    await go(path);
    expect(await json()).toBe(pretty(second));
    const gets = server.requests.filter((it) => it.operation === 'getContactImport');
    expect(gets.map((it) => it.path)).toEqual([path]);
    expect(await copied('contact import', 'curl')).toBe(
      `curl -sS -H "Authorization: Bearer $ROLLCALL_API_KEY" '${server.url}${path}'`,
    );
    expect(await copied('contact import', 'client code')).toContain(
      `await client.contactImports.get('${second?.id ?? ''}');`,
    );
  });

  test('that is not there is said in words of the console, and an id that can be none is not sent', async () => {
    const { server, record, says, go } = await openConsole(
      { automations: twelve() },
      { hash: `#/automations/${UNKNOWN}?limit=2` },
    );
    for (const [path, noun] of [
      ['automations', 'automation'],
      ['contact-properties', 'contact property'],
      ['contacts/imports', 'contact import'],
    ] as const) {
      await go(`/${path}/${UNKNOWN}`);
      await record.getByRole('heading', { name: 'Not found in this account' }).waitFor();
      await record.getByText(`No ${noun} in this account has this id.`).waitFor();
      expect(wordsOf(await record.getByRole('alert').innerText())).not.toMatch(/404|not_found|after/);
    }
    await go('/contacts/imports');
    await says('No contact imports.');
    const before = asked(server);
    await go('/contacts/imports/nonsense');
    await record.getByText(/^This is not an id\. An id looks like [0-9a-f-]{36}\.$/).waitFor();
    expect(await record.getByRole('alert').innerText()).not.toContain('422');
    expect(await record.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(asked(server)).toBe(before);
  });

  test('are searched for beside another page than the one that was loading', async () => {
    const { page, record, says, go } = await openConsole({ automations: twelve() });
    await says('Showing 12 automations, newest first. No older ones.');
    await page.route('**/automations?limit=2', () => undefined); // Never answered.
    const asked = page.waitForRequest('**/automations?limit=2');
    await go(`/automations/${UNKNOWN}?limit=2`);
    await asked;
    await go(`/automations/${UNKNOWN}`);
    await record.getByRole('heading', { name: 'Not found in this account' }).waitFor();
  });

  test('their names lead to them; their ids are copied by a button and by a key', async () => {
    const [first, second] = [automation({ name: 'Welcome' }), automation({ name: '' })];
    const property = contactProperty({ key: 'seats' });
    const { page, record, says, go } = await openConsole({
      automations: [first, second],
      contactProperties: [property],
    });
    const copied = (): Promise<string> => takeCopied(page);
    for (const [name, { id }] of [
      ['Welcome', first],
      ['empty', second],
    ] as const) {
      const link = page.getByRole('link', { name, exact: true });
      expect(await link.getAttribute('href')).toBe(`#/automations/${id}`);
      await link.click();
      await record.getByRole('button', { name: 'Copy id' }).click();
      await says('Copied: id');
      expect(await copied()).toBe(id);
    }
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'hidden' });
    await page.keyboard.press('k');
    await page.keyboard.press('c');
    await says('Copied: id');
    expect(await copied()).toBe(first.id);
    await go('/contact-properties');
    expect(await page.getByRole('link', { name: 'seats' }).getAttribute('href')).toBe(
      `#/contact-properties/${property.id}`,
    );
  });

  test('on a phone a record says why it cannot be loaded or refreshed, as the list behind it does', async () => {
    const [first] = [automation({ name: 'Welcome' })];
    const { server, page, record, go, json } = await openConsole(
      { automations: [first] },
      { options: { viewport: { width: 360, height: 740 } } },
    );
    await page.locator('tbody tr').waitFor();
    server.fail({ disconnect: true, operation: 'listAutomations' }, Infinity);
    await go('/contact-properties');
    await go(`/automations/${first.id}`);
    await record.getByRole('heading', { name: 'Network failure' }).waitFor();
    await server.reset();
    await record.getByRole('button', { name: 'Try again' }).click();
    await json();
    expect(await record.getByRole('alert').count()).toBe(0);
  });

  test('numbers stay as they were written', async () => {
    const { page, go, json, column, copied } = await openConsole();
    const data = `[{"id":"${UNKNOWN}","key":"k","type":"number","fallback_value":1.10}]`;
    await page.route('**/contact-properties', (route) =>
      route.fulfill({ contentType: 'application/json', body: `{"object":"list","has_more":false,"data":${data}}` }),
    );
    await go(`/contact-properties/${UNKNOWN}`);
    expect(await json()).toContain('"fallback_value": 1.10');
    expect(await column('Fallback value')).toEqual(['1.10']);
    expect(await copied('page', 'JSON')).toContain('"fallback_value": 1.10');
  });

  test('of strangers are text: in a cell, in a record, in what is copied', async () => {
    const hostile = [
      ...['<script>pwned = 1</script>', '<img src=x onerror="pwned = 1">', '"><svg onload=pwned=1>'],
      ...["' onfocus='pwned=1' autofocus='", 'javascript:pwned=1', '${pwned = 1} {{pwned = 1}} <!--'],
      ...['\u202egnp.exe\u2066', 'two\nlines\tand\u0001more', 'x'.repeat(1000)],
    ] as const;
    const automations = series(hostile.length, automation).map((it, at) => ({ ...it, name: hostile[at] ?? '' }));
    const contactProperties = [
      contactProperty({ key: hostile[0], fallback_value: hostile[1], type: hostile[2] }),
      contactProperty({ fallback_value: '\u202e<b>'.repeat(2500) }),
    ];
    const { page, record, says, column, json, copied } = await openConsole({ automations, contactProperties });
    await says(`Showing ${String(hostile.length)} automations, newest first. No older ones.`);
    expect(await column('Name')).toEqual([
      ...hostile.slice(0, 6),
      ...[String.raw`\u202egnp.exe\u2066`, String.raw`two\nlines\tand\u0001more`, `${'x'.repeat(160)}…`],
    ]);
    for (const [at, it] of automations.entries()) {
      await page.locator('tbody th a').nth(at).click();
      await record.locator('h2', { hasText: it.id }).waitFor();
      expect(JSON.parse(await copied('automation', 'JSON'))).toEqual(it);
      expect(JSON.parse(await json())).toEqual(it);
    }
    await page.getByRole('link', { name: 'Contact properties' }).click();
    await page.locator('tbody th a').nth(1).click();
    expect(JSON.parse(await copied('contact property', 'JSON'))).toEqual(contactProperties[1]);
    expect(JSON.parse(await copied('page', 'JSON'))).toMatchObject({ data: contactProperties });
    expect(await page.evaluate('typeof pwned')).toBe('undefined');
    expect(await page.locator('#console :is(script, img, svg, b)').count()).toBe(0);
    await expectToFit(page, [1280]);
  });
});

describe('an import that moves', () => {
  /** However long one waits, by the clock of the page, which is installed. */
  const asksNothing = async ({ server, page }: Console): Promise<void> => {
    const before = asked(server);
    await page.clock.runFor(600_000);
    await page.evaluate("fetch('openapi.json')"); // What was asked before this has come.
    expect(asked(server)).toBe(before);
  };
  const startClock = async ({ page }: Console): Promise<void> => {
    await page.getByRole('progressbar').first().waitFor();
    await page.clock.install();
    await page.reload();
    await page.getByRole('progressbar').first().waitFor();
  };

  test('in the list and in its record, by conditional requests, until it has ended', async () => {
    const [queued, other] = [contactImport({ status: 'queued' }), contactImport()];
    const opened = await openConsole({ contactImports: [queued, other] }, { hash: `#/contacts/imports/${queued.id}` });
    const { server, page, record, column } = opened;
    await startClock(opened);
    const bar = record.getByRole('progressbar');
    expect(await bar.getAttribute('value')).toBe('0');
    expect(await bar.getAttribute('aria-label')).toBe(`Progress of contact import ${queued.id.slice(0, 8)}…`);
    const unchanged = await page.waitForResponse((it) => it.status() === 304);
    expect(unchanged.request().headers()['if-none-match']).toMatch(/^"/);
    expect(await bar.getAttribute('value')).toBe('0');

    await server.moveImport(queued.id);
    await record.getByText('in progress').waitFor();
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['500', '1000']);
    expect(await column('Status')).toEqual(['in progress', 'completed']);

    await server.moveImport(queued.id);
    await record.locator('.badge', { hasText: 'completed' }).waitFor();
    expect(await bar.getAttribute('value')).toBe('1000');
    expect(await column('Status')).toEqual(['completed', 'completed']);
    await page.getByRole('switch', { name: 'Auto-refresh' }).uncheck();
    await asksNothing(opened);
  });

  test('is followed through errors, which are shown while they last', async () => {
    const queued = contactImport({ status: 'queued' });
    const { server, page, alerts, column } = await openConsole(
      { contactImports: [queued] },
      { hash: '#/contacts/imports' },
    );
    await page.getByRole('progressbar').waitFor();
    server.fail({ status: 503, retryAfter: 1, operation: 'listContactImports' }, Infinity);
    await alerts('503 service_unavailable');
    expect(await column('Status')).toEqual(['queued']);
    server.clearFaults();
    await server.moveImport(queued.id);
    await page.locator('.badge', { hasText: 'in progress' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('is not asked for while nobody looks, nor from elsewhere', async () => {
    const contactImports = [contactImport({ status: 'queued' })];
    const opened = await openConsole({ contactImports }, { hash: '#/contacts/imports' });
    const { server, page, says } = opened;
    await startClock(opened);
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
    await asksNothing(opened);
    const again = page.waitForResponse((it) => it.status() === 304);
    await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
    await again;

    await page.getByRole('link', { name: 'Automations' }).click();
    await says('No automations.');
    server.clearRequests();
    await page.clock.runFor(60_000);
    await page.evaluate("fetch('openapi.json')");
    const operations = new Set(server.requests.map((it) => it.operation).filter((it) => it !== undefined));
    expect([...operations]).toEqual(['listAutomations']);
  });
});
