/** List APIs without a fault, however they differ: `audit` must not report a failure of any. */
import { ALL, LINKS, before, indexOf, named, variant } from './fault.ts';
import type { Sound } from './fault.ts';
import { DECLARED_SOUND } from './declared-sound.ts';
import { SOUND_DOCUMENTS } from './documents.ts';
import { KIND_SOUND } from './kind-sound.ts';
import { POSTED_SOUND } from './posted.ts';
import { rowsOf, rowsOfStyle, sizeOfStyle } from './server.ts';
import type { Call, Page, Reply, Row } from './server.ts';
import { SORTED_SOUND } from './sorted.ts';
import { SOUND_MOVES } from './sound-moves.ts';
import { LATER_SOUND } from './later.ts';
import { LIVING_SOUND } from './tie-faults.ts';
import { STATED_SOUND } from './stated-sound.ts';

const KEY = 'key-that-nobody-needs';
const KEY_HEADER = { headers: { authorization: `Bearer ${KEY}` } };

const cursorOf = ({ next }: Page): string | undefined => next?.['cursor'];
/** A row is put before the others with every tenth request, until there are twelve. */
const growing = (rows: readonly Row[], { number }: Call): readonly Row[] => {
  const added = Array.from({ length: Math.min(12, Math.floor(number / 10)) }, (_, at): Row => {
    const id = typeof rows[0]?.id === 'string' ? `new-${String(9001 + at)}` : 9001 + at;
    return { id, created: `2026-03-01T00:00:${String(10 + at)}.000Z`, name: 'New' };
  });
  return [...added.reverse(), ...rows];
};
/** The last row goes with every tenth request, until twelve have gone. */
const shrinking = (rows: readonly Row[], { number }: Call): readonly Row[] =>
  rows.slice(0, rows.length - Math.min(12, Math.floor(number / 10)));
const tooMany = ({ number }: Call): Reply | undefined =>
  number % 25 === 0
    ? { status: 429, headers: { 'retry-after': '0' }, body: { error: 'Too many requests' } }
    : undefined;
/** Every page is a third shorter than asked; the next one begins where it ends. */
const short = (asked: number, max: number): number => Math.max(1, Math.floor((Math.min(asked, max) * 2) / 3));
/** Ids in ascending order, as names in a registry. */
const NAMES = rowsOf(80, (n) => `repo/${String(1000 - n)}`);
const nextOf = (page: Page, call: Call): string | undefined => call.link(page.next);

export const SOUND: readonly Sound[] = [
  ...STATED_SOUND,
  ...KIND_SOUND,
  ...POSTED_SOUND,
  ...SORTED_SOUND,
  ...LIVING_SOUND,
  ...LATER_SOUND,
  ...ALL.map((style) => variant(`${style}: as it should be`, { style })),
  ...ALL.map((style) =>
    variant(`${style}: a size above the maximum is rejected`, {
      style,
      sizes: { default: 10, max: 50, rejects: true },
    }),
  ),
  ...ALL.map((style) => variant(`${style}: every request needs the key`, { style, key: KEY }, KEY_HEADER)),
  variant('page: without a number and a size, the whole list comes', {
    style: 'page',
    hasNoTotal: true,
    page: (page, { query }) => {
      if (!query.has('page') && !query.has('size')) Object.assign(page, { rows: rowsOfStyle('page'), next: undefined });
    },
  }),
  // Where no size is sent, page two is of items that page one had.
  variant('page: without a number and a size, the whole list comes, and it loses its last items', {
    style: 'page',
    rows: rowsOf(45, (n) => n),
    hasNoTotal: true,
    order: shrinking,
    page: (page, call) => {
      if (call.query.has('page') || call.query.has('size')) return;
      Object.assign(page, {
        rows: shrinking(
          rowsOf(45, (n) => n),
          call,
        ),
        next: undefined,
      });
    },
  }),
  ...ALL.map((style) =>
    variant(
      `${style}: the size that the first request has is needed`,
      {
        style,
        before: ({ query }) =>
          query.has(sizeOfStyle(style)) ? undefined : { status: 400, headers: {}, body: { error: 'Which size?' } },
      },
      { params: { [sizeOfStyle(style)]: '10' } },
    ),
  ),
  ...(['token', 'url', 'link', 'id'] as const).map((style) =>
    variant(`${style}: without a size, the whole list comes`, {
      style,
      rows: rowsOfStyle(style, 70),
      page: (page, { query }) => {
        if (!query.has(sizeOfStyle(style))) Object.assign(page, { rows: rowsOfStyle(style, 70), next: undefined });
      },
    }),
  ),
  variant('token: pages are short, and their next is right', { style: 'token', size: short }),
  variant('url: pages are short, and their next is right', { style: 'url', size: short }),
  ...(['token', 'url', 'page', 'offset'] as const).map((style) =>
    variant(`${style}: there is no total`, { style, hasNoTotal: true }),
  ),
  ...(['token', 'url', 'link'] as const).map((style) =>
    variant(`${style}: tokens differ on every request`, { style, isSalted: true }),
  ),
  variant('id: ids are numbers', { style: 'id', rows: rowsOf(60, (n) => n) }),
  variant('token: ids are strings', { style: 'token', rows: rowsOf(64, (n) => `row_${String(n)}`) }),
  variant('id: ids need percent-encoding', { style: 'id', rows: rowsOf(60, (n) => `a b/ü&${String(n)}+#%41`) }),
  variant('url: ids are above 2^53', { style: 'url', rows: rowsOf(60, (n) => 2n ** 53n + BigInt(n)) }),
  variant('id: ids are above 2^53', { style: 'id', rows: rowsOf(60, (n) => 2n ** 53n + BigInt(n)) }),
  variant('token: 1 and "1" are two ids', { style: 'token', rows: rowsOf(60, (n) => (n % 2 ? n : String(n - 1))) }),
  ...(['token', 'url', 'link'] as const).map((style) =>
    variant(`${style}: the last page may be empty`, {
      style,
      page: (page, call) => {
        if (page.rows.length === call.size) page.next ??= call.to(page.rows.at(-1));
      },
    }),
  ),
  variant('id: a cursor is a value, and any is valid', {
    style: 'id',
    rows: NAMES,
    bad: (part, id) => (part === 'cursor' ? { id, created: '', name: '' } : undefined),
    following: ({ id }, rows) => rows.filter((it) => it.id > id),
    preceding: ({ id }, rows) => rows.filter((it) => it.id < id),
  }),
  variant('id: the flag says whether more follows, backward too', {
    style: 'id',
    body: ({ rows, next }) => ({ data: rows, has_more: next !== undefined }),
  }),
  // What is before a bound is its first page, as in every other part of the list.
  variant('id: `after` and `before` are bounds of a part', {
    style: 'id',
    before: named({ starting_after: 'after', ending_before: 'before' }),
    preceding: (anchor, rows, { query, size }) => {
      const start = query.get('starting_after');
      const first = start === null ? 0 : rows.findIndex(({ id }) => id === start) + 1;
      return rows.slice(first, indexOf(rows, anchor)).slice(0, size);
    },
  }),
  variant('id: the `first` items before a cursor', {
    style: 'id',
    before: named({ limit: 'first', starting_after: 'after', ending_before: 'before' }),
    preceding: (anchor, rows, { size }) => before(rows, anchor).slice(0, size),
  }),
  variant('id: the parameter of the previous page is ignored', { style: 'id', before: named({ ending_before: '' }) }),
  variant('token: bodies are compressed', { style: 'token', transfer: 'gzip' }),
  variant('link: bodies come in pieces', { style: 'link', transfer: 'chunks' }),
  ...ALL.map((style) => variant(`${style}: every 25th request is too many`, { style, before: tooMany })),
  ...ALL.map((style) => variant(`${style}: items are added at the head`, { style, order: growing })),
  variant('offset: the first item is 1, and items are added at the head', {
    style: 'offset',
    first: 1,
    order: growing,
  }),
  variant('offset: the first item is 1', { style: 'offset', first: 1 }),
  variant(
    'offset: the first item is 1, and the URL says so',
    { style: 'offset', first: 1 },
    { params: { offset: '1' } },
  ),
  variant('offset: the first item is 1, and so is any number below', {
    style: 'offset',
    first: 1,
    bad: (part, value) => (part === 'number' && /^(0|-\d+)$/.test(value) ? 1 : undefined),
  }),
  // A value that makes no sense is the first page.
  ...(
    [
      ['page', 'pg'],
      ['page', 'n'],
      ['offset', 'startIndex'],
      ['offset', 'row'],
    ] as const
  ).map(([style, name]) =>
    variant(`url: next holds \`${name}\`, ${style === 'page' ? 'a page number' : 'and the first item is 1'}`, {
      style,
      first: 1,
      bad: (part) => (part === 'number' ? 1 : undefined),
      before: ({ query }) => {
        for (const value of query.getAll(name)) query.append(style, value);
        query.delete(name);
        return undefined;
      },
      body: (page, call) => ({ items: page.rows, next: nextOf(page, call)?.replace(`${style}=`, `${name}=`) ?? null }),
    }),
  ),
  ...([false, undefined, ''] as const).flatMap((end) => [
    variant(`url: the last next is ${end === '' ? '""' : String(end)}`, {
      style: 'url',
      body: (page, call) => ({ results: page.rows, next: nextOf(page, call) ?? end }),
    }),
    variant(`token: the last next is ${end === '' ? '""' : String(end)}`, {
      style: 'token',
      body: (page) => ({ items: page.rows, meta: { next: cursorOf(page) ?? end } }),
    }),
  ]),
  variant('url: previous is always null', {
    style: 'url',
    body: (page, call) => ({ results: page.rows, next: nextOf(page, call) ?? null, previous: null }),
  }),
  variant('url: next is relative', {
    style: 'url',
    link: (link) => link.replace(/^http:\/\/[^/]+/, ''),
  }),
  ...ALL.map((style) => variant(`${style}: a public list, to which a key is given`, { style }, KEY_HEADER)),
  // Its links hold what the request holds: they add nothing to the logs.
  ...LINKS.map((style) =>
    variant(`${style}: the key stands in the URL too`, { style }, { ...KEY_HEADER, params: { api_key: KEY } }),
  ),
  // The links of the style `url` lead to the path without a slash.
  ...(['token', 'url'] as const).map((style) =>
    variant(`${style}: a redirect leads to the trailing slash`, {
      style,
      link: (link) => link.replace('/items/?', '/items?'),
      before: ({ url }) =>
        url.pathname === '/items'
          ? { status: 301, headers: { location: `/items/${url.search}` }, body: {} }
          : undefined,
    }),
  ),
  variant('token: items are strings', {
    style: 'token',
    rows: rowsOf(60, (n) => `tag-${String(n)}`),
    body: (page) => ({ tags: page.rows.map((it) => it.id), next_cursor: cursorOf(page) ?? null }),
  }),
  variant('token: items are arrays, beside one of their names', {
    style: 'token',
    body: (page) => ({
      columns: ['id', 'name'],
      rows: page.rows.map((it) => [it.id, it.name]),
      next: cursorOf(page) ?? null,
    }),
    before: ({ query }) => {
      for (const value of query.getAll('next')) query.append('cursor', value);
      query.delete('next');
      return undefined;
    },
  }),
  variant('page: the body is the array', { style: 'page', body: ({ rows }) => rows }),
  variant('offset: the body is the array', { style: 'offset', body: ({ rows }) => rows }),
  variant('token: items are in data.items, beside another array', {
    style: 'token',
    body: (page) => ({ warnings: [{ id: 1 }], data: { items: page.rows, next: cursorOf(page) ?? null } }),
  }),
  ...(
    [
      ['page', 404],
      ['offset', 416],
      ['page', 422],
      ['offset', 400],
    ] as const
  ).map(([style, status]) =>
    variant(`${style}: a page past the end is ${String(status)}`, {
      style,
      reply: (reply, { start }) => {
        if (start >= rowsOfStyle(style).length) Object.assign(reply, { status, body: { detail: 'Invalid page.' } });
      },
    }),
  ),
  variant('page: the last page is named, and next is null', {
    style: 'page',
    body: ({ rows, next, left, total }, { size }) => ({
      next: left > 0 ? Number(next?.['page']) : null,
      pages: Math.ceil(total / size),
      data: rows,
    }),
  }),
  variant('token: 240 items', { style: 'token', rows: rowsOf(240, (n) => n), sizes: { default: 20, max: 100 } }),
  variant('token: three items', { style: 'token', rows: rowsOf(3, (n) => n) }),
  ...DECLARED_SOUND,
  ...SOUND_MOVES,
  ...SOUND_DOCUMENTS,
];
