/** What a size bounds: a page, up to a maximum, or the whole list. */
import { code, say } from '../../rules/text.ts';
import type { Text } from '../../rules/text.ts';
import { isPage } from '../list.ts';
import type { List, Sighting } from '../list.ts';
import type { Size } from '../profile.ts';
import { walk } from '../walk.ts';
import { MAX_REQUESTS } from './next.ts';
import { probeOf } from './sizes.ts';

/**
 * Whether a size bounds the whole list: on several pages, just as many items come as are asked for, though the list has others. OData
 * defines `$top` so. Of another one that makes a single page without a next one, a bound and a lost next page look the same.
 */
export async function boundsAll(list: List): Promise<boolean> {
  const shown = await walk(list, undefined, list.first(), Infinity, MAX_SHOWN);
  const size = shown.ids.length - 1;
  const { ids, ending, pages } = await walk(list, undefined, list.first(size), Infinity, MAX_SHOWN);
  return ending === 'end' && ids.length === size && (pages.length > 1 || list.profile.size?.param === '$top');
}
const MAX_SHOWN = 4;

/** @returns a list without its size, which bounds the whole list, as `$top` does. */
export function withoutSize<T extends { readonly size?: Size }>(
  base: T,
  drop: (what: Text, why: Text) => void,
): Omit<T, 'size'> {
  const { size, ...others } = base;
  drop(say`size ${code(size?.param ?? '')}`, say`it bounds the whole list, not a page`);
  return others;
}

const MANY = 1000;

/** @returns the size with its maximum, if a much larger one is cut to it. */
export async function withMaximum(
  list: List,
  size: Size,
  usual: number,
  seen: (sighting: Sighting) => void,
): Promise<Size> {
  const page = await list.page(list.first(MANY));
  if (isPage(page)) {
    seen(page);
    const { length } = page.ids;
    if (length >= MANY || length < usual) return size;
    // More than fits is cut, and perhaps lost: a page of just this size shows whether more follow.
    const ids = new Set(page.ids);
    const goesOn = async (target: string, pages: number): Promise<boolean> =>
      (await walk(list, undefined, target, Infinity, pages)).ids.some((it) => !ids.has(it));
    const isCut = (page.next !== undefined && (await goesOn(page.next, 1))) || (await goesOn(list.first(length), 2));
    return isCut ? { ...size, max: length } : size;
  }
  for (const max of [500, 250, 200, 100, 50]) {
    if (max > usual && list.session.sent < MAX_REQUESTS && isPage(await list.page(list.first(max))))
      return { ...size, max };
  }
  return { ...size, max: Math.max(usual, probeOf(size)) };
}
