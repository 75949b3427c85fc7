/** Faults that only the second account meets, and leaks between the accounts. */
import { setImmediate } from 'node:timers/promises';
import { idOf } from './edits.ts';
import { AUTOMATIONS, IMPORTS, PROPERTIES, fails, inBody, inList, inPage } from './mutant.ts';
import {
  isCursor,
  isGetById,
  mutantsOf,
  on,
  only,
  where,
  withoutCursor,
  cursorOf,
  becomes,
  reads,
  isSecond,
} from './mutant.ts';
import type { Asked } from './mutant.ts';
import { instantOf, byTiesAscending, defaults, drops, isParameter, isTie, isUnknown, limits } from './pages.ts';
import type { Change, Item } from './proxy.ts';

/** Changes what the second account gets, in all lists or in one. */
const second = (change: Change, path?: string): Change =>
  where(isSecond, path === undefined ? change : only(path, change));
const first = (change: Change): Change => where((...it) => !isSecond(...it), change);

/** Selects some pages of a list from the items of both accounts. */
const merged = (isSo: (asked: Asked) => boolean, list: string): Change =>
  only(
    list,
    inPage((page, asked, _request, { items }) => {
      if (!isSo(asked)) return;
      const { cursor, isBackward, limit, status } = asked;
      const isAhead = (it: Item): boolean => {
        const at = asked.items[cursor];
        return at === undefined || (isBackward ? isNewer(it, at) : isNewer(at, it));
      };
      const all = [...items(list, 0), ...items(list, 1)]
        .filter((it) => isAhead(it) && (status === null || it['status'] === status))
        .sort((a, b) => (isNewer(a, b) ? -1 : 1));
      page.data = isBackward ? all.slice(-limit) : all.slice(0, limit);
      page.has_more = all.length > limit;
    }),
  );
const isNewer = (it: Item, other: Item): boolean =>
  isTie(it, other) ? it.id > other.id : instantOf(it) > instantOf(other);
// Client and proxy are in one thread: after so many turns of its loop, a request that was sent at the same time is there.
const TURNS = 50;
/** Keeps the key of a request for a moment where the next one overwrites it. */
function racing(): Change {
  let last: string | undefined;
  return {
    request: async (request) => {
      last = request.headers['authorization'];
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
      if (last !== undefined) request.headers['authorization'] = last;
      return undefined;
    },
  };
}

export const ACCOUNT_FAULTS = mutantsOf({
  'list.order': {
    'the second account: two automations change places': second(
      inList(({ data }, { path }, { items }) => {
        const [newer, older] = items(path, 1).slice(5, 7);
        const at = data.findIndex(({ id }) => id === newer?.id);
        if (at >= 0 && data[at + 1]?.id === older?.id) data.splice(at, 2, ...data.slice(at, at + 2).reverse());
      }),
      AUTOMATIONS,
    ),
    'the second account: the list of imports is in ascending order': second(
      inPage((page, { status, cursor, items, limit }) => {
        if (status === null && cursor < 0) page.data = items.toReversed().slice(0, limit);
      }),
      IMPORTS,
    ),
  },
  'list.ties': {
    'the second account: ties are by id, ascending': second(
      inPage((page) => page.data.sort(byTiesAscending)),
      PROPERTIES,
    ),
  },
  'list.after': {
    'behind a cursor an import of the second account is in the list of the first': first(
      only(
        IMPORTS,
        inList(({ data }, { query }, { items }) => {
          if (query.has('after') && !query.has('status') && data.length > 1 && data.length <= 10)
            data.splice(-1, 1, ...items(IMPORTS, 1).slice(-1));
        }),
      ),
    ),
  },
  'list.filter': {
    'with a filter an automation of the other account is in the list': second(
      inPage(({ data }, { status }, { path }, { items }) => {
        const other = items(path).find((it) => it['status'] === status);
        if (other !== undefined) data.splice(0, 1, other);
      }),
      AUTOMATIONS,
    ),
    'the second account: the filter is ignored': second(
      inPage((page, { status, items, cursor, limit, isBackward }) => {
        if (status !== null && !isBackward) page.data = items.slice(cursor + 1, cursor + 1 + limit);
      }),
      AUTOMATIONS,
    ),
    'the second account: no import has failed': second(
      inList((page, { query }) => {
        if (query.get('status') === 'failed') Object.assign(page, { data: [], has_more: false });
      }),
      IMPORTS,
    ),
  },
  'get.found': {
    'the second account: an import cannot be retrieved': second(
      fails(404, 'not_found', ({ status }, { path }, { items }) => {
        return status === 200 && path.toLowerCase().endsWith(items(IMPORTS, 1)[4]?.id ?? ' ');
      }),
    ),
    'the second account: an import alone has other counts': second(
      inBody(200, (body, request) => {
        if (isGetById(request)) Object.assign(body['counts'] as object, { total: 0 });
      }),
    ),
  },
  'list.invalid_limit': {
    'the second account: the limit has no bound': second(reads('limit', (it) => (Number(it) > 100 ? '100' : it))),
  },
  'request.unknown_parameter': {
    'the second account: unknown parameters are ignored': second(drops((it) => !isParameter(it))),
  },
  'response.status': {
    'the second account: validation errors are 400': second(on(422, (reply) => (reply.status = 400))),
  },
  'response.schema': {
    'the second account: the errors of cursors have no name': second(
      inBody(404, (body, request) => isCursor(request) && Reflect.deleteProperty(body, 'name')),
    ),
    'the second account: automations have no updated_at': second(
      inList(({ data }) => {
        for (const it of data) delete it['updated_at'];
      }),
      AUTOMATIONS,
    ),
  },
  'header.cache_control': {
    'the second account: any cache may store responses': second(
      on(200, ({ headers }) => (headers['cache-control'] = 'public, max-age=300')),
    ),
  },
  'list.pagination': {
    'a page of 100 has the items of both accounts': merged((it) => it.limit === 100, AUTOMATIONS),
  },
  'list.before': {
    'before a cursor there are contact properties of both accounts': merged((it) => it.isBackward, PROPERTIES),
  },
  'list.filter_cursor': {
    'before a cursor there are imports of both accounts with the status': merged(
      (it) => it.isBackward && it.status !== null,
      IMPORTS,
    ),
  },
  'isolation.list': {
    'two requests at the same time are of the account of the later one': racing(),
  },
  'isolation.get': {
    'the first account can retrieve imports of the second': first(
      becomes(
        ({ path }) => path,
        ({ status }, request, { items }) =>
          status === 404 && items(IMPORTS, 1).some(({ id }) => id === idOf(request)?.toLowerCase()),
        () => 1,
      ),
    ),
  },
  'isolation.cursor': {
    'the second account: an unknown cursor is the first page': second(becomes(withoutCursor, isUnknown, () => 1)),
    'an id of the second account is a cursor of the first': first(
      becomes(withoutCursor, (reply, request, { items }) => {
        return isUnknown(reply, request) && items(request.path, 1).some(({ id }) => id === cursorOf(request));
      }),
    ),
    'the cursor of the other account is the start of its list': second(
      becomes(withoutCursor, (reply, { path, query }, { items }) => {
        return reply.status === 404 && items(path).some(({ id }) => id === query.get('before'));
      }),
    ),
  },
  'list.sampled': {
    'the second account: after is ignored': second(
      becomes(
        withoutCursor,
        ({ status }, { query }) => query.has('after') && status === 200,
        () => 1,
      ),
      PROPERTIES,
    ),
    'the second account: before has the newest automations': second(
      inPage((page, { isBackward, newer, limit }) => {
        if (isBackward) page.data = newer.slice(0, limit);
      }),
      AUTOMATIONS,
    ),
    'the second account: there is always more': second(inList((page) => (page.has_more = true))),
    'the second account: automations have no second page': second(
      inList((page) => (page.has_more = false)),
      AUTOMATIONS,
    ),
    'the second account: the default limit of imports is 20': second(
      defaults('20', () => true),
      IMPORTS,
    ),
    'the second account: the limit is not read': second(
      limits(/^([1-9]\d?|100)$/, () => 20),
      AUTOMATIONS,
    ),
    'the second account: with a cursor the filter is ignored': second(
      inPage((page, { status, items, cursor, limit, isBackward }) => {
        if (status !== null && cursor >= 0 && !isBackward) page.data = items.slice(cursor + 1, cursor + 1 + limit);
      }),
      IMPORTS,
    ),
  },
});
