/** Finds captured pages that follow one another: the cursor of each is an item of an earlier page. */
import type { CapturedList, CapturedPage } from './har-lists.ts';
import type { Item } from './records.ts';

/** A page, and the earlier page that contains its cursor. */
export interface Link {
  readonly page: CapturedPage;
  readonly parent: CapturedPage;
  /** The index of the cursor in the parent. */
  readonly at: number;
}

/** @returns the links between pages of one direction with the same filter, by the later page. */
function linksOf({ pages }: CapturedList): ReadonlyMap<CapturedPage, Link> {
  const links = new Map<CapturedPage, Link>();
  // The latest page that has an item, by its filter, direction and id.
  const latest = new Map<string, { readonly page: CapturedPage; readonly at: number }>();
  for (const page of pages) {
    const { cursor, filter } = page;
    for (const from of cursor === undefined ? [] : [cursor.direction, 'first']) {
      const found = latest.get(`${String(filter)} ${from} ${cursor?.id ?? ''}`);
      if (found === undefined || found.page.captured.entry.end > page.captured.entry.start || links.has(page)) continue;
      links.set(page, { page, parent: found.page, at: found.at });
    }
    for (const [at, { id }] of page.items.entries())
      latest.set(`${String(filter)} ${cursor?.direction ?? 'first'} ${id}`, { page, at });
  }
  return links;
}

/** Visits the pages of each chain, parents first, with the items that its pages have returned up to the cursor. */
export function visitChains(
  list: CapturedList,
  visit: (link: Link, given: ReadonlyMap<string, readonly [item: Item, place: string]>) => void,
): void {
  const links = linksOf(list);
  const children = Map.groupBy(links.values(), (it) => it.parent);
  const given = new Map<string, readonly [Item, string]>();
  // Without recursion: a chain may have as many pages as the file.
  const steps: (() => void)[] = [];
  const enter = (link: Link): void => {
    const { parent, at, page } = link;
    const passed = page.cursor?.direction === 'before' ? parent.items.slice(at) : parent.items.slice(0, at + 1);
    const added = passed.filter((it) => !given.has(it.id));
    for (const it of added) given.set(it.id, [it, parent.captured.entry.place]);
    visit(link, given);
    steps.push(() => {
      for (const it of added) given.delete(it.id);
    });
    for (const child of children.get(page) ?? [])
      steps.push(() => {
        enter(child);
      });
  };
  for (const root of children.keys()) {
    if (links.has(root)) continue;
    for (const child of children.get(root) ?? [])
      steps.push(() => {
        enter(child);
      });
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) step();
  }
}
