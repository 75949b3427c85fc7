/**
 * Lists of libraries that paginate, in small apps. What must be found was seen with curl and the versions of `programs`, on 2026-11-29.
 */
import { NEWEST, OPEN, SHIFTS, STAYS, changesAt, server } from './list.ts';
import type { List, Rest, Server, Way } from './list.ts';
import type { Program } from './process.ts';
import { MIKRO_ORM, OBJECTION, SEQUELIZE, TYPEORM } from './programs/npm.ts';
import { DJANGO, FASTAPI, LITESTAR } from './programs/pypi.ts';

/** The size is cut to the maximum, and what is no size is ignored: `rest_framework/pagination.py`. */
const django = (name: string, size: string, order: string, rest: Rest): List => ({
  name,
  path: `/${name}`,
  declared: {
    size: { param: size, default: 10, max: 100, above: 'clamp', invalid: 'default', exact: true },
    ...{ order: [{ by: order }], filter: OPEN, get: '/rows/{id}' },
  },
  right: { items: 'results', id: 'id', size, next: { url: 'next' } },
  changes: changesAt('/rows', `/${name}`),
  ...rest,
});

/** `size` is from 0 to 100 by its OpenAPI document, and 50 if it is missing. */
const fastapiCursor = (name: string, rest: Rest): List => ({
  name,
  path: `/${name}`,
  right: { items: 'items', id: 'id', size: 'size', next: { token: 'cursor', from: 'next_page' } },
  changes: changesAt('/rows'),
  ...rest,
});

const FASTAPI_SIZE = { param: 'size', default: 50, max: 100, above: 'reject', exact: true } as const;

const fastapiNumber = (name: string, size: string, next: Way): List => ({
  name,
  declared: {
    size: { param: size, default: 50, max: 100, above: 'reject', invalid: 'reject', exact: true },
    ...{ order: [{ by: 'id' }], filter: OPEN, get: '/rows/{id}' },
  },
  path: `/${name}`,
  right: { items: 'items', id: 'id', size, next },
  // A number over 2^63 is 500.
  finds: { 'position.error': 'failed' },
});

type Finds = NonNullable<List['finds']>;

/**
 * Lists of `apps/libraries`: two in an order without nulls, two in that of `score`, and two in that of `created`, whose microseconds a cursor of
 * milliseconds loses.
 * @param found what is found in each but the sound ones, with what is found in all.
 */
const cursors = (
  name: string,
  program: Program,
  right: NonNullable<List['right']>,
  all: Finds,
  found: Readonly<Record<'nulls-first' | 'nulls-last' | 'oldest' | 'newest', Finds>>,
): Server =>
  server(
    name,
    program,
    ...['id', 'grade'].map((path) => ({ name: path, path: `/${path}`, right, finds: all })),
    ...Object.entries(found).map(([path, finds]) => ({ name: path, path: `/${path}`, right, finds })),
  );

// Whatever cannot be decoded is page one.
const RESTARTS = { 'cursor.restart': 'failed' } as const;
// Whatever cannot be decoded is 500.
const THROWS = { 'cursor.error': 'failed' } as const;

export const LIBRARIES: readonly Server[] = [
  server(
    'drf',
    DJANGO,
    // `cursor=cD0yMDI0`, which is `p=2024`, is 500. Backward, rows with one `created` have another order.
    django('cursor-created', 'size', '-created', {
      finds: { ...STAYS, 'cursor.error': 'failed', 'back.missing': 'noted' },
    }),
    // `p=2024` starts at page one, and `p=0` is the end: any number is valid. `p=abc` is 500.
    django('cursor-id', 'size', '-id', { finds: STAYS, mayFail: ['cursor.error'] }),
    // `offset=abc` and `offset=-1` are page one.
    django('offset', 'limit', '-id', { finds: SHIFTS, mayFail: ['cursor.restart'] }),
    django('page', 'size', '-id', { finds: SHIFTS }),
  ),
  server(
    'fastapi-pagination',
    FASTAPI,
    // With size 3, 37 rows never appear; backward, as many. `cursor=cD0yMDI0` is 500. `size=0` is an empty page, with a next one.
    fastapiCursor('cursor', {
      declared: { size: FASTAPI_SIZE, order: NEWEST, filter: OPEN, get: '/rows/{id}' },
      finds: { 'items.missing': 'failed', 'cursor.error': 'failed', 'size.error': 'noted' },
      mayFail: ['back.missing'],
    }),
    fastapiCursor('cursor-and-id', {
      declared: { size: FASTAPI_SIZE, order: [...NEWEST, { by: '-id' }], filter: OPEN, get: '/rows/{id}' },
      finds: { ...STAYS, 'cursor.error': 'failed', 'size.error': 'noted' },
    }),
    fastapiNumber('page', 'size', { page: 'page', first: 1 }),
    fastapiNumber('offset', 'limit', { offset: 'offset' }),
  ),
  server('litestar', LITESTAR, {
    name: 'ClassicPagination',
    path: '/rows',
    right: { items: 'items', id: 'id', size: 'page_size', next: { page: 'current_page', first: 1 } },
  }),
  // `score < NULL` is never true. With nulls last, no page shows one: only the total does. Of `.0291` and `.0297`, a cursor keeps `.029`: the
  // oldest first, every row of the millisecond comes again, for ever with size 1; the newest first, its other rows never come.
  cursors(
    'sequelize-cursor-pagination',
    SEQUELIZE,
    {
      items: 'edges',
      id: 'node.id',
      size: 'limit',
      next: { token: 'after', from: 'pageInfo.endCursor', more: 'pageInfo.hasNextPage' },
    },
    RESTARTS,
    {
      'nulls-first': { ...RESTARTS, 'items.missing': ['failed', '160 of 240'] },
      'nulls-last': { ...RESTARTS, 'total.wrong': ['noted', '160'] },
      oldest: { ...RESTARTS, 'end.never': 'failed' },
      newest: { ...RESTARTS, 'items.missing': ['failed', '209 of 240'] },
    },
  ),
  // The cursor of a null is `score:null`, which is no number: 500. It has no total, so that nothing shows the nulls that are last.
  cursors(
    'typeorm-cursor-pagination',
    TYPEORM,
    { items: 'data', id: 'id', size: 'limit', next: { token: 'afterCursor', from: 'cursor.afterCursor' } },
    THROWS,
    {
      'nulls-first': { 'page.error': ['failed', 'page 2'] },
      'nulls-last': THROWS,
      oldest: { ...THROWS, 'end.never': 'failed' },
      newest: { ...THROWS, 'items.missing': ['failed', 'of 240'] },
    },
  ),
  cursors(
    'objection-cursor',
    OBJECTION,
    {
      items: 'results',
      id: 'id',
      size: 'limit',
      next: { token: 'next', from: 'pageInfo.next', more: 'pageInfo.hasNext' },
    },
    THROWS,
    {
      'nulls-first': { ...THROWS, 'items.missing': ['failed', '160 of 240'] },
      'nulls-last': { ...THROWS, 'total.wrong': ['noted', '160'] },
      oldest: { ...THROWS, 'end.never': 'failed' },
      newest: { ...THROWS, 'items.missing': ['failed', '209 of 240'] },
    },
  ),
  // It compares with null as it should.
  cursors(
    'mikro-orm',
    MIKRO_ORM,
    { items: 'items', id: 'id', size: 'first', next: { token: 'after', from: 'endCursor', more: 'hasNextPage' } },
    {},
    {
      'nulls-first': {},
      'nulls-last': {},
      oldest: { 'end.never': 'failed' },
      newest: { 'items.missing': ['failed', '209 of 240'] },
    },
  ),
];
