/**
 * Options for queries of TanStack Query 5. They are plain objects, so this module does not depend on TanStack Query.
 *
 *     const list = useInfiniteQuery(infiniteList(client, 'automations', { status: 'enabled' }));
 *     const detail = useQuery(contactImportUntilEnded(client, id));
 */
import type { Collections, ContactImport } from '../generated/models.ts';
import type { RollcallClient } from './client.ts';
import type { CollectionName, ListOptions } from './collections.ts';
import type { CallOptions } from './fetch.ts';
import type { Cursor, Envelope } from './list.ts';

/** A page as a query caches it: plain data, which can be compared, stored and sent to a browser. */
export type QueryPage<Name extends CollectionName> = Envelope<Collections[Name]['list']['item']>;

/** The list options that apply to a query: `limit`, the filters, and a cursor to start from. */
export type InfiniteListOptions<Name extends CollectionName> = Omit<
  ListOptions<Name>,
  'signal' | 'max' | keyof Cursor
> &
  Cursor &
  AccountOption;

interface AccountOption {
  /** Identifies the account in the query key, for a QueryClient with data of several accounts. */
  readonly account?: string | undefined;
}

/** As TanStack Query passes it. */
interface QueryContext {
  readonly pageParam: Cursor;
  readonly signal: AbortSignal;
  readonly queryKey?: readonly unknown[];
  /** Since TanStack Query 5.66. */
  readonly client?: { getQueryData(queryKey: readonly unknown[]): unknown };
}

export interface InfiniteList<Name extends CollectionName> {
  readonly queryKey: readonly ['rollcall', Name, object];
  readonly queryFn: (context: QueryContext) => Promise<QueryPage<Name>>;
  readonly initialPageParam: Cursor;
  /** Older items. */
  readonly getNextPageParam: PageParam<Name>;
  /** Newer items. */
  readonly getPreviousPageParam: PageParam<Name>;
  /** The client itself retries. */
  readonly retry: false;
}
type PageParam<Name extends CollectionName> = (
  page: QueryPage<Name>,
  pages: QueryPage<Name>[],
  pageParam: Cursor,
) => Cursor | undefined;

/**
 * @param name the collection, such as `automations`.
 * @returns options for `useInfiniteQuery` and its variants: the next page has older items, the previous page newer items.
 *   If the item at a cursor has been removed, they continue from its neighbour in the cache.
 */
export function infiniteList<Name extends CollectionName>(
  client: RollcallClient,
  name: Name,
  options: InfiniteListOptions<Name> = {} as InfiniteListOptions<Name>, // All options are optional.
): InfiniteList<Name> {
  const { account, after, before, timeoutMs, retry, headers, ...query } = options;
  // Matches the type of `client[name]`, which TypeScript cannot resolve for a generic name.
  const list = client[name].list as unknown as (options: object) => Promise<QueryPage<Name>>;
  return {
    queryKey: ['rollcall', name, { account, after, before, ...query }],
    queryFn: async ({ pageParam, signal, queryKey = [], client: queries }) => {
      const load: Load<Name> = async (cursor, limit = query.limit) => {
        const { object, has_more, data } = await list({
          ...query,
          timeoutMs,
          retry,
          headers,
          ...cursor,
          limit,
          signal,
        });
        return { object, has_more, data };
      };
      return load(pageParam).catch(async (error: unknown) => {
        const cached = queries?.getQueryData(queryKey) as Cached<Name> | undefined; // As this function returns pages.
        const page = isGone(error) && cached !== undefined ? await loadNeighbour(load, pageParam, cached) : undefined;
        if (page === undefined) throw error;
        return page;
      });
    },
    initialPageParam: before !== undefined ? { before } : after !== undefined ? { after } : {},
    // `has_more` describes the direction of travel. The other direction has items if a cursor led to this page.
    getNextPageParam: ({ data, has_more }, _pages, from) => {
      const oldest = data.at(-1)?.id;
      return oldest !== undefined && (has_more || from.before !== undefined) ? { after: oldest } : undefined;
    },
    getPreviousPageParam: ({ data, has_more }, _pages, from) => {
      const newest = data[0]?.id;
      const hasNewer = from.before === undefined ? from.after !== undefined : has_more;
      return newest !== undefined && hasNewer ? { before: newest } : undefined;
    },
    retry: false,
  };
}

type Load<Name extends CollectionName> = (cursor: Cursor, limit?: number) => Promise<QueryPage<Name>>;

interface Cached<Name extends CollectionName> {
  /** From newer to older. */
  readonly pages: readonly QueryPage<Name>[];
  readonly pageParams: readonly Cursor[];
}

/** By its name, because this module and the client are two builds. */
const isGone = (error: unknown): boolean => (error as Error).name === 'not_found';

/** @returns the page at a cursor whose item has been removed; `undefined` if its neighbours have been removed too. */
async function loadNeighbour<Name extends CollectionName>(
  load: Load<Name>,
  { after, before }: Cursor,
  { pages, pageParams }: Cached<Name>,
): Promise<QueryPage<Name> | undefined> {
  const unlessGone = (error: unknown): undefined => {
    if (!isGone(error)) throw error;
  };
  const idsFrom = (at: number): string[] => pages.slice(at).flatMap(({ data }) => data.map((it) => it.id));
  const ids = idsFrom(0);
  const at = ids.indexOf(after ?? before ?? '');
  if (at >= 0) {
    const passed = after === undefined ? ids.slice(at + 1) : ids.slice(0, at).reverse();
    const cursors: Cursor[] = passed.map((id) => (after === undefined ? { before: id } : { after: id }));
    const start = after === undefined ? pageParams.at(-1) : pageParams[0];
    if (start !== undefined && (start.before === undefined) === (after !== undefined)) cursors.push(start);
    for (const cursor of cursors) {
      const page = await load(cursor).catch(unlessGone);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  // The list started at this item and does not show it: it starts again at what it shows, after the item before that.
  const start = pageParams.findIndex((it) => (it.after ?? it.before) === (after ?? before));
  for (const id of start < 0 ? [] : idsFrom(start)) {
    const newer = await load({ before: id }, 1).catch(unlessGone);
    if (newer === undefined) continue;
    const next = newer.data[0];
    const page = await load(next === undefined ? {} : { after: next.id });
    return before === undefined ? page : { ...page, has_more: next !== undefined };
  }
  return undefined;
}

export interface PollOptions extends Omit<CallOptions, 'signal'>, AccountOption {
  /** The pause between two requests, in milliseconds. Default: 2000. */
  readonly pollMs?: number | undefined;
}

export interface ContactImportUntilEnded {
  readonly queryKey: readonly ['rollcall', 'contactImports', string, object];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<ContactImport>;
  /** `false` when the import has ended, and after an error. */
  readonly refetchInterval: (query: {
    readonly state: { readonly data: ContactImport | undefined; readonly status: string };
  }) => number | false;
  /** The client itself retries. */
  readonly retry: false;
}

const DEFAULT_POLL_MS = 2000;

/**
 * @param id the id of a contact import.
 * @returns options for `useQuery` and its variants: the query refetches the import until its status is `completed` or
 *   `failed`. It also stops at an error, because the client has already retried; a successful refetch resumes it.
 */
export function contactImportUntilEnded(
  client: RollcallClient,
  id: string,
  { account, pollMs = DEFAULT_POLL_MS, ...options }: PollOptions = {},
): ContactImportUntilEnded {
  return {
    queryKey: ['rollcall', 'contactImports', id, { account }],
    queryFn: ({ signal }) => client.contactImports.get(id, { ...options, signal }),
    refetchInterval: ({ state: { data, status } }) => {
      const hasEnded = data?.status === 'completed' || data?.status === 'failed';
      return hasEnded || status === 'error' ? false : pollMs;
    },
    retry: false,
  };
}
