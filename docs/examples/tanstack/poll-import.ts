/**
 * Polls a contact import with TanStack Query 5: it refetches the import every second until it has ended. It stops at an error; the next
 * successful refetch resumes polling. TanStack Query polls only in browsers, not in Node, and pauses in a background tab.
 */
import { QueryClient, QueryObserver } from '@tanstack/query-core';
import { createClient } from '@rollcall/client';

const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'rollcall_…' });
const [latest] = await client.contactImports.list().toArray({ max: 1 });
if (latest === undefined) throw new Error('The account has no contact imports.');

// In React: const { data, error } = useQuery({
const detail = new QueryObserver(new QueryClient(), {
  queryKey: ['contactImports', latest.id],
  queryFn: ({ signal }) => client.contactImports.get(latest.id, { signal }),
  refetchInterval: ({ state: { data, status } }) =>
    data?.status === 'completed' || data?.status === 'failed' || status === 'error' ? false : 1000,
  retry: false,
});
detail.subscribe(({ data, error }) => {
  if (error !== null) console.error(error.message);
  else if (data !== undefined) console.log(data.status, data.counts.created);
});
