/** A reader that is told the way: what a list is read with to see that the list itself is right. */
import type { Way } from '../../../../audit/lists/profile.ts';
import { listOf } from './server.ts';
import type { Hooks, Reply, Shape } from './server.ts';

const MOST_PAGES = 260;

/** @returns the value of a path, such as `a.b`, `links[rel=next].href` or `"a.b"`. */
export function valueOf(body: unknown, path: string): unknown {
  let value = body;
  for (const [, quoted, array, name, wanted, plain] of path.matchAll(/"([^"]+)"|([^.[\]]+)\[(\w+)=(\w+)\]|([^.]+)/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const object = value as Readonly<Record<string, unknown>>; // Of JSON, whose arrays have properties, too.
    value = object[quoted ?? array ?? plain ?? ''];
    if (array !== undefined)
      value = (value as readonly Record<string, unknown>[]).find((it) => it[name ?? ''] === wanted); // As the shape has it.
  }
  return value;
}

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
  const { items: itemsPath, id, next, base } = shape.right;
  const [way] = next;
  const first = new URL(shape.path, 'http://list');
  if (size !== undefined && shape.size.param !== undefined) first.searchParams.set(shape.size.param, String(size));
  if (from !== undefined && shape.at.param !== '') first.searchParams.set(shape.at.param, from);
  else if (from !== undefined) first.pathname = `${shape.at.path ?? ''}${from}`;
  const headers = Object.fromEntries(Object.entries(shape.headers ?? {}).map(([name, it]) => [name.toLowerCase(), it]));
  const ids: unknown[] = [];
  let url: URL | undefined = first;
  for (let requests = 1; requests <= MOST_PAGES; requests += 1) {
    const reply = list(url, headers);
    const isEnd = reply.status === shape.at.beyond && ('page' in way || 'offset' in way) && ids.length > 0;
    if (isEnd) return { ids, requests, wrong: undefined };
    if (reply.status >= 400) return { ids, requests, wrong: reply };
    const items = (valueOf(reply.body, itemsPath) ?? []) as readonly unknown[]; // As the shape has it.
    ids.push(...items.map((it) => valueOf(it, id)));
    const read = { items, lastId: valueOf(items.at(-1), id), count: ids.length, requests };
    url = following(way, reply, {
      ...read,
      url,
      first,
      base: base === undefined ? '' : String(valueOf(reply.body, base)),
    });
    if (url === undefined) return { ids, requests, wrong: undefined };
  }
  return { ids, requests: MOST_PAGES, wrong: 'endless' };
}

interface State {
  readonly url: URL;
  readonly first: URL;
  readonly base: string;
  readonly items: readonly unknown[];
  readonly lastId: unknown;
  readonly count: number;
  readonly requests: number;
}

function following(
  way: Way,
  { body, headers = {} }: Reply,
  { url, first, items, lastId, ...so }: State,
): URL | undefined {
  if (way.more !== undefined && valueOf(body, way.more) !== true) return undefined;
  const to = (name: string, value: unknown): URL | undefined => {
    const next = new URL(first);
    next.searchParams.set(name, String(value));
    return next.href === url.href ? undefined : next;
  };
  const isText = (value: unknown): value is string | number => value !== '' && value !== null && value !== undefined;
  if ('link' in way) {
    const link = headers['link']?.split(', ').find((it) => it.includes(`rel="${way.link}"`));
    if (link === undefined || (way.until !== undefined && link.includes(way.until))) return undefined;
    return new URL(link.slice(1, link.indexOf('>')), url);
  }
  if ('url' in way) {
    const link = valueOf(body, way.url);
    return isText(link) ? new URL(so.base + String(link), url) : undefined;
  }
  if ('token' in way) {
    const token = valueOf(body, way.from);
    return isText(token) ? to(way.token, token) : undefined;
  }
  if (items.length === 0) return undefined;
  if ('id' in way) return to(way.id, lastId);
  if ('page' in way) return to(way.page, so.requests + (way.first ?? 1));
  if ('offset' in way) return to(way.offset, so.count + (way.first ?? 0));
  throw new RangeError('no shape has this way');
}
