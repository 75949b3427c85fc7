/** APIs whose next page is a `Link` header. */
import type { Page, Shape } from './server.ts';
import { comparedTo, linkHeader, ownerOf, snowflake, uuid, within } from './values.ts';

const ARRAY = (page: Page): unknown => page.items;
const author = (n: number): unknown => ({ id: n, login: `user${String(n)}`, type: 'User' });

// prettier-ignore
export const LINKS: Readonly<Record<string, Shape>> = {
  github: {
    path: '/repos/acme/shop/issues',
    headers: { authorization: 'Bearer ghp_1' },
    size: { param: 'per_page', default: 30, max: 100 },
    at: { kind: 'page', param: 'page' },
    item: (row) => ({ id: 2_000_000 + row.n * 13, node_id: `I_${String(row.n)}`, number: row.n, title: row.name, state: 'open',
      url: `https://api.example/issues/${String(row.n)}`, user: author(ownerOf(row)), labels: [], created_at: row.created }),
    body: ARRAY,
    head: (page) => linkHeader(page, { prev: 'previous', next: 'next', last: 'last', first: 'first' }),
    right: { items: '', id: 'id', next: [{ link: 'next' }] },
  },
  gitea: {
    path: '/api/v1/repos/acme/shop/issues',
    count: 130,
    size: { param: 'limit', default: 30, max: 50 },
    at: { kind: 'page', param: 'page' },
    item: (row) => ({ id: row.n + 400, number: row.n, title: row.name, user: author(ownerOf(row)), assets: [], labels: [],
      created_at: row.created }),
    body: ARRAY,
    head: (page) => ({ ...linkHeader(page, { next: 'next', last: 'last', first: 'first', prev: 'previous' }),
      'x-total-count': String(page.total) }),
    right: { items: '', id: 'id', next: [{ link: 'next' }] },
  },
  wordpress: {
    path: '/wp-json/wp/v2/posts',
    size: { param: 'per_page', default: 10, max: 100, over: 400, invalid: 400 },
    at: { kind: 'page', param: 'page', bad: 400, beyond: 400 },
    item: (row) => ({ id: row.n + 17, date_gmt: row.created.slice(0, 19), slug: `row-${String(row.n)}`, type: 'post', author: 1,
      title: { rendered: row.name }, categories: [1], tags: [], _links: { self: [{ href: `/posts/${String(row.n + 17)}` }] } }),
    body: ARRAY,
    head: (page) => ({ ...linkHeader(page, { prev: 'previous', next: 'next' }), 'x-wp-total': String(page.total),
      'x-wp-totalpages': String(page.pages) }),
    right: { items: '', id: 'id', next: [{ link: 'next' }] },
  },
  mastodon: {
    // Its links have the id of the favourite, which no item shows.
    path: '/api/v1/favourites',
    headers: { authorization: 'Bearer m1' },
    size: { param: 'limit', default: 20, max: 40 },
    at: { kind: 'own', param: 'max_id', back: 'min_id', codec: comparedTo((row) => String(row.n * 3 + 5000), '0'), takesAny: true },
    states: 'full',
    // A text counts as 0, which no id is below.
    breaks: ['cursor.end'],
    item: (row) => ({ id: snowflake(row), created_at: row.created, content: `<p>${row.name}</p>`, sensitive: false,
      account: { id: String(ownerOf(row)), username: 'ann' }, media_attachments: [], mentions: [], tags: [] }),
    body: ARRAY,
    head: (page) => linkHeader(page, { next: 'next', prev: 'previous' }),
    right: { items: '', id: 'id', next: [{ link: 'next' }] },
  },
  sentry: {
    path: '/api/0/organizations/acme/projects/',
    headers: { authorization: 'Bearer s1' },
    size: { param: 'per_page', default: 100, max: 100, over: 400, invalid: 400 },
    at: { kind: 'token', param: 'cursor', bad: 400, codec: within(/^0:(\d+):([01])$/, ({ at,
      isBackward }) => `0:${String(at)}:${isBackward === true ? '1' : '0'}`) },
    item: (row) => ({ id: String(4_500_000 + row.n), slug: `row-${String(row.n)}`, name: row.name, dateCreated: row.created,
      organization: { id: '1', slug: 'acme' }, features: ['releases'], status: 'active' }),
    body: ARRAY,
    // Both links are always there; `results` says whether they lead to something.
    head: (page: Page): Record<string, string> => {
      const url = (cursor: string): string => {
        const link = new URL(page.link('self') ?? '');
        link.searchParams.set('cursor', cursor);
        return link.href;
      };
      const before = page.position({ at: page.start, isBackward: true });
      const behind = page.position({ at: page.start + page.rows.length });
      return {
        link:
          `<${url(before)}>; rel="previous"; results="${String(page.start > 0)}"; cursor="${before}", ` +
          `<${page.link('next') ?? url(behind)}>; rel="next"; results="${String(page.next !== undefined)}"; cursor="${behind}"`,
      };
    },
    right: { items: '', id: 'id', next: [{ link: 'next', until: 'results="false"' }] },
  },
  shopify: {
    path: '/admin/api/2026-01/products.json',
    headers: { 'x-shopify-access-token': 'shpat_1' },
    size: { param: 'limit', default: 50, max: 250, over: 400, stated: true },
    at: { kind: 'token', param: 'page_info', bad: 400 },
    item: (row) => ({ id: 9_000_000_000 + row.n * 101, title: row.name, created_at: row.created, vendor: 'Acme', options: [],
      variants: [{ id: 4_000_000_000 + row.n, product_id: 9_000_000_000 + row.n * 101, price: '1.00' }] }),
    body: (page) => ({ products: page.items }),
    head: (page) => linkHeader(page, { previous: 'previous', next: 'next' }),
    right: { items: 'products', id: 'id', next: [{ link: 'next' }] },
  },
  okta: {
    path: '/api/v1/apps',
    headers: { authorization: 'SSWS o1' },
    size: { param: 'limit', default: 20, max: 200, stated: true },
    at: { kind: 'token', param: 'after', bad: 400 },
    item: (row) => ({ id: `0oa${uuid(row).replaceAll('-', '').slice(0, 17)}`, name: 'saml_2_0', label: row.name, status: 'ACTIVE',
      created: row.created, visibility: { hide: { iOS: false } }, features: [], _links: { self: { href: '/apps' } } }),
    body: ARRAY,
    head: (page) => linkHeader(page, { self: 'self', next: 'next' }),
    right: { items: '', id: 'id', next: [{ link: 'next' }] },
  },
  'gitlab-keyset': {
    path: '/api/v4/projects?pagination=keyset&order_by=id',
    size: { param: 'per_page', default: 20, max: 100 },
    at: { kind: 'own', param: 'id_before', codec: comparedTo((row) => String(row.n * 2 + 100)), bad: 400 },
    item: (row) => ({ id: row.n * 2 + 100, name: row.name, path_with_namespace: `acme/row-${String(row.n)}`, created_at: row.created,
      namespace: { id: ownerOf(row), kind: 'group' }, topics: [], star_count: 0 }),
    body: ARRAY,
    head: (page) => linkHeader(page, { next: 'next' }),
    right: { items: '', id: 'id', next: [{ link: 'next' }] },
  },
};
