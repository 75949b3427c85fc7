/** A page as another team would write it: Vite, React and TanStack Query, on another origin than the API. */
import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createClient } from '@rollcall/client';
import { createRoot } from 'react-dom/client';

// The address of the API and the key are in the fragment, for the test to choose.
const [baseUrl, apiKey] = location.hash.slice(1).split(',');
const client = createClient({ baseUrl, apiKey, retry: false });

function Automations() {
  const list = useInfiniteQuery({
    queryKey: ['automations'],
    queryFn: ({ pageParam, signal }) => client.automations.list({ limit: 5, ...pageParam, signal }),
    initialPageParam: {},
    getNextPageParam: ({ data, has_more }) => (has_more ? { after: data.at(-1).id } : undefined),
    retry: false,
  });
  if (list.isPending) return <p>Loading</p>;
  if (list.isError)
    return <p role="alert">{`${list.error.name}: ${list.error.problem?.message ?? list.error.message}`}</p>;
  return (
    <>
      <ol>{list.data.pages.flatMap((page) => page.data.map(({ id, name }) => <li key={id}>{name}</li>))}</ol>
      <button disabled={!list.hasNextPage || list.isFetching} onClick={() => list.fetchNextPage()}>
        Older
      </button>
    </>
  );
}

function Imports() {
  const { data } = useQuery({
    queryKey: ['imports'],
    queryFn: ({ signal }) => client.contactImports.list({ signal }),
    retry: false,
  });
  return (
    data && <p id="imports">{`${data.data.length} of ${data.response.headers.get('etag') ? 'a tag' : 'no tag'}`}</p>
  );
}

createRoot(document.getElementById('root')).render(
  <QueryClientProvider client={new QueryClient()}>
    <Automations />
    <Imports />
  </QueryClientProvider>,
);
