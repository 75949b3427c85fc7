/** What is read of the store: pages and their limits, ids, values as they were loaded, and tags. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { OperationId } from '../../contract/types.ts';
import { automation, contactImport, contactProperty } from '../../testkit/builders.ts';
import { allocatedBy } from '../support/allocated.ts';
import { openTestApp } from '../support/app.ts';
import { expectDeclared } from '../support/declared.ts';
import { expectProblem, get } from '../support/requests.ts';
import { series } from '../support/series.ts';

const UUID = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const LISTS = {
  '/automations': 'listAutomations',
  '/contact-properties': 'listContactProperties',
  '/contacts/imports': 'listContactImports',
} as const satisfies Record<string, OperationId>;

test.each(Object.entries(LISTS))('GET %s: a page has as many items as its limit says', async (path, operation) => {
  const t = await openTestApp({
    automations: series(101, automation),
    contactProperties: series(101, contactProperty),
    contactImports: series(101, contactImport),
  });
  for (const [query, count] of [
    ['', operation === 'listContactImports' ? 10 : 20],
    ['?limit=1', 1],
    ['?limit=100', 100],
  ] as const) {
    const response = await get(t, `${path}${query}`);
    expect(response.body).toMatchObject({ object: 'list', has_more: true });
    expect((response.body as { data: unknown[] }).data).toHaveLength(count);
    expectDeclared(operation, response);
  }
});

test.each([...Object.keys(LISTS).map((it) => `${it}?`), '/contacts/imports?status=queued&'])(
  'GET %sbefore=... is 404 if there is no such item',
  async (target) => {
    const response = await get(await openTestApp({ automations: [automation()] }), `${target}before=${UNKNOWN}`);
    const message =
      'There is no item with the id in `before`. If the item was removed, continue from the adjacent item on the page that you already have.';
    expectProblem(response, 404, 'not_found', message); // `after`, and an id, are among the examples: `replies.test.ts`.
    expectDeclared('getContactImport', response);
  },
);

test('ids are read in either case and returned in lower case', async () => {
  const t = await openTestApp({
    contactImports: [
      contactImport({ id: UUID.toUpperCase(), created_at: '2026-01-01 00:00:00+00' }),
      contactImport({ created_at: '2025-01-01 00:00:00+00' }),
    ],
  });
  const found = await get(t, `/contacts/imports/${UUID.toUpperCase()}`);
  expect(found.body).toMatchObject({ id: UUID });
  const page = await get(t, `/contacts/imports?after=${UUID.toUpperCase()}`);
  expect((page.body as { data: unknown[] }).data).toHaveLength(1);
  expect((await get(t, '/automations')).body).toEqual({ object: 'list', has_more: false, data: [] });
});

test('values come back as they were loaded: every form of a timestamp, and every kind of value', async () => {
  const timestamps = [
    ...['2026-04-16 13:49:40+00', '2026-04-16 13:49:40.6-03:30', '2026-04-16 13:49:40.678912+00:00'],
    '2024-02-29 23:59:59.000+14',
  ];
  const values = ['friend', '', 'Zoë 🎈 "quoted" \\ \u2028', 0, -12.5, 1e-7, 42, null];
  const wanted = [
    ...timestamps.map((created_at) => contactProperty({ created_at })),
    ...values.map((fallback_value) => contactProperty({ fallback_value, type: 'made_up' })),
  ];
  const response = await get(await openTestApp({ contactProperties: wanted }), '/contact-properties');
  const { data } = response.body as { data: { id: string }[] };
  for (const record of wanted) expect(data.find(({ id }) => id === record.id)).toEqual(record);
  expectDeclared('listContactProperties', response);
});

describe('conditional requests', () => {
  const records = {
    automations: [automation()],
    contactProperties: [contactProperty()],
    contactImports: [contactImport({ id: UUID })],
  };

  test.each([...Object.entries(LISTS), [`/contacts/imports/${UUID}`, 'getContactImport'] as const])(
    'GET %s: the tag of a 200 brings a 304',
    async (target, operation) => {
      const t = await openTestApp(records);
      const tag = String((await get(t, target)).headers['etag']);
      for (const match of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await get(t, target, { 'if-none-match': match });
        expect(again.status).toBe(304);
        expect(again.headers['etag']).toBe(tag);
        expectDeclared(operation, again);
      }
      const authorization = `Bearer ${t.key}`;
      const head = await request(t.app).head(target).set({ authorization, 'if-none-match': tag });
      expect(head.status).toBe(304);
      // A caller's own caching wishes do not make the server send again what the caller has.
      expect((await get(t, target, { 'if-none-match': tag, 'cache-control': 'no-cache' })).status).toBe(304);
      expect((await get({ ...t, key: 'x' }, target, { 'if-none-match': '*' })).status).toBe(401);
      expect((await get(t, `${target}?x`, { 'if-none-match': '*' })).status).toBe(422);
      for (const match of ['"other"', tag.replaceAll('"', ''), '', 'ümlaut', '"'.repeat(10_000)]) {
        expect((await get(t, target, { 'if-none-match': match })).status).toBe(200);
      }
    },
  );

  test('a long If-None-Match costs no more than a short one', async () => {
    const t = await openTestApp(records);
    const tag = String((await get(t, '/automations')).headers['etag']);
    const bytesOf = (match: string): Promise<number> =>
      allocatedBy(async () => {
        for (let times = 0; times < 10; times += 1) {
          expect((await get(t, '/automations', { 'if-none-match': match })).status).toBe(304);
        }
      });
    await bytesOf(`"other", ${tag}`);
    const more = (await bytesOf(','.repeat(14_000) + tag)) - (await bytesOf(`"other", ${tag}`));
    expect(more).toBeLessThan(10 * 100_000); // The client and the parser of the header hold its text; a list of parts would be 250 kB.
  });

  test('the tag is of the data, not of the key, and changes with the data', async () => {
    const t = await openTestApp(records);
    const tag = String((await get(t, '/automations')).headers['etag']);
    const other = { ...t, key: await t.keyOf('main') };
    expect((await get(other, '/automations')).headers['etag']).toBe(tag);
    await t.put({ automations: [automation()] });
    const after = await get(t, '/automations', { 'if-none-match': tag });
    expect(after.status).toBe(200);
    expect(after.headers['etag']).not.toBe(tag);
  });
});
