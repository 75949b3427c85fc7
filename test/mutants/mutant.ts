/** What a mutant is, and changes of requests and responses that several make. */
import type { InterceptedRequest, Change, Item, Reply, ReplyChange, Context } from './proxy.ts';

export interface Mutant extends Change {
  /** The fault, as a sentence. */
  readonly name: string;
  /** The rule that must be named first. */
  readonly rule: string;
}

type Edit<T> = (value: T, request: InterceptedRequest, context: Context) => unknown;

/** The lists of the contract. */
export const LISTS = ['/automations', '/contact-properties', '/contacts/imports'] as const;
export const [AUTOMATIONS, PROPERTIES, IMPORTS] = LISTS;
const GET_BY_ID = /^\/+contacts\/imports\/[0-9a-f-]{36}$/i;

export const isList = ({ path }: InterceptedRequest): boolean =>
  (LISTS as readonly string[]).includes(path.replace(/^\/+/, '/'));
export const isGetById = ({ path }: InterceptedRequest): boolean => GET_BY_ID.test(path);
export const isCursor = ({ query }: InterceptedRequest): boolean => query.has('after') || query.has('before');
export const hasKey = ({ headers }: InterceptedRequest, { keys }: Context): boolean =>
  keys.some((key) => headers['authorization'] === `Bearer ${key}`);

/** Changes the JSON of responses of a status that have a body. */
export const inBody =
  (status: number, change: Edit<Record<string, unknown>>): ReplyChange =>
  (reply, request, context) => {
    if (reply.status !== status || request.method === 'HEAD') return;
    const body = JSON.parse(reply.body) as Record<string, unknown>;
    change(body, request, context);
    reply.body = JSON.stringify(body);
  };

/** Changes the 200 responses of lists. */
export const inList = (change: Edit<{ data: Item[]; has_more: boolean } & Record<string, unknown>>): ReplyChange =>
  inBody(200, (body, request, context) => {
    if (isList(request)) change(body as Parameters<typeof change>[0], request, context); // A page of the server's.
  });

/** Changes every record, in lists and alone. */
export const inItems = (change: Edit<Item>): ReplyChange =>
  inBody(200, (body, request, context) => {
    const items = isList(request) ? (body['data'] as Item[]) : isGetById(request) ? [body as Item] : [];
    for (const item of items) change(item, request, context);
  });

/** Changes responses of a status in place. */
export const on =
  (status: number, change: Edit<Reply>): ReplyChange =>
  (reply, request, context) => {
    if (reply.status === status) change(reply, request, context);
  };

/** Replaces a response by that of another request. */
export const become = async (reply: Reply, other: Promise<Reply>): Promise<void> => {
  Object.assign(reply, await other);
};

/** @returns an error response. */
export function problem(status: number, name: string, message = 'No.'): Reply {
  const headers = {
    ...{ 'content-type': 'application/json', 'content-length': '0', 'x-request-id': 'mutant' },
    ...{ 'cache-control': 'private, no-cache', vary: 'Authorization' },
  };
  return { status, headers, body: JSON.stringify({ statusCode: status, name, message }) };
}

/** @returns the target of a request, with other parameters in its query. */
export function targetOf({ path, query }: InterceptedRequest, change: (query: URLSearchParams) => void): string {
  const copy = new URLSearchParams(query);
  change(copy);
  return copy.size === 0 ? path : `${path}?${copy.toString()}`;
}
