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

export interface InfiniteList<Name extends CollectionName> {
  readonly queryKey: readonly ['rollcall', Name, object];
  readonly queryFn: (context: { readonly pageParam: Cursor; readonly signal: AbortSignal }) => Promise<QueryPage<Name>>;
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
    queryFn: async ({ pageParam, signal }) => {
      const { object, has_more, data } = await list({ ...query, timeoutMs, retry, headers, ...pageParam, signal });
      return { object, has_more, data };
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
