/** A reader that is told the way: what a list is read with to see that the list itself is right. */
import { pathOf, valueAt } from '../../../../audit/lists/json.ts';
import { nextOf } from '../../next.ts';
import { listOf } from './server.ts';
import type { Hooks, Reply, Shape } from './server.ts';

const MOST_PAGES = 260;

export interface Read {
  readonly ids: readonly unknown[];
  readonly requests: number;
  /** The reply that was no page, or that there are too many pages. */
  readonly wrong: Reply | 'endless' | undefined;
}

interface Asked {
  readonly size?: number | undefined;
  readonly hooks?: Hooks;
  /** The position to begin at. */
  readonly from?: string;
}

/** Reads a list to its end by its own way. */
export function readAll(shape: Shape, { size, hooks = {}, from }: Asked): Read {
  const list = listOf(shape, hooks);
  const { items: itemsPath, id, base } = shape.right;
  const [way] = shape.right.next;
  const first = new URL(shape.path, 'http://list');
  if (size !== undefined && shape.size.param !== undefined) first.searchParams.set(shape.size.param, String(size));
  if (from !== undefined && shape.at.param !== '') first.searchParams.set(shape.at.param, from);
  else if (from !== undefined) first.pathname = `${shape.at.path ?? ''}${from}`;
  const headers = Object.fromEntries(Object.entries(shape.headers ?? {}).map(([name, it]) => [name.toLowerCase(), it]));
  const ids: unknown[] = [];
  let url = first;
  for (let requests = 1; requests <= MOST_PAGES; requests += 1) {
    const reply = list(url, headers);
    const isEnd = reply.status === shape.at.beyond && ('page' in way || 'offset' in way) && ids.length > 0;
    if (isEnd) return { ids, requests, wrong: undefined };
    if (reply.status >= 400) return { ids, requests, wrong: reply };
    const items = (valueAt(reply.body, pathOf(itemsPath)) ?? []) as readonly unknown[]; // As the shape has it.
    const own = items.map((it) => valueAt(it, pathOf(id)));
    ids.push(...own);
    const page = { body: reply.body, headers: reply.headers ?? {}, items, lastId: own.at(-1) };
    const next = nextOf({ ...way, ...(base !== undefined && { base }) }, url.href, page);
    // What a list states on every page leads nowhere else at its end.
    if (next === undefined || next === url.href) return { ids, requests, wrong: undefined };
    url = new URL(next);
  }
  return { ids, requests: MOST_PAGES, wrong: 'endless' };
}
