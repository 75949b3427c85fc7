/** The next page of a list, for readers that are told the way. */
import { pathOf, valueAt } from '../../audit/lists/json.ts';
import type { Way } from '../../audit/lists/profile.ts';
import { linksOf } from '../../audit/lists/target.ts';

/** A page that was read. */
export interface ReadPage {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly items: readonly unknown[];
  /** The id of its last item. */
  readonly lastId: unknown;
}

const text = (header: string | string[] | undefined): string | undefined =>
  header === undefined || header === '' ? undefined : String(header);
const isText = (value: unknown): value is string | number =>
  value !== null && value !== undefined && value !== '' && value !== false;

/** @returns the URL that a page leads to; `undefined` at the end. */
export function nextOf(way: Way, url: string, { body, headers, items, lastId }: ReadPage): string | undefined {
  const to = new URL(url);
  const at = (path: string): unknown => valueAt(body, pathOf(path));
  const set = (name: string, value: unknown): string => {
    to.searchParams.set(name, String(value));
    return to.href;
  };
  if (way.more !== undefined && at(way.more) !== true) return undefined;
  if ('url' in way) {
    const link = at(way.url);
    const base = way.base === undefined || !String(link).startsWith('/') ? '' : String(at(way.base));
    return isText(link) ? new URL(base + String(link), url).href : undefined;
  }
  if ('header' in way) {
    const link = text(headers[way.header]);
    return link && new URL(link, url).href;
  }
  if ('link' in way) {
    const found = linksOf(text(headers['link'])).get(way.link);
    const isEnd = found === undefined || (way.until !== undefined && found.attributes.includes(way.until));
    return isEnd ? undefined : new URL(found.url, url).href;
  }
  if ('token' in way) {
    const token = at(way.from);
    const end = way.end === 'same' ? to.searchParams.get(way.token) : way.end;
    return isText(token) && token !== end ? set(way.token, token) : undefined;
  }
  if ('tokens' in way) {
    const all = Object.entries(way.tokens).map(([name, from]) => [name, at(from)] as const);
    if (!all.some(([, token]) => isText(token))) return undefined;
    for (const [name, token] of all)
      if (isText(token)) set(name, token);
      else to.searchParams.delete(name);
    return to.href;
  }
  if (items.length === 0) return undefined;
  const number = (name: string, first: number): number => Number(to.searchParams.get(name) ?? first);
  if ('id' in way) return set(way.id, lastId);
  if ('page' in way) return set(way.page, number(way.page, way.first ?? 1) + 1);
  return set(way.offset, number(way.offset, way.first ?? 0) + items.length);
}
