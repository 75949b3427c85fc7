/** What a mutant is, and what several do to requests and answers. */
import type { Ask, Change, Item, Reply, ReplyChange, Scene } from './proxy.ts';

export interface Mutant extends Change {
  /** The fault, as a sentence. */
  readonly name: string;
  /** The rule that must be named first. */
  readonly rule: string;
}

type Edit<T> = (value: T, ask: Ask, scene: Scene) => unknown;

/** The lists of the contract. */
export const LISTS = ['/automations', '/contact-properties', '/contacts/imports'] as const;
export const [AUTOMATIONS, PROPERTIES, IMPORTS] = LISTS;
const LOOKUP = /^\/+contacts\/imports\/[0-9a-f-]{36}$/i;

export const isList = ({ path }: Ask): boolean => (LISTS as readonly string[]).includes(path.replace(/^\/+/, '/'));
export const isLookup = ({ path }: Ask): boolean => LOOKUP.test(path);
export const isCursor = ({ query }: Ask): boolean => query.has('after') || query.has('before');
export const hasKey = ({ headers }: Ask, { keys }: Scene): boolean =>
  keys.some((key) => headers['authorization'] === `Bearer ${key}`);

/** Changes the JSON of answers with a body of some status. */
export const inBody =
  (status: number, change: Edit<Record<string, unknown>>): ReplyChange =>
  (reply, ask, scene) => {
    if (reply.status !== status || ask.method === 'HEAD') return;
    const body = JSON.parse(reply.body) as Record<string, unknown>;
    change(body, ask, scene);
    reply.body = JSON.stringify(body);
  };

/** Changes what lists answer with 200. */
export const inList = (change: Edit<{ data: Item[]; has_more: boolean } & Record<string, unknown>>): ReplyChange =>
  inBody(200, (body, ask, scene) => {
    if (isList(ask)) change(body as Parameters<typeof change>[0], ask, scene); // A page of the server's.
  });

/** Changes every item, in lists and lookups alike. */
export const inItems = (change: Edit<Item>): ReplyChange =>
  inBody(200, (body, ask, scene) => {
    const items = isList(ask) ? (body['data'] as Item[]) : isLookup(ask) ? [body as Item] : [];
    for (const item of items) change(item, ask, scene);
  });

/** Changes answers of some status in place. */
export const on =
  (status: number, change: Edit<Reply>): ReplyChange =>
  (reply, ask, scene) => {
    if (reply.status === status) change(reply, ask, scene);
  };

/** Answers with what another request is answered with. */
export const become = async (reply: Reply, other: Promise<Reply>): Promise<void> => {
  Object.assign(reply, await other);
};

/** Makes an answer one of an error. */
export function problem(status: number, name: string, message = 'No.'): Reply {
  const headers = {
    ...{ 'content-type': 'application/json', 'content-length': '0', 'x-request-id': 'mutant' },
    ...{ 'cache-control': 'private, no-cache', vary: 'Authorization' },
  };
  return { status, headers, body: JSON.stringify({ statusCode: status, name, message }) };
}

/** @returns the target of a request, with other parameters in its query. */
export function targetOf({ path, query }: Ask, change: (query: URLSearchParams) => void): string {
  const copy = new URLSearchParams(query);
  change(copy);
  return copy.size === 0 ? path : `${path}?${copy.toString()}`;
}
