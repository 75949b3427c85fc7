/** Lists whose parameters do not stand in the query: in the body of a POST, or the size in a header. And items that are inside of others. */
import { failed, fault, variant, without } from './fault.ts';
import type { Declared, Fault, Sound } from './fault.ts';
import { rowsOf, rowsOfStyle, sizeOfStyle } from './server.ts';
import type { ListOptions, Style } from './server.ts';

const STYLES: readonly Style[] = ['id', 'token', 'page', 'offset'];
const SOME = 2;

/** @returns what the user says: the URL only reads, and what is posted there. */
const posted = (style: Style, form: NonNullable<ListOptions['posted']>): Declared => {
  const size = { [sizeOfStyle(style)]: SOME };
  const body = { object: { ...size, query: { term: 'all', tags: ['a', 'b'] } }, deep: { page: size }, form: '' };
  return { method: 'POST', body: form === 'form' ? `${sizeOfStyle(style)}=${String(SOME)}&term=all` : body[form] };
};

export const POSTED_SOUND: readonly Sound[] = [
  ...STYLES.flatMap((style) =>
    (['object', 'deep', 'form'] as const).map((form) =>
      variant(`${style}: read by POST, parameters in the body (${form})`, { style, posted: form }, posted(style, form)),
    ),
  ),
  ...STYLES.map((style) =>
    variant(`${style}: read by POST, with an empty body`, { style, posted: 'object' }, { method: 'POST' }),
  ),
  variant(
    'id: read by POST, ids are strings of digits',
    { style: 'id', posted: 'object', rows: rowsOf(60, (n) => String(1000 + n)) },
    posted('id', 'object'),
  ),
  variant(
    'offset: read by POST, a position of the first page is in the body',
    { style: 'offset', posted: 'object' },
    { method: 'POST', body: { limit: 5, offset: 0 } },
  ),
  variant(
    'token: read by POST, with a filter in the body',
    { style: 'token', posted: 'object', rows: rowsOfStyle('token').map((row) => ({ ...row, status: 'open' })) },
    { ...posted('token', 'object'), filter: { status: 'open' } },
  ),
  variant(
    'url: the size stands in a header, and no link has it',
    {
      style: 'url',
      before: ({ query, req }) => {
        const [, size] = /maxpagesize=(\d+)/.exec(String(req.headers['prefer'])) ?? [];
        if (size !== undefined) query.set('limit', size);
        return undefined;
      },
      link: (link) => {
        const url = new URL(link);
        url.searchParams.delete('limit');
        return url.href;
      },
    },
    { size: { param: 'Prefer', header: 'Prefer', value: 'odata.maxpagesize={size}' } },
  ),
  variant(
    'token: each item is inside of an entry',
    {
      style: 'token',
      body: ({ rows, next }) => ({ entry: rows.map((resource) => ({ resource })), next: next?.['cursor'] ?? null }),
    },
    { items: 'entry[].resource' },
  ),
];

export const POSTED_FAULTS: readonly Fault[] = [
  ...fault(
    'read by POST, the item after the tenth is on no small page',
    STYLES,
    failed('items.missing'),
    { posted: 'object', order: (rows, { size }) => (size === 1 ? without(rows, 10) : rows) },
    (style) => posted(style, 'object'),
  ),
  ...fault(
    'read by POST, a bad cursor is an error of the server',
    ['id', 'token'],
    failed('cursor.error'),
    { posted: 'object', bad: () => 'crash' },
    (style) => posted(style, 'object'),
  ),
];
