/** APIs whose next page is a URL in the body. */
import type { Shape } from './server.ts';
import { hex, ownerOf, pathOf, queryOf, snowflake, uuid } from './values.ts';

// prettier-ignore
export const URLS: Readonly<Record<string, Shape>> = {
  facebook: {
    // At the end there is no `next`, but still a cursor.
    path: '/v19.0/me/posts?access_token=EAAB1',
    size: { param: 'limit', default: 25, max: 100, stated: true },
    at: { kind: 'token', param: 'after', back: 'before', bad: 400 },
    item: (row) => ({ id: `1020_${String(row.n * 77)}`, message: row.name, created_time: row.created }),
    body: ({ items, start, position, link }) => {
      const [before, after] = [position({ at: start, isBackward: true }), position({ at: start + items.length })];
      return { data: items, paging: { cursors: { before, after }, previous: link('previous'), next: link('next') } };
    },
    right: { items: 'data', id: 'id', next: [{ url: 'paging.next' }] },
  },
  bigcommerce: {
    path: '/stores/s1/v3/catalog/products',
    headers: { 'x-auth-token': 'b1' },
    size: { param: 'limit', default: 50, max: 250, stated: true },
    at: { kind: 'page', param: 'page', bad: 422 },
    item: ({ n, name, created }) => ({ id: n + 70, name, sku: `S-${String(n)}`, date_created: created, categories: [23] }),
    body: ({ items, total, size, number, pages, link }) => {
      const links = {
        previous: queryOf(link('previous')),
        next: queryOf(link('next')),
        current: `?page=${String(number)}`,
      };
      const counts = { total, count: items.length, per_page: size, current_page: number, total_pages: pages };
      return { data: items, meta: { pagination: { ...counts, links } } };
    },
    right: { items: 'data', id: 'id', next: [{ url: 'meta.pagination.links.next' }] },
  },
  salesforce: {
    path: '/services/data/v60.0/query?q=SELECT+Id,Name+FROM+Account',
    headers: { authorization: 'Bearer 00D1' },
    size: { default: 50, max: 50 },
    at: { kind: 'token', param: '', path: '/services/data/v60.0/query/01g-', bad: 400 },
    item: (row) => {
      const id = `001${hex(row, 15)}`;
      return {
        attributes: { type: 'Account', url: `/sobjects/Account/${id}` },
        Id: id,
        Name: row.name,
        CreatedDate: row.created,
      };
    },
    body: ({ items, total, more, link }) => ({ totalSize: total, done: !more, nextRecordsUrl: pathOf(link('next')), records: items }),
    right: { items: 'records', id: 'Id', next: [{ url: 'nextRecordsUrl' }] },
  },
  spotify: {
    path: '/v1/me/playlists',
    headers: { authorization: 'Bearer BQ1' },
    size: { param: 'limit', default: 20, max: 50, over: 400, invalid: 400, stated: true },
    at: { kind: 'offset', param: 'offset', bad: 400 },
    item: (row) => {
      const id = hex(row, 22);
      return {
        id,
        uri: `spotify:playlist:${id}`,
        href: `/v1/playlists/${id}`,
        name: row.name,
        owner: { id: 'ann' },
        images: [],
      };
    },
    body: ({ items, size, start, total, link }) => ({ href: link('self'), items, limit: size, next: link('next') ?? null, offset: start,
      previous: link('previous') ?? null, total }),
    right: { items: 'items', id: 'id', next: [{ url: 'next' }] },
  },
  drf: {
    path: '/api/users/',
    count: 130,
    size: { param: 'page_size', default: 20, max: 100 },
    at: { kind: 'page', param: 'page', bad: 404, beyond: 404 },
    item: ({ n, name, created }) => ({ id: n, url: `/api/users/${String(n)}/`, username: name, date_joined: created, groups: [] }),
    body: ({ items, total, link }) => ({ count: total, next: link('next') ?? null, previous: link('previous') ?? null, results: items }),
    right: { items: 'results', id: 'id', next: [{ url: 'next' }] },
  },
  digitalocean: {
    // `links` is empty on a single page.
    path: '/v2/droplets',
    headers: { authorization: 'Bearer do1' },
    size: { param: 'per_page', default: 20, max: 200, stated: true },
    at: { kind: 'page', param: 'page' },
    item: ({ n, name, created }) => ({ id: n * 31 + 9000, name, memory: 1024, created_at: created, tags: ['web'], volume_ids: [],
      networks: { v4: [{ ip_address: `10.0.0.${String(n)}`, type: 'private' }] }, region: { slug: 'ams3', sizes: [] } }),
    body: ({ items, total, pages, link }) => ({ droplets: items, meta: { total }, links: pages > 1 ? { pages: { first: link('first'),
      prev: link('previous'), next: link('next'), last: link('last') } } : {} }),
    right: { items: 'droplets', id: 'id', next: [{ url: 'links.pages.next' }] },
  },
  hal: {
    path: '/orders',
    size: { param: 'size', default: 20, max: 100, stated: true },
    at: { kind: 'page', param: 'page', first: 0 },
    item: ({ n, name, created }) => ({ id: n + 500, title: name, created, _links: { self: { href: `/orders/${String(n + 500)}` } } }),
    body: ({ items, total, size, number, pages, link }) => {
      const next = link('next');
      return {
        _links: { self: { href: link('self') }, ...(next === undefined ? {} : { next: { href: next } }) },
        ...{ _embedded: { orders: items }, page: { size, totalElements: total, totalPages: pages, number } },
      };
    },
    right: { items: '_embedded.orders', id: 'id', next: [{ url: '_links.next.href' }] },
  },
  laravel: {
    // A second array has the links that a page shows.
    path: '/api/users',
    size: { param: 'per_page', default: 15, max: 100 },
    at: { kind: 'page', param: 'page' },
    item: ({ n, name, created }) => ({ id: n, name, email: `a${String(n)}@example.com`, created_at: created, updated_at: created }),
    body: ({ items, total, size, number, pages, start, link }) => ({ current_page: number, data: items, from: start + 1,
      to: start + items.length, total, per_page: size, last_page: pages, first_page_url: link('first'), last_page_url: link('last'),
      path: '/api/users', next_page_url: link('next') ?? null, prev_page_url: link('previous') ?? null,
      links: [{ url: link('previous') ?? null, label: 'Previous', active: false }, { url: link('self'), label: String(number),
      active: true }, { url: link('next') ?? null, label: 'Next', active: false }] }),
    right: { items: 'data', id: 'id', next: [{ url: 'next_page_url' }] },
  },
  stac: {
    path: '/collections/sentinel-2/items',
    count: 130,
    size: { param: 'limit', default: 10, max: 1000, invalid: 400, stated: true },
    at: { kind: 'token', param: 'token', bad: 400 },
    item: (row) => ({ type: 'Feature', stac_version: '1.0.0', id: `S2A_${hex(row, 12)}`, collection: 'sentinel-2', bbox: [1, 2, 3, 4],
      geometry: { type: 'Point', coordinates: [1, 2] }, properties: { datetime: row.created, title: row.name }, links: [{ rel: 'self',
      href: `/items/${hex(row, 12)}` }], assets: {} }),
    body: ({ items, total, link }) => {
      const next = link('next');
      const links = [
        { rel: 'root', href: '/' },
        { rel: 'self', href: link('self') },
      ];
      const more = next === undefined ? [] : [{ rel: 'next', method: 'GET', href: next }];
      const counts = { numberMatched: total, numberReturned: items.length };
      return { type: 'FeatureCollection', features: items, links: [...links, ...more], ...counts };
    },
    right: { items: 'features', id: 'id', next: [{ url: 'links[rel=next].href' }] },
  },
  twilio: {
    path: '/2010-04-01/Accounts/AC1/Messages.json',
    headers: { authorization: 'Basic QUMxOnQ=' },
    size: { param: 'PageSize', default: 50, max: 1000, invalid: 400, stated: true },
    at: { kind: 'token', param: 'PageToken', bad: 400 },
    item: (row) => ({ sid: `SM${hex(row, 32)}`, account_sid: 'AC1', body: row.name, date_created: new Date(row.created).toUTCString(),
      uri: `/Messages/SM${hex(row, 32)}.json`, status: 'sent', messaging_service_sid: null, subresource_uris: {} }),
    body: ({ items, size, start, number, link }) => ({ messages: items, page: number, page_size: size, start,
      end: start + items.length - 1, uri: pathOf(link('self')), first_page_uri: pathOf(link('first')),
      next_page_uri: pathOf(link('next')) ?? null, previous_page_uri: pathOf(link('previous')) ?? null }),
    right: { items: 'messages', id: 'sid', next: [{ url: 'next_page_uri' }] },
  },
  odata: {
    path: '/v1.0/users',
    headers: { authorization: 'Bearer eyJ1' },
    size: { param: '$top', default: 100, max: 999, over: 400, invalid: 400, stated: true },
    at: { kind: 'token', param: '$skiptoken', bad: 400 },
    isStrict: true,
    item: (row) => ({ id: uuid(row), displayName: row.name, createdDateTime: row.created, businessPhones: [], mail: null }),
    body: ({ items, origin, link }) => ({ '@odata.context': `${origin}/v1.0/$metadata#users`, '@odata.nextLink': link('next'),
      value: items }),
    right: { items: 'value', id: 'id', next: [{ url: '"@odata.nextLink"' }] },
  },
  fhir: {
    // The next page is at another path, and an empty page has no `entry`.
    path: '/fhir/Patient',
    size: { param: '_count', default: 20, max: 200, stated: true },
    at: { kind: 'token', param: '_getpages', path: '/fhir', bad: 410 },
    item: (row) => {
      const resource = {
        resourceType: 'Patient',
        id: String(row.n * 3),
        meta: { lastUpdated: row.created },
        name: [{ text: row.name }],
      };
      return { fullUrl: `https://fhir.example/Patient/${resource.id}`, resource, search: { mode: 'match' } };
    },
    body: ({ items, total, link }) => {
      const links = { self: link('self'), next: link('next'), previous: link('previous') };
      return {
        ...{ resourceType: 'Bundle', id: 'b-1', type: 'searchset', total },
        link: Object.entries(links).flatMap(([relation, url]) => (url === undefined ? [] : [{ relation, url }])),
        entry: items.length === 0 ? undefined : items,
      };
    },
    right: { items: 'entry', id: 'resource.id', next: [{ url: 'link[relation=next].url' }] },
  },
  'json-api': {
    path: '/articles',
    size: { param: 'page[size]', default: 20, max: 100, over: 400, invalid: 400, stated: true },
    at: { kind: 'page', param: 'page[number]', bad: 400 },
    item: (row) => ({ type: 'articles', id: String(row.n), attributes: { title: row.name, created: row.created },
      relationships: { author: { data: { type: 'people', id: String(ownerOf(row)) } } } }),
    body: ({ items, total, link }) => ({ jsonapi: { version: '1.1' }, data: items, meta: { total }, links: { first: link('first'),
      last: link('last'), prev: link('previous') ?? null, next: link('next') ?? null } }),
    right: { items: 'data', id: 'id', next: [{ url: 'links.next' }] },
  },
  zendesk: {
    path: '/api/v2/users.json?page[size]=25',
    headers: { authorization: 'Bearer z1' },
    size: { param: 'page[size]', default: 25, max: 100, over: 400, invalid: 400 },
    at: { kind: 'token', param: 'page[after]', back: 'page[before]', bad: 400 },
    item: ({ n, name, created }) => ({ id: 38_000 + n * 7, url: `/users/${String(n)}.json`, name, created_at: created, tags: [],
      organization_id: 1 }),
    body: ({ items, start, more, position, link }) => ({ users: items, links: { prev: link('previous') ?? null,
      next: link('next') ?? null }, meta: { has_more: more, after_cursor: position({ at: start + items.length }),
      before_cursor: position({ at: start, isBackward: true }) } }),
    right: { items: 'users', id: 'id', next: [{ url: 'links.next' }, { token: 'page[after]', from: 'meta.after_cursor',
      more: 'meta.has_more' }] },
  },
  confluence: {
    // Links are behind a stated base, of which the path is a part.
    path: '/wiki/rest/api/content',
    size: { param: 'limit', default: 25, max: 100, stated: true },
    at: { kind: 'offset', param: 'start', bad: 400 },
    item: (row) => ({ id: String(6_500_000 + row.n * 32_768), type: 'page', status: 'current', title: row.name,
      _links: { webui: `/pages/${String(row.n)}`, self: '/content' } }),
    body: ({ items, start, size, origin, link }) => ({ results: items, start, limit: size, size: items.length,
      _links: { base: `${origin}/wiki`, context: '/wiki', self: link('self'), next: pathOf(link('next'))?.slice('/wiki'.length),
        prev: pathOf(link('previous'))?.slice('/wiki'.length) } }),
    right: { items: 'results', id: 'id', next: [{ url: '_links.next' }], base: '_links.base' },
  },
  hubspot: {
    path: '/crm/v3/objects/contacts',
    headers: { authorization: 'Bearer pat-1' },
    size: { param: 'limit', default: 10, max: 100, over: 400, invalid: 400 },
    at: { kind: 'token', param: 'after', bad: 400 },
    item: (row) => ({ id: snowflake(row, 51_000n), createdAt: row.created, updatedAt: row.created, archived: false,
      properties: { createdate: row.created, email: `a${String(row.n)}@example.com`, hs_object_id: snowflake(row, 51_000n) } }),
    body: ({ items, next, link }) => ({ results: items, paging: next === undefined ? undefined : { next: { after: next,
      link: link('next') } } }),
    right: { items: 'results', id: 'id', next: [{ token: 'after', from: 'paging.next.after' }, { url: 'paging.next.link' }] },
  },
};
