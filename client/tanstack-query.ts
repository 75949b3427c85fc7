/**
 * Options for TanStack Query's infinite queries. It depends on no version of TanStack Query: they are a plain object.
 *
 *     const list = useInfiniteQuery(infiniteList(client, 'automations', { status: 'enabled' }));
 */
import type { Collections } from '../generated/models.ts';
import type { RollcallClient } from './client.ts';
import type { CollectionName, ListOptions } from './collections.ts';
import type { Cursor, Envelope } from './list.ts';

/** A page as a query keeps it: plain data, which can be compared, stored and sent to a browser. */
export type QueryPage<Name extends CollectionName> = Envelope<Collections[Name]['list']['item']>;

/** What of the options of a list makes sense for a query; `limit`, its filters, and a cursor to begin at. */
export type InfiniteListOptions<Name extends CollectionName> = Omit<
  ListOptions<Name>,
  'signal' | 'max' | keyof Cursor
> &
  Cursor & {
    /** Names the account in the query key, where one QueryClient has the data of several. */
    readonly account?: string | undefined;
  };

export interface InfiniteList<Name extends CollectionName> {
  readonly queryKey: readonly ['rollcall', Name, object];
  readonly queryFn: (context: { readonly pageParam: Cursor; readonly signal: AbortSignal }) => Promise<QueryPage<Name>>;
  readonly initialPageParam: Cursor;
  /** Older items. */
  readonly getNextPageParam: PageParam<Name>;
  /** Newer items. */
  readonly getPreviousPageParam: PageParam<Name>;
  /** The client has tried again what can be tried again. */
  readonly retry: false;
}
type PageParam<Name extends CollectionName> = (
  page: QueryPage<Name>,
  pages: QueryPage<Name>[],
  pageParam: Cursor,
) => Cursor | undefined;

/**
 * @param name the collection, such as `automations`.
 * @returns options for `useInfiniteQuery` and its siblings: the next page is of older items, the previous one of newer items.
 */
export function infiniteList<Name extends CollectionName>(
  client: RollcallClient,
  name: Name,
  options: InfiniteListOptions<Name> = {} as InfiniteListOptions<Name>, // All of it is optional.
): InfiniteList<Name> {
  const { account, after, before, timeoutMs, retry, headers, ...query } = options;
  // As the type has it; TypeScript cannot follow the name through it.
  const list = client[name].list as unknown as (options: object) => Promise<QueryPage<Name>>;
  return {
    queryKey: ['rollcall', name, { account, after, before, ...query }],
    queryFn: async ({ pageParam, signal }) => {
      const { object, has_more, data } = await list({ ...query, timeoutMs, retry, headers, ...pageParam, signal });
      return { object, has_more, data };
    },
    initialPageParam: before !== undefined ? { before } : after !== undefined ? { after } : {},
    // `has_more` speaks of the direction of travel. The other side is where the page was reached from.
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
