/** Faults of lists, many in one list only: pagination, order, limits, `has_more`, cursors and filters. */
import {
  AUTOMATIONS,
  inItems,
  mutantsOf,
  rejects,
  cursorOf,
  reads,
  IMPORTS,
  PROPERTIES,
  fails,
  inPage,
  isCursor,
  only,
  inRequest,
} from './mutant.ts';
import {
  defaults,
  has,
  isForward,
  isUnfiltered,
  more,
  pages,
  isBefore,
  both,
  isFull,
  byTiesAscending,
  alternating,
  isEmptyPage,
  isAfter,
  isFiltered,
  isForeign,
  empties,
} from './pages.ts';
import type { Change, Item } from './proxy.ts';

/** Changes `created_at` of the item at a place of a list, wherever it is answered. */
const dated = (place: number, date: (items: readonly Item[]) => string | undefined): Change =>
  inItems((item, _request, context) => {
    const items = context.items(AUTOMATIONS);
    if (item.id === items[place]?.id) item.created_at = date(items) ?? '';
  });

/** Makes two items of a list a tie in the wrong order. */
const tied = (path: string): Change =>
  inItems((item, request, { items }) => {
    if (!request.path.replace(/^\/+/, '/').startsWith(path)) return;
    const all = items(path);
    const at = all.findIndex(
      (it, index) => it.id < (all[index + 1]?.id ?? '') && it.created_at !== all[index + 1]?.created_at,
    );
    if (item.id === all[at + 1]?.id) item.created_at = all[at]?.created_at ?? '';
  });

export const LIST_FAULTS = mutantsOf({
  'list.order': {
    'an old item is out of order': dated(70, () => '2026-05-01 00:00:00+00'),
  },
  'list.ties': {
    'ties of automations are by id, ascending': tied(AUTOMATIONS),
  },
  'list.default_limit': {
    'the default limit is another': defaults('50', () => true),
    'the default limit of imports is that of the others': only(
      IMPORTS,
      defaults('20', (it) => !isCursor(it)),
    ),
    'before, the default limit of automations is 10': only(AUTOMATIONS, defaults('10', has('before'))),
    'after a cursor the default limit of imports is 20': only(IMPORTS, defaults('20', has('after'))),
  },
  'list.filter_limit': {
    'with a filter the default limit is another': defaults('100', has('status')),
    'with a filter the default limit of imports is 20': only(IMPORTS, defaults('20', has('status'))),
  },
  'list.limit': {
    'a limit over 50 is taken for 50': reads('limit', (it) => (Number(it) > 50 && Number(it) <= 100 ? '50' : it)),
    'the limit 100 gets 99 contact properties': only(
      PROPERTIES,
      pages(
        ({ limit }) => limit === 100,
        (_it, { data }) => data.slice(0, 99),
      ),
    ),
    'the limit 1 gets two imports': only(
      IMPORTS,
      inPage((page, { limit, older }) => (limit === 1 ? (page.data = older.slice(0, 2)) : page)),
    ),
  },
  'list.cursor_case': {
    'a cursor in upper case is unknown': rejects(404, 'not_found', (it) => /[A-F]/.test(cursorOf(it))),
    'with a filter a cursor in upper case is unknown': rejects(
      404,
      'not_found',
      (it) => it.query.has('status') && /[A-F]/.test(cursorOf(it)),
    ),
  },
  'list.filter': {
    'the filter is ignored': reads('status', (it) => (/^[a-z_]+$/.test(it) && it !== 'nonsense' ? undefined : it)),
  },
  'list.end': {
    'has_more is false where one item is left': more(
      (it, { data }) => isForward(it) && isUnfiltered(it) && it.older.length === data.length + 1,
      () => false,
    ),
    'there is more where a page of automations is full': only(AUTOMATIONS, more(both(isForward, isUnfiltered), isFull)),
  },
  'list.pagination': {
    'two replicas have ties in different order': alternating((page) => page.data.sort(byTiesAscending)),
  },
  'list.before': {
    'before the first import is a 404': only(
      IMPORTS,
      fails(404, 'not_found', (reply, it) => it.query.has('before') && isEmptyPage(reply, it)),
    ),
  },
  'list.has_more': {
    'before, there is more where a page of contact properties is full': only(PROPERTIES, more(isBefore, isFull)),
    'with the default limit in the query there is never more': more(
      both(isForward, ({ cursor, limit }) => cursor < 0 && limit === 20),
      () => false,
    ),
    'before, with the greatest limit there is never more': more(
      both(isBefore, ({ limit }) => limit === 100),
      () => false,
    ),
  },
  'list.filter_cursor': {
    'with a filter, the first item is no cursor': pages(
      both(isAfter, isFiltered, ({ cursor }) => cursor === 0),
      ({ matching }) => matching,
    ),
  },
  'list.unknown_cursor': {
    'a cursor of zeros is none': inRequest(({ query }) => {
      for (const name of ['after', 'before']) if (/^0{8}[0-]+$/.test(query.get(name) ?? '')) query.delete(name);
    }),
    'with a limit an unknown cursor gets an empty page': empties(
      (it, context) => it.query.has('limit') && !isForeign(it, context),
    ),
  },
  'list.foreign_cursor': {
    'with a filter the id of another collection gets an empty page': empties(
      (it, context) => it.query.has('status') && isForeign(it, context),
    ),
    'before, the id of another collection gets an empty page': empties(
      (it, context) => it.query.has('before') && isForeign(it, context),
    ),
  },
  'list.filter_end': {
    'with a filter there is more where a page is full': only(IMPORTS, more(both(isForward, isFiltered), isFull)),
    'with a filter and no cursor has_more is about the whole list': only(
      AUTOMATIONS,
      more(
        both(isFiltered, ({ cursor }) => cursor < 0),
        ({ items }, { data }) => items.length > data.length,
      ),
    ),
  },
});
