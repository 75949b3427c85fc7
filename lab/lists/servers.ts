/**
 * What an audit of real servers must infer and find. Every server has the rows of rows.ts, except those that have no second page. What
 * must be found was seen with curl and the versions of programs.ts, on 2026-11-26.
 */
import type { Commands } from '../../audit/lists/commands.ts';
import type { Given, Profile } from '../../audit/lists/profile.ts';
import {
  DATASETTE,
  DJANGO,
  FASTAPI,
  JSON_SERVER_0,
  JSON_SERVER_1,
  KINTO,
  POCKETBASE,
  PRISM,
  REGISTRY,
  SCIM,
  STRIPE_MOCK,
  startDemo,
  startRows,
} from './programs.ts';
import { OPERATIONS } from '../../generated/operations.ts';
import { versionOf } from './install.ts';
import { start } from './process.ts';
import type { Program, Running } from './process.ts';

type Way = Profile['next'];

export interface Server {
  readonly name: string;
  readonly version: string;
  readonly start: () => Promise<Running>;
  readonly lists: readonly List[];
}

export interface List {
  readonly name: string;
  readonly path: string;
  /** What must be inferred; if there are several `next`, any of them. Without it, the list must be refused: it has no second page. */
  readonly right?: Right;
  /** The rules that must have this outcome; of `a|b`, either. No other rule may fail; others may be noted. */
  readonly finds?: Readonly<Record<string, 'passed' | 'failed' | 'noted'>>;
  /** Rules that may fail: their faults are true, but only values that not everybody sends show them. */
  readonly mayFail?: readonly string[];
  /** What the documentation or the code of the server declares. */
  readonly declared?: Declared;
  /** What adds an item to the list, and what removes one; it gets the URL of the server. */
  readonly changes?: (url: string) => Pick<Commands, 'add' | 'remove'>;
}

/** What is declared of a list, and what the rules that this switches on find. */
export type Declared = Omit<Given, 'url'> & { readonly finds?: Readonly<Record<string, 'failed' | 'noted'>> };

export interface Right {
  readonly items: string;
  readonly id: string;
  /** The parameter. */
  readonly size: string;
  readonly next: Way | readonly Way[];
}

/** What an audit finds. */
type Rest = Pick<List, 'finds' | 'mayFail' | 'declared'>;

const NEWEST = [{ by: '-created' }];
const OPEN = { status: 'open' };

/** @param rows the path of the rows, below which an item has its own. */
const changesAt =
  (rows: string, add = rows, body: (row: object) => object = (row) => row): NonNullable<List['changes']> =>
  (url) => {
    const row = JSON.stringify(body({ name: 'added', status: 'open', created: '2026-02-01T00:00:00Z' }));
    const curl = 'curl --fail --silent --show-error';
    return {
      add: `${curl} --json '${row}' ${url}${add}`,
      remove: `${curl} --request DELETE ${url}${rows}/{id}`,
    };
  };

/** The same, with an id that is greater than those before, where a server gives random ones: they would be in no order. */
const countedAt =
  (rows: string): NonNullable<List['changes']> =>
  (url) => {
    const { add, ...others } = changesAt(rows, rows, (row) => ({ ...row, id: 'NEXT' }))(url);
    return { ...others, add: add?.replace('NEXT', "'$(date +%s%3N)'") };
  };

/** What becomes of a cursor while the list changes. */
const STAYS = { 'change.insert': 'passed', 'change.remove': 'passed', 'cursor.removed-item': 'passed' } as const;
/** Pages by number shift. */
const SHIFTS = { 'change.insert': 'noted', 'change.remove': 'noted' } as const;

const server = (name: string, program: Program, ...lists: readonly List[]): Server => ({
  name,
  version: versionOf(program.install),
  start: () => start(program),
  lists,
});

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

export const SERVERS: readonly Server[] = [
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
    // `_page=81` returns page 80, and so does every larger one: who counts pages never comes to an end. `_page[a]=2` is 500 too.
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
        next: [
          { page: '_page', first: 1 },
          { token: '_page', from: 'next' },
        ],
      },
      finds: {
        'end.never|end.beyond': 'failed',
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
