/** Samples: what a fake makes of one, and what `audit --sample` keeps of a live list. */
import { describe, expect, test } from '@jest/globals';
import { sampleIn } from '../../../audit/fake/sampled.ts';
import { startFake } from '../../../audit/fake/start.ts';
import { List } from '../../../audit/lists/list.ts';
import { ProfileError } from '../../../audit/lists/profile-values.ts';
import { formatProfile } from '../../../audit/lists/saved-profile.ts';
import type { Profile } from '../../../audit/lists/profile.ts';
import { openSession } from '../../../audit/lists/session.ts';
import { serve } from '../conform/bad-servers.ts';
import { get, itemsOf, start } from './lists.ts';

const BASE = 'url: https://api.example.com/v1/things\nitems: data\nid: id\nsize: { param: limit, max: 9 }\n';

describe('a served sample', () => {
  test.each([
    ['a prefix', 'cus_NffrFeUfNV2Hib', /^cus_[A-Za-z0-9]{14,16}$/],
    [
      'a UUID',
      '0f1d7a2c-5b7e-4c1b-9a83-2f5f4c9d1e60',
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/,
    ],
    ['digits', '1100000000000000000', /^[1-9]\d{16,18}$/],
    ['hexadecimal digits', '023e105f4ecef8ad9ca31a8372d0c353', /^[0-9a-f]{32}$/],
    ['a number', 1_296_269, /^[1-9]\d{2,7}$/],
  ])('the form of its id is kept: %s', async (_, id, form) => {
    const sample = JSON.stringify({ data: [{ id, name: 'Anna' }] });
    const { ids, url } = await start(`${BASE}next: { page: page }\nsample: ${sample}`, { items: 20 });
    expect(ids).toHaveLength(20);
    for (const it of ids) expect(it).toMatch(form);
    expect([...ids].sort()).not.toEqual(ids);
    const items = itemsOf((await get(url))?.body) as readonly { readonly id: unknown; readonly name: string }[]; // The sample's.
    expect(typeof items[0]?.id).toBe(typeof id);
    expect(new Set(items.map(({ name }) => name)).size).toBe(items.length);
  });

  test('its envelope is kept, and states what is so', async () => {
    const sample = {
      ...{
        object: 'list',
        ok: true,
        total: 5,
        total_pages: 1,
        page: 7,
        limit: 3,
        has_more: false,
        first_id: 'a',
        note: null,
      },
      ...{
        links: { self: '/v1/things?page=1', next: '/v1/things?page=2' },
        data: [
          { id: 'abc', kind: 'a' },
          { id: 'def', kind: 'b' },
        ],
      },
    };
    const fake = await start(`${BASE}next: { url: links.next }\nsample: ${JSON.stringify(sample)}`, { items: 5 });
    const { body } = (await get(`${fake.url}?limit=2`)) ?? {};
    expect(body).toMatchObject({
      ...{
        object: 'list',
        ok: true,
        total: 5,
        total_pages: 3,
        page: 1,
        limit: 2,
        has_more: true,
        first_id: fake.ids[0],
        note: null,
      },
      links: { self: '/v1/things?limit=2', next: expect.stringMatching(/^\/v1\/things\?limit=2&page=/) as unknown },
      data: [{ kind: 'a' }, { kind: 'b' }],
    });
  });

  test.each([
    ['no array', '{ data: 1 }', 'sample must have an array at data, with an item'],
    ['no item', '{ data: [] }', 'sample must have an array at data, with an item'],
    ['no id', '{ data: [{ name: a }] }', 'each item of sample must have a string or a number at id'],
    ['no object', '7', 'sample must be an object or an array'],
  ])('%s is rejected', async (_, sample, message) => {
    await expect(startFake(`${BASE}next: { page: page }\nsample: ${sample}`)).rejects.toEqual(
      new ProfileError(message),
    );
  });
});

test.each([['1'], ['DE'], ['-'], ['é']])('ids of a form that is soon used up get longer: %s', async (id) => {
  const sample = JSON.stringify({ data: [{ id, name: 'Anna' }] });
  const { ids } = await start(`${BASE}next: { page: page }\nsample: ${sample}`, { items: 3000 });
  expect(new Set(ids).size).toBe(3000);
});

test('links beside a base with a path are those of the sample, and lead on', async () => {
  const links = { base: 'https://wiki.example.com/wiki', next: '/rest/content?page%5Bsize%5D=2&page%5Bafter%5D=abc' };
  const { url, baseUrl } = await start(
    JSON.stringify({
      ...{ url: 'https://wiki.example.com/wiki/rest/content', items: 'data', id: 'id', size: { param: 'page[size]' } },
      ...{ next: { url: '_links.next', base: '_links.base' } },
      sample: { data: [{ id: 'a1' }], _links: links },
    }),
    { items: 3, pageSize: 2 },
  );
  const first = await get(`${url}?page%5Bsize%5D=2`);
  const { _links } = first?.body as { _links: typeof links }; // As the sample has it.
  expect(_links.base).toBe(`${baseUrl}/wiki`);
  expect(_links.next).toMatch(/^\/rest\/content\?page%5Bsize%5D=2&page%5Bafter%5D=[\w-]+$/);
  const last = await get(_links.base + _links.next);
  expect([itemsOf(last?.body).length, last?.body]).toMatchObject([1, { _links: { base: `${baseUrl}/wiki` } }]);
});

describe('a saved sample', () => {
  const KEY = 'a-key-of-mine';
  const items = [1, 2, 3].map((n) => ({
    ...{
      id: `usr_${String(n)}aBcDeFgH`,
      type: 'user',
      name: `Real Name ${String(n)}`,
      mail: `real${String(n)}@corp.test`,
    },
    ...{
      born: '1970-01-02',
      seen: `2026-01-0${String(n)}T01:02:03Z`,
      site: 'https://corp.test/a',
      ok: true,
      none: null,
    },
    ...{ key: `x ${KEY} ${String(n)}`, ['${HOME}']: 1, nested: { note: `Secret ${String(n)}` } },
  }));
  const page = { object: 'list', owner: 'Real Owner 9', next: '/list?cursor=c2VjcmV0&limit=3', data: items };
  const load = async (): Promise<string> => {
    const url = await serve((_, res) => void res.end(JSON.stringify(page)));
    const profile: Profile = {
      ...{ url: `${url}/list`, headers: { Authorization: `Bearer ${KEY}` }, items: 'data', id: 'id' },
      ...{ size: { param: 'limit' }, next: { url: 'next' } },
    };
    const session = openSession(profile, { requestMs: 5000, runMs: 10_000, waitMs: 1000, requests: 10 });
    const sample = await sampleIn(new List(profile, session));
    session.close();
    return formatProfile({ ...profile, ...(sample !== undefined && { sample }) });
  };

  test('has the form of the list, and none of its values', async () => {
    const text = await load();
    for (const secret of [KEY, '${HOME}', 'Real', 'corp', 'Secret', 'c2VjcmV0', 'usr_1aBcDeFgH'])
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    expect(text).toContain('object: list');
    expect(text).toContain('type: user');
    expect(text).toMatch(/id: usr_/);
    expect(text).toMatch(/mail: [a-z]{4}\d@example\.com/);
    expect(text).toMatch(/seen: 2026-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
    expect(text).toMatch(/next: \/list\?cursor=1&limit=1/);
  });

  test('is served', async () => {
    const fake = await start(await load(), { items: 4 });
    const { body } = (await get(fake.url, { authorization: `Bearer ${fake.key}` })) ?? {};
    expect(body).toMatchObject({ object: 'list', data: [{ type: 'user', ok: true, none: null }, {}, {}, {}] });
  });
});
