/** Faults of cursors and filters as they are made in frameworks; many in one list only. */
import { AUTOMATIONS, IMPORTS, inRequest, mutantsOf, only, rejects, cursorOf } from './mutant.ts';
import {
  pages,
  more,
  defaults,
  has,
  isForward,
  isAfter,
  isFiltered,
  both,
  isFull,
  isForeign,
  empties,
} from './pages.ts';

export const CURSOR_FAULTS = mutantsOf({
  'list.filter_limit': {
    'with a filter the default limit of imports is 20': only(IMPORTS, defaults('20', has('status'))),
  },
  'list.filter_cursor': {
    'with a filter, the first item is no cursor': pages(
      both(isAfter, isFiltered, ({ cursor }) => cursor === 0),
      ({ matching }) => matching,
    ),
  },
  'list.cursor_case': {
    'with a filter a cursor in upper case is unknown': rejects(
      404,
      'not_found',
      (it) => it.query.has('status') && /[A-F]/.test(cursorOf(it)),
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
