/** The second way of a list whose responses state the next page: page numbers, or offsets, that work beside it. */
import { say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { numberWays } from './infer/numbers.ts';
import { List, isPage } from './list.ts';
import type { NoPage, Page } from './list.ts';
import type { Cursor } from './position.ts';
import { paramsOfWay, wordsOf } from './profile.ts';
import type { Way } from './profile.ts';
import { withParam } from './target.ts';
import { walk } from './walk.ts';
import type { Walk } from './walk.ts';

/** A way by number, as far as it is needed here. */
interface Numbers {
  readonly param: string;
  readonly kind: 'page' | 'offset';
  readonly first: number;
}

/** A part of a list by number, and the same part by the stated way. */
export interface Counted {
  readonly walk: Walk;
  readonly reference: Walk;
  readonly again: () => Promise<Walk>;
}

/** The readings by the second way. */
export interface Second {
  /** The way, as in "by page number `page`". */
  readonly by: Text;
  readonly list: List;
  /** The whole list. */
  readonly whole: Counted;
  /** Its last items with size 1. */
  readonly last: Counted | undefined;
  /** The request of the page from a place on. */
  readonly at: (place: number, size: number) => string;
  readonly kind: Numbers['kind'];
  /** The size with which the whole list was read. */
  readonly size: number;
}

const MAX_TRIED = 6;
const MIN_PAGES = 3;
const USUAL_PAGES = 6;
const MAX_PAGES = 12;
/** So many of the last items are read with size 1. */
const LAST = 3;
/** Pages after the last one, which may have items. */
const BEYOND = 2;

/** A list by number: that a number leads to a page of it, is not known. */
class Counting extends List {
  override page(target: string): Promise<Page | NoPage> {
    return this.probe(target);
  }
}

/** How many requests the second way takes. */
export const SECOND = MAX_TRIED + MAX_PAGES + BEYOND + LAST + BEYOND;

/** Whether responses state the next page, so that numbers would be a second way. Of a list that was not read to its end, no second reading is made. */
export const mayHaveSecond = ({ profile: { next } }: List, { ending }: Walk): boolean =>
  !('page' in next || 'offset' in next || 'id' in next) && ending === 'end';

/** @returns the readings by page number or offset; `undefined` if no number was seen to lead to a page of the list. @param position a number in the stated way. */
export async function readSecond(
  list: List,
  reference: Walk,
  position: Cursor | undefined,
): Promise<Second | undefined> {
  const { length } = reference.ids;
  const size = sizeFor(list, length, reference);
  if (size === undefined) return undefined;
  for (const param of await candidatesOf(list, size, position)) {
    const numbers = await whichIs(list, reference, param, size);
    if (numbers === undefined) continue;
    const { kind, first } = numbers;
    const way: Way = kind === 'page' ? { page: numbers.param, first } : { offset: numbers.param, first };
    const { previous: _, ...profile } = list.profile;
    const counting = new Counting({ ...profile, next: way }, list.session);
    const asked = list.profile.size === undefined ? undefined : size;
    const [words, name] = wordsOf(way);
    const by = say`by ${words}${name}`;
    const at: Second['at'] = (place, of) =>
      withParam(
        list.first(asked === undefined ? undefined : of),
        numbers.param,
        kind === 'page' ? Math.floor(place / of) + first : place + first,
      );
    const read = async (of: number | undefined, target: string, pages: number): Promise<Walk> => ({
      ...withoutRest(await walk(counting, of, target, Infinity, pages)),
      by,
    });
    const whole = (): Promise<Walk> => read(asked, at(0, size), Math.ceil(length / size) + BEYOND);
    const walked = await whole();
    if (walked.ids[0] !== reference.ids[0]) continue;
    const start = Math.max(1, length - LAST);
    const ending = (): Promise<Walk> => read(1, at(start, 1), LAST + BEYOND);
    const last = asked === undefined || (list.profile.size?.min ?? 1) > 1 ? undefined : await ending();
    return {
      ...{ by, list: counting, at, kind, size },
      whole: { walk: walked, reference, again: whole },
      last:
        last?.ids[0] === reference.ids[start] && last !== undefined
          ? { walk: last, reference: { ...reference, ids: reference.ids.slice(start) }, again: ending }
          : undefined,
    };
  }
  return undefined;
}

/** @returns a size at which the list has a few pages and, if there is one, one item on the last of them. */
function sizeFor(list: List, length: number, { size: usual, pages }: Walk): number | undefined {
  const { size } = list.profile;
  if (size === undefined || usual === undefined) {
    const own = pages[0]?.ids.length ?? 0;
    return own > 0 && length >= own * (MIN_PAGES - 1) ? own : undefined;
  }
  const pagesOf = length < 3 * USUAL_PAGES ? MIN_PAGES : USUAL_PAGES;
  const largest = Math.min(size.max ?? usual, usual, Math.floor(length / pagesOf));
  // Of a list that has a minimum, other sizes may be rejected.
  if (size.min !== undefined && size.min > 1) return size.min <= length / MIN_PAGES ? size.min : undefined;
  const least = Math.max(2, Math.ceil(length / MAX_PAGES));
  const sizes = Array.from({ length: Math.max(0, largest - least + 1) }, (_, at) => largest - at);
  return sizes.find((it) => length % it === 1) ?? (largest < 2 ? undefined : largest);
}

/** @returns the parameters that may take a number: that of the stated way, or those that usually do. */
async function candidatesOf(
  list: List,
  size: number,
  position: Cursor | undefined,
): Promise<readonly Pick<Numbers, 'param' | 'kind'>[]> {
  if (position !== undefined && position.kind !== 'cursor') return [{ param: position.param, kind: position.kind }];
  const { next, size: sized } = list.profile;
  const taken = paramsOfWay(next);
  const answer = await list.session.get(list.first(sized === undefined ? undefined : size));
  return numberWays(answer, sized?.param, [], list.session)
    .flatMap((way): readonly Pick<Numbers, 'param' | 'kind'>[] => {
      if ('page' in way) return [{ param: way.page, kind: 'page' }];
      return 'offset' in way ? [{ param: way.offset, kind: 'offset' }] : [];
    })
    .filter(({ param }) => !taken.includes(param) && param !== sized?.param)
    .slice(0, MAX_TRIED);
}

/** @returns the number of the first page or item, if a number leads to two pages where they should be, or nearly; otherwise `undefined`. */
async function whichIs(
  list: List,
  { ids }: Walk,
  { param, kind }: Pick<Numbers, 'param' | 'kind'>,
  size: number,
): Promise<Numbers | undefined> {
  const first = list.first(list.profile.size === undefined ? undefined : size);
  const placeOf = async (number: number, least: number): Promise<number | undefined> => {
    const page = await list.probe(withParam(first, param, number));
    return isPage(page) && page.ids.length >= least && page.ids.length <= size
      ? ids.indexOf(page.ids[0] ?? '')
      : undefined;
  };
  const isNear = (place: number | undefined, wanted: number, by: number): boolean =>
    place !== undefined && place > 0 && Math.abs(place - wanted) <= by;
  const second = await placeOf(kind === 'page' ? 2 : size, size);
  if (second === undefined || second < 1) return undefined;
  // An item that is skipped or repeated at each page is a fault of the way, and no other way.
  const starts = kind === 'page' ? [1, 0] : [0, 1];
  const wantedFrom = (from: number, pages: number): number =>
    kind === 'page' ? (pages - from) * size : (pages - 1) * size - from;
  const start =
    starts.find((it) => second === wantedFrom(it, 2)) ?? starts.find((it) => isNear(second, wantedFrom(it, 2), 1));
  if (start === undefined) return undefined;
  const third = kind === 'page' ? 3 : 2 * size;
  const wanted = wantedFrom(start, 3);
  // Counted from 0, it may be beyond the end.
  if (wanted >= ids.length) return { param, kind, first: start };
  return isNear(await placeOf(third, 1), wanted, 2) ? { param, kind, first: start } : undefined;
}

/** @returns a reading without the pages at its end that have no new item: a number that is too high may mean the last page, or the first one. */
function withoutRest(walked: Walk): Walk {
  const seen = new Set<string>();
  let count = 0;
  for (const [at, { ids }] of walked.pages.entries()) {
    if (ids.some((id) => !seen.has(id))) count = at + 1;
    for (const id of ids) seen.add(id);
  }
  const pages = walked.pages.slice(0, count);
  return { ...walked, pages, ids: pages.flatMap(({ ids }) => ids) };
}
