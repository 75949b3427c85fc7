/** Page numbers, offsets and last ids: what the body repeats is tried first, then the names of other APIs. */
import { pathOf } from '../json.ts';
import type { Found, Path } from '../json.ts';
import type { Way } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { paramsOf } from '../target.ts';
import { plainName, scalarsIn } from './evidence.ts';

const ID_CURSORS = 'starting_after after after_id last last_id cursor since_id max_id before from_id marker'.split(' ');
const PAGES = 'page _page page[number] pageNumber page_number p currentPage pageIndex pagination[page] pageNo'.split(
  ' ',
);
const OFFSETS = [
  ...'offset skip _start start startAt page[offset] $skip from pagination[start] first startIndex'.split(' '),
  ...'pagination[offset] start_index'.split(' '),
];
export const FLAG = /^(has_?more|has_?next(_?page)?|more|more_?items|is_?truncated|incomplete)$/i;
/** The numbers that usually stand beside a size. */
const PARTNERS: Readonly<Record<string, readonly string[]>> = {
  size: ['page', 'from'],
  count: ['startIndex', 'start'],
  rows: ['start'],
  max: ['first', 'offset'],
  maxResults: ['startAt'],
  startIndex: ['startIndex'],
  $limit: ['$skip'],
  $top: ['$skip'],
  _limit: ['_start'],
  take: ['skip'],
  'page[limit]': ['page[offset]'],
  'page[size]': ['page[number]'],
};
const FIRST_TRIED = 3;

/** @returns the path of a flag that is true where more pages follow. */
export const flagIn = (answer: Answer, session: Session): Path | undefined =>
  scalarsIn(answer, session).find(({ path, value }) => value === true && FLAG.test(path.at(-1) ?? ''))?.path;

/** @returns the ways by a number or by the last id, in the order in which they are tried. */
export function numberWays(
  answer: Answer,
  size: string | undefined,
  known: readonly string[],
  session: Session,
): readonly Way[] {
  const partners = PARTNERS[size ?? ''] ?? [];
  const asked = [...paramsOf(answer.target).keys()];
  const scalars = scalarsIn(answer, session);
  const first = (names: readonly string[], echoed: readonly string[]): readonly string[] => {
    const repeated = new Set(echoed.map(plainName));
    return [
      ...new Set([
        ...known,
        ...asked.filter((name) => names.includes(pathOf(name).at(-1) ?? '')),
        ...partners.filter((name) => names.includes(name)),
        ...names.filter((it) => repeated.has(plainName(it))),
        ...echoed,
        ...names,
      ]),
    ];
  };
  const pages = first(PAGES, echoesOf(scalars, /page|^current$|^number$|^index$/i, [0, 1])).map((page): Way => ({
    page,
    first: 1,
  }));
  const offsets = first(OFFSETS, echoesOf(scalars, /offset|skip|start|from/i, [0, 1])).map((offset): Way => ({
    offset,
  }));
  const ids = first(ID_CURSORS, []).map((id): Way => ({ id }));
  const flag = scalars.some(({ path, value }) => typeof value === 'boolean' && FLAG.test(path.at(-1) ?? ''));
  // A list that states the number of its items or pages usually counts them.
  const counts = scalars.some(
    ({ path, value }) => typeof value === 'number' && /total|count|pages|page$/i.test(path.at(-1) ?? ''),
  );
  return flag && !counts
    ? [...ids, ...pages, ...offsets]
    : [
        ...[...pages.slice(0, FIRST_TRIED), ...offsets.slice(0, FIRST_TRIED), ...ids],
        ...[...pages.slice(FIRST_TRIED), ...offsets.slice(FIRST_TRIED)],
      ];
}

/**
 * @param values those that a number has on the first page.
 * @returns names that a parameter may have, by the numbers of a body: `currentPage` is one of `page` and of `currentPage`.
 */
export function echoesOf(scalars: readonly Found[], name: RegExp, values: readonly number[]): readonly string[] {
  const found = scalars.filter(
    ({ path, value }) =>
      typeof value === 'number' &&
      values.includes(value) &&
      path.slice(-2).some((it) => name.test(it)) &&
      !isCount(path),
  );
  return [...new Set(found.flatMap(({ path }) => variantsOf(path.at(-1) ?? '', path.at(-2))))];
}
const isCount = (path: readonly string[]): boolean => /total|count|pages|last|max/i.test(path.at(-1) ?? '');

/** @returns the names of a parameter that a response may repeat under a name. */
function variantsOf(name: string, parent: string | undefined): readonly string[] {
  const words = name
    .replace(/^[$@_]+/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\-.]+/);
  const bare = words.filter((it) => !['current', 'this', 'results', 'items', 'num'].includes(it));
  const snake = (all: readonly string[]): string => all.join('_');
  const camel = (all: readonly string[]): string =>
    all.map((it, at) => (at === 0 ? it : it.charAt(0).toUpperCase() + it.slice(1))).join('');
  const inside = parent !== undefined && /^(page|pagination)$/i.test(parent) ? [`${parent}[${name}]`] : [];
  const alone =
    bare.length === 0 || /^(number|index|current)$/.test(snake(bare)) ? ['page', `page_${snake(words)}`] : [];
  return [
    ...inside,
    ...(bare.length === 0 ? [] : [snake(bare), camel(bare)]),
    name,
    snake(words),
    camel(words),
    ...alone,
  ].filter((it) => it !== '');
}
