/**
 * Faults of a few requests only: of ties, of places near the head, of pages of one item, of one value of the filter, of one parameter.
 * A rule must make such a request in every run, whatever its random choices are: `npm run --prefix lab seeds` tries 20 seeds.
 */
import {
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  fails,
  inBody,
  inRequest,
  isGetById,
  isList,
  mutantsOf,
  only,
} from './mutant.ts';
import type { Asked, Faults } from './mutant.ts';
import {
  at,
  both,
  isAfter,
  isBefore,
  isTie,
  isUnfiltered,
  more,
  nearest,
  pages,
  BEFORE_LOSES_TIES,
  own,
  untied,
} from './pages.ts';
import type { Change, Context, InterceptedRequest } from './proxy.ts';

const isOfOne = ({ limit }: Asked): boolean => limit === 1;
const isNearHead = ({ cursor, limit }: Asked): boolean => cursor < limit;
const isInMiddle = ({ items, cursor }: Asked): boolean => cursor < items.length - 3;
const isOf =
  (value: string) =>
  ({ status }: Asked): boolean =>
    status === value;
/** Lets one unknown parameter of a lookup pass. */
const lookupIgnores = (name: string): Change =>
  inRequest((request) => {
    if (isGetById(request)) request.query.delete(name);
  });

/** Whether a request is the first of its kind in a run. */
const isFirst = (kindOf: (request: InterceptedRequest) => string) => {
  const kinds = new WeakMap<Context, Set<string>>();
  return (request: InterceptedRequest, context: Context): boolean => {
    const seen = kinds.get(context) ?? new Set();
    kinds.set(context, seen);
    const isNew = !seen.has(kindOf(request));
    seen.add(kindOf(request));
    return isNew;
  };
};
const [isFirstOfAll, isFirstOfPath] = [isFirst(() => ''), isFirst(({ path }) => path.replace(/^\/+/, '/'))];
const isFirstOfKey = isFirst(({ headers }) => headers['authorization'] ?? '');

const FAULTS: Faults = {
  'list.first_request': {
    'the first request of all fails': fails(500, 'application_error', (_reply, ...it) => isFirstOfAll(...it)),
    'the first request of each list but automations is a 404': fails(
      404,
      'not_found',
      (_reply, it, context) => isFirstOfPath(it, context) && isList(it) && it.path !== AUTOMATIONS,
    ),
    'the first list of a key is empty': inBody(200, (body, ...it) => {
      if (isFirstOfKey(...it)) Object.assign(body, { data: [], has_more: false });
    }),
  },
  'list.before': {
    'before loses ties of the cursor, in automations': only(AUTOMATIONS, BEFORE_LOSES_TIES),
    'before loses ties of the cursor, in contact imports': only(IMPORTS, BEFORE_LOSES_TIES),
    'before repeats the cursor where the items before it are ties': pages(
      both(isBefore, (it) => isTie(it.items[it.cursor - 1] ?? { id: '', created_at: '' }, at(it))),
      (it) => nearest([...it.newer, ...own(it)], it.limit),
    ),
    'near the head before has nothing': pages(both(isBefore, isNearHead), () => []),
    'near the head before has a whole page': pages(both(isBefore, isNearHead), ({ matching }) => matching),
    'before the second item there is nothing': pages(
      both(isBefore, ({ cursor }) => cursor === 1),
      () => [],
    ),
    'pages of one item before a cursor have the first one': pages(both(isBefore, isOfOne), ({ matching }) => matching),
    'pages of one item before a cursor pass over one': pages(
      both(isBefore, isOfOne, ({ cursor }) => cursor > 1),
      (it) => it.newer.slice(-2),
    ),
  },
  'list.after': {
    'pages of one item behind a cursor pass over one': pages(both(isAfter, isOfOne, isInMiddle), ({ older }) =>
      older.slice(1),
    ),
    'contact properties: pages of one item behind a cursor pass over one': only(
      PROPERTIES,
      pages(both(isAfter, isOfOne, isUnfiltered, isInMiddle), ({ older }) => older.slice(1)),
    ),
    'pages of one item repeat the cursor': pages(both(isAfter, isOfOne, isInMiddle), own),
    'pages of one item lose ties of the cursor': pages(both(isAfter, isOfOne), (it) => untied(it.older, it)),
    'pages of at most ten items lose ties of the cursor': pages(
      both(isAfter, ({ limit }) => limit <= 10),
      (it) => untied(it.older, it),
    ),
  },
  'list.has_more': {
    'before has_more is false for pages of one item': more(both(isBefore, isOfOne), () => false),
    'has_more is false for the first page of one item': more(
      both(isOfOne, ({ cursor }) => cursor < 0),
      () => false,
    ),
  },
  'list.filter_cursor': Object.fromEntries(
    ['queued', 'in_progress', 'completed', 'failed'].flatMap((value) => [
      [
        `behind a cursor, ${value} imports lose one`,
        only(
          IMPORTS,
          pages(both(isAfter, isOf(value)), ({ older }) => older.slice(1)),
        ),
      ],
      [
        `before a cursor, ${value} imports are the newest`,
        only(
          IMPORTS,
          pages(both(isBefore, isOf(value)), ({ newer }) => newer),
        ),
      ],
    ]),
  ),
  'request.unknown_parameter': Object.fromEntries(
    ['expand', 'fields', 'include', 'page', '_'].map((name) => [
      `a lookup ignores the parameter ${name}`,
      lookupIgnores(name),
    ]),
  ),
};

/** With names by which they can be selected. */
export const CHANCE_FAULTS = mutantsOf(FAULTS).map((it) => ({ ...it, name: `by chance: ${it.name}` }));
