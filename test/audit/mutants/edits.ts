/** Changes that faults of paths, headers, keys, replicas and errors share. */
import { createHash } from 'node:crypto';
import { pageOf } from '../conform/pages.ts';
import { IMPORTS, inRequest, isList, problem, targetOf, isSecond } from './mutant.ts';
import type { Change, Context, InterceptedRequest, Item, Reply } from './proxy.ts';

export const opaque = (tag = ''): string => tag.replace(/^W\//, '');
export const toNotModified = (reply: Reply): unknown => Object.assign(reply, { status: 304, body: '' });
/** The place of the account whose key a request has. */
export const accountOf = ({ headers }: InterceptedRequest, { keys }: Context): 0 | 1 | undefined =>
  headers['authorization'] === `Bearer ${keys[0]}`
    ? 0
    : headers['authorization'] === `Bearer ${keys[1]}`
      ? 1
      : undefined;
export const otherOf = (request: InterceptedRequest, context: Context): 0 | 1 => (isSecond(request, context) ? 0 : 1);

/** Changes the path of requests. */
export const paths = (change: (path: string) => string): Change => inRequest((it) => (it.path = change(it.path)));
/** Changes what a path has in the place of an import's id. */
export const ids = (change: (id: string) => string): Change =>
  paths((path) => (path.startsWith(`${IMPORTS}/`) ? `${IMPORTS}/${change(path.slice(IMPORTS.length + 1))}` : path));
/** @returns what a path has in the place of an import's id, unescaped where it can be. */
export function idOf({ path }: InterceptedRequest): string | undefined {
  if (!path.startsWith(`${IMPORTS}/`)) return undefined;
  const id = path.slice(IMPORTS.length + 1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Ignores a header of requests where it has such a value. */
export const ignores = (name: string, isSo: (value: string, request: InterceptedRequest) => boolean): Change =>
  inRequest((request) => {
    const value = request.headers[name];
    if (value !== undefined && isSo(value, request)) Reflect.deleteProperty(request.headers, name);
  });
/** Takes the key of a request from another place. */
export const authorizes = (keyOf: (request: InterceptedRequest, keys: Context['keys']) => string | undefined): Change =>
  inRequest((request, { keys }) => {
    const key = keyOf(request, keys);
    if (key !== undefined) request.headers['authorization'] = `Bearer ${key}`;
  });
/** Takes the key of a request that has none from a parameter, which is then no unknown one. */
export const fromQuery = (name: string): Change =>
  authorizes(({ query, headers }) => {
    const key = query.get(name);
    if (key === null || 'authorization' in headers) return undefined;
    query.delete(name);
    return key;
  });
/** Gives a response rate-limit headers. */
export function toLimited(
  { headers }: Reply,
  limit = '1000',
  remaining = '999',
  reset = '1',
  policy = '1000;w=1',
): void {
  headers['ratelimit-limit'] = limit;
  headers['ratelimit-remaining'] = remaining;
  headers['ratelimit-reset'] = reset;
  headers['ratelimit-policy'] = policy;
}

/** Puts HTML in the place of a body. */
export function toHtml(reply: Reply): void {
  reply.headers['content-type'] = 'text/html';
  reply.body = `<html><head><title>${String(reply.status)}</title></head><body>nginx</body></html>`;
}

/** @returns the request as the server would have it without its cursor, filter or limit. */
const plain = async (request: InterceptedRequest, context: Context): Promise<Reply> =>
  await context.get(targetOf(request), accountOf(request, context) ?? 0);

type TagOf = (body: string, request: InterceptedRequest, context: Context) => string;
/** Gives 200 responses tags of its own, and heeds `If-None-Match` by them. */
export const tags = (tagOf: TagOf, isKnown?: (tag: string, mine: string) => boolean): Change => ({
  request: (request) => {
    Reflect.deleteProperty(request.headers, 'if-none-match');
    return undefined;
  },
  reply: async (reply, request, context) => {
    if (reply.status !== 200 || !('etag' in reply.headers)) return;
    const { body } = request.method === 'HEAD' ? await plain(request, context) : reply;
    const tag = tagOf(body, request, context);
    reply.headers['etag'] = tag;
    const held = (request.headers['if-none-match'] ?? '').split(/\s*,\s*/).map(opaque);
    if (held.some((it) => (isKnown ? isKnown(it, tag) : it === tag))) toNotModified(reply);
  },
});
export const hash = (text: string): string => `"${createHash('sha1').update(text).digest('base64url')}"`;

interface Page {
  data: Item[];
  has_more: boolean;
}
/** Sends some requests for lists to another replica, which has other items, or has them in another order. */
export function replica(
  itemsOf: (items: readonly Item[], path: string) => readonly Item[],
  isSo: (request: InterceptedRequest, count: number) => boolean,
): Change {
  let count = 0;
  const known = new WeakMap<Context, Map<string, readonly Item[]>>();
  const allOf = async (path: string, account: 0 | 1, context: Context): Promise<readonly Item[]> => {
    const lists = known.get(context) ?? new Map<string, readonly Item[]>();
    known.set(context, lists);
    const name = `${path} ${String(account)}`;
    const items = [...(lists.get(name) ?? [])];
    for (let more = items.length === 0; more;) {
      const last = items.at(-1);
      const { body } = await context.get(`${path}?limit=100${last ? `&after=${last.id}` : ''}`, account);
      const page = JSON.parse(body) as Page;
      items.push(...page.data);
      more = page.has_more;
    }
    lists.set(name, items);
    return items;
  };
  const retagged = tags(hash);
  return {
    request: retagged.request,
    reply: async (reply, request, context) => {
      const account = accountOf(request, context);
      const { query } = request;
      const path = request.path.replace(/^\/+/, '/');
      if (account !== undefined && isList(request) && isSo(request, count++) && [200, 404].includes(reply.status)) {
        const asked = new URLSearchParams({ limit: path === IMPORTS ? '10' : '20', ...Object.fromEntries(query) });
        const page = pageOf(itemsOf(await allOf(path, account, context), path), asked);
        if (page === undefined) Object.assign(reply, problem(404, 'not_found'));
        else if (reply.status === 404) Object.assign(reply, await context.get(path, account));
        if (page !== undefined && reply.status === 200) {
          reply.body = JSON.stringify({ object: 'list', has_more: page.has_more, data: page.data });
          if (request.method === 'HEAD' || request.headers['if-none-match'] !== undefined) {
            reply.headers['etag'] = hash(reply.body);
            if (opaque(request.headers['if-none-match']) === reply.headers['etag']) toNotModified(reply);
            return;
          }
        }
      }
      await retagged.reply?.(reply, request, context);
    },
  };
}
