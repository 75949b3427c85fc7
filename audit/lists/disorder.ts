/** The proof that a list has another order at each request, which no change of its items explains: it loses items where a page ends among those. */
import { code, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { show } from './finding.ts';
import { isPage, plainValues } from './list.ts';
import type { List, Page, Values } from './list.ts';
import { doublesIn } from './walk.ts';
import type { Walk } from './walk.ts';

export interface Disorder {
  /** The request whose responses differ. */
  readonly request: Text;
  /** How they do, and the value that the items share. */
  readonly difference: Text;
  readonly change: Text;
}

/** A page, as one of several responses to the same request: the item at each place, and its text. */
interface Seen {
  readonly request: Text;
  readonly ids: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, Values>;
}

const MAX_PAGES = 8;
const TIMES = 8;
/** So many responses with the same items say that none moves here. */
const ENOUGH = 3;
/** A page of fewer items does not tell a shift from another order. */
const MIN_ITEMS = 3;
const MIN_RETURNS = 2;

/**
 * Sends the requests of pages with items that are lost or repeated again and again. What is added or removed shifts the others, and what is
 * updated moves to an end: neither changes the order of those that stay on a page behind the first one, or the item of a single place, and
 * brings back what has gone.
 */
export async function disorderOf(
  list: List,
  walks: readonly Walk[],
  mayLook: (requests: number) => boolean,
): Promise<Disorder | undefined> {
  let count = 0;
  for (const page of pagesOf(walks)) {
    if (!mayLook(TIMES)) return undefined;
    const seen: Seen[] = [];
    while (seen.length < TIMES && count + returnsIn(seen).length < MIN_RETURNS) {
      const one = await read(list, targetOf(list, page));
      if (one === undefined) break;
      seen.push(one);
      if (seen.length === ENOUGH && seen.every(({ ids }) => ids.every((id) => seen[0]?.texts.has(id)))) break;
    }
    const returned = returnsIn(seen);
    const [id] = returned;
    count += returned.length;
    if (id === undefined || count < MIN_RETURNS) continue;
    const tie = tieIn(seen, id, walks);
    const others = tie === undefined ? say`items` : say`items of the same ${code(tie)}`;
    const by = tie === undefined ? say`a value that no two items share` : say`${code(tie)} and then by the id`;
    return {
      request: seen[0]?.request ?? page.request,
      difference: say`was sent ${seen.length} times: ${show(id)} came, went, and came again, as ${others} change places`,
      change: say`Order by ${by}, at every request: now the order differs from request to request.`,
    };
  }
  return undefined;
}

/** @returns pages behind the first one that have items which a reading repeats or lacks: of each reading the page with the most, then the next one. Small pages come first: they have the most borders. */
function pagesOf(walks: readonly Walk[]): readonly Page[] {
  const whole = walks.filter(({ ending }) => ending === 'end').map(({ ids }) => new Set(ids));
  const doubled = new Set(walks.flatMap(({ ids }) => doublesIn(ids)));
  const isUnsteady = (id: string): boolean => doubled.has(id) || whole.some((ids) => !ids.has(id));
  const ranked = walks
    .map(({ pages }) =>
      pages
        .slice(1)
        .filter(({ ids }) => ids.length >= MIN_ITEMS && ids.some(isUnsteady))
        .sort((one, other) => partOf(other.ids, isUnsteady) - partOf(one.ids, isUnsteady)),
    )
    .sort((one, other) => rankOf(one) - rankOf(other));
  const rows = Array.from({ length: MAX_PAGES }, (_, at) => ranked.flatMap((pages) => pages[at] ?? []));
  return [...new Map(rows.flat().map((page) => [page.target, page])).values()].slice(0, MAX_PAGES);
}

const rankOf = ([page]: readonly Page[]): number => Math.max(page?.ids.length ?? 0, USUAL_ITEMS);
const USUAL_ITEMS = 7;
/** @returns the request of a page, with a usual size in place of a tiny one: two responses would have too few items in common. */
const targetOf = (list: List, { target, ids }: Page): string =>
  ids.length < USUAL_ITEMS
    ? list.withSize(target, Math.min(USUAL_ITEMS, list.profile.size?.max ?? USUAL_ITEMS))
    : target;
const partOf = (ids: readonly string[], test: (id: string) => boolean): number => ids.filter(test).length / ids.length;

async function read(list: List, target: string): Promise<Seen | undefined> {
  const answer = await list.session.get(target);
  const page = list.read(answer);
  if (!isPage(page)) return undefined;
  const { ids } = page;
  const [items, texts] = [list.itemsIn(answer), list.sourcesIn(answer)];
  return {
    request: answer.request,
    ids,
    texts: new Map(ids.map((id, at) => [id, texts[at] ?? ''])),
    values: new Map(ids.map((id, at) => [id, plainValues(items[at])])),
  };
}

/** @returns the items that come back as they were, once for each time: no change of the list explains how the responses before differ. */
function returnsIn(seen: readonly Seen[]): readonly string[] {
  const all = new Set(seen.flatMap(({ ids }) => ids));
  return seen.flatMap((now, at) => {
    const before = seen[at - 1];
    if (before === undefined || !isDisordered(before, now)) return [];
    return [...all].filter((id) => {
      if (before.texts.has(id) || !now.texts.has(id)) return false;
      const last = seen.slice(0, at).findLastIndex(({ texts }) => texts.has(id));
      const [held, gone] = [seen[last], seen[last + 1]];
      return (
        held !== undefined && gone !== undefined && held.texts.get(id) === now.texts.get(id) && isDisordered(held, gone)
      );
    });
  });
}

/** Whether items that both responses have, as they were, changed places with each other, or kept them while another one stands between. */
function isDisordered(one: Seen, other: Seen): boolean {
  const common = one.ids.filter((id) => other.texts.has(id));
  if (common.some((id) => one.texts.get(id) !== other.texts.get(id))) return false;
  const places = common.map((id) => other.ids.indexOf(id));
  const isSwapped = places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0));
  const isExchanged =
    one.ids.length === other.ids.length &&
    common.length >= MIN_ITEMS - 1 &&
    common.every((id, at) => one.ids.indexOf(id) === places[at]);
  return isSwapped || isExchanged;
}

/** @returns the property by which a page is ordered, if the item shares its value with another one there. */
function tieIn(seen: readonly Seen[], id: string, walks: readonly Walk[]): string | undefined {
  const own = seen.map(({ values }) => values.get(id)).find((it) => it !== undefined) ?? {};
  const all = new Map(seen.flatMap(({ values }) => [...values]));
  const isOrdered = (name: string): boolean =>
    seen.every(({ ids }) => {
      const column = ids.map((it) => all.get(it)?.[name]);
      const isSorted = (sign: number): boolean =>
        column.every((it, at) => at === 0 || compare(column[at - 1], it) * sign <= 0);
      return isSorted(1) || isSorted(-1);
    });
  const shared = Object.keys(own).filter(
    (name) => isOrdered(name) && [...all].some(([other, values]) => other !== id && values[name] === own[name]),
  );
  const edges = walks.flatMap(({ pages }) => pages.flatMap((page) => page.edges));
  const isUseful = (name: string): boolean => new Set(edges.flatMap((it) => it[name] ?? [])).size > 1;
  return shared.find(isUseful);
}

const compare = (one: string | number | undefined, other: string | number | undefined): number =>
  one === other || one === undefined || other === undefined ? 0 : one < other ? -1 : 1;
