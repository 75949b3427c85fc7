/**
 * Lists of servers that serve rows, of mocks, and of Rollcall itself. Every server has the rows of rows.ts, except those that have no second page. What must be found was seen with curl and the
 * versions of `programs`, on 2026-11-29.
 */
import type { Given } from '../../audit/lists/profile.ts';
import { OPERATIONS } from '../../generated/operations.ts';
import { NEWEST, OPEN, STAYS, changesAt, countedAt, server } from './list.ts';
import type { List, Server } from './list.ts';
import { POCKETBASE, REGISTRY, STRIPE_MOCK } from './programs/go.ts';
import { JSON_SERVER_0, JSON_SERVER_1, PRISM } from './programs/npm.ts';
import { startDemo, startRows } from './programs/own.ts';
import { DATASETTE, KINTO, SCIM } from './programs/pypi.ts';

/** A page has 100 rows, and a size above 1,000 is an error; equal values are ordered by the primary key: its documentation. */
const datasette = (
  name: string,
  query: string,
  items: string,
  order: NonNullable<Given['order']>,
  rest: Omit<List, 'name' | 'path' | 'right' | 'declared'>,
): List => ({
  name,
  path: `/data/rows.json?${query}`,
  declared: {
    size: { param: '_size', default: 100, max: 1000, above: 'reject', invalid: 'reject', exact: true },
    ...{ order, filter: OPEN, get: '/data/rows/{id}.json?_shape=objects' },
    // Its own message says "a positive integer", but `_size=0` is an empty page.
    finds: { 'size.not-rejected': 'failed' },
  },
  right: { items, id: 'id', size: '_size', next: { link: 'next' } },
  ...rest,
});

/** A larger `_limit` is cut to `paginate_by`; anything else is 400; the newest change comes first, unless sorted: its documentation. */
const kinto = (name: string, query: string, order: string): List => ({
  name,
  declared: {
    size: { param: '_limit', default: 100, max: 100, above: 'clamp', exact: true },
    ...{ order: [{ by: order }], filter: OPEN, get: '/v1/buckets/lab/collections/rows/records/{id}' },
  },
  path: `/v1/buckets/lab/collections/rows/records${query}`,
  changes: changesAt('/v1/buckets/lab/collections/rows/records', undefined, (data) => ({ data })),
  right: { items: 'data', id: 'id', size: '_limit', next: { header: 'next-page' } },
  // `_limit=0` returns all 240, although the maximum is 100. `_token=null` starts over; all other invalid tokens are 400.
  finds: { ...STAYS, 'size.error': 'noted', 'cursor.restart': 'noted' },
});

const defaultOf = (operation: keyof typeof OPERATIONS): number =>
  Number(Object.entries(OPERATIONS[operation].defaults).find(([name]) => name === 'limit')?.[1]);
/** As its contract says. */
const rollcall = (operation: keyof typeof OPERATIONS, filter?: Given['filter'], other?: Given['other']): List => ({
  name: OPERATIONS[operation].path.slice(1),
  path: OPERATIONS[operation].path,
  declared: {
    size: { param: 'limit', default: defaultOf(operation), invalid: 'reject', exact: true },
    order: [{ by: '-created_at' }, { by: '-id', type: 'bytes' }],
    ...(filter && { filter }),
    ...(operation === 'listContactImports' && { get: OPERATIONS.getContactImport.path }),
    ...(other && { other }),
  },
  right: { items: 'data', id: 'id', size: 'limit', next: { id: 'after', more: 'has_more' } },
});

export const PRODUCTS: readonly Server[] = [
  server(
    'datasette',
    DATASETTE,
    // `_next=zzz` is 200 without rows. So is a damaged `_next=3x`, and `_next=999`. `_next=0` is page one: a number is a place, whatever it is.
    datasette('objects', '_shape=objects', 'rows', [{ by: 'id' }], {
      finds: { 'cursor.end': 'noted' },
    }),
    datasette('array', '_shape=array', '', [{ by: 'id' }], { finds: { 'cursor.end': 'noted' } }),
    datasette('sorted', '_shape=array&_sort_desc=created', '', [...NEWEST, { by: 'id' }], {
      finds: { 'cursor.end': 'failed' },
    }),
  ),
  server(
    'kinto',
    KINTO,
    kinto('by last_modified', '', '-last_modified'),
    kinto('by created', '?_sort=-created', '-created'),
  ),
  server(
    'json-server-0',
    JSON_SERVER_0,
    // `_limit=-1` returns 239.
    {
      name: 'plain',
      path: '/rows',
      declared: { order: [{ by: 'id' }], filter: OPEN, get: '/rows/{id}' },
      right: { items: '', id: 'id', size: '_limit', next: { page: '_page', first: 1 } },
      changes: changesAt('/rows'),
      finds: { 'size.error': 'noted', 'change.insert': 'passed', 'change.remove': 'noted' }, // What is added is the last item.
    },
    // `_page=abc` is page one.
    {
      name: 'page 1',
      path: '/rows?_page=1',
      declared: {
        size: { param: '_limit', default: 10, exact: true },
        order: [{ by: 'id' }],
        filter: OPEN,
        get: '/rows/{id}',
      },
      right: { items: '', id: 'id', size: '_limit', next: { link: 'next' } },
      changes: changesAt('/rows'),
      finds: { 'size.error': 'noted', 'change.insert': 'passed', 'change.remove': 'noted' }, // What is added is the last item.
      mayFail: ['cursor.restart'],
    },
  ),
  server(
    'json-server-1',
    JSON_SERVER_1,
    // Without `_page`, a list has no pages, but `_start` and `_limit` cut it. `_limit[a]=2` and `_start[a]=2` are 500.
    {
      name: 'plain',
      path: '/rows',
      declared: { order: [{ by: 'id' }], filter: OPEN, get: '/rows/{id}' },
      right: { items: '', id: 'id', size: '_limit', next: { offset: '_start' } },
      changes: countedAt('/rows'),
      finds: { 'size.error': 'failed', 'position.error': 'failed' },
    },
    // `_page=81` returns page 80, and so does every larger one: a client that counts pages never ends. `_page[a]=2` is 500 too.
    {
      name: 'page 1',
      path: '/rows?_page=1',
      declared: {
        size: { param: '_per_page', default: 10, exact: true },
        order: [{ by: 'id' }],
        filter: OPEN,
        get: '/rows/{id}',
      },
      right: {
        items: 'data',
        id: 'id',
        size: '_per_page',
        next: { token: '_page', from: 'next' },
      },
      finds: {
        'end.beyond': 'noted', // The responses state the end.
        'size.error': 'failed',
        'position.error|cursor.error': 'failed',
      },
      mayFail: ['cursor.restart', 'cursor.end'],
    },
  ),
  server('pocketbase', POCKETBASE, {
    name: 'records',
    path: '/api/collections/rows/records',
    // Its documentation; a filter is an expression.
    declared: {
      size: { param: 'perPage', default: 30, max: 1000, above: 'clamp', exact: true },
      ...{ params: { sort: '-created,id' }, order: [...NEWEST, { by: 'id', type: 'bytes' }] },
      get: '/api/collections/rows/records/{id}',
    },
    right: { items: 'items', id: 'id', size: 'perPage', next: { page: 'page', first: 1 } },
    // `page=4611686018427387904&perPage=3` returns 3 rows: the product is larger than 2^63.
    mayFail: ['end.beyond', 'position.error'],
  }),
  server(
    'registry',
    REGISTRY,
    // Any `last` is valid.
    {
      name: 'tags',
      path: '/v2/rows/tags/list',
      right: { items: 'tags', id: '', size: 'n', next: { link: 'next' } },
    },
    // `last=%00` is 500.
    {
      name: 'catalog',
      path: '/v2/_catalog',
      right: { items: 'repositories', id: '', size: 'n', next: { link: 'next' } },
      finds: { 'cursor.error': 'failed' },
    },
  ),
  // `count=0` is a page without items, as RFC 7644 says.
  server('scim2-server', SCIM, {
    name: 'Users',
    path: '/Users',
    declared: { get: '/Users/{id}' },
    right: { items: 'Resources', id: 'id', size: 'count', next: { offset: 'startIndex', first: 1 } },
    finds: { 'size.error': 'noted' },
  }),
  { name: 'rollcall', version: '', start: startRows, lists: [rollcall('listAutomations')] },
  {
    name: 'rollcall-demo',
    version: '',
    start: startDemo,
    lists: [
      rollcall('listAutomations', { status: 'enabled' }, { url: '/contacts/imports' }),
      rollcall('listContactProperties', undefined, { url: '/automations' }),
      rollcall('listContactImports', { status: 'completed' }, { url: '/automations' }),
    ],
  },
  // One item, whatever is asked for. Prism says that there are more.
  server('prism', PRISM, { name: 'automations', path: '/automations' }),
  server('stripe-mock', STRIPE_MOCK, { name: 'customers', path: '/v1/customers' }),
];
