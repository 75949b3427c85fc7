/** The sentinel of the scoreboard: `fetch` as in a first draft. It takes every response for a page, and an empty page for the end. */
import type { Client, List, Query } from './driver';
import { drive, fetchFailed } from './driver';

void drive<string>(
  (baseUrl, key) => {
    const get = async <T>(path: string, query: object = {}): Promise<T> => {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const response = await fetch(`${baseUrl}${path}?${search}`, { headers: { Authorization: `Bearer ${key}` } });
      return (await response.json()) as T;
    };
    const list = async <T>(path: string, query: Query<string>): Promise<List<T>> => {
      const { data = [] } = await get<Partial<List<T>>>(path, query);
      return { data, has_more: data.length > 0 };
    };
    const client: Client = {
      automations: (query) => list('/automations', query),
      contactProperties: (query) => list('/contact-properties', query),
      contactImports: (query) => list('/contacts/imports', query),
      contactImport: (id) => get(`/contacts/imports/${id}`),
    };
    return client;
  },
  fetchFailed,
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);
