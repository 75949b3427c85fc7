/**
 * Lists of platforms, whose lists are of their own kinds. Their maxima, orders and faults were seen with curl and the versions of `programs`, on
 * 2026-11-29.
 */
import { server } from './list.ts';
import type { Server } from './list.ts';
import { BACKSTAGE, CAP, DIRECTUS, PARSE } from './programs/npm.ts';
import { SEARCH } from './programs/own.ts';
import { EVE, MAILMAN, PREFECT, PYGEOAPI, SYNAPSE } from './programs/pypi.ts';

const DIRECTUS_WAY = { items: 'data', id: 'id', size: 'limit', next: { page: 'page', first: 1 } } as const;
const PARSE_WAY = { items: 'results', id: 'objectId', size: 'limit', next: { offset: 'skip' } } as const;
const PARSE_FINDS = { 'size.error': 'failed', 'position.error': 'failed' } as const;
// A number from 2^63 is 500.
const OVERFLOWS = { 'position.error': 'failed' } as const;

export const PLATFORMS: readonly Server[] = [
  server('eve', EVE, {
    name: 'rows',
    path: '/rows',
    right: { items: '_items', id: '_id', size: 'max_results', next: { url: '_links.next.href' } },
  }),
  // Its next link of a full last page leads to an empty one.
  server('pygeoapi', PYGEOAPI, {
    name: 'items',
    path: '/collections/rows/items?f=json',
    right: { items: 'features', id: 'id', size: 'limit', next: { url: 'links[rel=next].href' } },
  }),
  server(
    'synapse',
    SYNAPSE,
    {
      name: 'users',
      path: '/_synapse/admin/v2/users',
      right: { items: 'users', id: 'name', size: 'limit', next: { token: 'from', from: 'next_token' } },
      finds: { ...OVERFLOWS, 'size.error': 'failed' },
    },
    {
      name: 'rooms',
      path: '/_synapse/admin/v1/rooms',
      right: { items: 'rooms', id: 'room_id', size: 'limit', next: { token: 'from', from: 'next_batch' } },
      finds: { ...OVERFLOWS, 'size.error': 'failed' },
    },
  ),
  // `count` alone is 500, and so is `page`, so that `count[]=2` is, too. A size from 2^63 is one as well.
  server('mailman', MAILMAN, {
    name: 'lists',
    path: '/3.1/lists',
    right: { items: 'entries', id: 'list_id', size: 'count', next: { page: 'page', first: 1 } },
    finds: { ...OVERFLOWS, 'size.error': 'failed' },
  }),
  // `sort` is all that orders, so that the database may return equal values in another order for each page.
  server(
    'directus',
    DIRECTUS,
    { name: 'rows', path: '/items/rows', right: DIRECTUS_WAY },
    {
      name: 'by score',
      path: '/items/rows',
      given: { params: { sort: 'score' } },
      right: DIRECTUS_WAY,
      finds: { 'items.repeated': 'failed', 'items.missing': 'failed' },
    },
  ),
  // So does `order`. Sizes and positions that are no numbers are 500.
  server(
    'parse-server',
    PARSE,
    { name: 'rows', path: '/parse/classes/Row', right: PARSE_WAY, finds: PARSE_FINDS },
    {
      name: 'by score',
      path: '/parse/classes/Row',
      given: { params: { order: 'score' } },
      right: PARSE_WAY,
      finds: { ...PARSE_FINDS, 'items.repeated': 'failed', 'items.missing': 'failed' },
    },
  ),
  // The Link header of the older list, `</entities?limit=2&after=…>`, has not the path of the plugin: 404.
  server(
    'backstage',
    BACKSTAGE,
    {
      name: 'entities',
      path: '/api/catalog/entities',
      right: { items: '', id: 'metadata.uid', size: 'limit', next: { offset: 'offset' } },
      finds: { ...OVERFLOWS, 'size.error': 'failed', 'stated.next': ['failed', '404'] },
    },
    {
      name: 'by query',
      path: '/api/catalog/entities/by-query',
      right: {
        items: 'items',
        id: 'metadata.uid',
        size: 'limit',
        next: { token: 'cursor', from: 'pageInfo.nextCursor' },
      },
      finds: { 'size.error': 'failed' },
    },
  ),
  // `$top=2` returns two rows and no next link: they are all that was asked for. An empty `$skiptoken` is 500, too: the database gets it.
  server('sap-cap', CAP, {
    name: 'Rows',
    path: '/odata/v4/catalog/Rows',
    right: { items: 'value', id: 'ID', next: { url: '"@odata.nextLink"' } },
    finds: OVERFLOWS,
  }),
  server(
    'prefect',
    PREFECT,
    {
      name: 'filter',
      path: '/api/flows/filter',
      given: { method: 'POST', body: { limit: 2 } },
      right: { items: '', id: 'id', size: 'limit', next: { offset: 'offset' } },
      finds: OVERFLOWS,
    },
    {
      name: 'paginate',
      path: '/api/flows/paginate',
      given: { method: 'POST', body: { limit: 2 } },
      right: { items: 'results', id: 'id', size: 'limit', next: { page: 'page', first: 1 } },
      finds: OVERFLOWS,
    },
  ),
  server('search', SEARCH, {
    name: 'hits',
    path: '/search',
    given: { method: 'POST', body: { size: 2 } },
    right: { items: 'hits.hits', id: '_id', size: 'size', next: { offset: 'from' } },
  }),
];
