/** Sound lists whose cursors are not those of the six styles: places in the list, of which each direction has its own parameter. */
import { variant } from './fault.ts';
import type { Declared, Sound } from './fault.ts';
import { LONG, USUAL, errorOf } from './kind-fault.ts';
import { rowsOfStyle } from './server.ts';
import type { Call, Reply, Row } from './server.ts';

/** A part of a list. */
interface Part {
  readonly items: readonly Row[];
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly length: number;
}
type Answer = (
  part: Part,
  call: Call,
) => { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };
/** Where a page begins, or how it ends; `undefined` if the request makes no sense. */
type Read = (call: Call, size: number, length: number) => { readonly start: number; readonly end: number } | undefined;

const MAX = 50;
const sizeOf = (text: string | null): number | undefined =>
  text === null ? 10 : /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), MAX) : undefined;

/** @returns a list that responds itself. */
const own = (name: string, param: string, read: Read, answer: Answer, declared?: Declared): readonly Sound[] =>
  [USUAL, LONG].map((length) => {
    const rows = rowsOfStyle('token', length);
    const before = (call: Call): Reply => {
      const size = sizeOf(call.query.get(param));
      const found = size === undefined ? undefined : read(call, size, length);
      if (size === undefined || found === undefined) return errorOf(400);
      const items = rows.slice(Math.max(0, found.start), Math.max(0, found.end));
      const start = Math.max(0, found.start);
      const part = { items, start, end: start + items.length, size, length };
      return { status: 200, headers: {}, ...answer(part, call) }; // Its headers are those of the answer.
    };
    return variant(`${name} (${String(length)} items)`, { style: 'token', before }, declared);
  });

const encoded = (place: number | string): string => Buffer.from(String(place)).toString('base64url');
const decoded = (text: string | null): string | undefined => {
  const plain = text === null ? undefined : Buffer.from(text, 'base64url').toString();
  return plain !== undefined && encoded(plain) === text ? plain : undefined;
};
/** @returns a place; `undefined` if there is none, NaN if it makes no sense. */
const placeOf = (text: string | null): number | undefined => {
  if (text === null) return undefined;
  const place = decoded(text);
  return place !== undefined && /^\d{1,9}$/.test(place) ? Number(place) : NaN;
};

/** `after` and `before` are the places of items, and exclude each other. */
const relay: Read = ({ query }, size) => {
  const [start, end] = [placeOf(query.get('after')), placeOf(query.get('before'))];
  if ([start, end].some(Number.isNaN) || (start !== undefined && end !== undefined)) return undefined;
  if (end !== undefined) return { start: end - size, end };
  const begin = start === undefined ? 0 : start + 1;
  return { start: begin, end: begin + size };
};
const edges = ({ items, start, end, length }: Part): Record<string, unknown> => ({
  startCursor: items.length > 0 ? encoded(start) : null,
  endCursor: items.length > 0 ? encoded(end - 1) : null,
  hasPreviousPage: items.length > 0 && start > 0,
  hasNextPage: items.length > 0 && end < length,
});
const cursors = ({ start, end, length }: Part): Record<string, unknown> => ({
  before: start > 0 ? encoded(start) : null,
  after: end < length ? encoded(end - 1) : null,
});
const isWithin = (place: number): boolean => place >= 0;

/** A page, counted from 0, by an opaque token: with another size it is another place. */
const numbered: Read = ({ query }, size) => {
  const token = query.get('page_token');
  const page = token === null ? 0 : Number(/^page:(\d{1,6})$/.exec(decoded(token) ?? '')?.[1] ?? NaN);
  return isWithin(page) ? { start: page * size, end: (page + 1) * size } : undefined;
};
/** A place, and whether the items before it are meant. */
const directed: Read = ({ query }, size) => {
  const [, place, isBack] = /^0:(\d{1,6}):([01])$/.exec(query.get('cursor') ?? '0:0:0') ?? [];
  if (place === undefined) return undefined;
  const [start, end] = isBack === '1' ? [Number(place) - size, Number(place)] : [Number(place), Number(place) + size];
  return { start, end };
};
const linkTo = ({ url }: Call, params: Readonly<Record<string, string>>): string => {
  const link = new URL(url);
  for (const [name, value] of Object.entries(params)) link.searchParams.set(name, value);
  return link.href;
};

/** The next page is one of a search, by its offset; the first request knows none. */
const searched: Read = ({ url, query }, size) => {
  if (url.pathname !== SEARCH) return { start: 0, end: size };
  const offset = query.get('offset') ?? '';
  return query.get('search') === 's1' && /^\d{1,9}$/.test(offset)
    ? { start: Number(offset), end: Number(offset) + size }
    : undefined;
};
const SEARCH = '/search';

/** `$top` bounds the result; the next link says how much of it is left. */
const TOP_PAGE = 25;
const top: Read = ({ query }) => {
  const start = Number(query.get('$skiptoken') ?? 0);
  const count = Number(query.get('$top') ?? Infinity);
  if (!(start >= 0) || !(count >= 0) || (query.has('$top') && !/^\d{1,9}$/.test(query.get('$top') ?? '')))
    return undefined;
  return { start, end: start + Math.min(count, TOP_PAGE) };
};

export const OWN_SOUND: readonly Sound[] = [
  ...own('token: startCursor beside endCursor', 'limit', relay, (part) => ({
    body: { items: part.items, pageInfo: edges(part) },
  })),
  ...own('token: edges with cursors, and startCursor beside endCursor', 'limit', relay, (part) => ({
    body: { edges: part.items.map((node, at) => ({ cursor: encoded(part.start + at), node })), pageInfo: edges(part) },
  })),
  ...own('token: endCursor alone', 'limit', relay, (part) => {
    const { endCursor, hasNextPage } = edges(part);
    return { body: { items: part.items, pageInfo: { endCursor, hasNextPage } } };
  }),
  ...own(
    'token: after and before exclude each other, as declared',
    'limit',
    relay,
    (part) => ({ body: { data: part.items, cursor: cursors(part) } }),
    { next: { token: 'after', from: 'cursor.after' }, previous: { token: 'before', from: 'cursor.before' } },
  ),
  ...own('token: the token stays, and the page is empty', 'limit', relay, (part, { query }) => ({
    body: { results: part.items, next: part.items.length > 0 ? encoded(part.end - 1) : query.get('after') },
  })),
  ...own('url: links on the last page, too, beside cursors and a flag', 'limit', relay, (part, call) => {
    const { after, before } = { after: encoded(Math.max(part.end - 1, 0)), before: encoded(part.start) };
    const plain = new URL(call.url);
    for (const name of ['after', 'before']) plain.searchParams.delete(name);
    const at = { ...call, url: plain };
    return {
      body: {
        items: part.items,
        meta: { has_more: part.end < part.length, after_cursor: after, before_cursor: before },
        links: { prev: part.start > 0 ? linkTo(at, { before }) : null, next: linkTo(at, { after }) },
      },
    };
  }),
  ...own('token: the token is that of a page number', 'limit', numbered, ({ items, start, end, size, length }) => ({
    body: { items, next_page_token: end < length ? encoded(`page:${String(start / size + 1)}`) : '' },
  })),
  ...own('link: both links are always there, and results="false" is an end', 'per_page', directed, (part, call) => {
    const of = (rel: string, place: number, isBack: boolean, has: boolean): string =>
      `<${linkTo(call, { cursor: `0:${String(place)}:${isBack ? '1' : '0'}` })}>; rel="${rel}"; results="${String(has)}"`;
    const links = [
      of('previous', part.start, true, part.start > 0),
      of('next', part.end, false, part.end < part.length),
    ];
    return { body: part.items, headers: { link: links.join(', ') } };
  }),
  ...own('url: links behind a stated base', 'limit', directed, (part, call) => {
    const of = (place: number, isBack: boolean): string =>
      linkTo(call, { cursor: `0:${String(place)}:${isBack ? '1' : '0'}` }).replace(/^http:..[^/]+(.wiki)?/, '');
    const links = {
      base: `${call.url.origin}/wiki`,
      ...(part.end < part.length && { next: of(part.end, false) }),
      ...(part.start > 0 && { prev: of(part.start, true) }),
    };
    return { body: { results: part.items, _links: links } };
  }),
  ...own('url: the next page is one of a search, by its offset', 'limit', searched, (part, call) => {
    const link = new URL(SEARCH, call.url);
    link.search = `search=s1&offset=${String(part.end)}&limit=${String(part.size)}`;
    return {
      body: { total: part.length, links: { next: part.end < part.length ? link.href : null }, entry: part.items },
    };
  }),
  ...own('url: `$top` bounds the result', '$top', top, ({ items, end, length }, call) => {
    const asked = call.query.get('$top');
    const left = asked === null ? Infinity : Number(asked) - items.length;
    const query = `${asked === null ? '' : `$top=${String(left)}&`}$skiptoken=${String(end)}`;
    return { body: { ...(end < length && left > 0 && { '@odata.nextLink': `items?${query}` }), value: items } };
  }),
];
