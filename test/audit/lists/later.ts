/**
 * Lists that state links beside the way by which they are read: those by page number, only where a page is asked for by its number, as
 * json-server does; others beside a token, an id or a number that a user names. Sound, with a link that is an error, and with one that loses items.
 */
import { LATE, failed, fault, indexOf, isBehind, variant } from './fault.ts';
import type { Declared, Fault, Sound } from './fault.ts';
import { rowsOfStyle, sizeOfStyle } from './server.ts';
import type { Call, Hooks, ListOptions, Page, Reply, Row, Style } from './server.ts';

const LENGTH = rowsOfStyle('page').length;
const linking =
  (path: string) =>
  (reply: Reply, { query, url, start, size }: Call): void => {
    if (!query.has('page')) return;
    const to = (rel: string, number: number): string => {
      const link = new URL(url);
      if (rel === 'next') link.pathname = path;
      link.searchParams.set('page', String(number));
      return `<${link.href}>; rel="${rel}"`;
    };
    const number = start / size + 1;
    reply.headers['link'] = [
      to('first', 1),
      ...(number > 1 ? [to('prev', number - 1)] : []),
      ...(start + size < LENGTH ? [to('next', number + 1)] : []),
    ].join(', ');
  };

const ITEMS = '/items';
/** What a user may say of such a list. */
const LINK: Declared = { next: { link: 'next' } };

/** The ways that a user names, beside which a link is stated. */
const NAMED = {
  id: { id: 'starting_after', more: 'has_more' },
  token: { token: 'cursor', from: 'next_cursor' },
  page: { page: 'page' },
  offset: { offset: 'offset' },
} as const;
const BESIDE = ['id', 'token', 'page', 'offset'] as const satisfies readonly (keyof typeof NAMED)[];
const namedNext = (style: Style): Declared =>
  Object.hasOwn(NAMED, style) ? { next: NAMED[style as keyof typeof NAMED] } : {}; // A key of it.

/** A link beside the way that a user names. @param change what becomes of the link. */
const beside =
  (change: (link: string, page: Page, call: Call) => string | null) =>
  (style: Style): Hooks => ({
    body: (page, call) => {
      const link = call.link(page.left > 0 ? page.next : undefined);
      const next = link === undefined ? null : change(link, page, call);
      return style === 'id'
        ? { data: page.rows, has_more: page.left > 0, next }
        : { items: page.rows, next_cursor: page.next?.['cursor'] ?? null, next };
    },
  });
const asIs = beside((link) => link);
/** The page of the link begins an item too late. */
const skipping = (style: Style): Hooks => ({
  ...beside((link, page) => (isBehind(page, style, LATE) ? `${link.replace('&late=1', '')}&late=1` : link))(style),
  page: (page, { query }) => {
    if (query.has('late')) page.rows = page.rows.slice(1);
  },
});
/** A row comes with every second request, and shifts the pages by number. */
const growing: NonNullable<Hooks['order']> = (rows, { number }) => [
  ...Array.from({ length: Math.min(200, Math.floor(number / 2)) }, (_, at): Row => ({
    id: 20_000 + at,
    created: `2026-03-01T00:00:00.${String(100 + at)}Z`,
    name: 'New',
  })).reverse(),
  ...rows,
];
/** The first row goes with every second request. */
const shrinking: NonNullable<Hooks['order']> = (rows, { number }) => rows.slice(Math.min(60, Math.floor(number / 2)));
/** A list of tokens whose link has the offset of the next page. */
const byOffset = (rows: readonly Row[], order?: Hooks['order']): Hooks & Pick<ListOptions, 'rows'> => ({
  rows,
  ...(order && { order }),
  ...beside((link, page, call) => {
    const url = new URL(link);
    url.searchParams.delete('cursor');
    url.searchParams.set('offset', String(indexOf(order?.(rows, call) ?? rows, page.rows.at(-1)) + 1));
    return url.href;
  })('token'),
  start: (start, _, { query }) => Number(query.get('offset') ?? start),
});

export const LATER_SOUND: readonly Sound[] = [
  ...BESIDE.map((style) =>
    variant(`${style}: a link beside the way that a user names`, { style, ...asIs(style) }, namedNext(style)),
  ),
  ...(['id', 'token'] as const).map((style) =>
    variant(
      `${style}: a link beside the way that a user names, which is a template`,
      { style, ...beside((link) => `${link}{&page,size}`)(style) },
      namedNext(style),
    ),
  ),
  ...(['page', 'offset'] as const).map((style) =>
    variant(`${style}: a link of later pages, which is a template`, {
      style,
      ...beside((link, page) => (isBehind(page, style, 1) ? `${link}{&page,size}` : null))(style),
    }),
  ),
  ...(['id', 'token'] as const).map((style) =>
    variant(
      `${style}: a link beside the way that a user names, without the size`,
      {
        style,
        ...beside((link) => {
          const url = new URL(link);
          url.searchParams.delete(sizeOfStyle(style));
          return url.href;
        })(style),
      },
      namedNext(style),
    ),
  ),
  variant(
    'token: a link by offset beside it',
    { style: 'token', ...byOffset(rowsOfStyle('token', 90)) },
    namedNext('token'),
  ),
  variant(
    'token: a link by offset beside it, and items are added',
    { style: 'token', ...byOffset(rowsOfStyle('token', 90), growing) },
    namedNext('token'),
  ),
  variant(
    'token: a link by offset beside it, and items go',
    { style: 'token', ...byOffset(rowsOfStyle('token', 150), shrinking) },
    namedNext('token'),
  ),
  variant('page: links only on pages that are asked for by number', { style: 'page', reply: linking(ITEMS) }),
  variant('page: the same, and nothing but the links says whether there is another page', {
    style: 'page',
    hasNoTotal: true,
    reply: linking(ITEMS),
  }),
  variant('page: the same, and the links are declared', { style: 'page', reply: linking(ITEMS) }, LINK),
];

export const LATER_FAULTS: readonly Fault[] = [
  ...fault('a link beside the way that a user names loses items', BESIDE, failed('stated.next'), skipping, namedNext),
  ...fault(
    'links only on pages that are asked for by number, and later ones lose items',
    ['page'],
    failed('stated.next'),
    {
      reply: (reply, call) => {
        linking(ITEMS)(reply, call);
        const { link } = reply.headers;
        if (link !== undefined && call.start > LATE)
          reply.headers['link'] = link.replace(/<([^>]*)>; rel="next"/, '<$1&late=1>; rel="next"');
      },
      page: (page, { query }) => {
        if (query.has('late')) page.rows = page.rows.slice(1);
      },
    },
  ),
  ...fault(
    'links only on pages that are asked for by number, and the next one is an error',
    ['page'],
    failed('stated.next'),
    {
      reply: linking('/gone'),
    },
  ),
  ...fault(
    'links only on pages that are asked for by number, and going back loses an item',
    ['page'],
    failed('back.missing'),
    {
      reply: (reply, call) => {
        linking(ITEMS)(reply, call);
        const { link = '' } = reply.headers;
        reply.headers['link'] = link.replace(/<([^>]*)>; rel="prev"/, '<$1&back=1>; rel="prev"');
      },
      page: (page, { query, start }) => {
        if (query.has('back') && start > 0) page.rows = page.rows.slice(1);
      },
    },
  ),
];
