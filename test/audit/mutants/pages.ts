/** Changes of pages and of the requests for them that several faults of lists make. */
import { toMicroseconds } from '../../../contract/timestamp.ts';
import {
  LISTS,
  PROPERTIES,
  becomes,
  inPage,
  inRequest,
  isCursor,
  isList,
  only,
  cursorOf,
  emptyPage,
  reads,
} from './mutant.ts';
import type { Asked, Page } from './mutant.ts';
import type { Change, Context, InterceptedRequest, Item, Reply } from './proxy.ts';

export type PageOf = (asked: Asked, page: Page) => readonly Item[];
export type Has = (asked: Asked, page: Page) => boolean;

/** Puts other items into pages, at most as many as the limit. */
export const pages = (isSo: (asked: Asked) => boolean, data: PageOf): Change =>
  inPage((page, it) => {
    if (isSo(it)) page.data = data(it, page).slice(0, it.limit);
  });
/** Puts another `has_more` into pages. */
export const more = (isSo: Has, has: Has): Change =>
  inPage((page, it) => {
    if (isSo(it, page)) page.has_more = has(it, page);
  });
/** Puts another parameter into requests, or removes one. */
const sets = (isSo: (request: InterceptedRequest) => boolean, name: string, value?: string): Change =>
  inRequest((request) => {
    if (!isSo(request)) return;
    if (value === undefined) request.query.delete(name);
    else request.query.set(name, value);
  });
export const isParameter = (name: string): boolean => /^(limit|after|before|status)$/.test(name);
/** Drops parameters of some names. */
export const drops = (isSo: (name: string, value: string) => boolean): Change =>
  inRequest(({ query }) => {
    for (const [name, value] of [...query]) if (isSo(name, value)) query.delete(name);
  });
/** Reads a limit that a pattern matches as a number: other numbers are invalid as before. */
export const limits = (pattern: RegExp, as: (value: string) => number): Change =>
  reads('limit', (it) => (pattern.test(it) ? String(as(it)) : it));
/** Reads both cursors as other values, or as none. */
export const cursors = (as: (value: string) => string | undefined): Change => ({
  request: async (...it) => {
    await reads('after', as).request?.(...it);
    await reads('before', as).request?.(...it);
    return undefined;
  },
});
export const defaults = (limit: string, isSo: (request: InterceptedRequest) => boolean): Change =>
  sets((it) => isList(it) && !it.query.has('limit') && isSo(it), 'limit', limit);

export const has = (...names: readonly string[]) => {
  return ({ query }: InterceptedRequest): boolean => names.every((it) => query.has(it));
};
export const isForward = ({ isBackward }: Asked): boolean => !isBackward;
export const isAfter = ({ isBackward, cursor }: Asked): boolean => !isBackward && cursor >= 0;
export const isBefore = ({ isBackward }: Asked): boolean => isBackward;
export const isUnfiltered = ({ status }: Asked): boolean => status === null;
export const isFiltered = ({ status }: Asked): boolean => status !== null;
export const both = (...tests: readonly ((asked: Asked) => boolean)[]) => {
  return (it: Asked): boolean => tests.every((test) => test(it));
};
export const at = ({ items, cursor }: Asked): Item | undefined => items[cursor];
/** The item of the cursor, where there is one. */
export const own = ({ items, cursor }: Asked): readonly Item[] => items.slice(cursor, cursor + 1);
/** The items that are not of the instant of the cursor. */
export const untied = (items: readonly Item[], asked: Asked): readonly Item[] =>
  items.filter((it) => !isTie(it, at(asked)));
export const isFull: Has = ({ limit }, { data }) => data.length === limit;
/** The nearest newer items, in order. */
export const nearest = (items: readonly Item[], limit: number): readonly Item[] =>
  items.slice(Math.max(0, items.length - limit));
/** Loses the items of the instant of the cursor that are before it. */
export const BEFORE_LOSES_TIES = pages(isBefore, (it) => nearest(untied(it.newer, it), it.limit));
export const instantOf = (it: Item): bigint => toMicroseconds(it.created_at) ?? 0n;
export const isTie = (it: Item, other?: Item): boolean => other !== undefined && instantOf(it) === instantOf(other);
export const byTiesAscending = (a: Item, b: Item): number => (isTie(a, b) && a.id > b.id ? 1 : isTie(a, b) ? -1 : 0);
/** Changes each second page of contact properties. */
export const alternating = (edit: (page: Page) => unknown): Change => {
  let count = 0;
  return only(
    PROPERTIES,
    inPage((page) => (count++ % 2 === 1 ? edit(page) : undefined)),
  );
};
export const isForeign = (request: InterceptedRequest, { items }: Context): boolean =>
  LISTS.some((it) => it !== request.path && items(it).some(({ id }) => id === cursorOf(request)));
/** Whether the cursor of a request of a list is not found. */
export const isUnknown = (reply: Reply, request: InterceptedRequest): boolean =>
  reply.status === 404 && isList(request) && isCursor(request);
/** Responds with an empty page where a cursor is not found. */
export const empties = (isSo: (request: InterceptedRequest, context: Context) => boolean): Change =>
  becomes(emptyPage, (reply, ...it) => isUnknown(reply, it[0]) && isSo(...it));
export const isEmptyPage = ({ status, body }: Reply, request: InterceptedRequest): boolean =>
  status === 200 && isList(request) && isCursor(request) && (JSON.parse(body) as Page).data.length === 0;
