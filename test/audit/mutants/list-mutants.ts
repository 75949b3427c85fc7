/** Faults of lists: pagination, limits, cursors, filters and their combinations. */
import { AUTOMATIONS, inItems, mutantsOf } from './mutant.ts';
import { defaults, has, isForward, isUnfiltered, more } from './pages.ts';
import { rejects, cursorOf, reads } from './mutant.ts';
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
  'list.order': {
    'an old item is out of order': dated(70, () => '2026-05-01 00:00:00+00'),
  },
  'list.ties': {
    'ties of automations are by id, ascending': tied(AUTOMATIONS),
  },
  'list.default_limit': {
    'the default limit is another': defaults('50', () => true),
  },
  'list.filter_limit': {
    'with a filter the default limit is another': defaults('100', has('status')),
  },
  'list.limit': {
    'a limit over 50 is taken for 50': reads('limit', (it) => (Number(it) > 50 && Number(it) <= 100 ? '50' : it)),
  },
  'list.cursor_case': {
    'a cursor in upper case is unknown': rejects(404, 'not_found', (it) => /[A-F]/.test(cursorOf(it))),
  },
  'list.filter': {
    'the filter is ignored': reads('status', (it) => (/^[a-z_]+$/.test(it) && it !== 'nonsense' ? undefined : it)),
  },
  'list.end': {
    'has_more is false where one item is left': more(
      (it, { data }) => isForward(it) && isUnfiltered(it) && it.older.length === data.length + 1,
      () => false,
    ),
  },
});
