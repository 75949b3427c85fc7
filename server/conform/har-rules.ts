/** Rules of pages across captured exchanges. Each checks the pages of one list of one account, in the order of time. */
import type { Finding } from './findings.ts';
import { visitChains } from './har-chains.ts';
import { isBehind, isSamePlace } from './har-lists.ts';
import type { CapturedList, CapturedPage, PageRequest } from './har-lists.ts';
import { LIST_RULES, adjacent, instant } from './list-rules.ts';
import { idsOf } from './records.ts';
import type { Item } from './records.ts';

/** What a rule found in a list. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** How many pages, or requests, the rule could be checked on, and how many it concerns. */
  readonly checked: number;
  readonly concerned: number;
}

export interface HarRule {
  readonly id: string;
  readonly title: string;
  /** Why the rule is not checked if it could be checked on no page. */
  readonly needs: string;
  readonly check: (list: CapturedList) => Checked;
}

/** The outcome of one page: `undefined` if it could not be checked. */
type OnPage = readonly Finding[] | undefined;

function checkEach<P>(pages: readonly P[], check: (page: P) => OnPage): Checked {
  const outcomes = pages.map(check).filter((it) => it !== undefined);
  return { findings: outcomes.flat(), checked: outcomes.length, concerned: pages.length };
}

const requestOf = ({ captured }: PageRequest): string => captured.exchange.request;
const placeOf = ({ captured }: PageRequest): string => captured.entry.place;
const named = ({ id, created_at }: Item): string => `${id} (${created_at})`;

const isInOrder = (items: readonly Item[]): boolean => adjacent(items).every(([a, b]) => isBehind(b, a));

/** The item of a page's cursor, if its position is known: a cursor whose item was moved returns other items. */
function cursorItemOf(list: CapturedList, { cursor, captured }: PageRequest): Item | undefined {
  return cursor && list.evidenceOf(cursor.id, captured)?.item;
}

/** Compares a page with the items known to have been between its cursor, or the end of the list, and its far end. */
function skippedIn(list: CapturedList, page: CapturedPage): OnPage {
  const { items, cursor } = page;
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined || !isInOrder(items)) return undefined;
  const isBackward = cursor?.direction === 'before';
  const at = cursorItemOf(list, page);
  // Other rules report items on the wrong side of the cursor.
  if (at !== undefined && !(isBackward ? isBehind(at, last) : isBehind(first, at))) return undefined;
  const ends = [first, last].flatMap((it) => list.evidenceOf(it.id, page.captured) ?? []);
  const known = [...ends, ...list.between(first, last, page)];
  if (cursor === undefined) known.push(...list.between(undefined, first, page));
  else if (at !== undefined) known.push(...(isBackward ? list.between(last, at, page) : list.between(at, first, page)));
  if (known.length === 0) return undefined;
  const given = new Set(items.map((it) => it.id));
  const missing = known.filter((it) => !given.has(it.item.id));
  const [lost] = missing;
  if (lost === undefined) return [];
  const expected = [...items, ...missing.map((it) => it.item)].sort((a, b) => (isBehind(a, b) ? 1 : -1));
  const wrong = list.comparison.differenceOfItems(expected, items);
  return [
    {
      request: requestOf(page),
      expected: `${idsOf(expected)}: ${named(lost.item)} appears before and after this page, in ${lost.before} and ${lost.after}`,
      actual: idsOf(items),
      difference: wrong?.difference,
    },
  ];
}

/** Whether a page marks the end of the list. */
const isEnd = ({ items, hasMore }: CapturedPage): boolean => !hasMore || items.length === 0;

function endedEarlyIn(list: CapturedList, page: CapturedPage): OnPage {
  const { items, cursor, hasMore } = page;
  if (!isInOrder(items)) return undefined;
  const isBackward = cursor?.direction === 'before';
  const edge = (isBackward ? items[0] : items.at(-1)) ?? cursorItemOf(list, page);
  if (edge === undefined && cursor !== undefined) return undefined;
  const [follows] = isBackward ? list.between(undefined, edge, page) : list.between(edge, undefined, page);
  if (follows !== undefined) {
    const more = `has_more ${String(hasMore)}`;
    return [
      {
        request: requestOf(page),
        expected: `has_more true, because ${named(follows.item)} follows: it appears before and after this page, in ${follows.before} and ${follows.after}`,
        actual: items.length === 0 ? `no items, ${more}` : `${more} after ${idsOf(items)}`,
      },
    ];
  }
  const [any] = list.between(undefined, undefined, page);
  return any === undefined ? undefined : [];
}

const again = (page: CapturedPage, id: string, place: string): Finding => ({
  request: requestOf(page),
  expected: 'items that were not returned before',
  actual: `${id} again, already returned by ${place}`,
});

function checkRepeated(list: CapturedList): Checked {
  const findings = list.pages.flatMap((page) => {
    const { items } = page;
    const twice = items.find(({ id }, at) => items.findIndex((it) => it.id === id) < at);
    return twice === undefined ? [] : [again(page, twice.id, 'the same page')];
  });
  let [checked, concerned] = [0, 0];
  visitChains(list, ({ page }, given) => {
    concerned += 1;
    const { items, cursor } = page;
    const repeated = items.filter((it) => {
      const [before] = given.get(it.id) ?? [];
      return before !== undefined && (it.id === cursor?.id || isSamePlace(before, it));
    });
    // If the item at the cursor was moved, the list continues from its new place, and may return items again.
    const at = cursorItemOf(list, page);
    const isWrong = (it: Item): boolean =>
      it.id === cursor?.id ||
      (at !== undefined && (cursor?.direction === 'before' ? isBehind(it, at) : isBehind(at, it)));
    const wrong = repeated.find(isWrong);
    if (wrong === undefined && repeated.length > 0) return;
    checked += 1;
    if (wrong !== undefined) findings.push(again(page, wrong.id, given.get(wrong.id)?.[1] ?? ''));
  });
  return { findings, checked: Math.max(checked, findings.length), concerned };
}

function checkCursors({ requests, pages }: CapturedList): Checked {
  let next = 0;
  // By direction and id: the valid cursors; and every item of a page, with the page.
  const ends = new Set<string>();
  const inPages = new Map<string, CapturedPage>();
  const inOrderOfEnd = pages.toSorted((a, b) => a.captured.entry.end - b.captured.entry.end);
  return checkEach(
    requests.filter((it) => it.cursor !== undefined),
    (request): OnPage => {
      const { cursor, captured } = request;
      for (; (inOrderOfEnd[next]?.captured.entry.end ?? Infinity) <= captured.entry.start; next += 1) {
        const page = inOrderOfEnd[next];
        if (page === undefined) break;
        for (const { id } of page.items) inPages.set(id, page);
        ends.add(`after ${page.items.at(-1)?.id ?? ''}`).add(`before ${page.items[0]?.id ?? ''}`);
      }
      const page = cursor && inPages.get(cursor.id);
      if (cursor === undefined || page === undefined) return undefined;
      if (ends.has(`${cursor.direction} ${cursor.id}`)) return [];
      const [which, end] = cursor.direction === 'after' ? ['last', page.items.at(-1)] : ['first', page.items[0]];
      const at = page.items.findIndex((it) => it.id === cursor.id) + 1;
      return [
        {
          request: requestOf(request),
          expected: `${cursor.direction}=${end?.id ?? ''}, the ${which} item of ${placeOf(page)}`,
          actual: `${cursor.direction}=${cursor.id}, item ${String(at)} of ${String(page.items.length)} on that page: an error of the client, not of the server`,
        },
      ];
    },
  );
}

interface Pair {
  readonly page: CapturedPage;
  readonly pair: readonly [Item, Item];
}

/** @returns the items that stand next to one another: in pages, and between a page and its cursor. */
function pairsOf(list: CapturedList): readonly Pair[] {
  const nextTo = ({ items, cursor }: CapturedPage): Item | undefined =>
    cursor?.direction === 'before' ? items.at(-1) : items[0];
  // har.repeated reports an item that was returned before.
  const repeated = new Set<CapturedPage>();
  visitChains(list, ({ page }, given) => {
    if (given.has(nextTo(page)?.id ?? '')) repeated.add(page);
  });
  return list.pages.flatMap((page) => {
    const at = cursorItemOf(list, page);
    const next = nextTo(page);
    const pairs = adjacent(page.items).filter(([a, b]) => a.id !== b.id);
    if (at !== undefined && next !== undefined && at.id !== next.id && !repeated.has(page))
      pairs.push(page.cursor?.direction === 'before' ? [next, at] : [at, next]);
    return pairs.map((pair) => ({ page, pair }));
  });
}

/** @returns a rule of lists for captured pages, with its id and title. */
function orderRule(
  id: string,
  isOfPair: (a: Item, b: Item) => boolean,
  isRight: (a: Item, b: Item) => boolean,
  needs: string,
): HarRule {
  return {
    id,
    title: LIST_RULES.find((it) => it.id === id)?.title ?? id,
    needs,
    check: (list) =>
      checkEach(
        pairsOf(list).filter(({ pair: [a, b] }) => isOfPair(a, b)),
        ({ page, pair: [a, b] }) => {
          if (isRight(a, b)) return [];
          const difference = `${named(b)} sorts before it`;
          return [
            {
              request: requestOf(page),
              expected: `an item that sorts after ${named(a)}`,
              actual: named(b),
              difference,
            },
          ];
        },
      ),
  };
}

export const HAR_RULES: readonly HarRule[] = [
  orderRule(
    'list.order',
    () => true,
    (a, b) => instant(a) >= instant(b),
    'the file has no two adjacent items',
  ),
  orderRule(
    'list.ties',
    (a, b) => instant(a) === instant(b),
    (a, b) => a.id > b.id,
    'the file has no two adjacent items with the same created_at',
  ),
  {
    id: 'har.limit',
    title: 'a page has no more items than its limit or the default limit',
    needs: 'the file has no pages',
    check: ({ pages }) =>
      checkEach(pages, ({ limit, items, ...page }) => {
        if (limit === undefined) return undefined;
        if (items.length <= limit) return [];
        const request = page.captured.exchange.request;
        return [{ request, expected: `at most ${String(limit)} items`, actual: `${String(items.length)} items` }];
      }),
  },
  {
    id: 'har.filter',
    title: 'a page with a filter contains only items with that value',
    needs: 'the file has no pages with a filter',
    check: (list) =>
      checkEach(
        list.pages.filter((it) => it.filter !== undefined),
        (page) => {
          const wrong = page.items.find((it) => !list.matches(it, page));
          const name = list.filterName ?? '';
          if (wrong === undefined) return [];
          const expected = `items with ${name} ${String(page.filter)}`;
          return [{ request: requestOf(page), expected, actual: `${wrong.id} with ${name} ${String(wrong[name])}` }];
        },
      ),
  },
  {
    id: 'har.skipped',
    title: 'a page omits no item that belongs there according to other exchanges',
    needs: 'no item appears unchanged both before and after a page of its list',
    check: (list) => checkEach(list.pages, (page) => skippedIn(list, page)),
  },
  {
    id: 'har.ended_early',
    title: 'no item follows an empty page or has_more false, according to other exchanges',
    needs: 'no page ends a list whose items appear unchanged both before and after it',
    check: (list) => checkEach(list.pages.filter(isEnd), (page) => endedEarlyIn(list, page)),
  },
  {
    id: 'har.repeated',
    title: 'no item is returned twice, on one page or on consecutive pages',
    needs: 'no page follows another one, or its cursor does not appear again afterwards',
    check: checkRepeated,
  },
  {
    id: 'har.cursor',
    title: 'a client continues with the last item of a page (after) or the first one (before)',
    needs: 'no request has an item of a page in the file as its cursor',
    check: checkCursors,
  },
];
