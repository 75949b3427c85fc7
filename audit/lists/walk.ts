/** Traversals: the pages of a list from a request on, with one size, to its end or to a bound. */
import { NotChecked } from '../rules/rule.ts';
import { code, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { Untestable } from '../session/session.ts';
import { show } from './finding.ts';
import { isPage } from './list.ts';
import type { List, NoPage, Page, Stated } from './list.ts';
import { paramsOf } from './target.ts';

export interface Walk {
  /** The size that was asked for; `undefined` for the default. */
  readonly size: number | undefined;
  readonly pages: readonly Page[];
  readonly ids: readonly string[];
  /** Why it ended: the list did, a bound was reached, the same items come again and again, or a response is no page. */
  readonly ending: 'end' | 'bound' | 'endless' | 'broken';
  /** The response that is no page. */
  readonly broken: NoPage | undefined;
  /** The error that ended a list of numbers: it may be a limit of the server, too. */
  readonly past?: NoPage | undefined;
  /** The empty page that ended a list of tokens, though its token leads to page one again, as CouchDB's `nil` does. */
  readonly restart?: Page | undefined;
  /** The way, if it is not the one of the profile: "by page number `page`". */
  readonly by?: Text | undefined;
}

/** Pages in a row without a new item, after which a list counts as endless. Lists that repeat items have some. */
export const MAX_STALE = 20;
// Lists that filter after they have cut a page have empty pages before their end: this part of the requests that are left may be.
const EMPTY_PART = 0.15;
const MIN_EMPTY = 20;

/**
 * @param target the first request.
 * @param maxItems the bound. The last page may exceed it.
 * @param known how many items there are at least: before so many, no reading is endless.
 */
export async function walk(
  list: List,
  size: number | undefined,
  target = list.first(size),
  maxItems = Infinity,
  maxPages = Infinity,
  known = 0,
): Promise<Walk> {
  const pages: Page[] = [];
  const ids: string[] = [];
  const seen = new Set<string>();
  const targets = new Set<string>();
  const walked = (ending: Walk['ending'], broken?: NoPage): Walk => ({ size, pages, ids, ending, broken });
  const maxEmpty = Math.max(MIN_EMPTY, Math.floor(list.session.left * EMPTY_PART));
  let [next, stale, empty]: [string | undefined, number, number] = [target, 0, 0];
  while (next !== undefined) {
    if (ids.length >= maxItems || pages.length >= maxPages) return walked('bound');
    const last = pages.at(-1);
    // A list of tokens may return the one that was sent where there are no more items, as Solr does.
    const isRepeated = 'token' in list.profile.next && last?.ids.length === 0 && last.target === next;
    if (targets.has(next)) return walked(isRepeated ? 'end' : 'endless');
    targets.add(next);
    const page: Page | NoPage = await list.page(next);
    if (!isPage(page)) {
      const isEnd = last !== undefined && (isPast(list, page) || isLast(list, last, pages.length, seen.size));
      return isEnd ? { ...walked('end'), past: page } : walked('broken', page);
    }
    const isRestart = last?.ids.length === 0 && isDocumentedEnd(list) && page.ids.length > 0 && page.ids[0] === ids[0];
    const hasNew = page.ids.some((it) => !seen.has(it));
    if (isRestart && !hasNew) return { ...walked('end'), restart: last };
    empty = page.ids.length === 0 ? empty + 1 : 0;
    stale = hasNew || empty > 0 ? (hasNew ? 0 : stale) : stale + 1;
    pages.push(page);
    for (const id of page.ids) {
      ids.push(id); // One by one: a page may have more items than a call may have arguments.
      seen.add(id);
    }
    if (stale >= MAX_STALE && ids.length > known) return walked('endless');
    if (empty >= maxEmpty) return walked('bound');
    next = page.next;
  }
  return walked('end');
}

/** Whether an empty page may be the end of a list, whatever token it has: nothing else says that more follow. */
const isDocumentedEnd = ({ profile: { next } }: List): boolean => 'token' in next && next.more === undefined;

/** Whether a page is the last one by what it states, of a list of numbers: an error after it is no loss. */
function isLast({ profile: { next } }: List, last: Page, pages: number, items: number): boolean {
  if (!('page' in next || 'offset' in next)) return false;
  const number = 'page' in next ? Number(paramsOf(last.target).get(next.page) ?? 0) - (next.first ?? 1) + 1 : 0;
  if (last.pageCount !== undefined) return Math.max(pages, number) >= last.pageCount.value;
  // The number of the items of this page is no total.
  const total = last.total?.value;
  return total !== undefined && items >= total && (pages === 1 || total > last.ids.length);
}

/** Whether the response behind a page is the end of a list of numbers, where nothing in a page says whether there is another. */
export function isPast({ profile: { next } }: List, { status }: NoPage): boolean {
  return ('page' in next || 'offset' in next) && [400, 404, 416, 422].includes(status);
}

/** Whether the error behind the last page says that the position is wrong, not that nothing is there. */
export const isRefused = ({ past }: Walk): boolean => past !== undefined && past.status !== 404;

/**
 * Whether readings of numbers end at a limit of the server, as Elasticsearch has one of 10,000: it refuses each page that begins at a round
 * number or behind it, and serves those that begin before it, whatever the size is.
 */
export function isLimited(readings: readonly Walk[]): boolean {
  const refused = readings.filter(isRefused);
  if (refused.length < 2) return false;
  const lastStarts = readings.map(({ ids, pages }) => ids.length - (pages.at(-1)?.ids.length ?? 0));
  const served = Math.max(...lastStarts);
  const limit = Math.min(...refused.map(({ ids }) => ids.length));
  const longest = Math.max(...readings.map(({ ids }) => ids.length));
  // One item alone behind it is the last one, which a fault may refuse.
  return Math.floor(limit / ROUND) * ROUND > served && longest > limit + 1;
}
const ROUND = 100;

/** @returns the number of all items that a list states; `undefined` if it states none, or a `count` that is the one of the items of each page. */
export function totalOf([reference, ...others]: readonly [Walk, ...Walk[]]): Stated | undefined {
  const own = [reference, ...others].flatMap(({ pages }) =>
    pages
      .filter(({ total, ids }) => total?.value === ids.length && !/total|match|found|hits/i.test(total.name))
      .map(({ ids }) => ids.length),
  );
  return new Set(own).size > 1 ? undefined : reference.pages[0]?.total;
}

/** @returns the ids that appear more than once. */
export function doublesIn(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(ids.filter((it) => seen.size === seen.add(it).size))];
}

/** Two different items have the same id. */
export class NotAnId extends Untestable {}

/** @throws NotAnId if two items have the same id and are not the same. */
export async function requireIds(list: List, { pages, ids }: Walk): Promise<void> {
  const [double] = doublesIn(ids);
  if (double === undefined) return;
  const texts = new Set<string>();
  for (const { target } of pages.filter((page) => page.ids.includes(double))) {
    const answer = await list.session.get(target);
    const sources = list.sourcesIn(answer);
    const at = list.idsIn(answer, list.itemsIn(answer)).flatMap((id, index) => (id === double ? [index] : []));
    for (const index of at) texts.add(sources[index] ?? '');
  }
  if (texts.size > 1)
    throw new NotAnId(
      say`Two different items have the ${code(list.profile.id)} ${show(double)}: it is not an id. Name the id with --id.`,
    );
}

/** @returns the ids that a reading lacks and a later one has: what was removed meanwhile is not missing. */
export function lostIn(walked: Walk, ids: readonly string[], later: Walk): readonly string[] {
  const [own, held] = [new Set(walked.ids), new Set(later.ids)];
  return ids.filter((it) => !own.has(it) && held.has(it));
}

/** @throws NotChecked if a reading has not reached the end. */
export function requireEnd({ ending }: Walk): void {
  if (ending !== 'end') throw new NotChecked(say`the end of the list was not reached (--max-requests)`);
}

/** Where an item is missing: the last item before it, the page of that one, and the next page, which should have the item. */
interface Gap {
  readonly before: string | undefined;
  readonly previous: Page | undefined;
  readonly page: Page | undefined;
}

/** @param ids those of a reading that has the item. */
export function gapOf(pages: readonly Page[], id: string, ids: readonly string[]): Gap {
  const own = new Set(pages.flatMap((it) => it.ids));
  const before = ids.slice(0, ids.indexOf(id)).findLast((it) => own.has(it));
  const at = pages.findIndex((it) => before !== undefined && it.ids.includes(before));
  return { before, previous: pages[at], page: pages[at + 1] ?? pages[at] };
}

/** The items that one of two readings lacks, though it has items on both sides of their place, or has ended. */
export interface Difference {
  readonly lacks: readonly string[];
  readonly otherLacks: readonly string[];
}

/** @returns the differences between two readings that start at the same place. Beyond what both have reached, nothing is known. */
export function differenceOf(one: Walk, other: Walk): Difference {
  const [oneIds, otherIds] = [reached(one, other), reached(other, one)];
  const [ofOne, ofOther] = [new Set(one.ids), new Set(other.ids)];
  return {
    lacks: [...new Set(otherIds)].filter((it) => !ofOne.has(it)),
    otherLacks: [...new Set(oneIds)].filter((it) => !ofOther.has(it)),
  };
}

/** @returns the ids of a reading as far as the other one has come: all if that has ended, otherwise those before their last common item. */
function reached({ ids }: Walk, { ids: others, ending }: Walk): readonly string[] {
  if (ending === 'end') return ids;
  const known = new Set(others);
  return ids.slice(0, ids.findLastIndex((it) => known.has(it)) + 1);
}
