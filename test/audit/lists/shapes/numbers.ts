/** APIs whose pages are found by a number alone. */
import type { Page, Shape } from './server.ts';
import { hex, uuid } from './values.ts';

const LIMITS = { over: 400, invalid: 400 };

export const NUMBERS: readonly Shape[] = [
  {
    name: 'auth0',
    path: '/api/v2/users?include_totals=true',
    headers: { authorization: 'Bearer a1' },
    size: { param: 'per_page', default: 50, max: 100, ...LIMITS },
    at: { kind: 'page', param: 'page', first: 0, bad: 400 },
    item: (row) => ({
      ...{
        user_id: `auth0|${hex(row)}`,
        email: `a${String(row.n)}@example.com`,
        name: row.name,
        created_at: row.created,
      },
      identities: [{ user_id: hex(row), provider: 'auth0', connection: 'main', isSocial: false }],
    }),
    body: ({ items, start, size, total }) => ({ start, limit: size, length: items.length, users: items, total }),
    right: { items: 'users', id: 'user_id', next: [{ page: 'page', first: 0 }] },
  },
  {
    name: 'pocketbase',
    path: '/api/collections/posts/records',
    size: { param: 'perPage', default: 30, max: 1000 },
    at: { kind: 'page', param: 'page' },
    item: (row) => ({
      id: hex(row, 15),
      collectionId: 'c1',
      collectionName: 'posts',
      title: row.name,
      created: row.created,
      updated: row.created,
    }),
    body: ({ items, number, size, total, pages }) => ({
      items,
      page: number,
      perPage: size,
      totalItems: total,
      totalPages: pages,
    }),
    right: { items: 'items', id: 'id', next: [{ page: 'page' }] },
  },
  {
    name: 'cloudflare',
    path: '/client/v4/zones',
    headers: { authorization: 'Bearer c1' },
    count: 131,
    size: { param: 'per_page', default: 20, max: 50, min: 5, ...LIMITS },
    at: { kind: 'page', param: 'page', bad: 400 },
    item: (row) => ({
      ...{
        id: hex(row, 32),
        name: `row-${String(row.n)}.example`,
        account: { id: 'f1', name: 'acme' },
        created_on: row.created,
      },
      ...{ name_servers: ['ann.ns.example'], owner: { id: 'f1', type: 'user' }, permissions: ['#zone:read'] },
    }),
    body: ({ items, number, size, total, pages }) => ({
      ...{ result: items, success: true, errors: [], messages: [] },
      result_info: { page: number, per_page: size, count: items.length, total_count: total, total_pages: pages },
    }),
    error: (status, message) => ({
      status,
      body: { result: null, success: false, errors: [{ code: 1004, message }], messages: [] },
    }),
    right: { items: 'result', id: 'id', next: [{ page: 'page' }] },
  },
  {
    name: 'jira',
    path: '/rest/api/2/search?jql=project=SHOP',
    size: { param: 'maxResults', default: 50, max: 100, invalid: 400, zero: true },
    at: { kind: 'offset', param: 'startAt', bad: 400 },
    item: ({ n, name, created }) => ({
      ...{
        expand: 'operations',
        id: String(10_000 + n * 3),
        key: `SHOP-${String(n)}`,
        self: `/rest/api/2/issue/${String(10_000 + n * 3)}`,
      },
      fields: { summary: name, created, labels: [], issuetype: { id: '1' }, project: { id: '100', key: 'SHOP' } },
    }),
    body: ({ items, start, size, total }) => ({
      expand: 'names',
      startAt: start,
      maxResults: size,
      total,
      issues: items,
    }),
    error: (status, message) => ({ status, body: { errorMessages: [message], errors: {} } }),
    right: { items: 'issues', id: 'id', next: [{ offset: 'startAt' }] },
  },
  {
    name: 'contentful',
    path: '/spaces/s1/environments/master/entries?access_token=cf1',
    count: 130,
    size: { param: 'limit', default: 100, max: 1000, ...LIMITS, zero: true },
    at: { kind: 'offset', param: 'skip', bad: 400 },
    isStrict: true,
    item: (row) => ({
      sys: {
        type: 'Entry',
        id: hex(row, 22),
        createdAt: row.created,
        revision: 1,
        space: { sys: { type: 'Link', id: 's1' } },
      },
      ...{ metadata: { tags: [] }, fields: { title: row.name } },
    }),
    body: ({ items, start, size, total }) => ({ sys: { type: 'Array' }, total, skip: start, limit: size, items }),
    error: (status, message) => ({ status, body: { sys: { type: 'Error', id: 'InvalidQuery' }, message } }),
    right: { items: 'items', id: 'sys.id', next: [{ offset: 'skip' }] },
  },
  {
    name: 'ckan',
    path: '/api/3/action/package_search',
    size: { param: 'rows', default: 10, max: 1000, invalid: 409, zero: true },
    at: { kind: 'offset', param: 'start', bad: 409 },
    item: (row) => ({
      ...{
        id: uuid(row),
        name: `row-${String(row.n)}`,
        title: row.name,
        metadata_created: row.created,
        owner_org: uuid({ ...row, n: 0 }),
      },
      ...{ resources: [{ id: uuid(row, 'resource'), format: 'CSV' }], tags: [], extras: [] },
    }),
    body: ({ items, total }) => ({
      ...{ help: '/api/3/action/help_show?name=package_search', success: true },
      result: { count: total, sort: 'metadata_modified desc', facets: {}, results: items, search_facets: {} },
    }),
    error: (status, message) => ({ status, body: { success: false, error: { message, __type: 'Validation Error' } } }),
    right: { items: 'result.results', id: 'id', next: [{ offset: 'start' }] },
  },
  {
    name: 'parse',
    path: '/parse/classes/GameScore',
    headers: { 'x-parse-application-id': 'p1' },
    size: { param: 'limit', default: 100, max: 1000, invalid: 400, zero: true },
    at: { kind: 'offset', param: 'skip', bad: 400 },
    item: (row) => ({
      objectId: hex(row, 10),
      playerName: row.name,
      score: row.n % 9,
      createdAt: row.created,
      updatedAt: row.created,
    }),
    body: ({ items }) => ({ results: items }),
    error: (status, error) => ({ status, body: { code: 102, error } }),
    right: { items: 'results', id: 'objectId', next: [{ offset: 'skip' }] },
  },
  {
    name: 'postgrest',
    path: '/todos?order=created.desc',
    headers: { prefer: 'count=exact' },
    count: 130,
    size: { param: 'limit', default: 20, max: 50, invalid: 400 },
    at: { kind: 'offset', param: 'offset', bad: 400, beyond: 416 },
    item: (row) => ({ id: row.n, task: row.name, created: row.created, done: false, owner_id: 3 }),
    body: ({ items }) => items,
    head: ({ items, start, total }: Page): Record<string, string> => {
      const range = items.length === 0 ? '*' : `${String(start)}-${String(start + items.length - 1)}`;
      return { 'content-range': `${range}/${String(total)}` };
    },
    status: ({ items, total }) => (items.length < total ? 206 : 200),
    error: (status, message) => ({ status, body: { code: 'PGRST103', details: null, hint: null, message } }),
    right: { items: '', id: 'id', next: [{ offset: 'offset' }] },
  },
  {
    name: 'elasticsearch',
    path: '/orders/_search',
    size: { param: 'size', default: 10, max: 10_000, ...LIMITS, zero: true },
    at: { kind: 'offset', param: 'from', bad: 400, window: 10_000 },
    item: (row) => ({
      _index: 'orders',
      _id: hex(row, 20),
      _score: 1,
      _source: { title: row.name, created: row.created, tags: [] },
    }),
    body: ({ items, total }) => ({
      ...{ took: 2, timed_out: false, _shards: { total: 1, successful: 1, skipped: 0, failed: 0 } },
      hits: { total: { value: total, relation: 'eq' }, max_score: 1, hits: items },
    }),
    error: (status, reason) => ({
      status,
      body: { error: { type: 'illegal_argument_exception', reason, root_cause: [] }, status },
    }),
    right: { items: 'hits.hits', id: '_id', next: [{ offset: 'from' }] },
  },
  {
    name: 'scim',
    path: '/scim/v2/Users',
    headers: { authorization: 'Bearer s1' },
    size: { param: 'count', default: 20, max: 200, zero: true },
    at: { kind: 'offset', param: 'startIndex', first: 1 },
    item: (row) => ({
      ...{
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        id: uuid(row),
        userName: `a${String(row.n)}@example.com`,
      },
      ...{
        meta: { resourceType: 'User', created: row.created },
        name: { formatted: row.name },
        emails: [],
        active: true,
      },
    }),
    body: ({ items, total, start }) => ({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...{ totalResults: total, startIndex: start + 1, itemsPerPage: items.length, Resources: items },
    }),
    right: { items: 'Resources', id: 'id', next: [{ offset: 'startIndex', first: 1 }] },
  },
  {
    // It states no total and no end.
    name: 'keycloak',
    path: '/admin/realms/shop/users',
    headers: { authorization: 'Bearer k1' },
    size: { param: 'max', default: 100, max: 100_000, invalid: 400, zero: true },
    at: { kind: 'offset', param: 'first', bad: 400 },
    item: (row) => ({
      ...{
        id: uuid(row),
        username: `a${String(row.n)}`,
        createdTimestamp: Date.parse(row.created),
        enabled: true,
        totp: false,
      },
      ...{ disableableCredentialTypes: [], requiredActions: [], notBefore: 0, access: { manage: true } },
    }),
    body: ({ items }) => items,
    right: { items: '', id: 'id', next: [{ offset: 'first' }] },
  },
  {
    name: 'spring-data',
    path: '/api/orders',
    count: 130,
    size: { param: 'size', default: 20, max: 2000 },
    at: { kind: 'page', param: 'page', first: 0 },
    item: (row) => ({ id: row.n + 30, title: row.name, createdAt: row.created, customer: { id: 4 }, lines: [] }),
    body: ({ items, number, size, total, pages, start, more }) => ({
      ...{ content: items, totalPages: pages, totalElements: total, last: !more, size, number, first: start === 0 },
      ...{
        numberOfElements: items.length,
        empty: items.length === 0,
        sort: { sorted: true, unsorted: false, empty: false },
      },
      pageable: { pageNumber: number, pageSize: size, offset: start, paged: true, unpaged: false },
    }),
    right: { items: 'content', id: 'id', next: [{ page: 'page', first: 0 }] },
  },
];
