/** Walks a list from its newest item on: what other rules take for the records of the account. */
import { counted } from '../contract/wording.ts';
import { Failure, Skipped, assertThat } from './assertions.ts';
import { canonical, difference, idsOf } from './items.ts';
import type { Page, Query } from './items.ts';

/** A list that can be asked for its pages. */
interface Listed {
  readonly limits: { readonly min: number; readonly max: number };
  readonly page: (query: Query) => Promise<Page>;
}

// Enough for ties and many pages, and still a small load.
const MAX_ITEMS = 1000;
// How many pages of the greatest limit these are.
const MAX_GLANCES = 10;

/**
 * @returns the pages of a list, as large as they may be, up to a bounded number of items.
 * @throws Failure if an item comes twice, or if pages that end at other items do not hold the same.
 */
export async function walkTwice(list: Listed): Promise<readonly Page[]> {
  const { min, max } = list.limits;
  const pages = await walk(list, max);
  const items = pages.flatMap((it) => it.items);
  if (pages.length === 1) return pages;

  let at = 0;
  for (const { exchange, items: others } of await walk(list, Math.max(min, max - 1))) {
    // Where one of the walks has gone on and the other has not yet come to its bound, there is nothing to compare.
    const expected = items.slice(at, at + others.length);
    const wrong = difference(expected, others.slice(0, items.length - at));
    assertThat(exchange, wrong === undefined, `the items of the pages of ${String(max)}: ${idsOf(expected)}`, wrong);
    at += others.length;
  }
  return pages;
}

/** @returns the items that a list gives, whether or not they are as they should be, as text to compare. */
export async function glance(list: Listed): Promise<string> {
  const pages: string[] = [];
  try {
    for (let query: Query = { limit: list.limits.max }; pages.length < MAX_GLANCES;) {
      const { items, hasMore } = await list.page(query);
      pages.push(canonical(items));
      const last = items.at(-1);
      if (!hasMore || last === undefined) break;
      query = { ...query, after: last.id };
    }
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Skipped)) throw error;
    pages.push(error.message);
  }
  return pages.join('\n');
}

// A page of no items ends it, whatever it says of more: another rule is about that.
async function walk(list: Listed, limit: number): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const seen = new Set<string>();
  for (let query: Query = { limit }; ;) {
    const page = await list.page(query);
    const { exchange, items, hasMore } = page;
    assertThat(exchange, items.length <= limit, `at most ${counted(limit, 'items')}`, counted(items.length, 'items'));
    for (const { id } of items) {
      assertThat(exchange, !seen.has(id), 'items not seen before', `${id} again`);
      seen.add(id);
    }
    pages.push(page);
    const last = items.at(-1);
    if (!hasMore || last === undefined || seen.size >= MAX_ITEMS) return pages;
    query = { limit, after: last.id };
  }
}
