/** Faults of the next page that a response states: while another way works, and where there is none. */
import { CURSORS, LATE, LINKS, NUMBERS, failed, indexOf, withStatus } from './fault.ts';
import type { Fault } from './fault.ts';
import { filtered, open } from './filter-faults.ts';
import {
  LONG,
  LONGEST,
  LOST,
  PAGES,
  TWO,
  USUAL,
  WRONG,
  errorOf,
  hasNext,
  leading,
  moved,
  of,
  stating,
} from './kind-fault.ts';
import type { Change } from './kind-fault.ts';
import { cursorOfStyle, sizeOfStyle } from './server.ts';
import type { Call, Style } from './server.ts';

/** More than finding out how a list paginates takes. */
const MANY_REQUESTS = 60;

const without = (link: string | undefined, param: string): string | null => {
  if (link === undefined) return null;
  const url = new URL(link);
  url.searchParams.delete(param);
  return url.href;
};
const prefixed = ({ pathname }: URL): string => `/v1${pathname}`;
const failsAt = (style: Style, status: number, test: (call: Call) => boolean = () => true): Change => ({
  before: (call) => (call.query.has(cursorOfStyle(style)) && test(call) ? errorOf(status) : undefined),
});

const STATED = failed('stated.next');
export const STATED_FAULTS: readonly Fault[] = [
  ...of(
    'stated error',
    'the stated next link has a path that is not there',
    STATED,
    stating((page, { url }) => ({ next: hasNext(page) ? `${url.origin}${prefixed(url)}?page=2` : null })),
  ),
  ...of('stated error', 'the stated next link of a header has a path that is not there', STATED, () => ({
    reply: (reply, { url }) => {
      if (reply.status === 200) reply.headers = { link: `<${url.origin}${prefixed(url)}?page=2>; rel="next"` };
    },
  })),
  ...of('stated error', 'the stated token is a 500', STATED, (subject) => ({
    ...stating((page) => ({ next_cursor: hasNext(page) ? 'abc' : null }))(subject),
    before: ({ query }) => (query.has('cursor') ? errorOf(500) : undefined),
  })),
  ...of(
    'stated error',
    'the stated next link of later pages has a path that is not there',
    failed('stated.next', 'page.error'),
    (subject) =>
      stating((page, call) => {
        const link = call.link(page.next);
        const isLate = indexOf(subject.rows, page.rows[0]) >= LATE;
        return { next: (isLate ? link?.replace('/items', '/v1/items') : link) ?? null };
      })(subject),
    { lengths: PAGES },
  ),
  ...of(
    'stated skips',
    'the stated next page begins an item too late',
    LOST,
    leading((subject) => moved(1, subject)),
    { lengths: TWO },
  ),
  ...of(
    'stated repeats',
    'the stated next page begins with the last item of the page before',
    failed('items.repeated'),
    leading((subject) => (page, call) => moved(call.size > 1 ? -1 : 0, subject)(page, call)),
    { styles: [...CURSORS, 'offset'], lengths: TWO },
  ),
  ...of(
    'stated repeats',
    'the stated next link loses the size',
    WRONG,
    stating((page, call) => ({ next: without(call.link(page.next), sizeOfStyle('page')) })),
    { styles: ['page'], lengths: [[USUAL, LONG, LONGEST]] },
  ),
  ...(
    [
      [failed('filter.dropped'), open, ''],
      [WRONG, () => ({ params: { status: 'open' } }), ', which nobody declares'],
    ] as const
  ).flatMap(([expected, declared, which]) => [
    ...of(
      'stated filter',
      `the stated next link loses the filter${which}`,
      expected,
      (subject) => ({
        ...filtered(subject.style, undefined, withStatus(subject.rows)),
        ...(subject.style === 'url' || subject.style === 'link'
          ? { link: (link: string, rel: string) => (rel === 'next' ? (without(link, 'status') ?? '') : link) }
          : stating((page, call) => ({ next: without(call.link(page.next), 'status') }))(subject)),
      }),
      { styles: ['id', ...LINKS, ...NUMBERS], lengths: PAGES, declared },
    ),
    ...of(
      'stated filter',
      `the token loses the filter${which}`,
      expected,
      (subject) =>
        filtered(
          subject.style,
          (matched, { query }, all) => (query.has('cursor') ? all : matched),
          withStatus(subject.rows),
        ),
      { styles: ['token'], lengths: PAGES, declared },
    ),
  ]),
];
const ERROR = failed('page.error');
export const WAY_FAULTS: readonly Fault[] = [
  ...[404, 410, 500].flatMap((status) =>
    of('only way', `every next page is a ${String(status)}`, ERROR, ({ style }) => failsAt(style, status)),
  ),
  ...of(
    'only way',
    'the token of the last page is "null", which is rejected',
    ERROR,
    ({ total }) => ({
      body: (page, call) => ({
        items: page.rows,
        ...total(page),
        next_cursor: hasNext(page) ? call.to(page.rows.at(-1))['cursor'] : 'null',
      }),
    }),
    { styles: ['token'] },
  ),
  ...of('expired', 'a way to a page works once, and a fresh page has the same one', ERROR, ({ style }) => {
    const used = new Set<string>();
    return failsAt(style, 410, ({ url }) => used.size === used.add(url.search).size);
  }),
  ...of(
    'expired',
    'page one is as old as its way to the next one, which has expired',
    ERROR,
    ({ style }) => failsAt(style, 410, ({ number }) => number > MANY_REQUESTS),
    { lengths: PAGES },
  ),
];
