/** Faults of lists: pagination, limits, cursors, filters and their combinations. */
import { AUTOMATIONS, IMPORTS, LISTS, inItems, inList, inRequest, isCursor, isList, mutantsOf } from './mutant.ts';
import { both, defaults, has, isAfter, isForward, isUnfiltered, more, pages, sets, own } from './pages.ts';
import { becomes, fails, hasKey, rejects, withoutCursor, cursorOf, emptyPage, reads, inPage } from './mutant.ts';
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
export const LIST_MUTANTS = mutantsOf({
  'list.pagination': {
    'the cursor after is ignored': inRequest((request, context) => {
      if (context.items(request.path).some(({ id }) => id === cursorOf(request))) request.query.delete('after');
    }),
    'far down an item is passed over': inPage(({ data }, it) => {
      if (isAfter(it) && it.cursor === 98) data.shift();
    }),
    'texts differ in pages of a cursor': inList(({ data }, { query }) => {
      if (query.has('after')) for (const it of data) if ('name' in it) it['name'] = `${String(it['name'])}.`;
    }),
  },
  'list.after': {
    'the third page repeats the cursor': pages(
      both(isAfter, ({ cursor }) => cursor > 10 && cursor < 40),
      (it, { data }) => [...own(it), ...data],
    ),
    'far down two items change places': inPage(({ data }, it) => {
      if (isAfter(it) && it.cursor > 102) data.splice(0, 2, ...data.slice(0, 2).reverse());
    }),
  },
  'list.order': {
    'an old item is out of order': dated(70, () => '2026-05-01 00:00:00+00'),
    'the offset of instants is not applied': dated(90, (items) => items[90]?.created_at.replace('+00', '-05:30')),
  },
  'list.ties': {
    'ties of automations are by id, ascending': tied(AUTOMATIONS),
    'ties of imports are by id, ascending': tied(IMPORTS),
  },
  'list.default_limit': {
    'the default limit is another': defaults('50', () => true),
    'with a cursor the default limit is another': defaults('5', isCursor),
  },
  'list.filter_limit': {
    'with a filter the default limit is another': defaults('100', has('status')),
  },
  'list.limit': {
    'a limit over 50 is taken for 50': reads('limit', (it) => (Number(it) > 50 && Number(it) <= 100 ? '50' : it)),
  },
  'list.invalid_limit': {
    'a limit out of range is clamped': reads('limit', (it) =>
      /^\d+$/.test(it) && (Number(it) < 1 || Number(it) > 100) ? '100' : it,
    ),
    'a limit is parsed as parseInt does': reads('limit', (it) => {
      const limit = Number.parseInt(it, 10);
      return /^\s*\+?0*[1-9]/.test(it) && limit <= 100 ? String(limit) : it;
    }),
  },
  'list.before': {
    'before returns the head of the list': becomes(
      withoutCursor,
      ({ status }, { query }) => status === 200 && query.has('before'),
    ),
    'before the first item comes the first page': becomes(
      withoutCursor,
      ({ status }, request, context) =>
        status === 200 && request.query.get('before') === context.items(request.path)[0]?.id,
    ),
  },
  'list.has_more': {
    'has_more is always true': inList((body) => (body.has_more = true)),
  },
  'list.cursor_case': {
    'a cursor in upper case is unknown': rejects(404, 'not_found', (it) => /[A-F]/.test(cursorOf(it))),
  },
  'list.unknown_cursor': {
    'an unknown cursor gets the first page': becomes(
      withoutCursor,
      ({ status }, request, context) =>
        status === 404 && isList(request) && hasKey(request, context) && request.method === 'GET',
    ),
  },
  'list.foreign_cursor': {
    'the id of an item of another collection is a cursor of no items': becomes(
      emptyPage,
      ({ status }, request, { items }) =>
        status === 404 &&
        isList(request) &&
        LISTS.some((it) => it !== request.path && items(it).some(({ id }) => id === cursorOf(request))),
    ),
  },
  'list.malformed_cursor': {
    'a malformed cursor is unknown': rejects(404, 'not_found', ({ query }) => {
      const [cursor = '', ...others] = [...query.getAll('after'), ...query.getAll('before')];
      return query.size <= 2 && others.length === 0 && cursor !== '' && cursor.length < 36;
    }),
  },
  'list.conflicting_cursors': {
    'of two cursors one is ignored': sets(has('before'), 'after'),
  },
  'list.filter': {
    'the filter is ignored': reads('status', (it) => (/^[a-z_]+$/.test(it) && it !== 'nonsense' ? undefined : it)),
    'one value of the filter has no items': inList((body, { query }) => {
      if (query.get('status') === 'failed') Object.assign(body, { data: [], has_more: false });
    }),
    'a page of a filter has texts of its own': inList(({ data }, { query }) => {
      if (query.has('status')) for (const it of data) it['updated_at'] &&= '2026-04-16 13:49:40+00';
    }),
  },
  'list.filter_cursor': {
    'with a filter has_more speaks of the whole list': inList((body, { query }) => {
      if (query.has('status') && query.has('after')) body.has_more = true;
      if (query.has('status') && query.has('before')) body.has_more = false;
    }),
    'with after the filter is dropped': sets(has('after'), 'status'),
    'with before the filter is dropped': sets(has('before'), 'status'),
    'with a filter the cursor is dropped': sets(has('status'), 'after'),
    'a cursor that does not match the filter is unknown': fails(404, 'not_found', (reply, request, { items }) => {
      const item = items(request.path).find(({ id }) => id === cursorOf(request));
      const status = request.query.get('status');
      return reply.status === 200 && status !== null && item !== undefined && item['status'] !== status;
    }),
  },
  'list.invalid_filter': {
    'the filter is read in any case': reads('status', (it) => it.toLowerCase()),
    'an unknown status gets an empty list': becomes(
      emptyPage,
      ({ status }, { query }) => status === 422 && query.get('status') === 'nonsense',
    ),
  },
  'record.example': {
    'names are altered, everywhere alike': inItems((item) => {
      if ('name' in item) item['name'] = `${String(item['name'])}.`;
    }),
    'counts are altered, in the list and alone alike': inItems((item) => {
      if ('counts' in item) Object.assign(item['counts'] as object, { skipped: 0 });
    }),
  },
  'list.end': {
    'after the last item the list begins again': becomes(
      withoutCursor,
      ({ status }, request, { items }) =>
        status === 200 && !request.query.has('status') && request.query.get('after') === items(request.path).at(-1)?.id,
    ),
    'has_more is false where one item is left': more(
      (it, { data }) => isForward(it) && isUnfiltered(it) && it.older.length === data.length + 1,
      () => false,
    ),
  },
});
