/** Faults of pagination as they are made in frameworks: pages, cursors, limits, filters, `has_more`; many in one list only. */
import {
  AUTOMATIONS,
  IMPORTS,
  LISTS,
  PROPERTIES,
  becomes,
  fails,
  inItems,
  inPage,
  inRequest,
  isCursor,
  isList,
} from './mutant.ts';
import { mutantsOf, only, rejects, withoutCursor } from './mutant.ts';
import type { Asked, Page } from './mutant.ts';
import type { Change, Context, InterceptedRequest, Item, Reply } from './proxy.ts';

type PageOf = (asked: Asked, page: Page) => readonly Item[];
type Has = (asked: Asked, page: Page) => boolean;

/** Puts other items into pages, at most as many as the limit. */
const pages = (isSo: (asked: Asked) => boolean, data: PageOf): Change =>
  inPage((page, it) => {
    if (isSo(it)) page.data = data(it, page).slice(0, it.limit);
  });
/** Puts another `has_more` into pages. */
const more = (isSo: Has, has: Has): Change =>
  inPage((page, it) => {
    if (isSo(it, page)) page.has_more = has(it, page);
  });
/** Puts another parameter into requests, or removes one. */
const sets = (isSo: (request: InterceptedRequest) => boolean, name: string, value?: string): Change =>
  inRequest((request) => {
    if (!isSo(request)) return;
    if (value === undefined) request.query.delete(name);
    else request.query.set(name, value);
  });
const defaults = (limit: string, isSo: (request: InterceptedRequest) => boolean): Change =>
  sets((it) => isList(it) && !it.query.has('limit') && isSo(it), 'limit', limit);

const has = (...names: readonly string[]) => {
  return ({ query }: InterceptedRequest): boolean => names.every((it) => query.has(it));
};
const isForward = ({ isBackward }: Asked): boolean => !isBackward;
const isAfter = ({ isBackward, cursor }: Asked): boolean => !isBackward && cursor >= 0;
const isBefore = ({ isBackward }: Asked): boolean => isBackward;
const isUnfiltered = ({ status }: Asked): boolean => status === null;
const isFiltered = ({ status }: Asked): boolean => status !== null;
const both = (...tests: readonly ((asked: Asked) => boolean)[]) => {
  return (it: Asked): boolean => tests.every((test) => test(it));
};
const at = ({ items, cursor }: Asked): Item | undefined => items[cursor];
const isFull: Has = ({ limit }, { data }) => data.length === limit;
/** The nearest newer items, in order. */
const nearest = (items: readonly Item[], limit: number): readonly Item[] =>
  items.slice(Math.max(0, items.length - limit));
const isTie = (it: Item, other?: Item): boolean => it.created_at === other?.created_at;
const byTiesAscending = (a: Item, b: Item): number => (isTie(a, b) && a.id > b.id ? 1 : isTie(a, b) ? -1 : 0);
/** Changes each second page of contact properties. */
const alternating = (edit: (page: Page) => unknown): Change => {
  let count = 0;
  return only(
    PROPERTIES,
    inPage((page) => (count++ % 2 === 1 ? edit(page) : undefined)),
  );
};
/** Exchanges the instants of two neighbours for others, wherever they are. */
const dates = (place: number, older: string, newer: string): Change =>
  inItems((item, _request, context) => {
    const items = context.items(PROPERTIES);
    if (item.id === items[place]?.id) item.created_at = item.created_at.replace('.678', older);
    if (item.id === items[place + 1]?.id) item.created_at = items[place]?.created_at.replace('.678', newer) ?? '';
  });

const cursorOf = ({ query }: InterceptedRequest): string => query.get('after') ?? query.get('before') ?? '';
const isForeign = (request: InterceptedRequest, { items }: Context): boolean =>
  LISTS.some((it) => it !== request.path && items(it).some(({ id }) => id === cursorOf(request)));
/** Whether the cursor of a request of a list is not found. */
const isUnknown = (reply: Reply, request: InterceptedRequest): boolean =>
  reply.status === 404 && isList(request) && isCursor(request);
const emptyPage = ({ path }: InterceptedRequest, { items }: Context): string =>
  `${path}?after=${items(path).at(-1)?.id ?? ''}`;
/** Responds with an empty page where a cursor is not found. */
const empties = (isSo: (request: InterceptedRequest, context: Context) => boolean): Change =>
  becomes(emptyPage, (reply, ...it) => isUnknown(reply, it[0]) && isSo(...it));
const isEmptyPage = ({ status, body }: Reply, request: InterceptedRequest): boolean =>
  status === 200 && isList(request) && isCursor(request) && (JSON.parse(body) as Page).data.length === 0;

export const PAGINATION_FAULTS = mutantsOf({
  'list.pagination': {
    'imports: the item of the cursor comes again': only(
      IMPORTS,
      pages(isAfter, (it) => [...[at(it)].filter((item) => item !== undefined), ...it.older]),
    ),
    'contact properties: the item behind the cursor is passed over': only(
      PROPERTIES,
      pages(isAfter, ({ older }) => older.slice(1)),
    ),
    'items of the instant of the cursor are lost': only(
      AUTOMATIONS,
      pages(isAfter, (it) => it.older.filter((item) => !isTie(item, at(it)))),
    ),
    'other items of the instant of the cursor come again': only(
      IMPORTS,
      pages(isAfter, (it) =>
        it.matching.filter((item) => item.created_at <= (at(it)?.created_at ?? '') && item !== at(it)),
      ),
    ),
    'two replicas have ties in different order': alternating((page) => page.data.sort(byTiesAscending)),
    'the last page is in ascending order': only(
      IMPORTS,
      pages(both(isAfter, isUnfiltered), ({ older, limit }, { data }) =>
        older.length < limit ? data.reverse() : data,
      ),
    ),
    'the second of three pages is that of another cursor': only(
      AUTOMATIONS,
      pages(
        both(isAfter, isUnfiltered, ({ limit }) => limit >= 50),
        ({ older }) => older.slice(1),
      ),
    ),
  },
  'list.after': {
    'a cursor is rounded to the start of a page': only(
      AUTOMATIONS,
      pages(both(isAfter, isUnfiltered), ({ items, cursor, limit }) =>
        items.slice(Math.ceil((cursor + 1) / limit) * limit),
      ),
    ),
  },
  'list.before': {
    'before loses items of the instant of the cursor': only(
      PROPERTIES,
      pages(isBefore, (it) =>
        nearest(
          it.newer.filter((item) => !isTie(item, at(it))),
          it.limit,
        ),
      ),
    ),
    'the list without a filter hides queued imports': only(
      IMPORTS,
      pages(both(isForward, isUnfiltered), ({ older }) => older.filter((it) => it['status'] !== 'queued')),
    ),
    'before is in ascending order': only(
      AUTOMATIONS,
      pages(isBefore, (_it, { data }) => data.reverse()),
    ),
    'before has the item of the cursor': only(
      PROPERTIES,
      pages(isBefore, (it) => nearest([...it.newer, ...[at(it)].filter((item) => item !== undefined)], it.limit)),
    ),
    'before passes over the nearest import': only(
      IMPORTS,
      pages(isBefore, ({ newer, limit }) => nearest(newer.slice(0, -1), limit)),
    ),
    'before has one item less than the limit': pages(both(isBefore, isUnfiltered), ({ limit }, { data }) =>
      data.length === limit ? data.slice(1) : data,
    ),
    'before near the first item is filled up with older items': only(
      AUTOMATIONS,
      pages(
        both(isBefore, isUnfiltered, (it) => it.newer.length < it.limit),
        ({ items }) => items,
      ),
    ),
    'before the limit is not read': only(PROPERTIES, sets(has('before', 'limit'), 'limit', '20')),
    'before is rounded to the start of a page': only(
      IMPORTS,
      pages(both(isBefore, isUnfiltered), ({ items, cursor, limit }) => {
        const start = Math.max(0, Math.floor((cursor - 1) / limit) * limit);
        return items.slice(start, Math.min(start + limit, cursor));
      }),
    ),
    'before the first import is a 404': only(
      IMPORTS,
      fails(404, 'not_found', (reply, it) => it.query.has('before') && isEmptyPage(reply, it)),
    ),
    'before hides automations that are disabled': only(
      AUTOMATIONS,
      pages(both(isBefore, isUnfiltered), (it) =>
        nearest(
          it.newer.filter((item) => item['status'] !== 'disabled'),
          it.limit,
        ),
      ),
    ),
  },
  'list.ties': {
    'an instant with more digits is another one': dates(61, '.678', '.678000'),
  },
  'list.order': {
    'instants are compared to the millisecond': dates(45, '.678100', '.678900'),
  },
  'list.has_more': {
    'before, there is more where a page of contact properties is full': only(PROPERTIES, more(isBefore, isFull)),
    'before, has_more is about older imports': only(
      IMPORTS,
      more(both(isBefore, isUnfiltered), ({ items, cursor }) => cursor < items.length),
    ),
    'before, there is never more': only(
      AUTOMATIONS,
      more(both(isBefore, isUnfiltered), () => false),
    ),
    'with the limit 1 there is never more': only(
      PROPERTIES,
      more(
        ({ limit }) => limit === 1,
        () => false,
      ),
    ),
  },
  'list.limit': {
    'of several imports of one instant a page has one': only(
      IMPORTS,
      inPage((page) => (page.data = page.data.filter((it, place, { [place - 1]: last }) => !isTie(it, last)))),
    ),
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
  'list.default_limit': {
    'the default limit of imports is that of the others': only(
      IMPORTS,
      defaults('20', (it) => !isCursor(it)),
    ),
    'before, the default limit of automations is 10': only(AUTOMATIONS, defaults('10', has('before'))),
    'after a cursor the default limit of imports is 20': only(IMPORTS, defaults('20', has('after'))),
    'the default limit of contact properties is 100': only(
      PROPERTIES,
      defaults('100', (it) => !isCursor(it)),
    ),
  },
  'list.filter': {
    'with a filter a limit over 20 is 20': only(
      IMPORTS,
      sets((it) => has('status')(it) && /^([2-9]\d|100)$/.test(it.query.get('limit') ?? ''), 'limit', '20'),
    ),
    'the limit is applied before the filter': only(
      AUTOMATIONS,
      inPage((page, it) => {
        if (isForward(it) && it.cursor < 0)
          page.data = it.items.slice(0, it.limit).filter((item) => it.matching.includes(item));
      }),
    ),
    'with a filter the order is ascending': only(
      IMPORTS,
      pages(
        both(isFiltered, ({ cursor }) => cursor < 0),
        ({ matching }) => matching.toReversed(),
      ),
    ),
    'imports in progress are those that are queued too': only(
      IMPORTS,
      pages(
        both(isForward, ({ status }) => status === 'in_progress'),
        ({ items, cursor }) =>
          items.slice(cursor + 1).filter((it) => it['status'] === 'in_progress' || it['status'] === 'queued'),
      ),
    ),
  },
  'list.filter_limit': {
    'failed imports never have more': only(
      IMPORTS,
      more(
        both(isForward, ({ status }) => status === 'failed'),
        () => false,
      ),
    ),
    'with a filter the default limit of imports is 20': only(IMPORTS, defaults('20', has('status'))),
  },
  'list.filter_cursor': {
    'behind a cursor the limit is applied before the filter': only(
      IMPORTS,
      inPage((page, it) => {
        if (!isAfter(it)) return;
        page.data = it.items
          .slice(it.cursor + 1, it.cursor + 1 + it.limit)
          .filter((item) => it.matching.includes(item));
      }),
    ),
    'a cursor is an offset into what the filter leaves': only(
      IMPORTS,
      pages(both(isAfter, isFiltered), ({ matching, cursor }) => matching.slice(cursor + 1)),
    ),
    'from a cursor of another status the filter starts over': only(
      AUTOMATIONS,
      pages(
        both(isAfter, (it) => isFiltered(it) && at(it)?.['status'] !== it.status),
        ({ matching }) => matching,
      ),
    ),
    'before a cursor of another status there is nothing': only(
      IMPORTS,
      inPage((page, it) => {
        if (isBefore(it) && isFiltered(it) && at(it)?.['status'] !== it.status)
          Object.assign(page, { data: [], has_more: false });
      }),
    ),
    'with a filter, before has the newest items': only(
      AUTOMATIONS,
      pages(both(isBefore, isFiltered), ({ newer }) => newer),
    ),
  },
  'list.cursor_case': {
    'with a filter a cursor in upper case is unknown': rejects(
      404,
      'not_found',
      (it) => it.query.has('status') && /[A-F]/.test(cursorOf(it)),
    ),
    'before a cursor in upper case is the newest page': only(
      PROPERTIES,
      becomes(withoutCursor, ({ status }, it) => status === 200 && /[A-F]/.test(it.query.get('before') ?? '')),
    ),
  },
  'list.unknown_cursor': {
    'before an unknown item is the first page': becomes(
      withoutCursor,
      (reply, it, context) => isUnknown(reply, it) && it.query.has('before') && !isForeign(it, context),
    ),
    'a cursor of zeros is none': inRequest(({ query }) => {
      for (const name of ['after', 'before']) if (/^0{8}[0-]+$/.test(query.get(name) ?? '')) query.delete(name);
    }),
    'with a filter an unknown cursor gets an empty page': empties(
      (it, context) => it.query.has('status') && !isForeign(it, context),
    ),
    'with a limit an unknown cursor gets an empty page': empties(
      (it, context) => it.query.has('limit') && !isForeign(it, context),
    ),
    'an unknown cursor of another UUID version is malformed': fails(
      422,
      'validation_error',
      (reply, it) => isUnknown(reply, it) && !/^.{14}4.{4}[89ab]/i.test(cursorOf(it)),
    ),
    'behind an unknown import is an empty page': only(
      IMPORTS,
      empties((it, context) => !isForeign(it, context)),
    ),
  },
  'list.foreign_cursor': {
    'with a filter the id of another collection gets an empty page': empties(
      (it, context) => it.query.has('status') && isForeign(it, context),
    ),
    'before, the id of another collection gets an empty page': empties(
      (it, context) => it.query.has('before') && isForeign(it, context),
    ),
    'ids of automations are positions in the list of contact properties': only(
      PROPERTIES,
      becomes(withoutCursor, (reply, it, { items }) => {
        return isUnknown(reply, it) && items(AUTOMATIONS).some(({ id }) => id === cursorOf(it));
      }),
    ),
  },
  'list.end': {
    'contact properties end after a hundred items': only(
      PROPERTIES,
      inPage((page, it) => {
        if (isAfter(it) && it.cursor >= 99) Object.assign(page, { data: [], has_more: false });
      }),
    ),
    'behind the last contact property is a 404': only(
      PROPERTIES,
      fails(404, 'not_found', (reply, it) => it.query.has('after') && isEmptyPage(reply, it)),
    ),
    'there is more where a page of automations is full': only(AUTOMATIONS, more(both(isForward, isUnfiltered), isFull)),
    'with the greatest limit there is never more': more(
      ({ limit }) => limit === 100,
      () => false,
    ),
    'behind the last automation there is more': only(
      AUTOMATIONS,
      more(both(isForward, isUnfiltered), ({ older }, { has_more }) => older.length === 0 || has_more),
    ),
    'where two imports are left there are no more': only(
      IMPORTS,
      more(both(isForward, isUnfiltered), ({ older, limit }) => older.length > limit + 2),
    ),
  },
  'list.invalid_limit': {
    'with a filter the limit is not read': only(AUTOMATIONS, sets(has('status', 'limit'), 'limit', '20')),
  },
  'list.filter_end': {
    'with a filter, behind the last item is a 404': only(
      IMPORTS,
      fails(404, 'not_found', (reply, it) => it.query.has('status') && isEmptyPage(reply, it)),
    ),
    'with a filter there is more where a page is full': only(IMPORTS, more(both(isForward, isFiltered), isFull)),
    'with a filter and no cursor has_more is about the whole list': only(
      AUTOMATIONS,
      more(
        both(isFiltered, ({ cursor }) => cursor < 0),
        ({ items }, { data }) => items.length > data.length,
      ),
    ),
    'with a filter, before counts items of any status': only(
      AUTOMATIONS,
      more(both(isFiltered, isBefore), ({ cursor, limit }) => cursor > limit),
    ),
  },
});
