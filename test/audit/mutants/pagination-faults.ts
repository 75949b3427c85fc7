/** Faults of pagination as they are made in frameworks: pages, order, limits, `has_more`; many in one list only. */
import { AUTOMATIONS, IMPORTS, PROPERTIES, fails, inPage, isCursor, mutantsOf, only } from './mutant.ts';
import {
  pages,
  more,
  defaults,
  has,
  isForward,
  isBefore,
  isUnfiltered,
  both,
  isFull,
  byTiesAscending,
  alternating,
  isEmptyPage,
} from './pages.ts';

export const PAGINATION_FAULTS = mutantsOf({
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
  'list.limit': {
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
  },
  'list.end': {
    'there is more where a page of automations is full': only(AUTOMATIONS, more(both(isForward, isUnfiltered), isFull)),
  },
});
