/** Sound lists that state their next page, the number of their pages or their end in other ways. */
import { variant } from './fault.ts';
import type { Sound } from './fault.ts';
import { hasNext } from './kind-fault.ts';
import type { Change } from './kind-fault.ts';
import { rowsOf } from './server.ts';
import type { Call, Page, Reply, Row, Style } from './server.ts';

/** More rows than a list that is read whole with every page size. */
const MANY = 330;
/** The largest page of a list. */
const MAX_SIZE = 50;
const many = (style: Style): readonly Row[] =>
  rowsOf(MANY, (n) => (style === 'id' || style === 'page' ? `row_${String(n)}` : n));

const inBody = (members: (page: Page, call: Call) => object): Change => ({
  body: (page, call) => ({ items: page.rows, ...members(page, call) }),
});
const pageCount = (round: (pages: number) => number): Change =>
  inBody(({ total }, { size }) => ({ total_pages: round(total / size) }));

/** The rows that a filter keeps, after the page was cut: 70 in a row are dropped. */
const sparse = (page: Page): void => {
  page.rows = page.rows.filter(({ id }) => Number(id) > 100 || Number(id) <= 30);
};
const rejected = (error: string): Reply => ({ status: 400, headers: {}, body: { error } });

/** Tokens of both directions, which have parameters of their own, and exclude each other. */
const RELAY: Change = {
  before: ({ query }) => {
    const [forward, backward] = [query.get('after'), query.get('before')];
    if (forward !== null && backward !== null) return rejected('after and before cannot be combined');
    const cursor = forward ?? backward;
    if (cursor !== null) query.set('cursor', cursor);
    for (const name of ['after', 'before']) query.delete(name);
    return undefined;
  },
  ...inBody(({ next, previous }) => ({
    cursor: { after: next?.['cursor'] ?? null, before: previous?.['cursor'] ?? null },
  })),
};

/** Tokens that belong to the size with which they were made. @param isRejected whether another size is an error; otherwise the token is ignored. */
const ofSize = (isRejected: boolean): Change => ({
  before: ({ query }) => {
    const [cursor = '', made] = (query.get('cursor') ?? '').split('~');
    if (made === undefined) return undefined;
    const isSame = Number(made) === Math.min(Number(query.get('limit') ?? 10), MAX_SIZE);
    if (!isSame && isRejected) return rejected('the cursor is of another size');
    if (isSame) query.set('cursor', cursor);
    else query.delete('cursor');
    return undefined;
  },
  ...inBody((page, call) => ({
    next_cursor: hasNext(page) ? `${String(call.to(page.rows.at(-1))['cursor'])}~${String(call.size)}` : null,
  })),
});

export const STATED_SOUND: readonly Sound[] = [
  variant('token: seventy rows in a row are filtered out after the page was cut', { style: 'token', page: sparse }),
  variant('url: a link on the last page too, with a flag that says that it is the last', {
    style: 'url',
    body: (page, call) => ({
      results: page.rows,
      links: { next: call.link(call.to(page.rows.at(-1) ?? call.anchor)) },
      meta: { has_more: hasNext(page) },
    }),
  }),
  variant('token: the end is a 204', {
    style: 'token',
    page: (page, call) => {
      if (page.rows.length > 0) page.next ??= call.to(page.rows.at(-1));
    },
    reply: (reply) => {
      if (reply.status === 200 && (reply.body as { readonly items?: readonly Row[] }).items?.length === 0)
        Object.assign(reply, { status: 204, body: null });
    },
  }),
  variant('page: the stated number of pages that are counted from 0 is right', {
    style: 'page',
    first: 0,
    ...pageCount(Math.ceil),
  }),
  variant('page: the number of the last page is stated, counted from 0', {
    style: 'page',
    first: 0,
    ...pageCount((pages) => Math.ceil(pages) - 1),
  }),
  variant('page: the number of the last page is stated beside links, counted from 0', {
    style: 'page',
    first: 0,
    ...inBody((page, call) => ({
      _links: { next: { href: call.link(page.next) } },
      page: { totalPages: Math.ceil(page.total / call.size) - 1 },
    })),
  }),
  variant('token: a cursor of another size is rejected', { style: 'token', rows: many('token'), ...ofSize(true) }),
  variant('token: a cursor of another size is ignored', { style: 'token', rows: many('token'), ...ofSize(false) }),
  variant('page: a link of something else, with an anchor', {
    style: 'page',
    reply: (reply) => {
      reply.headers = { link: '</elsewhere?page=2>; rel="next"; anchor="/elsewhere"' };
    },
  }),
  variant('page: a link of something else, which is no page', {
    style: 'page',
    ...inBody(({ total }) => ({ total, token_url: '/oauth/token', next_steps: '/docs/next' })),
  }),
  variant('page: a token of something else is rejected', {
    style: 'page',
    ...inBody(({ total }) => ({ total, nextSyncToken: 'abc', next_cursor: 'def' })),
    before: ({ query }) =>
      ['syncToken', 'nextSyncToken', 'cursor'].some((name) => query.has(name)) ? rejected('not with page') : undefined,
  }),
  variant('token: another parameter has the name of the token, and rejects it', {
    style: 'token',
    before: ({ query }) => {
      if (query.has('cursor')) return rejected('the cursor of another feature');
      const token = query.get('page_token');
      if (token !== null) query.set('cursor', token);
      return undefined;
    },
  }),
  variant('token: with other parameters for each direction', { style: 'token', ...RELAY }),
  ...(['id', 'token', 'url', 'link', 'page', 'offset'] as const).map((style) =>
    variant(`${style}: a list that is longer than small pages read`, { style, rows: many(style) }),
  ),
];
