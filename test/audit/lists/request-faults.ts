/** Faults in what a list API makes of cursors, sizes and positions that make no sense, or that nobody expected. */
import { ALL, CURSORS, LINKS, NUMBERS, TOKENS, crash, failed, fault, noted } from './fault.ts';
import type { Fault } from './fault.ts';
import { cursorOfStyle, rowsOf, sizeOfStyle } from './server.ts';
import type { Call, Hooks, Style } from './server.ts';

/** Responds 500 if a parameter has such a value. */
const crashes = (name: string, test: (value: string) => boolean): Hooks => ({
  reply: (reply, { query }) => {
    if (query.getAll(name).some(test)) crash(reply);
  },
});
/** What a bad cursor does, damaged or not. */
const badCursor = (treatment: 'crash' | 'ignore' | 'empty', ...parts: readonly string[]): Hooks => ({
  bad: (part) => (parts.includes(part) ? treatment : undefined),
});
/** Values that make no sense, and bring out the errors that nobody handles. */
const ODD: readonly (readonly [what: string, hooksOf: (name: string) => Hooks])[] = [
  ['with NUL', (name) => crashes(name, (it) => it.includes('\0'))],
  ['with a character outside the basic plane', (name) => crashes(name, (it) => /[\u{10000}-\u{10ffff}]/u.test(it))],
  ['with a thousand characters', (name) => crashes(name, (it) => it.length >= 1000)],
];
const isHuge = (value: string): boolean => /^\d{19,}$/.test(value) && BigInt(value) >= 2n ** 63n;
/** Responds 500 by the whole query: a parameter twice, brackets, a broken escape. */
const crashesBy =
  (test: (call: Call, name: string) => boolean) =>
  (name: string): Hooks => ({
    reply: (reply, call) => {
      if (test(call, name)) crash(reply);
    },
  });
const QUERIES: typeof ODD = [
  ['that is given twice', crashesBy(({ query }, name) => query.getAll(name).length > 1)],
  ['that has brackets', crashesBy(({ query }, name) => [...query.keys()].some((it) => it.startsWith(`${name}[`)))],
  [
    'that has a broken escape',
    crashesBy(({ url }, name) => new RegExp(`[?&]${name}=[^&]*%(?![0-9a-f]{2})`, 'i').test(url.search)),
  ],
];

export const CURSOR_FAULTS: readonly Fault[] = [
  ...fault('a damaged cursor is an error of the server', TOKENS, failed('cursor.error'), badCursor('crash', 'damaged')),
  ...fault(
    'an invalid or damaged cursor ends the list',
    CURSORS,
    failed('cursor.end'),
    badCursor('empty', 'cursor', 'damaged'),
  ),
  ...fault('some invalid cursors start over, and others end the list', CURSORS, noted('cursor.restart'), {
    bad: (part, value) => (part === 'size' ? undefined : /^[0!]$/.test(value) ? 'ignore' : 'empty'),
  }),
  ...fault('one invalid cursor starts over, and the others are rejected', CURSORS, noted('cursor.restart'), {
    bad: (part, value) => (part !== 'size' && value === 'zzzzzzzz' ? 'ignore' : undefined),
  }),
  ...fault('a damaged cursor starts over, and others are rejected', TOKENS, noted('cursor.restart'), {
    bad: (part) => (part === 'damaged' ? 'ignore' : undefined),
  }),
  ...fault('an invalid cursor for the page before is an error of the server', ['id'], failed('cursor.error'), {
    reply: (reply, { query }) => {
      if (query.has('ending_before') && reply.status === 400) crash(reply);
    },
  }),
  ...CURSORS.flatMap((style) => {
    const odd = style === 'id' || style === 'token' ? ODD : ODD.slice(0, 1);
    return [...odd, ...(style === 'link' ? [] : QUERIES)].flatMap(([what, hooksOf]) =>
      fault(
        `a cursor ${what} is an error of the server`,
        [style],
        failed('cursor.error'),
        hooksOf(cursorOfStyle(style)),
      ),
    );
  }),
  ...fault('a cursor over 2^63 is an error of the server', ['id'], failed('cursor.error'), {
    rows: rowsOf(60, (n) => n),
    ...crashes('starting_after', isHuge),
  }),
];

export const SIZE_FAULTS: readonly Fault[] = [
  ...(
    [
      ['zero', ['id', 'page'], (it) => it === '0'],
      ['negative', ['token', 'offset'], (it) => it.startsWith('-')],
      ['text', ['url', 'link'], (it) => /^[a-z]+$/i.test(it)],
      ['empty', ['token', 'page'], (it) => it === ''],
      ['over 2^63', ['id', 'link', 'offset'], isHuge],
    ] satisfies readonly (readonly [string, readonly Style[], (value: string) => boolean])[]
  ).flatMap(([what, styles, test]) =>
    fault(`a size that is ${what} is an error of the server`, styles, failed('size.error'), (style) =>
      crashes(sizeOfStyle(style), test),
    ),
  ),
  ...[...ODD, ...QUERIES].flatMap(([what, hooksOf], at) =>
    fault(`a size ${what} is an error of the server`, [ALL[at] ?? 'id'], failed('size.error'), (style) =>
      hooksOf(sizeOfStyle(style)),
    ),
  ),
  ...fault('size -1 is all but the last', ['link', 'page', 'offset'], noted('size.error'), {
    bad: (part, value) => (part === 'size' && value === '-1' ? -1 : undefined),
  }),
  ...fault('size 0 is the whole list, past the maximum', ['id', 'url', 'link'], noted('size.error'), {
    bad: (part, value) => (part === 'size' && value === '0' ? Infinity : undefined),
  }),
  ...fault('size 0 is an empty page', ['token', 'page'], noted('size.error'), {
    bad: (part, value) => (part === 'size' && value === '0' ? 0 : undefined),
  }),
  ...fault('a size above the maximum ends the list after a page', CURSORS, failed('size.above'), (style) => ({
    page: (page, { query }) => {
      if (page.left + page.rows.length <= Number(query.get(sizeOfStyle(style)))) page.next = undefined;
    },
  })),
  ...fault(
    'a size above the maximum is an error of the server',
    ['token', 'offset'],
    failed('size.above', 'size.error'),
    {
      ...crashes('limit', (it) => /^\d{1,18}$/.test(it) && Number(it) > 50),
    },
  ),
  ...fault('a size above the maximum closes the connection', ['token'], failed('size.above'), {
    before: ({ query, req }) => {
      if (Number(query.get('limit')) > 5000 && Number(query.get('limit')) < 2 ** 53) req.socket.destroy();
      return undefined;
    },
  }),
  ...fault('pages have one item fewer than asked', ['token', 'url'], noted('size.wrong'), {
    size: (asked, max) => Math.max(1, Math.min(asked, max) - 1),
  }),
  ...fault('pages have one item more than asked', ['id', 'link'], noted('size.wrong'), {
    size: (asked, max) => Math.min(asked, max) + 1,
  }),
  ...fault('the next link loses the size', LINKS, noted('size.wrong'), (style) => ({
    link: (link, rel) => {
      const url = new URL(link);
      if (rel === 'next') url.searchParams.delete(sizeOfStyle(style));
      return url.href;
    },
  })),
];

export const POSITION_FAULTS: readonly Fault[] = [
  ...(
    [
      ['negative', (it) => it.startsWith('-')],
      ['text', (it) => /^[a-z]+$/i.test(it)],
      ['over 2^63', isHuge],
      ['no whole number', (it) => /^\d+\.\d+$/.test(it)],
    ] satisfies readonly (readonly [string, (value: string) => boolean])[]
  ).flatMap(([what, test], at) =>
    fault(
      `a position that is ${what} is an error of the server`,
      at < 3 ? NUMBERS : ['offset'],
      failed('position.error'),
      (style) => crashes(style, test),
    ),
  ),
  ...fault(
    'page 0 is an error of the server',
    ['page'],
    failed('position.error'),
    crashes('page', (it) => it === '0'),
  ),
  ...[ODD, QUERIES].flatMap((all) =>
    all.flatMap(([what, hooksOf], at) =>
      fault(
        `a position ${what} is an error of the server`,
        [NUMBERS[at % 2] ?? 'page'],
        failed('position.error'),
        hooksOf,
      ),
    ),
  ),
];
