/** APIs whose next page is a token in the body. */
import type { Shape } from './server.ts';
import { after, hex, ownerOf, seconds, startingAt, uuid, within } from './values.ts';

const LIMITS = { over: 400, invalid: 400 };
const title = (n: number): string => `Row ${String(n).padStart(4, '0')}`;

// prettier-ignore
export const TOKENS: Readonly<Record<string, Shape>> = {
  slack: {
    // The end is an empty token, and every error 200.
    path: '/api/users.list',
    headers: { authorization: 'Bearer xoxb-1' },
    size: { param: 'limit', default: 100, max: 1000, ...LIMITS },
    at: { kind: 'token', param: 'cursor', bad: 400 },
    item: (row) => ({ id: `U${hex(row, 10).toUpperCase()}`, team_id: 'T1', name: row.name, updated: seconds(row), is_bot: false,
      profile: { real_name: row.name, team: 'T1' }, previous_names: [] }),
    body: ({ items, next }) => ({ ok: true, members: items, cache_ts: 1_498_777_272, response_metadata: { next_cursor: next ?? '' } }),
    error: () => ({ status: 200, body: { ok: false, error: 'invalid_cursor' } }),
    right: { items: 'members', id: 'id', next: [{ token: 'cursor', from: 'response_metadata.next_cursor' }] },
  },
  notion: {
    // Its cursor is the id of the first item of the next page.
    path: '/v1/users',
    headers: { authorization: 'Bearer ntn_1', 'notion-version': '2022-06-28' },
    size: { param: 'page_size', default: 100, max: 100, ...LIMITS },
    at: { kind: 'token', param: 'start_cursor', codec: startingAt(uuid), bad: 400 },
    item: (row) => ({ object: 'user', id: uuid(row), type: 'person', name: row.name, avatar_url: null,
      person: { email: `a${String(row.n)}@example.com` } }),
    body: ({ items, next, more }) => ({ object: 'list', results: items, next_cursor: next ?? null, has_more: more, type: 'user',
      user: {} }),
    right: { items: 'results', id: 'id', next: [{ token: 'start_cursor', from: 'next_cursor' }] },
  },
  youtube: {
    path: '/youtube/v3/playlistItems?part=snippet&playlistId=PL1&key=AIza1',
    size: { param: 'maxResults', default: 5, max: 50, ...LIMITS, zero: true },
    at: { kind: 'token', param: 'pageToken', bad: 400 },
    item: (row) => ({ kind: 'youtube#playlistItem', etag: hex(row, 27, 'etag'), id: `UEx${hex(row, 40)}`,
      snippet: { publishedAt: row.created, channelId: 'UC1', title: row.name, playlistId: 'PL1', resourceId: { videoId: hex(row, 11,
      'video') } } }),
    body: ({ items, next, previous, total, size }) => ({ kind: 'youtube#playlistItemListResponse', etag: 'e1', nextPageToken: next,
      prevPageToken: previous, items, pageInfo: { totalResults: total, resultsPerPage: size } }),
    right: { items: 'items', id: 'id', next: [{ token: 'pageToken', from: 'nextPageToken' }] },
  },
  'google-drive': {
    path: '/drive/v3/files',
    headers: { authorization: 'Bearer ya29.1' },
    size: { param: 'pageSize', default: 100, max: 1000, ...LIMITS },
    at: { kind: 'token', param: 'pageToken', bad: 400 },
    item: (row) => ({ kind: 'drive#file', id: hex(row, 33), name: row.name, mimeType: 'text/plain' }),
    body: ({ items, next }) => ({ kind: 'drive#fileList', nextPageToken: next, incompleteSearch: false, files: items }),
    right: { items: 'files', id: 'id', next: [{ token: 'pageToken', from: 'nextPageToken' }] },
  },
  crossref: {
    // The page after the last is empty, and has its own token.
    path: '/works?cursor=*',
    size: { param: 'rows', default: 20, max: 1000, ...LIMITS },
    at: { kind: 'token', param: 'cursor', initial: '*', bad: 400 },
    states: 'always',
    item: (row) => ({ DOI: `10.5555/${hex(row, 8)}`, URL: `https://doi.example/10.5555/${hex(row, 8)}`, title: [row.name],
      type: 'journal-article', created: { 'date-time': row.created, timestamp: Date.parse(row.created) }, author: [{ given: 'Ann' }],
      prefix: '10.5555' }),
    body: ({ items, next, total, size }) => ({ status: 'ok', 'message-type': 'work-list', 'message-version': '1.0.0',
      message: { facets: {}, 'next-cursor': next, 'total-results': total, items, 'items-per-page': size,
      query: { 'start-index': 0 } } }),
    right: { items: 'message.items', id: 'DOI', next: [{ token: 'cursor', from: 'message.next-cursor' }] },
  },
  openalex: {
    // The page after the last is empty, and has no token.
    path: '/works?cursor=*',
    count: 130,
    size: { param: 'per-page', default: 25, max: 200, ...LIMITS },
    at: { kind: 'token', param: 'cursor', initial: '*', bad: 400 },
    states: 'items',
    isStrict: true,
    item: (row) => ({ id: `https://openalex.example/W${String(row.n * 99)}`, doi: `https://doi.example/10.1/${String(row.n)}`,
      title: row.name, ids: { openalex: `W${String(row.n * 99)}` }, authorships: [], created_date: row.created.slice(0, 10) }),
    body: ({ items, next, total, size }) => ({ meta: { count: total, db_response_time_ms: 9, page: null, per_page: size,
      next_cursor: next ?? null }, results: items, group_by: [] }),
    right: { items: 'results', id: 'id', next: [{ token: 'cursor', from: 'meta.next_cursor' }] },
  },
  'typeorm-cursor': {
    path: '/users',
    size: { param: 'limit', default: 20, max: 100 },
    at: { kind: 'token', param: 'afterCursor', back: 'beforeCursor', bad: 400 },
    item: (row) => ({ id: row.n, name: row.name, timestamp: row.created }),
    body: ({ items, next, previous }) => ({ data: items, cursor: { beforeCursor: previous ?? null, afterCursor: next ?? null } }),
    right: { items: 'data', id: 'id', next: [{ token: 'afterCursor', from: 'cursor.afterCursor' }] },
  },
  'trpc-like': {
    path: '/api/posts',
    count: 130,
    size: { param: 'limit', default: 10, max: 50, ...LIMITS },
    at: { kind: 'token', param: 'cursor', bad: 400 },
    item: (row) => ({ id: hex(row, 25), title: row.name, createdAt: row.created, authorId: ownerOf(row) }),
    body: ({ items, next }) => ({ items, nextCursor: next }),
    right: { items: 'items', id: 'id', next: [{ token: 'cursor', from: 'nextCursor' }] },
  },
  square: {
    path: '/v2/customers',
    headers: { authorization: 'Bearer EAAA1' },
    count: 230,
    size: { param: 'limit', default: 100, max: 100, ...LIMITS },
    at: { kind: 'token', param: 'cursor', bad: 400 },
    item: (row) => ({ id: hex(row, 26), created_at: row.created, given_name: row.name, reference_id: 'r', preferences: {}, version: 0 }),
    body: ({ items, next }) => ({ customers: items.length === 0 ? undefined : items, cursor: next }),
    right: { items: 'customers', id: 'id', next: [{ token: 'cursor', from: 'cursor' }] },
  },
  asana: {
    // `path` and `uri` are of the next page, too, and `path` without the base.
    path: '/api/1.0/tasks?project=1&limit=50',
    headers: { authorization: 'Bearer 1/1' },
    size: { param: 'limit', default: 50, max: 100, ...LIMITS },
    at: { kind: 'token', param: 'offset', bad: 400 },
    item: (row) => ({ gid: String(12_000_000 + row.n * 41), name: row.name, resource_type: 'task', resource_subtype: 'default_task' }),
    body: ({ items, next, link }) => {
      const uri = link('next');
      return {
        data: items,
        next_page: uri === undefined ? null : { offset: next, path: uri.replace(/^.*1\.0/, ''), uri },
      };
    },
    right: { items: 'data', id: 'gid', next: [{ token: 'offset', from: 'next_page.offset' }, { url: 'next_page.uri' }] },
  },
  box: {
    // Without `usemarker`, it has offsets.
    path: '/2.0/folders/0/items?usemarker=true',
    headers: { authorization: 'Bearer b1' },
    size: { param: 'limit', default: 100, max: 1000, invalid: 400 },
    at: { kind: 'token', param: 'marker', bad: 400 },
    item: (row) => ({ type: 'file', id: String(8_000_000 + row.n * 17), etag: '1', sequence_id: '3', name: row.name }),
    body: ({ items, next, size }) => ({ entries: items, limit: size, next_marker: next ?? '' }),
    right: { items: 'entries', id: 'id', next: [{ token: 'marker', from: 'next_marker' }] },
  },
  intercom: {
    path: '/contacts',
    headers: { authorization: 'Bearer i1' },
    size: { param: 'per_page', default: 50, max: 150, ...LIMITS },
    at: { kind: 'token', param: 'starting_after', bad: 400 },
    item: (row) => ({ type: 'contact', id: hex(row), workspace_id: 'w1', external_id: null, role: 'user', name: row.name,
      created_at: seconds(row), tags: { type: 'list', data: [], url: `/contacts/${hex(row)}/tags`, total_count: 0, has_more: false } }),
    body: ({ items, next, total, pages, size, number }) => ({ type: 'list', data: items, total_count: total, pages: { type: 'pages',
      page: number + 1, per_page: size, total_pages: pages, next: next === undefined ? undefined : { page: number + 2,
      starting_after: next } } }),
    right: { items: 'data', id: 'id', next: [{ token: 'starting_after', from: 'pages.next.starting_after' }] },
  },
  reddit: {
    path: '/r/shop/new.json',
    size: { param: 'limit', default: 25, max: 100 },
    at: { kind: 'token', param: 'after', back: 'before', codec: after((row) => `t3_${hex(row, 7)}`), bad: 400 },
    item: (row) => ({ kind: 't3', data: { id: hex(row, 7), name: `t3_${hex(row, 7)}`, title: row.name, subreddit_id: 't5_1',
      created_utc: seconds(row), all_awardings: [] } }),
    body: ({ items, next, previous }) => ({ kind: 'Listing', data: { after: next ?? null, dist: items.length, modhash: '', geo_filter: '',
      children: items, before: previous ?? null } }),
    right: { items: 'data.children', id: 'data.name', next: [{ token: 'after', from: 'data.after' }] },
  },
  synapse: {
    path: '/_synapse/admin/v2/users',
    headers: { authorization: 'Bearer syt_1' },
    size: { param: 'limit', default: 100, max: 1000, invalid: 400 },
    at: { kind: 'token', param: 'from', codec: within(/^(\d{1,9})$/, ({ at }) => String(at)), bad: 400 },
    item: (row) => ({ name: `@a${String(row.n)}:example.com`, displayname: row.name, creation_ts: Date.parse(row.created), admin: false,
      is_guest: false }),
    body: ({ items, next, total }) => ({ users: items, next_token: next, total }),
    right: { items: 'users', id: 'name', next: [{ token: 'from', from: 'next_token' }, { offset: 'from' }] },
  },
  'matrix-rooms': {
    path: '/_matrix/client/v3/publicRooms',
    size: { param: 'limit', default: 20, max: 100, invalid: 400 },
    at: { kind: 'token', param: 'since', bad: 400 },
    item: (row) => ({ room_id: `!${hex(row, 18)}:example.com`, name: row.name, num_joined_members: row.n % 7, guest_can_join: false }),
    body: ({ items, next, previous, total }) => ({ chunk: items, next_batch: next, prev_batch: previous,
      total_room_count_estimate: total }),
    right: { items: 'chunk', id: 'room_id', next: [{ token: 'since', from: 'next_batch' }] },
  },
  kubernetes: {
    path: '/api/v1/namespaces/shop/pods?limit=50',
    headers: { authorization: 'Bearer eyJ1' },
    size: { param: 'limit', default: 50, max: 100_000, invalid: 400 },
    at: { kind: 'token', param: 'continue', bad: 400 },
    item: (row) => ({ metadata: { name: `row-${String(row.n)}`, namespace: 'shop', uid: uuid(row), resourceVersion: '77',
      creationTimestamp: row.created }, spec: { nodeName: 'node-1', containers: [{ name: 'web', image: 'web:1' }] },
      status: { phase: 'Running' } }),
    body: ({ items, next, total, start }) => ({ kind: 'PodList', apiVersion: 'v1', items, metadata: { resourceVersion: '99',
      continue: next, remainingItemCount: next === undefined ? undefined : total - start - items.length } }),
    right: { items: 'items', id: 'metadata.uid', next: [{ token: 'continue', from: 'metadata.continue' }] },
  },
  mediawiki: {
    // A token is a title: any text is one. Two parameters go on, the second of which may be left out.
    path: '/w/api.php?action=query&list=allpages&format=json',
    isOldestFirst: true,
    size: { param: 'aplimit', default: 10, max: 500, invalid: 400 },
    at: {
      ...{ kind: 'token', param: 'apcontinue', takesAny: true },
      codec: (rows) => ({
        write: ({ at }) => title(at + 1).replace(' ', '_'),
        read: (text) => {
          const at = rows.findIndex(({ name }) => name >= text.replace('_', ' '));
          return { at: at < 0 ? rows.length : at };
        },
      }),
    },
    item: (row) => ({ pageid: row.n * 4 + 11, ns: 0, title: row.name }),
    body: ({ items, next }) => ({ batchcomplete: '', continue: next === undefined ? undefined : { apcontinue: next, continue: '-||' },
      limits: { allpages: 500 }, query: { allpages: items } }),
    right: { items: 'query.allpages', id: 'pageid', next: [{ token: 'apcontinue', from: 'continue.apcontinue' }] },
  },
  'dynamodb-like': {
    path: '/prod/orders',
    size: { param: 'Limit', default: 25, max: 100, ...LIMITS },
    at: { kind: 'token', param: 'ExclusiveStartKey', bad: 400 },
    item: (row) => ({ OrderId: uuid(row), CustomerId: ownerOf(row), CreatedAt: row.created, Title: row.name }),
    body: ({ items, next }) => ({ Items: items, Count: items.length, ScannedCount: items.length, LastEvaluatedKey: next }),
    right: { items: 'Items', id: 'OrderId', next: [{ token: 'ExclusiveStartKey', from: 'LastEvaluatedKey' }] },
  },
  'relay-like': {
    // `startCursor` leads back.
    path: '/api/products',
    size: { param: 'first', default: 20, max: 100, ...LIMITS },
    at: { kind: 'token', param: 'after', back: 'before', bad: 400 },
    item: (row) => ({ cursor: hex(row, 16, 'cursor'), node: { id: uuid(row), title: row.name, createdAt: row.created } }),
    body: ({ items, start, total, next, position }) => ({ edges: items, pageInfo: { hasNextPage: next !== undefined,
      hasPreviousPage: start > 0, startCursor: position({ at: start, isBackward: true }),
      endCursor: position({ at: start + items.length }) }, totalCount: total }),
    right: { items: 'edges', id: 'node.id', next: [{ token: 'after', from: 'pageInfo.endCursor', more: 'pageInfo.hasNextPage' }] },
  },
};
