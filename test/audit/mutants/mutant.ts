/** What a mutant is, and changes of requests and responses that several make. */
import { randomUUID } from 'node:crypto';
import type { InterceptedRequest, Change, Item, Reply, Context } from './proxy.ts';

export interface Mutant extends Change {
  /** The fault, as a sentence. */
  readonly name: string;
  /** The rule that must be named first. */
  readonly rule: string;
}

/** Changes by their names, below the rule that must be named first. */
export type Faults = Readonly<Record<string, Readonly<Record<string, Change>>>>;

export const mutantsOf = (faults: Faults): readonly Mutant[] =>
  Object.entries(faults).flatMap(([rule, changes]) =>
    Object.entries(changes).map(([name, change]) => ({ name, rule, ...change })),
  );

type Edit<T> = (value: T, request: InterceptedRequest, context: Context) => unknown;
type Test<Values extends readonly unknown[]> = (...values: Values) => boolean;

/** The lists of the contract. */
export const LISTS = ['/automations', '/contact-properties', '/contacts/imports'] as const;
export const [AUTOMATIONS, PROPERTIES, IMPORTS] = LISTS;
const GET_BY_ID = /^\/+contacts\/imports\/[0-9a-f-]{36}$/i;

export const isList = ({ path }: { readonly path: string }): boolean =>
  (LISTS as readonly string[]).includes(path.replace(/^\/+/, '/'));
export const isKnownPath = (it: { readonly path: string }): boolean => isList(it) || it.path.startsWith(`${IMPORTS}/`);
export const isGetById = ({ path }: { readonly path: string }): boolean =>
  GET_BY_ID.test(path.replaceAll(/%2d/gi, '-'));
export const isCursor = ({ query }: InterceptedRequest): boolean => query.has('after') || query.has('before');
export const hasKey = ({ headers }: InterceptedRequest, { keys }: Context): boolean =>
  keys.some((key) => headers['authorization'] === `Bearer ${key}`);

/** Changes every request in place. */
export const inRequest = (edit: (request: InterceptedRequest, context: Context) => unknown): Change => ({
  request: (request, context) => {
    edit(request, context);
    return undefined;
  },
});

/** Changes every response in place. */
export const inReply = (reply: Edit<Reply>): Change => ({ reply });

/** Changes responses of a status in place. */
export const on = (status: number, edit: Edit<Reply>): Change =>
  inReply((reply, ...others) => (reply.status === status ? edit(reply, ...others) : undefined));

/** Changes every response with the number of those before it. */
export const counting = (edit: (reply: Reply, count: number) => unknown): Change => {
  let count = 0;
  return inReply((reply) => edit(reply, count++));
};

/** Changes responses to HEAD in place. */
export const onHead = (edit: Edit<Reply>): Change =>
  inReply((reply, request, context) => (request.method === 'HEAD' ? edit(reply, request, context) : undefined));

/** Changes the JSON of responses of a status that have a body. */
export const inBody = (status: number, edit: Edit<Record<string, unknown>>): Change =>
  on(status, (reply, request, context) => {
    if (request.method === 'HEAD') return;
    const body = JSON.parse(reply.body) as Record<string, unknown>;
    edit(body, request, context);
    reply.body = JSON.stringify(body);
  });

/** Changes the 200 responses of lists. */
export const inList = (edit: Edit<{ data: Item[]; has_more: boolean } & Record<string, unknown>>): Change =>
  inBody(200, (body, request, context) => {
    if (isList(request)) edit(body as Parameters<typeof edit>[0], request, context); // A page of the server's.
  });

/** Changes every record, in lists and alone. */
export const inItems = (edit: Edit<Item>): Change =>
  inBody(200, (body, request, context) => {
    const items = isList(request) ? (body['data'] as Item[]) : isGetById(request) ? [body as Item] : [];
    for (const item of items) edit(item, request, context);
  });

/** Writes a property of records in another way. */
export const property = (name: string, as: (value: unknown, item: Item) => unknown): Change =>
  inItems((item) => {
    if (name in item) item[name] = as(item[name], item);
  });
/** Writes every instant of records in another way. */
export const instants = (as: (instant: string) => string): Change =>
  inItems((item) => {
    for (const name of ['created_at', 'updated_at', 'completed_at']) {
      const instant = item[name];
      if (typeof instant === 'string') item[name] = as(instant);
    }
  });
/** Rewrites the text of 200 responses that have a body. */
export const inText = (as: (body: string, request: InterceptedRequest) => string): Change =>
  on(200, (reply, request) => {
    if (reply.body !== '') reply.body = as(reply.body, request);
  });

/** Responds to some requests with an error. */
export const rejects = (status: number, name: string, isSo: Test<[InterceptedRequest, Context]>): Change => ({
  request: (...asked) => (isSo(...asked) ? problem(status, name) : undefined),
});

/** Puts an error in the place of some responses. */
export const fails = (status: number, name: string, isSo: Test<[Reply, InterceptedRequest, Context]>): Change =>
  inReply((reply, ...asked) => {
    if (isSo(reply, ...asked)) Object.assign(reply, problem(status, name));
  });

/** Responds to some requests as to a GET of another target, with the key of an account, by default the first. */
export const becomes = (
  target: (request: InterceptedRequest, context: Context) => string,
  isSo: Test<[Reply, InterceptedRequest, Context]>,
  accountOf: (request: InterceptedRequest, context: Context) => 0 | 1 = () => 0,
): Change =>
  inReply(async (reply, request, context) => {
    if (!isSo(reply, request, context)) return;
    Object.assign(reply, await context.get(target(request, context), accountOf(request, context)));
  });

export const cursorOf = ({ query }: InterceptedRequest): string => query.get('after') ?? query.get('before') ?? '';
/** The target of the empty page behind the last item. */
export const emptyPage = ({ path }: InterceptedRequest, { items }: Context): string =>
  `${path}?after=${items(path).at(-1)?.id ?? ''}`;

/** Reads a parameter, given once, as another value, or as none. */
export const reads = (name: string, as: (value: string) => string | undefined): Change =>
  inRequest(({ query }) => {
    const [value, ...others] = query.getAll(name);
    if (value === undefined || others.length > 0) return;
    const other = as(value);
    if (other === undefined) query.delete(name);
    else query.set(name, other);
  });

/** @returns an error response with the headers that its status has, and a message that names every parameter. */
export function problem(status: number, name: string): Reply {
  const headers = {
    ...{ 'content-type': 'application/json', 'content-length': '0', 'x-request-id': randomUUID() },
    ...{ 'cache-control': 'private, no-cache', vary: 'Authorization' },
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: 'GET, HEAD, OPTIONS' }),
  };
  const message = 'No: `id`, `limit`, `after`, `before`, `status`.';
  return { status, headers, body: JSON.stringify({ statusCode: status, name, message }) };
}

/** @returns the target of a request, without some of its parameters. */
export function targetOf({ path, query }: InterceptedRequest, ...without: readonly string[]): string {
  const copy = new URLSearchParams(query);
  for (const name of without) copy.delete(name);
  return copy.size === 0 ? path : `${path}?${copy.toString()}`;
}
export const withoutCursor = (request: InterceptedRequest): string => targetOf(request, 'after', 'before');

/** Makes a change only where the request is so. */
export const where = (isSo: Test<[InterceptedRequest, Context]>, { request, reply }: Change): Change => ({
  request: (it, context) => (isSo(it, context) ? request?.(it, context) : undefined),
  reply: (it, received, context) => (isSo(received, context) ? reply?.(it, received, context) : undefined),
});
const plain = ({ path }: InterceptedRequest): string => path.replace(/^\/+/, '/');
/** Makes a change only at a path. */
export const only = (path: string, change: Change): Change => where((it) => plain(it) === path, change);

/** What a request of a list asks for, among the items of its account. */
export interface Asked {
  readonly items: readonly Item[];
  /** The items of the status. */
  readonly matching: readonly Item[];
  /** The place of the cursor among all items; -1 without one. */
  readonly cursor: number;
  readonly isBackward: boolean;
  readonly limit: number;
  readonly status: string | null;
  /** Those that match behind the cursor, or all, in order. */
  readonly older: readonly Item[];
  /** Those that match before the cursor, in order. */
  readonly newer: readonly Item[];
}
export interface Page extends Record<string, unknown> {
  data: Item[];
  has_more: boolean;
}

export const isSecond = ({ headers }: InterceptedRequest, { keys }: Context): boolean =>
  headers['authorization']?.endsWith(keys[1]) === true;

/** @returns what the contract makes of a valid request of a list. */
function asked(request: InterceptedRequest, context: Context): Asked {
  const { query } = request;
  const path = plain(request);
  const items = context.items(path, isSecond(request, context) ? 1 : 0);
  const id = (query.get('after') ?? query.get('before'))?.toLowerCase();
  const cursor = items.findIndex((it) => it.id === id);
  const status = query.get('status');
  const isMatching = (it: Item): boolean => status === null || it['status'] === status;
  return {
    items,
    matching: items.filter(isMatching),
    cursor,
    isBackward: query.has('before'),
    limit: Number(query.get('limit') ?? (path === IMPORTS ? 10 : 20)),
    status,
    older: items.slice(cursor + 1).filter(isMatching),
    newer: items.slice(0, Math.max(cursor, 0)).filter(isMatching),
  };
}

/** Changes the pages of the lists in place. */
export const inPage = (
  edit: (page: Page, asked: Asked, request: InterceptedRequest, context: Context) => unknown,
): Change => inList((body, request, context) => edit(body, asked(request, context), request, context));
