/** Sound lists whose cursors are not those of the six styles, and that none of the shapes has. */
import { variant } from './fault.ts';
import type { Sound } from './fault.ts';
import { LONG, USUAL, errorOf } from './kind-fault.ts';
import { rowsOfStyle } from './server.ts';
import type { Call, Reply, Row } from './server.ts';

const MAX = 50;
const sizeOf = (text: string | null): number | undefined =>
  text === null ? 10 : /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), MAX) : undefined;

/** A part of a list. */
interface Part {
  readonly items: readonly Row[];
  readonly end: number;
  readonly size: number;
  readonly length: number;
}
/** @param startOf where a page begins; `undefined` if the request makes no sense. @returns a list that responds itself. */
const own = (
  name: string,
  startOf: (call: Call, size: number) => number | undefined,
  bodyOf: (part: Part, call: Call) => unknown,
): readonly Sound[] =>
  [USUAL, LONG].map((length) => {
    const rows = rowsOfStyle('token', length);
    const before = (call: Call): Reply => {
      const size = sizeOf(call.query.get('limit'));
      const start = size === undefined ? undefined : startOf(call, size);
      if (size === undefined || start === undefined) return errorOf(400);
      const part = { items: rows.slice(start, start + size), end: start + size, size, length };
      return { status: 200, headers: {}, body: bodyOf(part, call) };
    };
    return variant(`${name} (${String(length)} items)`, { style: 'token', before });
  });

const tokenOf = (page: number): string => Buffer.from(`page:${String(page)}`).toString('base64url');
const SEARCH = '/search';

export const OWN_SOUND: readonly Sound[] = [
  // With another size, the token is another place.
  ...own(
    'token: the token is that of a page number',
    ({ query }, size) => {
      const token = query.get('page_token') ?? tokenOf(0);
      const [, page] = /^page:(\d{1,6})$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
      return page === undefined || token !== tokenOf(Number(page)) ? undefined : Number(page) * size;
    },
    ({ items, end, size, length }) => ({ items, next_page_token: end < length ? tokenOf(end / size) : '' }),
  ),
  // The first request knows no offset.
  ...own(
    'url: the next page is one of a search, by its offset',
    ({ url, query }) => {
      if (url.pathname !== SEARCH) return 0;
      const offset = query.get('offset') ?? '';
      return query.get('search') === 's1' && /^\d{1,9}$/.test(offset) ? Number(offset) : undefined;
    },
    ({ items, end, size, length }, call) => {
      const link = new URL(SEARCH, call.url);
      link.search = `search=s1&offset=${String(end)}&limit=${String(size)}`;
      return { total: length, links: { next: end < length ? link.href : null }, entry: items };
    },
  ),
];
