/** Faults of pagination as they are made in frameworks: pages, order, limits, `has_more`; many in one list only. */
import { AUTOMATIONS, IMPORTS, PROPERTIES, fails, inPage, isCursor, mutantsOf, only } from './mutant.ts';
import {
  pages,
  more,
  sets,
  defaults,
  has,
  isForward,
  isAfter,
  isBefore,
  isUnfiltered,
  both,
  at,
  isFull,
  nearest,
  isTie,
  byTiesAscending,
  alternating,
  dates,
  isEmptyPage,
  BEFORE_LOSES_TIES,
  untied,
  own,
} from './pages.ts';

export const PAGINATION_FAULTS = mutantsOf({
  'list.pagination': {
    'imports: the item of the cursor comes again': only(
      IMPORTS,
      pages(isAfter, (it) => [...own(it), ...it.older]),
    ),
    'contact properties: the item behind the cursor is passed over': only(
      PROPERTIES,
      pages(isAfter, ({ older }) => older.slice(1)),
    ),
    'items of the instant of the cursor are lost': only(
      AUTOMATIONS,
      pages(isAfter, (it) => untied(it.older, it)),
    ),
    'other items of the instant of the cursor come again': only(
      IMPORTS,
      pages(isAfter, (it) =>
        it.matching.filter((item) => item.created_at <= (at(it)?.created_at ?? '') && item !== at(it)),
      ),
    ),
    'with the limit 99 there is never more': more(
      ({ limit }) => limit === 99,
      () => false,
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
    'behind a cursor a page of 50 hides automations that are disabled': only(
      AUTOMATIONS,
      pages(
        both(isAfter, isUnfiltered, ({ limit }) => limit === 50),
        ({ older }) => older.filter((it) => it['status'] !== 'disabled'),
      ),
    ),
    'a cursor is rounded to the start of a page': only(
      AUTOMATIONS,
      pages(both(isAfter, isUnfiltered), ({ items, cursor, limit }) =>
        items.slice(Math.ceil((cursor + 1) / limit) * limit),
      ),
    ),
  },
  'list.before': {
    'before loses items of the instant of the cursor': only(PROPERTIES, BEFORE_LOSES_TIES),
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
      pages(isBefore, (it) => nearest([...it.newer, ...own(it)], it.limit)),
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
    'with the default limit in the query there is never more': more(
      both(isForward, ({ cursor, limit }) => cursor < 0 && limit === 20),
      () => false,
    ),
    'before, with the greatest limit there is never more': more(
      both(isBefore, ({ limit }) => limit === 100),
      () => false,
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
});
