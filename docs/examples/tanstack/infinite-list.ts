/**
 * An infinite list with TanStack Query 5, in both directions and from any start. The next page has older items, and the previous page
 * has newer items. Keys and pages are plain JSON: you can persist them, and pass them on as props of a Next.js page. Unchanged items
 * keep their identity after a refetch. Copy this file, and replace the collection and its options.
 */
import { InfiniteQueryObserver, QueryClient } from '@tanstack/query-core';
import { createClient } from '@rollcall/client';
import type { Cursor } from '@rollcall/client';

const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'rollcall_…' });
const query = { status: 'enabled', limit: 2 } as const;
const start: Cursor = {}; // Or `{ after: id }` or `{ before: id }`, to start in the middle of the list.
// Next.js rejects members that are undefined in the props of a page.
const withoutAbsent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const queries = new QueryClient();
// In React: const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({
const list = new InfiniteQueryObserver(queries, {
  queryKey: ['automations', withoutAbsent({ ...query, ...start })],
  queryFn: async ({ pageParam, signal }) => {
    const { data, has_more } = await client.automations.list({ ...query, ...pageParam, signal });
    return { data, has_more }; // Plain data, without the methods and the response.
  },
  initialPageParam: withoutAbsent(start),
  // `has_more` is true if there are more items in the direction of the request. In the other one, there is always the item at the cursor.
  getNextPageParam: ({ data, has_more }, _pages, { before }): Cursor | undefined => {
    const oldest = data.at(-1)?.id;
    return oldest !== undefined && (has_more || before !== undefined) ? { after: oldest } : undefined;
  },
  getPreviousPageParam: ({ data, has_more }, _pages, { after, before }): Cursor | undefined => {
    const newest = data[0]?.id;
    return newest !== undefined && (before === undefined ? after !== undefined : has_more)
      ? { before: newest }
      : undefined;
  },
  retry: false,
});
await list.fetchNextPage();
const { data, hasNextPage } = await list.fetchNextPage();
console.log(
  data?.pages.map((page) => page.data.length),
  hasNextPage,
); // [ 2, 2 ] true
