/** Faults of cursors and filters as they are made in frameworks; many in one list only. */
import {
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  becomes,
  fails,
  inPage,
  inRequest,
  mutantsOf,
  only,
  rejects,
  withoutCursor,
  cursorOf,
} from './mutant.ts';
import {
  pages,
  more,
  sets,
  defaults,
  has,
  isForward,
  isAfter,
  isBefore,
  isFiltered,
  both,
  at,
  isFull,
  isForeign,
  isUnknown,
  empties,
  isEmptyPage,
  nearest,
} from './pages.ts';

export const CURSOR_FAULTS = mutantsOf({
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
    'with a filter, before counts items of any status': only(
      AUTOMATIONS,
      more(both(isFiltered, isBefore), ({ cursor, limit }) => cursor > limit),
    ),
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
    'with a filter, behind a cursor the default limit of imports is 20': only(
      IMPORTS,
      defaults('20', has('status', 'after')),
    ),
    'with a filter, before has at most 30 items': pages(both(isBefore, isFiltered), ({ newer, limit }) =>
      nearest(newer, Math.min(limit, 30)),
    ),
    'with a filter, one item before a cursor is the newest': pages(
      both(isBefore, isFiltered, ({ limit }) => limit === 1),
      ({ newer }) => newer,
    ),
    'with a filter, the first item is no cursor': pages(
      both(isAfter, isFiltered, ({ cursor }) => cursor === 0),
      ({ matching }) => matching,
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
    'a cursor in mixed case is unknown': rejects(
      404,
      'not_found',
      (it) => /[A-F]/.test(cursorOf(it)) && /[a-f]/.test(cursorOf(it)),
    ),
    'with a filter, before a cursor in upper case nothing is found': rejects(
      404,
      'not_found',
      ({ query }) => query.has('status') && /[A-F]/.test(query.get('before') ?? ''),
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
  'list.filter_end': {
    'with a filter there is more where a page is full': only(IMPORTS, more(both(isForward, isFiltered), isFull)),
    'with a filter, behind the last item is a 404': only(
      IMPORTS,
      fails(404, 'not_found', (reply, it) => it.query.has('status') && isEmptyPage(reply, it)),
    ),
    'with a filter and no cursor has_more is about the whole list': only(
      AUTOMATIONS,
      more(
        both(isFiltered, ({ cursor }) => cursor < 0),
        ({ items }, { data }) => items.length > data.length,
      ),
    ),
  },
});
